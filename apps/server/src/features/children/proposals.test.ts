/** Proposals of a parent take effect once staff have compared them with the child (contract §6). Uses a fake engine. */
import { FACE_CALLS_PER_DAY, FACE_TRIES_PER_DAY } from '@haris/contract/constants';
import { namedBelow } from '@haris/contract/face-distance';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import type { FormParts } from '../../testing/form.ts';
import { type Answer, type Family, startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
let other: Family;
let faces = 0;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
});
afterAll(() => app.close());
beforeEach(async () => {
  faces++;
  await app.forgetLimits();
});

const face = (of = '') => `proposed ${faces} ${of}`;
const create = (owner: Family, token: string, form: FormParts) =>
  app.ask('POST', `/api/children/create-child/${owner.id}`, { token, form: { name: 'A Child', ...form } });
const update = (id: string, token: string, form: FormParts) =>
  app.ask('PUT', `/api/children/update-child/${id}`, { token, form });
const confirm = (id: string, json: object, token = staff) =>
  app.ask('POST', `/api/children/${id}/confirm`, { token, json });
const checkIn = (id: string, json: object = {}, headers: Record<string, string> = {}) =>
  app.ask('POST', `/api/children/checkin-child/${id}`, { token: staff, json, headers });
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
const staffView = async (id: string) => {
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children?limit=200', {
    token: staff,
  });
  const child = children.find(({ _id }) => _id === id);
  if (!child) throw new Error('the child is not in the list');
  return child;
};
const parentView = async (owner: Family, id: string) => {
  const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: owner.token });
  const child = parent.children.find(({ _id }) => _id === id);
  if (!child) throw new Error('the child is not in the account');
  return child;
};
const faceOf = async (path: string | null | undefined) => {
  const answer = await app.ask('GET', String(path), { token: staff });
  return answer.status === 200
    ? /"face":"([^"]*)"/.exec(answer.bytes.toString('latin1'))?.[1]
    : answer.status;
};
const whoIs = async (name: string) => {
  const form = { image: fakePhoto({ face: name }) };
  return (
    (await app.expect(200, 'POST', '/check-face', { token: staff, form })).faces[0]?.match?.childId ?? null
  );
};
/** The children whom the face engine should recognise, with the number of their photos. */
const gallery = async () => {
  const { entries } = await app.context.gallery.read();
  return new Map(entries.map(({ subject, encodings }) => [subject.id, encodings.length]));
};
const auditOf = async (action: string, subject: string) =>
  app.context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', action)
    .where('subject_id', '=', subject)
    .orderBy('seq')
    .execute();

/** A child of `family` that the desk added, and a parent's new photo and name for it. */
async function changedByParent() {
  const child = await app.makeChild(family, 'Old Name', fakePhoto({ face: face('old') }));
  const answer = await update(child._id, family.token, {
    name: 'New Name',
    photo: fakePhoto({ face: face('new') }),
  });
  expect(answer.status).toBe(200);
  return { child, given: answer.body.child };
}

describe('a child that a parent adds', () => {
  test('is there at once, with its only photo for staff, marked; no camera knows the face until the desk confirms', async () => {
    const answer = await create(family, family.token, { name: 'Yara', photo: fakePhoto({ face: face() }) });
    expect(answer.status).toBe(201);
    const { child } = answer.body;
    expect(child).toMatchObject({ name: 'Yara', pending: ['photo', 'name'] });
    expect(child).not.toHaveProperty('proposal');
    const seen = await staffView(child._id);
    expect(seen).toMatchObject({ name: 'Yara', photo: child.photo, pending: ['photo', 'name'] });
    expect(seen.proposal).toMatchObject({ name: 'Yara', photo: child.photo });
    expect(await faceOf(seen.photo)).toBe(face());
    expect((await gallery()).has(child._id)).toBe(false);
    expect(await whoIs(face())).toBeNull();

    const confirmed = await confirm(child._id, { accept: true, revision: seen.proposal?.revision });
    expect(confirmed).toMatchObject({ status: 200, body: { child: { name: 'Yara', pending: [] } } });
    expect(confirmed.body.child).not.toHaveProperty('proposal');
    expect(confirmed.body.child.photo).toBe(child.photo);
    expect((await gallery()).get(child._id)).toBe(1);
    expect(await whoIs(face())).toBe(child._id);
    expect((await parentView(family, child._id)).pending).toEqual([]);
  });

  test('that the desk adds is confirmed at once', async () => {
    const { child } = (await create(family, staff, { photo: fakePhoto({ face: face() }) })).body;
    expect(child.pending).toEqual([]);
    expect(await whoIs(face())).toBe(child._id);
  });

  test('and rejected has no photo and stays marked, until the parent gives another', async () => {
    const { child } = (await create(family, family.token, { photo: fakePhoto({ face: face() }) })).body;
    expect(await confirm(child._id, { accept: false })).toMatchObject({
      status: 200,
      body: { child: { photo: null, pending: ['photo', 'name'] } },
    });
    expect(await faceOf(child.photo)).toBe(404);
    const again = (await update(child._id, family.token, { photo: fakePhoto({ face: face('two') }) })).body
      .child;
    const seen = await staffView(child._id);
    expect(seen).toMatchObject({
      photo: again.photo,
      pending: ['photo', 'name'],
      proposal: { photo: again.photo, name: child.name },
    });
    expect((await confirm(child._id, { accept: true })).body.child.pending).toEqual([]);
    expect(await whoIs(face('two'))).toBe(child._id);
  });

  test('and changed before anybody has confirmed it shows the newest alone', async () => {
    const { child } = (
      await create(family, family.token, { name: 'One', photo: fakePhoto({ face: face() }) })
    ).body;
    const next = await update(child._id, family.token, {
      name: 'Two',
      photo: fakePhoto({ face: face('two') }),
    });
    expect(await staffView(child._id)).toMatchObject({
      name: 'Two',
      photo: next.body.child.photo,
      pending: ['photo', 'name'],
    });
    expect(await faceOf(child.photo)).toBe(404);
  });

  test('and checked in unconfirmed keeps photo and name for staff while it is inside, whatever the parent sends', async () => {
    const form = { name: 'Seen', photo: fakePhoto({ face: face() }) };
    const { child } = (await create(family, family.token, form)).body;
    expect((await checkIn(child._id)).status).toBe(200);
    for (const next of ['two', 'three']) {
      const sent = { name: `Not seen ${next}`, photo: fakePhoto({ face: face(next) }) };
      expect((await update(child._id, family.token, sent)).body.child).toMatchObject({ name: sent.name });
      const seen = await staffView(child._id);
      expect(seen).toMatchObject({ name: 'Seen', photo: child.photo, pending: ['photo', 'name'] });
      expect(seen.proposal?.name).toBe(sent.name);
      expect(await faceOf(seen.photo)).toBe(face());
      expect(await faceOf(seen.proposal?.photo)).toBe(face(next));
    }
    await confirm(child._id, { accept: false });
    expect(await staffView(child._id)).toMatchObject({
      name: 'Seen',
      photo: child.photo,
      pending: ['photo', 'name'],
    });
    expect(await faceOf(child.photo)).toBe(face());
    expect((await gallery()).has(child._id)).toBe(false);
    await checkOut(child._id);
  });
});

describe('a new photo and name', () => {
  test('show the parent what was sent and staff what was confirmed, until the desk says so', async () => {
    const { child, given } = await changedByParent();
    expect(given).toMatchObject({ name: 'New Name', pending: ['photo', 'name'] });
    expect(await faceOf(given.photo)).toBe(face('new'));
    const seen = await staffView(child._id);
    expect(seen).toMatchObject({
      name: 'Old Name',
      photo: child.photo,
      pending: ['photo', 'name'],
      proposal: { name: 'New Name', photo: given.photo },
    });
    expect(await faceOf(seen.photo)).toBe(face('old'));
    expect([await whoIs(face('old')), await whoIs(face('new'))]).toEqual([child._id, null]);
    expect(await parentView(family, child._id)).toMatchObject({ name: 'New Name', photo: given.photo });

    const { body } = await confirm(child._id, { accept: true, revision: seen.proposal?.revision });
    expect(body.child).toMatchObject({ name: 'New Name', photo: given.photo, pending: [] });
    expect([await whoIs(face('old')), await whoIs(face('new'))]).toEqual([null, child._id]);
    expect(await faceOf(child.photo)).toBe(404);
    expect(await auditOf('proposal.accepted', child._id)).toHaveLength(1);
  });

  test('rejected: nothing has changed, the photo is gone, and the parent is told', async () => {
    const { child, given } = await changedByParent();
    const { body } = await confirm(child._id, { accept: false });
    expect(body.child).toMatchObject({ name: 'Old Name', photo: child.photo, pending: [] });
    expect(await parentView(family, child._id)).toMatchObject({
      name: 'Old Name',
      photo: child.photo,
      pending: [],
    });
    expect(await faceOf(given.photo)).toBe(404);
    expect(await whoIs(face('old'))).toBe(child._id);
    const told = await app.context.db
      .selectFrom('events')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(told).toMatchObject({ type: 'proposal.rejected', child_id: child._id, parent_id: family.id });
  });

  test('the parent’s live video is found by the name that was sent and by the one before', async () => {
    const { child } = await changedByParent();
    for (const name of ['New Name', 'Old Name']) {
      const answer = await app.ask('GET', `/video_feed?target_name=${encodeURIComponent(name)}`, {
        token: family.token,
      });
      expect(answer, name).toMatchObject({ status: 409, body: { code: 'child_outside' } });
    }
    await confirm(child._id, { accept: false });
  });

  test('a newer one replaces what waited; who saw the older one is refused: 409', async () => {
    const { child, given } = await changedByParent();
    const { proposal } = await staffView(child._id);
    const newer = await update(child._id, family.token, { photo: fakePhoto({ face: face('third') }) });
    expect(await faceOf(given.photo)).toBe(404);
    for (const accept of [true, false])
      expect(await confirm(child._id, { accept, revision: proposal?.revision })).toMatchObject({
        status: 409,
        body: { code: 'proposal_changed' },
      });
    expect(await checkIn(child._id, { confirm: true, revision: proposal?.revision })).toMatchObject({
      status: 409,
      body: { code: 'proposal_changed' },
    });
    expect(await staffView(child._id)).toMatchObject({
      isInside: false,
      name: 'Old Name',
      photo: child.photo,
      proposal: { name: 'New Name', photo: newer.body.child.photo },
    });
  });

  test('the old name again calls the new one off', async () => {
    const child = await app.makeChild(family, 'Same', fakePhoto({ face: face() }));
    await update(child._id, family.token, { name: 'Another' });
    expect((await update(child._id, family.token, { name: 'Same' })).body.child.pending).toEqual([]);
  });

  test('what the desk changes meanwhile counts, and ends what waited for the same field alone', async () => {
    const { child, given } = await changedByParent();
    const byDesk = await update(child._id, staff, { photo: fakePhoto({ face: face('desk') }) });
    expect(byDesk.body.child).toMatchObject({
      name: 'Old Name',
      pending: ['name'],
      proposal: { name: 'New Name' },
    });
    expect(await faceOf(given.photo)).toBe(404);
    expect(await whoIs(face('desk'))).toBe(child._id);
    expect((await update(child._id, staff, { name: 'Desk' })).body.child).toMatchObject({
      name: 'Desk',
      pending: [],
    });
  });

  test('of two desks that decide at once, one is told that it was too late', async () => {
    const { child } = await changedByParent();
    const { proposal } = await staffView(child._id);
    const revision = proposal?.revision;
    const answers = await Promise.all([
      confirm(child._id, { accept: true, revision }),
      confirm(child._id, { accept: false, revision }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await confirm(child._id, { accept: true })).toMatchObject({
      status: 409,
      body: { code: 'proposal_changed' },
    });
  });

  test('goes with the child', async () => {
    const { child, given } = await changedByParent();
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: staff });
    expect(await faceOf(given.photo)).toBe(404);
    expect(await confirm(child._id, { accept: true })).toMatchObject({ status: 404 });
    const left = await app.context.db
      .selectFrom('proposals')
      .select('id')
      .where('subject_id', '=', child._id)
      .execute();
    expect(left).toEqual([]);
  });

  test('one more photo by the parent is known to no camera before the desk has seen it', async () => {
    const child = await app.makeChild(family, 'Known', fakePhoto({ face: face() }));
    const url = `/api/children/${child._id}/photos`;
    const add = (photo: Buffer, token = family.token) => app.ask('POST', url, { token, form: { photo } });
    expect(await add(fakePhoto({ face: face(), away: 0.3 }))).toMatchObject({
      status: 201,
      body: { photos: 2, child: { pending: ['photos'] } },
    });
    expect((await add(fakePhoto({ face: face('stranger') }))).body.code).toBe('another_face');
    expect((await gallery()).get(child._id)).toBe(1);
    const { proposal } = await staffView(child._id);
    expect(proposal?.photos).toHaveLength(1);
    await confirm(child._id, { accept: true, revision: proposal?.revision });
    expect((await gallery()).get(child._id)).toBe(2);
    // Only the encoding of the photo is stored.
    expect(await faceOf(proposal?.photos?.[0])).toBe(404);
    expect(await faceOf(child.photo)).toBe(face());
  });
});

describe('at check-in', () => {
  test('one step checks in and confirms', async () => {
    const { child, given } = await changedByParent();
    const { proposal } = await staffView(child._id);
    const answer = await checkIn(child._id, { confirm: true, revision: proposal?.revision });
    expect(answer).toMatchObject({
      status: 200,
      body: { child: { isInside: true, name: 'New Name', photo: given.photo, pending: [] } },
    });
    expect(await whoIs(face('new'))).toBe(child._id);
  });

  test('without `confirm` nothing is confirmed; with it where nothing waits, nothing else happens', async () => {
    const { child } = await changedByParent();
    expect((await checkIn(child._id)).body.child).toMatchObject({
      isInside: true,
      pending: ['photo', 'name'],
    });
    await checkOut(child._id);
    await confirm(child._id, { accept: true });
    expect((await checkIn(child._id, { confirm: true })).body.child).toMatchObject({
      isInside: true,
      pending: [],
    });
    expect((await checkIn(child._id, { confirm: 'yes' })).status).toBe(400);
  });

  test('whoever may not edit families checks in and confirms nothing', async () => {
    const { child } = await changedByParent();
    const { id, token } = await app.makeEmployee();
    await app.expect(200, 'PUT', `/api/admin/${id}/roles`, {
      token: staff,
      json: { roles: [{ roleId: 'teacher', facilityId: 'main' }] },
    });
    const enter = (json: object) =>
      app.ask('POST', `/api/children/checkin-child/${child._id}`, { token, json });
    expect(await enter({ confirm: true })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await staffView(child._id)).toMatchObject({ isInside: false, pending: ['photo', 'name'] });
    expect((await enter({})).body.child).toMatchObject({ isInside: true, pending: ['photo', 'name'] });
  });

  test('a check-in that is refused confirms nothing', async () => {
    const { child } = await changedByParent();
    await checkIn(child._id);
    const again = await checkIn(
      child._id,
      { confirm: true },
      { 'idempotency-key': `refused ${faces}`.replace(' ', '-') },
    );
    expect(again).toMatchObject({ status: 409, body: { code: 'already_inside' } });
    expect((await staffView(child._id)).pending).toEqual(['photo', 'name']);
  });

  test('the same key answers the same, also after the family has given something else', async () => {
    const { child } = await changedByParent();
    const { proposal } = await staffView(child._id);
    const body = { confirm: true, revision: proposal?.revision };
    const headers = { 'idempotency-key': `key-${faces}` };
    const first = await checkIn(child._id, body, headers);
    expect(first.status).toBe(200);
    await update(child._id, family.token, { name: 'Later' });
    expect((await checkIn(child._id, body, headers)).body).toEqual(first.body);
  });

  test('a face that looks like another child’s is asked about before anything happens', async () => {
    await app.makeChild(other, 'Known', fakePhoto({ face: face('new') }));
    const { child } = await changedByParent();
    const headers = { 'idempotency-key': `alike-${faces}` };
    expect(await checkIn(child._id, { confirm: true }, headers)).toMatchObject({
      status: 409,
      body: { code: 'face_already_registered', candidates: [{ name: 'Known' }] },
    });
    expect(await staffView(child._id)).toMatchObject({ isInside: false, pending: ['photo', 'name'] });
  });
});

describe('who looks alike', () => {
  /** Parts of a response that could reveal whether a face is known. */
  const told = ({ status, body }: Answer) => {
    const { child, ...rest } = body as Partial<Answer['body']>;
    const { _id, photo, uniqueEntryId, ...plain } = child ?? ({} as never);
    return { status, ...rest, child: plain };
  };

  test('“is this child here?” is answered the same for a known and an unknown face, whatever is asked', async () => {
    const asker = await app.makeFamily();
    const adult = await app.makeEmployee();
    await app.makeChild(other, 'Hidden', fakePhoto({ face: face('child') }));
    await app.expect(200, 'PUT', '/api/admin/me/recognition', {
      token: adult.token,
      form: { photo: fakePhoto({ face: face('teacher') }) },
    });
    const names = [face('child'), face('teacher'), face('nobody')];
    const matches: number[] = [];
    app.vision.onMatch = () => void matches.push(1);
    const own = await app.makeChild(asker, 'Own', fakePhoto({ face: face('own') }));
    const probes: ((name: string) => Promise<Answer>)[] = [
      (name) =>
        create(asker, asker.token, { name: 'Probe', photo: fakePhoto({ face: name }), confirm: 'true' }),
      (name) => update(own._id, asker.token, { photo: fakePhoto({ face: name }) }),
      (name) =>
        app.ask('POST', `/api/children/${own._id}/photos`, {
          token: asker.token,
          form: { photo: fakePhoto({ face: name }) },
        }),
    ];
    matches.length = 0;
    for (const probe of probes) {
      await app.forgetLimits();
      const answers: ReturnType<typeof told>[] = [];
      for (const name of names) {
        answers.push(told(await probe(name)));
        await confirm(own._id, { accept: false });
      }
      expect(answers[0]).toEqual(answers[2]);
      expect(answers[1]).toEqual(answers[2]);
      expect(JSON.stringify(answers)).not.toMatch(/Hidden|candidates|already/);
    }
    app.vision.onMatch = () => {};
    // Nothing was even compared, so the response time reveals nothing either.
    expect(matches).toEqual([]);
  });

  test('recognition of an adult tells nothing either', async () => {
    await app.makeChild(other, 'Hidden', fakePhoto({ face: face('child') }));
    const answers: unknown[] = [];
    for (const name of [face('child'), face('nobody')]) {
      const asker = await app.makeFamily();
      await app.expect(200, 'PUT', `/api/parent/update-parent/${asker.id}`, {
        token: asker.token,
        form: { photo: fakePhoto({ face: name }) },
      });
      const { status, body } = await app.ask('PUT', `/api/parent/${asker.id}/recognition`, {
        token: asker.token,
      });
      answers.push({ status, body });
    }
    expect(answers[0]).toEqual({
      status: 200,
      body: { recognition: { on: false, since: null, problem: null, pending: true } },
    });
    expect(answers[1]).toEqual(answers[0]);
  });

  test('is compared again when a face like it is enrolled before the decision is written', async () => {
    const { child } = (await create(family, family.token, { photo: fakePhoto({ face: face('both') }) })).body;
    const { gallery } = app.context;
    const nearest = gallery.nearest.bind(gallery);
    const spy = vi.spyOn(gallery, 'nearest').mockImplementationOnce(async (...asked) => {
      const found = await nearest(...asked);
      await app.makeChild(other, 'Quicker', fakePhoto({ face: face('both') }));
      return found;
    });
    expect(await confirm(child._id, { accept: true })).toMatchObject({
      status: 409,
      body: { code: 'face_already_registered', candidates: [{ name: 'Quicker' }] },
    });
    spy.mockRestore();
    expect((await staffView(child._id)).pending).toEqual(['photo', 'name']);
  });

  test('is a question to the desk at confirmation, with photos, names and adults, and accepted with `confirm`', async () => {
    const known = await app.makeChild(other, 'Known', fakePhoto({ face: face('child') }));
    const { child } = (
      await create(family, family.token, { photo: fakePhoto({ face: face('child'), away: 0.25 }) })
    ).body;
    const asked = await confirm(child._id, { accept: true });
    expect(asked).toMatchObject({ status: 409, body: { code: 'face_already_registered' } });
    expect(asked.body.candidates).toEqual([
      { childId: known._id, name: 'Known', parentName: other.name, photo: known.photo, similarity: 0.75 },
    ]);
    expect((await staffView(child._id)).pending).toEqual(['photo', 'name']);
    expect(await confirm(child._id, { accept: true, confirm: true })).toMatchObject({
      status: 200,
      body: { child: { pending: [] }, lookalikes: [{ childId: known._id }] },
    });

    const teacher = await app.makeEmployee({ name: 'Teacher Nadia' });
    await app.expect(200, 'PUT', '/api/admin/me/recognition', {
      token: teacher.token,
      form: { photo: fakePhoto({ face: face('teacher') }) },
    });
    const copy = (await create(family, family.token, { photo: fakePhoto({ face: face('teacher') }) })).body
      .child;
    expect((await confirm(copy._id, { accept: true })).body).toMatchObject({
      code: 'face_already_registered',
      candidates: [],
      adults: [{ kind: 'staff', name: 'Teacher Nadia', photo: null, similarity: 1 }],
    });
  });

  test('is no question where no camera could take one child for the other', async () => {
    const { recognitionThreshold, recognitionMargin } = (
      await app.expect(200, 'GET', '/api/settings', { token: staff })
    ).settings;
    const confirmAt = async (name: string, away: number, photos: number, own = 1) => {
      const known = await app.makeChild(other, name, fakePhoto({ face: face(name) }));
      for (let more = 1; more < photos; more++)
        await app.expect(201, 'POST', `/api/children/${known._id}/photos`, {
          token: staff,
          form: { photo: fakePhoto({ face: face(name), aside: more * 0.18 }) },
        });
      const photo = fakePhoto({ face: face(name), away });
      const { child } = (await create(family, family.token, { photo })).body;
      for (let more = 1; more < own; more++)
        await app.expect(201, 'POST', `/api/children/${child._id}/photos`, {
          token: family.token,
          form: { photo: fakePhoto({ face: face(name), away, aside: more * 0.18 }) },
        });
      return confirm(child._id, { accept: true });
    };
    for (const [photos, name] of [
      [1, 'Once'],
      [2, 'Often'],
    ] as const) {
      // A child known by one photo is named at a smaller distance only.
      const border = namedBelow(photos, recognitionThreshold) + recognitionMargin;
      expect(await confirmAt(`${name} far`, border + 0.02, photos)).toMatchObject({
        status: 200,
        body: { child: { pending: [] } },
      });
      expect(await confirmAt(`${name} near`, border - 0.02, photos)).toMatchObject({
        status: 409,
        body: { code: 'face_already_registered', candidates: [{ name: `${name} near` }] },
      });
    }
    // The new child, known by two photos, could be named where the known one stands.
    const border = namedBelow(2, recognitionThreshold) + recognitionMargin;
    expect(await confirmAt('Twice itself', border - 0.02, 1, 2)).toMatchObject({
      status: 409,
      body: { code: 'face_already_registered', candidates: [{ name: 'Twice itself' }] },
    });
  });

  test('of two families that give one face, the desk is asked about the second', async () => {
    const answers = await Promise.all(
      [family, other].map((owner) => create(owner, owner.token, { photo: fakePhoto({ face: face() }) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [one, two] = answers.map(({ body }) => body.child._id);
    const decided = await Promise.all([
      confirm(String(one), { accept: true }),
      confirm(String(two), { accept: true }),
    ]);
    expect(decided.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a parent cannot follow somebody else: another person’s portrait is in no gallery before or after a rejection', async () => {
    const child = await app.makeChild(family, 'Own', fakePhoto({ face: face('own') }));
    await checkIn(child._id);
    const before = (await gallery()).get(child._id);
    await update(child._id, family.token, { photo: fakePhoto({ face: face('victim') }) });
    expect((await gallery()).get(child._id)).toBe(before);
    expect([await whoIs(face('own')), await whoIs(face('victim'))]).toEqual([child._id, null]);
    await confirm(child._id, { accept: false });
    expect([await whoIs(face('own')), await whoIs(face('victim'))]).toEqual([child._id, null]);
  });
});

describe('who may decide', () => {
  test('staff alone: a parent 403, nobody 401, a child that is not there 404, a body that says nothing 400', async () => {
    const { child } = await changedByParent();
    expect((await confirm(child._id, { accept: true }, family.token)).status).toBe(403);
    expect((await confirm(child._id, { accept: true }, other.token)).status).toBe(403);
    expect(
      (await app.ask('POST', `/api/children/${child._id}/confirm`, { json: { accept: true } })).status,
    ).toBe(401);
    expect((await confirm('no-such-child', { accept: true })).status).toBe(404);
    expect((await confirm(child._id, {})).status).toBe(400);
    expect((await confirm(child._id, { accept: 'true' })).status).toBe(400);
    expect((await staffView(child._id)).pending).toEqual(['photo', 'name']);
  });

  test('another family sees neither what was confirmed nor what waits', async () => {
    const { given } = await changedByParent();
    expect((await app.ask('GET', String(given.photo), { token: other.token })).status).toBe(404);
    expect((await app.ask('GET', String(given.photo), { token: family.token })).status).toBe(200);
  });

  test('what waits is listed', async () => {
    const fresh = await app.makeFamily();
    const { child } = (await create(fresh, fresh.token, { photo: fakePhoto() })).body;
    const list = async (path: string) => app.expect(200, 'GET', path, { token: staff });
    const ids = async (pending: boolean) =>
      (await list(`/api/children/get-all-children?limit=200&pending=${pending}`)).children.map(
        ({ _id }) => _id,
      );
    const families = async (pending: boolean) =>
      (await list(`/api/parent/get-all-parents?limit=200&pending=${pending}`)).parents.map(({ _id }) => _id);
    expect([await ids(true), await families(true)]).toEqual([
      expect.arrayContaining([child._id]),
      expect.arrayContaining([fresh.id]),
    ]);
    expect(await ids(false)).not.toContain(child._id);
    await app.confirmChild(child._id);
    expect(await ids(true)).not.toContain(child._id);
    expect(await families(true)).not.toContain(fresh.id);
    expect(await families(false)).toContain(fresh.id);
  });
});

describe('how often', () => {
  test(`${FACE_CALLS_PER_DAY} faces a day, over all the calls together; the rest is refused with how long to wait`, async () => {
    const asker = await app.makeFamily();
    const { token } = asker;
    const own = await app.makeChild(asker, 'Own', fakePhoto({ face: face() }));
    const calls = [
      () => create(asker, token, { photo: fakePhoto() }),
      () => update(own._id, token, { photo: fakePhoto() }),
      () => app.ask('POST', `/api/children/${own._id}/photos`, { token, form: { photo: fakePhoto() } }),
      () =>
        app.ask('POST', '/register-child', {
          token,
          form: { image: fakePhoto(), childName: 'X', parentId: asker.id },
        }),
    ];
    for (let i = 0; i < FACE_CALLS_PER_DAY; i++)
      expect((await calls[i % calls.length]?.())?.status).not.toBe(429);
    for (const call of calls) {
      const refused = await call();
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(23 * 3600);
    }
    // The audit log contains every face, and one of the refusals.
    expect(await auditOf('face.offered', asker.id)).toHaveLength(FACE_CALLS_PER_DAY);
    expect(await auditOf('face.limit_reached', asker.id)).toHaveLength(1);
    // Other actors are not affected.
    expect((await create(asker, staff, { photo: fakePhoto() })).status).toBe(201);
    app.clock.advance(24 * 3_600_000 + 1);
    staff = await app.staff();
    const signedIn = await app.signIn('parent', asker.email, asker.password);
    expect((await create(asker, signedIn, { photo: fakePhoto() })).status).toBe(201);
  });

  test('a photo without a usable face is no face of the day, by whichever call; it is on record', async () => {
    const asker = await app.makeFamily();
    const { token } = asker;
    const own = await app.makeChild(asker, 'Own', fakePhoto({ face: face() }));
    const register = (image: Buffer) =>
      app.ask('POST', '/register-child', { token, form: { image, childName: 'X', parentId: asker.id } });
    const blurred = () => fakePhoto({ problem: 'photo_blurred' });
    for (let i = 0; i < 3; i++)
      for (const refused of [
        await create(asker, token, { photo: blurred() }),
        await update(own._id, token, { photo: blurred() }),
        await app.ask('POST', `/api/children/${own._id}/photos`, { token, form: { photo: blurred() } }),
        await register(blurred()),
      ])
        expect(refused).toMatchObject({ status: 422, body: { code: 'photo_blurred' } });
    // An engine that is away costs a parent nothing either, and the photo may come again with the child.
    const photo = fakePhoto();
    expect((await register(photo)).status).toBe(200);
    app.vision.up = false;
    expect((await create(asker, token, { photo })).status).toBe(503);
    expect((await create(asker, token, { photo: fakePhoto() })).status).toBe(503);
    app.vision.up = true;
    expect((await create(asker, token, { photo })).status).toBe(201);
    for (let i = 1; i < FACE_CALLS_PER_DAY; i++)
      expect((await create(asker, token, { photo: fakePhoto() })).status, String(i)).toBe(201);
    expect((await create(asker, token, { photo: fakePhoto() })).status).toBe(429);
    expect(await auditOf('face.offered', asker.id)).toHaveLength(12 + 4 + FACE_CALLS_PER_DAY - 1);
  });

  test('but all photos together are limited, as each costs computing time', async () => {
    const asker = await app.makeFamily();
    const refused = () => create(asker, asker.token, { photo: fakePhoto({ problem: 'no_face' }) });
    for (let i = 0; i < FACE_TRIES_PER_DAY; i++) expect((await refused()).status).toBe(422);
    expect(await refused()).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect((await create(asker, asker.token, { photo: fakePhoto() })).status).toBe(429);
    expect(await auditOf('face.limit_reached', asker.id)).toHaveLength(1);
  });

  test('of many at once only those within the limit are taken', async () => {
    const asker = await app.makeFamily();
    const send = () => create(asker, asker.token, { photo: fakePhoto() });
    for (let i = 5; i < FACE_CALLS_PER_DAY; i++) await send();
    const answers = await Promise.all(Array.from({ length: 15 }, send));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });

  test('the photo that was registered first is counted once with the child that it becomes', async () => {
    const asker = await app.makeFamily();
    for (let i = 0; i < FACE_CALLS_PER_DAY; i++) {
      const photo = fakePhoto();
      const form = { image: photo, childName: 'X', parentId: asker.id };
      await app.expect(200, 'POST', '/register-child', { token: asker.token, form });
      expect((await create(asker, asker.token, { photo })).status, String(i)).toBe(201);
      // A second repetition is counted.
      if (i === FACE_CALLS_PER_DAY - 1)
        expect((await create(asker, asker.token, { photo })).status).toBe(429);
    }
  });

  test('another parent who sends the same photo is counted, and uses up nothing of the first', async () => {
    const [first, other] = [await app.makeFamily(), await app.makeFamily()];
    const photo = fakePhoto();
    const form = { image: photo, childName: 'X', parentId: first.id };
    await app.expect(200, 'POST', '/register-child', { token: first.token, form });
    for (let i = 0; i < FACE_CALLS_PER_DAY - 1; i++)
      expect((await create(first, first.token, { photo: fakePhoto() })).status).toBe(201);
    for (let i = 0; i < FACE_CALLS_PER_DAY; i++)
      await create(other, other.token, { photo: i === 0 ? photo : fakePhoto() });
    expect((await create(other, other.token, { photo: fakePhoto() })).status).toBe(429);
    expect((await create(first, first.token, { photo })).status).not.toBe(429);
  });
});

describe('the address of the account is told', () => {
  test('of a child’s new photo and name, in the account’s language, three times an hour', async () => {
    const asker = await app.makeFamily();
    const child = await app.makeChild(asker, 'Own', fakePhoto({ face: face() }));
    const before = (await app.outbox(asker.email)).length;
    await update(child._id, asker.token, { photo: fakePhoto({ face: face() }), name: 'Other' });
    const mail = await app.lastMail(asker.email);
    expect(mail.subject).toBe('Details of your family were changed in Haris');
    expect(mail.text).toMatch(/the photo of a child and the name of a child/);
    expect(mail.text).toMatch(/If this was not you/);
    expect(mail.text).not.toMatch(/Own|Other/);
    for (let i = 0; i < 4; i++) await update(child._id, asker.token, { name: `Name ${i}` });
    expect((await app.outbox(asker.email)).length - before).toBe(3);
    app.clock.advance(3_600_001);
    await app.expect(200, 'PUT', '/api/language', { token: asker.token, json: { language: 'ar' } });
    await update(child._id, asker.token, { name: 'Again' });
    expect((await app.lastMail(asker.email)).subject).toBe('تم تغيير بيانات عائلتك في حارس');
    // The parent gets no mail about a change by the desk.
    const count = (await app.outbox(asker.email)).length;
    await update(child._id, await app.staff(), { name: 'By the desk' });
    expect(await app.outbox(asker.email)).toHaveLength(count);
  });
});

if (testDialect === 'postgres')
  test('of two servers on one database that decide at once, one is told that it was too late', async () => {
    const { DATABASE_URL = '', DATA_DIR = '' } = app.env;
    const second = await startTestApp({ clock: app.clock, config: { DATABASE_URL, DATA_DIR } });
    const { child } = await changedByParent();
    const { proposal } = await staffView(child._id);
    const json = { accept: true, revision: proposal?.revision };
    const answers = await Promise.all([
      confirm(child._id, json),
      second.ask('POST', `/api/children/${child._id}/confirm`, { token: staff, json }),
    ]);
    await second.close();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

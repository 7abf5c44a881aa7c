/** Children: registering, changing, deleting, and telling faces apart. Uses a fake engine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { photoProblemSchema } from '@haris/contract/vision';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChildIdsOf } from '../../db/guardians/children-of.ts';
import { encodingOf, fakePhoto } from '../../testing/fake-vision.ts';
import type { FormParts } from '../../testing/form.ts';
import { type Family, startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';

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

/** A child that its parent added and the desk confirmed. */
async function enrolled(owner: Family, form: FormParts) {
  const { child } = (await create(owner, owner.token, form)).body;
  return app.confirmChild(child._id);
}

const create = (owner: Family, token: string, form: FormParts) =>
  app.ask('POST', `/api/children/create-child/${owner.id}`, { token, form: { name: 'A Child', ...form } });
const update = (id: string, token: string, form: FormParts) =>
  app.ask('PUT', `/api/children/update-child/${id}`, { token, form });
const face = () => `face ${faces}`;
const childrenOf = async (owner: Family) =>
  (await app.expect(200, 'GET', '/api/parent/info', { token: owner.token })).parent.children.length;

describe('registering', () => {
  test('a parent registers a child: name trimmed, outside, with a photo', async () => {
    const answer = await create(family, family.token, { name: '  يوسف  أحمد ', photo: fakePhoto() });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        message: 'Child registered successfully',
        child: {
          name: 'يوسف  أحمد',
          status: 'Outside',
          isInside: false,
          entryTime: null,
          parent: { _id: family.id, name: family.name },
        },
      },
    });
    expect(answer.body.child.photo).toMatch(/^\/api\/photos\/[0-9a-f-]{36}$/);
    expect(answer.body).not.toHaveProperty('lookalikes');
  });

  test('the encoding is taken, absent or blank, but never sent back', async () => {
    const photo = { face: face() };
    for (const encoding of [JSON.stringify(encodingOf(face())), undefined, '', ' ']) {
      const answer = await create(family, family.token, { photo: fakePhoto(photo), encoding });
      expect(answer.status, String(encoding)).toBe(201);
      expect(answer.bytes.toString()).not.toContain('encoding');
      await app.expect(200, 'DELETE', `/api/children/delete-child/${answer.body.child._id}`, {
        token: staff,
      });
    }
  });

  test('an encoding that is not one: 400', async () => {
    const good = encodingOf(face());
    const before = await childrenOf(family);
    const odd = [
      'nonsense',
      '[]',
      '{}',
      'null',
      JSON.stringify(good.slice(1)),
      JSON.stringify([...good, 0]),
      JSON.stringify(good.map(String)),
      JSON.stringify([...good.slice(1), null]),
      JSON.stringify([...good.slice(1), 11]),
      `[${good.slice(1).join(',')},1e999]`,
      `[${'[1],'.repeat(127)}[1]]`,
      '['.repeat(15_000),
    ];
    for (const encoding of odd)
      expect(
        await create(family, family.token, { photo: fakePhoto(), encoding }),
        encoding.slice(0, 40),
      ).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', fields: { encoding: 'The face encoding is not valid' } },
      });
    expect(await childrenOf(family)).toBe(before);
  });

  test('an encoding of another photo: 422, and nothing is kept', async () => {
    const before = await childrenOf(family);
    const photo = () => fakePhoto({ face: face() });
    const answer = await create(family, family.token, {
      photo: photo(),
      encoding: JSON.stringify(encodingOf('somebody else')),
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'encoding_mismatch',
        message: 'The face data does not belong to this photo. Please take the photo again.',
      },
    });
    const near = (away: number) =>
      create(family, family.token, { photo: photo(), encoding: JSON.stringify(encodingOf(face(), away)) });
    expect((await near(0.18)).status).toBe(422);
    expect(await childrenOf(family)).toBe(before);
    expect((await near(0.16)).status).toBe(201);
  });

  test.each(photoProblemSchema.options)('a photo with %s: 422 with its own sentence', async (problem) => {
    const before = await childrenOf(family);
    const answers = [
      await create(family, family.token, { photo: fakePhoto({ problem }) }),
      await app.ask('POST', '/register-child', {
        token: family.token,
        form: { image: fakePhoto({ problem }), childName: 'X', parentId: family.id },
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, body: { code: problem } });
      expect(answer.body.message).toMatch(/^[A-Z].*\. Please .*\.$|^[A-Z].*\.$/);
    }
    expect(await childrenOf(family)).toBe(before);
  });

  test('without a photo, with a blank name: 400 that says so', async () => {
    expect(await create(family, family.token, {})).toMatchObject({
      status: 400,
      body: { message: 'A photo is required', fields: { photo: 'A photo is required' } },
    });
    expect(
      await create(family, family.token, { photo: { bytes: new Uint8Array(), filename: '' } }),
    ).toMatchObject({
      status: 400,
      body: { message: 'A photo is required' },
    });
    expect(await create(family, family.token, { name: ' \u200b ', photo: fakePhoto() })).toMatchObject({
      status: 400,
      body: { message: 'Name is required' },
    });
  });

  test('as JSON: 400, for the photo is missing', async () => {
    const answer = await app.ask('POST', `/api/children/create-child/${family.id}`, {
      token: family.token,
      json: { name: 'X', photo: 'data:image/png;base64,AAAA' },
    });
    expect(answer).toMatchObject({ status: 400, body: { message: 'A photo is required' } });
  });

  test('while the face engine is down: 503, and again when it is back', async () => {
    app.vision.up = false;
    const answer = await create(family, family.token, { photo: fakePhoto() });
    app.vision.up = true;
    expect(answer).toMatchObject({
      status: 503,
      body: {
        code: 'face_engine_unavailable',
        message: 'Face recognition is starting. Please try again in a moment.',
      },
    });
    expect((await create(family, family.token, { photo: fakePhoto() })).status).toBe(201);
  });

  test('for a parent who is deleted at that moment: 404, and nothing is left', async () => {
    const short = await app.makeFamily();
    app.vision.onEnrol = async () => {
      app.vision.onEnrol = () => {};
      await app.expect(200, 'DELETE', `/api/parent/delete-parent/${short.id}`, { token: staff });
    };
    const answer = await create(short, staff, { photo: fakePhoto() });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await findChildIdsOf(app.context.db, short.id)).toEqual([]);
  });
});

describe('a face that is registered already', () => {
  test('of another family: a parent is told nothing of it, also who insists', async () => {
    await enrolled(other, { name: 'Secret Name', photo: fakePhoto({ face: face() }) });
    for (const form of [
      { photo: fakePhoto({ face: face(), away: 0.2 }) },
      { photo: fakePhoto({ face: face() }), confirm: 'true' },
    ]) {
      const answer = await create(family, family.token, form);
      expect(answer.status).toBe(201);
      expect(answer.bytes.toString()).not.toMatch(/Secret|candidates|lookalikes/);
    }
  });

  test('of another family: staff are asked, with both photos, and may confirm', async () => {
    const known = await enrolled(other, { name: 'Known', photo: fakePhoto({ face: face() }) });
    const photo = () => fakePhoto({ face: face(), away: 0.25 });
    const asked = await create(family, staff, { photo: photo() });
    expect(asked).toMatchObject({ status: 409, body: { code: 'face_already_registered' } });
    expect(asked.body.candidates).toEqual([
      { childId: known._id, name: 'Known', parentName: other.name, photo: known.photo, similarity: 0.75 },
    ]);
    for (const confirm of ['false', ''])
      expect((await create(family, staff, { photo: photo(), confirm })).status).toBe(409);
    expect((await create(family, staff, { photo: photo(), confirm: 'yes' })).status).toBe(400);
    const confirmed = await create(family, staff, { photo: photo(), confirm: 'true' });
    expect(confirmed).toMatchObject({
      status: 201,
      body: { lookalikes: [{ childId: known._id, similarity: 0.75 }] },
    });
  });

  test('the thresholds are the settings’', async () => {
    await enrolled(other, { photo: fakePhoto({ face: face() }) });
    const at = (away: number, token: string) =>
      create(family, token, { photo: fakePhoto({ face: face(), away }) });
    // Staff are asked below 0.60, parents never.
    expect((await at(0.1, family.token)).status).toBe(201);
    expect((await at(0.599, staff)).status).toBe(409);
    const free = await at(-0.601, staff);
    expect(free.status).toBe(201);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${free.body.child._id}`, { token: staff });
  });

  test('of another family, behind ten own children who look more alike: found all the same', async () => {
    const [large, stranger] = [await app.makeFamily(), await app.makeFamily()];
    const hidden = await enrolled(stranger, {
      name: 'Hidden',
      photo: fakePhoto({ face: face(), away: 0.4 }),
    });
    const own: string[] = [];
    for (let i = 0; i < 10; i++) {
      const sibling = await create(large, staff, {
        name: `Sibling ${i}`,
        photo: fakePhoto({ face: face(), away: -0.15 + i / 100 }),
        confirm: 'true',
      });
      own.push(sibling.body.child._id);
    }
    // Each of the ten lies within 0.15, the stranger's child at 0.40.
    const photo = () => fakePhoto({ face: face() });
    const refused = { status: 409, body: { code: 'face_already_registered' } };
    const given = (await create(large, large.token, { photo: photo() })).body.child;
    expect((await update(String(own[0]), large.token, { photo: photo() })).status).toBe(200);
    const confirm = (id: string) =>
      app.ask('POST', `/api/children/${id}/confirm`, { token: staff, json: { accept: true } });
    // Staff see at most ten faces, or three beside the child, the other family's among them.
    for (const [asked, most] of [
      [await create(large, staff, { photo: photo() }), 10],
      [await update(String(own[0]), staff, { photo: photo() }), 10],
      [await confirm(given._id), 3],
      [await confirm(String(own[0])), 3],
    ] as const) {
      expect(asked).toMatchObject(refused);
      expect(asked.body.candidates).toHaveLength(most);
      expect(asked.body.candidates[0]).toMatchObject({ childId: hidden._id, parentName: stranger.name });
    }
  });

  test('of a sibling: accepted, and staff are told of the likeness', async () => {
    const first = await enrolled(family, { name: 'Twin', photo: fakePhoto({ face: face() }) });
    const byParent = await create(family, family.token, { photo: fakePhoto({ face: face(), away: 0.3 }) });
    expect(byParent.status).toBe(201);
    expect(byParent.body).not.toHaveProperty('lookalikes');
    await app.expect(200, 'DELETE', `/api/children/delete-child/${byParent.body.child._id}`, {
      token: staff,
    });
    const byStaff = await create(family, staff, { photo: fakePhoto({ face: face(), away: 0.52 }) });
    expect(byStaff).toMatchObject({
      status: 201,
      body: { lookalikes: [{ childId: first._id, name: 'Twin', similarity: 0.48 }] },
    });
  });

  test('of two families whose child with one face the desk adds at the same moment, one is asked about', async () => {
    let waiting = 0;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    app.vision.onEnrol = async () => {
      if (++waiting === 2) go();
      await both;
    };
    const answers = await Promise.all([
      create(family, staff, { photo: fakePhoto({ face: face() }) }),
      create(other, staff, { photo: fakePhoto({ face: face() }) }),
    ]);
    app.vision.onEnrol = () => {};
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  if (testDialect === 'postgres')
    test('of two servers on one database that enrol one face at the same moment, one succeeds', async () => {
      const { DATABASE_URL = '', DATA_DIR = '' } = app.env;
      const second = await startTestApp({ clock: app.clock, config: { DATABASE_URL, DATA_DIR } });
      let judged = 0;
      let go = () => {};
      const both = new Promise<void>((resolve) => {
        go = resolve;
      });
      // Each has compared its face before either is written.
      for (const { vision } of [app, second])
        vision.onMatch = async () => {
          if (++judged === 2) go();
          await both;
        };
      const form = () => ({ name: 'A Child', photo: fakePhoto({ face: face() }) });
      const answers = await Promise.all([
        app.ask('POST', `/api/children/create-child/${family.id}`, { token: staff, form: form() }),
        second.ask('POST', `/api/children/create-child/${other.id}`, { token: staff, form: form() }),
      ]);
      app.vision.onMatch = () => {};
      await second.close();
      expect(judged).toBe(3);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    });

  test('is free again once the child is deleted', async () => {
    const child = await enrolled(other, { photo: fakePhoto({ face: face() }) });
    expect((await create(family, staff, { photo: fakePhoto({ face: face() }) })).status).toBe(409);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: other.token });
    expect((await create(family, staff, { photo: fakePhoto({ face: face() }) })).status).toBe(201);
  });

  test('is known to a face engine that has just started anew', async () => {
    await enrolled(other, { photo: fakePhoto({ face: face() }) });
    const sent = app.vision.galleriesSent;
    app.vision.up = false;
    await app.ask('POST', '/check-face', { token: staff, form: { image: fakePhoto() } });
    app.vision.up = true;
    expect((await create(family, staff, { photo: fakePhoto({ face: face() }) })).status).toBe(409);
    expect(app.vision.galleriesSent).toBe(sent + 1);
  });
});

describe('changing', () => {
  test('the name, as JSON or as a form', async () => {
    const child = await app.makeChild(family);
    const url = `/api/children/update-child/${child._id}`;
    const json = await app.expect(200, 'PUT', url, { token: family.token, json: { name: 'New' } });
    expect(json).toMatchObject({
      message: 'Child updated successfully',
      child: { name: 'New', photo: child.photo, pending: ['name'] },
    });
    expect((await update(child._id, staff, { name: 'Newer' })).body.child.name).toBe('Newer');
    expect(await update(child._id, staff, {})).toMatchObject({
      status: 400,
      body: { message: 'Nothing to change was sent' },
    });
  });

  test('the photo: once the desk has confirmed it the old one is gone, and the face is the new one', async () => {
    const child = await app.makeChild(family, 'Growing', fakePhoto({ face: face() }));
    const answer = await update(child._id, family.token, {
      photo: fakePhoto({ face: `${face()} later` }),
      encoding: JSON.stringify(encodingOf(`${face()} later`)),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.child.photo).not.toBe(child.photo);
    expect((await app.confirmChild(child._id)).photo).toBe(answer.body.child.photo);
    expect((await app.ask('GET', String(child.photo), { token: staff })).status).toBe(404);
    expect((await app.ask('GET', String(answer.body.child.photo), { token: staff })).status).toBe(200);
    const seen = await app.expect(200, 'POST', '/check-face', {
      token: staff,
      form: { image: fakePhoto({ faces: [face(), `${face()} later`] }) },
    });
    expect(seen.faces.map(({ match }) => match?.childId ?? null)).toEqual([null, child._id]);
  });

  test('to a photo of the same face is no likeness to oneself; about another family’s face the desk is asked', async () => {
    const child = await app.makeChild(family, 'Self', fakePhoto({ face: face() }));
    const same = await update(child._id, staff, { photo: fakePhoto({ face: face(), away: 0.1 }) });
    expect(same.status).toBe(200);
    expect(same.body).not.toHaveProperty('lookalikes');
    await app.makeChild(other, 'Other', fakePhoto({ face: `${face()} other` }));
    const photo = () => fakePhoto({ face: `${face()} other` });
    expect((await update(child._id, family.token, { photo: photo() })).status).toBe(200);
    const taken = await update(child._id, staff, { photo: photo() });
    expect(taken).toMatchObject({ status: 409, body: { code: 'face_already_registered' } });
  });

  test('a child that is deleted at that moment: 404', async () => {
    const child = await app.makeChild(family);
    app.vision.onEnrol = async () => {
      app.vision.onEnrol = () => {};
      await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: staff });
    };
    expect((await update(child._id, staff, { photo: fakePhoto() })).status).toBe(404);
  });
});

describe('checking a face', () => {
  const check = async (seen: Parameters<typeof fakePhoto>[0]) =>
    (await app.expect(200, 'POST', '/check-face', { token: staff, form: { image: fakePhoto(seen) } })).faces;

  test('names who is in the photo, one after the other, and says unknown of others', async () => {
    const child = await app.makeChild(family, 'Seen', fakePhoto({ face: face() }));
    expect(await check({ faces: [face(), 'a stranger'] })).toEqual([
      {
        box: [0, 0, 90, 110],
        match: {
          childId: child._id,
          name: 'Seen',
          parentName: family.name,
          photo: child.photo,
          similarity: 1,
        },
      },
      { box: [100, 0, 90, 110], match: null },
    ]);
    expect(await check({ problem: 'no_face' })).toEqual([]);
  });

  test('says unknown between two who look alike', async () => {
    await app.makeChild(family, 'Twin A', fakePhoto({ face: face() }));
    const token = staff;
    await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
      token,
      form: { name: 'Twin B', photo: fakePhoto({ face: face(), away: 0.04 }), confirm: 'true' },
    });
    expect((await check({ face: face() }))[0]?.match).toBeNull();
    const settings = { recognitionMargin: 0.03 };
    await app.expect(200, 'PUT', '/api/settings', { token, json: settings });
    expect((await check({ face: face() }))[0]?.match?.name).toBe('Twin A');
    await app.expect(200, 'PUT', '/api/settings', { token, json: { recognitionMargin: 0.05 } });
  });

  test('between sure and unknown: a question with up to three children beside, never an answer', async () => {
    const child = await app.makeChild(family, 'Layla', fakePhoto({ face: face() }));
    expect(await check({ face: face(), away: 0.55 })).toMatchObject([
      {
        match: null,
        question: [{ childId: child._id, name: 'Layla', parentName: family.name, photo: child.photo }],
      },
    ]);
    const [sure] = await check({ face: face(), away: 0.3 });
    expect(sure).toMatchObject({ match: { childId: child._id } });
    expect(sure).not.toHaveProperty('question');
    const [unknown] = await check({ face: face(), away: 0.61 });
    expect(unknown).toMatchObject({ match: null });
    expect(unknown).not.toHaveProperty('question');
    const { entries } = await app.expect(200, 'GET', '/api/audit?action=face.checked', { token: staff });
    expect(entries.map(({ details }) => details).slice(0, 3)).toEqual([
      { faces: 1, matched: [], asked: [] },
      { faces: 1, matched: [child._id], asked: [] },
      { faces: 1, matched: [], asked: [child._id] },
    ]);
  });

  test('a child known by one photo is a question where one known by several is named', async () => {
    const one = await app.makeChild(family, 'One', fakePhoto({ face: face() }));
    const seen = { face: face(), away: 0.47 };
    expect(await check(seen)).toMatchObject([{ match: null, question: [{ childId: one._id }] }]);
    expect(await check({ face: face(), away: 0.45 })).toMatchObject([{ match: { childId: one._id } }]);
    // The second photo is as far from the face as the first.
    const form = { photo: fakePhoto({ face: face(), away: 0.2, aside: 0.38 }) };
    await app.expect(201, 'POST', `/api/children/${one._id}/photos`, { token: staff, form });
    expect(await check(seen)).toMatchObject([{ match: { childId: one._id } }]);
  });

  test('a question has the child with the nearest photo first', async () => {
    const far = (by: number) => ({ face: face(), away: by });
    const one = await app.makeChild(family, 'One photo', fakePhoto(far(0.5)));
    const two = await app.makeChild(family, 'Two photos', fakePhoto(far(-0.4)));
    const form = { photo: fakePhoto({ ...far(-0.6), aside: 0.3 }), confirm: 'true' };
    await app.expect(201, 'POST', `/api/children/${two._id}/photos`, { token: staff, form });
    // The mean of its distances is 0.535.
    const [asked] = await check(far(0));
    expect(asked?.question?.map(({ childId }) => childId)).toEqual([two._id, one._id]);
  });

  test('two who look alike are a question about both', async () => {
    const one = await app.makeChild(family, 'One', fakePhoto({ face: face() }));
    const two = await app.expect(201, 'POST', `/api/children/create-child/${other.id}`, {
      token: staff,
      form: { name: 'Two', photo: fakePhoto({ face: face(), away: 0.22 }), confirm: 'true' },
    });
    const [seen] = await check({ face: face(), away: 0.1 });
    expect(seen?.match).toBeNull();
    expect(seen?.question?.map(({ childId }) => childId)).toEqual([one._id, two.child._id]);
  });

  test('an unreadable photo: 422; while the engine is down: 503', async () => {
    const ask = (form: FormParts) => app.ask('POST', '/check-face', { token: staff, form });
    expect((await ask({ image: fakePhoto({ problem: 'unreadable_photo' }) })).body.code).toBe(
      'unreadable_photo',
    );
    expect(await ask({})).toMatchObject({ status: 400, body: { message: 'An image is required' } });
    app.vision.up = false;
    const down = await ask({ image: fakePhoto() });
    app.vision.up = true;
    expect(down).toMatchObject({ status: 503, body: { code: 'face_engine_unavailable' } });
  });
});

describe('/register-child', () => {
  const register = (form: FormParts, token = family.token) =>
    app.ask('POST', '/register-child', { token, form });

  test('answers the encoding that create-child takes', async () => {
    const photo = fakePhoto({ face: face() });
    const { body, status } = await register({ image: photo, childName: 'X', parentId: family.id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ model: 'fake', quality: 0.9 });
    const encoding = JSON.stringify(body.data.encoding);
    expect((await create(family, family.token, { photo, encoding })).status).toBe(201);
  });

  test('wants a name, a parent and an image; staff any parent, a parent the own id', async () => {
    const good = { image: fakePhoto(), childName: 'X', parentId: family.id };
    expect((await register({ ...good, parentId: undefined })).body.message).toBe('parentId is required');
    expect((await register({ ...good, childName: '' })).body.message).toBe('Name is required');
    expect((await register({ ...good, image: undefined })).body.message).toBe('An image is required');
    expect((await register({ ...good, parentId: other.id })).status).toBe(404);
    expect((await register({ ...good, parentId: other.id, childName: '' })).status).toBe(404);
    expect((await register({ ...good, parentId: other.id }, staff)).status).toBe(200);
    expect((await register({ ...good, parentId: 'nobody' }, staff)).status).toBe(404);
    expect([400, 404]).toContain((await register({ ...good, parentId: 'a\u0000b' }, staff)).status);
  });
});

describe('deleting', () => {
  const photosKept = async () =>
    (await app.context.db.selectFrom('photo_bodies').select('photo_id').execute()).map((row) => row.photo_id);
  const keysOf = async (id: string) =>
    (await app.context.db.selectFrom('data_keys').select('owner_id').where('owner_id', '=', id).execute())
      .length;

  test('a child who is inside is refused', async () => {
    const child = await app.makeChild(family);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
    for (const token of [family.token, staff])
      expect(await app.ask('DELETE', `/api/children/delete-child/${child._id}`, { token })).toMatchObject({
        status: 409,
        body: {
          code: 'child_inside',
          message: 'A child is still inside. Please check the child out first.',
        },
      });
    expect(
      (await app.ask('DELETE', `/api/parent/delete-parent/${family.id}`, { token: staff })).body.code,
    ).toBe('child_inside');
    await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: family.token });
  });

  test('destroys key, photo and encoding; the past stays remain', async () => {
    const child = await app.makeChild(family);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token: staff });
    await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
    const photoId = String(child.photo).split('/').at(-1) ?? '';
    expect(await keysOf(child._id)).toBe(1);
    expect(await photosKept()).toContain(photoId);
    const body = await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: staff });
    expect(body.message).toBe('Child deleted successfully.');
    expect(await keysOf(child._id)).toBe(0);
    expect(await photosKept()).not.toContain(photoId);
    const { db } = app.context;
    for (const [table, column] of [
      ['photos', 'owner_id'],
      ['face_encodings', 'child_id'],
      ['children', 'id'],
    ] as const) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where(column as 'id', '=', child._id)
        .execute();
      expect(rows, table).toEqual([]);
    }
    expect((await app.ask('GET', String(child.photo), { token: staff })).status).toBe(404);
    const stays = await db.selectFrom('stays').select('id').where('child_id', '=', child._id).execute();
    expect(stays).toHaveLength(1);
  });

  if (testDialect === 'sqlite')
    test('leaves the key nowhere in the files of the database', async () => {
      const child = await app.makeChild(family);
      const { wrapped } = await app.context.db
        .selectFrom('data_keys')
        .select('wrapped')
        .where('owner_id', '=', child._id)
        .executeTakeFirstOrThrow();
      const files = () =>
        readdirSync(app.dataDir).filter(
          (name) =>
            name.startsWith('haris.db') &&
            readFileSync(join(app.dataDir, name)).includes(Buffer.from(wrapped)),
        );
      expect(files()).not.toEqual([]);
      await app.expect(200, 'DELETE', `/api/children/delete-child/${child._id}`, { token: staff });
      await expect.poll(files).toEqual([]);
    });

  test('a parent takes the children along, and everybody’s keys and photos', async () => {
    const whole = await app.makeFamily();
    const token = staff;
    const photo = fakePhoto();
    const { parent } = await app.expect(200, 'PUT', `/api/parent/update-parent/${whole.id}`, {
      token,
      form: { photo },
    });
    const children = [await app.makeChild(whole), await app.makeChild(whole)];
    const photos = [parent, ...children].map((one) => String(one.photo).split('/').at(-1) ?? '');
    expect(await photosKept()).toEqual(expect.arrayContaining(photos));
    const body = await app.expect(200, 'DELETE', `/api/parent/delete-parent/${whole.id}`, { token });
    expect(body.message).toBe('Parent deleted successfully.');
    for (const id of [whole.id, ...children.map((child) => child._id)]) expect(await keysOf(id)).toBe(0);
    expect((await photosKept()).filter((id) => photos.includes(id))).toEqual([]);
    for (const child of children)
      expect((await app.ask('DELETE', `/api/children/delete-child/${child._id}`, { token })).status).toBe(
        404,
      );
    expect((await app.ask('GET', '/api/parent/info', { token: whole.token })).status).toBe(401);
  });

  test('and checking in at once: either the child is inside, or it is gone', async () => {
    for (let i = 0; i < 5; i++) {
      const child = await app.makeChild(family);
      const [gone, inside] = await Promise.all([
        app.ask('DELETE', `/api/children/delete-child/${child._id}`, { token: staff }),
        app.ask('POST', `/api/children/checkin-child/${child._id}`, { token: staff }),
      ]);
      expect([
        [200, 404],
        [409, 200],
      ]).toContainEqual([gone.status, inside.status]);
      if (inside.status === 200)
        await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
    }
  });
});

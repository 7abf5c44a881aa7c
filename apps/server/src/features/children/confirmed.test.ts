/** A child's name and photo are confirmed by a decision of staff and by nothing else (decision 026). Uses a fake engine. */
import type { Child } from '@haris/contract/objects';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inFacility } from '../../facility.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import type { FormParts } from '../../testing/form.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
let faces = 0;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(async () => {
  faces++;
  await app.forgetLimits();
  family = await app.makeFamily();
});

const face = (of = '') => `confirmed ${faces} ${of}`;
const photo = (of = '') => fakePhoto({ face: face(of) });
const update = (id: string, token: string, form: FormParts) =>
  app.expect(200, 'PUT', `/api/children/update-child/${id}`, { token, form });
const confirm = (id: string, json: object) =>
  app.expect(200, 'POST', `/api/children/${id}/confirm`, { token: staff, json });
const reject = (id: string) => confirm(id, { accept: false });
const checkIn = (id: string, json: object = {}) =>
  app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff, json });
const checkOut = (id: string) =>
  app.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });

/** A child that its parent added, and that nobody has confirmed. */
async function addedByParent(name = 'Yara'): Promise<string> {
  const { child } = await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
    token: family.token,
    form: { name, photo: photo() },
  });
  expect(child.pending).toEqual(['photo', 'name']);
  return child._id;
}

/** What `pending` says of a child, in everything that staff and the parent read. It and `unconfirmed` are the same everywhere, or the test fails. */
async function pendingOf(id: string) {
  const read = async (url: string, token = staff) => app.expect(200, 'GET', url, { token });
  const sheet = (await read(`/api/children/get-child/${id}`)).child;
  const list = await read('/api/children/get-all-children?limit=200');
  const families = await read('/api/parent/get-all-parents?limit=200');
  const own = await read('/api/parent/info', family.token);
  const found: unknown = await read(`/api/search?q=${encodeURIComponent(sheet.name)}&limit=50`);
  const hits = found as { readonly children: readonly { readonly child: Child }[] };
  const all = [
    ...list.children,
    ...families.parents.flatMap(({ children }) => children),
    ...own.parent.children,
    ...hits.children.map(({ child }) => child),
  ].filter(({ _id }) => _id === id);
  expect(all.length).toBeGreaterThanOrEqual(4);
  for (const child of all) {
    expect(child.pending).toEqual(sheet.pending);
    expect(child.unconfirmed).toEqual(sheet.unconfirmed);
  }
  const listed = async (pending: boolean) => ({
    children: (await read(`/api/children/get-all-children?limit=200&pending=${pending}`)).children.some(
      ({ _id }) => _id === id,
    ),
    families: (await read(`/api/parent/get-all-parents?limit=200&pending=${pending}`)).parents.some(
      ({ _id }) => _id === family.id,
    ),
  });
  const isPending = sheet.pending.length > 0;
  expect(await listed(true)).toEqual({ children: isPending, families: isPending });
  expect(await listed(false)).toEqual({ children: !isPending, families: !isPending });
  return sheet.pending;
}

const isEnrolled = async (id: string) =>
  (await app.context.gallery.read()).entries.some(({ subject }) => subject.id === id);
const whoIs = async (name: string) => {
  const form = { image: fakePhoto({ face: name }) };
  return (
    (await app.expect(200, 'POST', '/check-face', { token: staff, form })).faces[0]?.match?.childId ?? null
  );
};
const unconfirmed = async (id: string) => {
  expect(await pendingOf(id)).toEqual(['photo', 'name']);
  expect(await isEnrolled(id)).toBe(false);
  expect(await whoIs(face())).toBeNull();
};

describe('a child that staff never confirmed stays marked when', () => {
  test('its parent renames it while it is inside, and names it back', async () => {
    const id = await addedByParent('Seen');
    await checkIn(id);
    await update(id, family.token, { name: 'Other Name' });
    await update(id, family.token, { name: 'Seen' });
    await unconfirmed(id);
    await checkOut(id);
    await update(id, family.token, { name: 'Other Name' });
    await update(id, family.token, { name: 'Seen' });
    await unconfirmed(id);
  });

  test('its parent sends a second photo while it is inside, and staff reject that after the checkout', async () => {
    const id = await addedByParent();
    await checkIn(id);
    await update(id, family.token, { photo: photo('two') });
    await checkOut(id);
    await reject(id);
    await unconfirmed(id);
    // Nobody has confirmed the first photo, and the child is not here to be compared with it.
    expect(
      (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff })).child.photo,
    ).toBe(null);
  });

  test('staff reject it; nothing that its parent sends while it is inside is shown as if it were theirs', async () => {
    const id = await addedByParent('Rejected Name');
    expect((await reject(id)).child).toMatchObject({
      name: 'Rejected Name',
      photo: null,
      pending: ['photo', 'name'],
    });
    await unconfirmed(id);
    expect((await checkIn(id)).child.pending).toEqual(['photo', 'name']);
    await update(id, family.token, { photo: photo('two') });
    const { child } = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff });
    expect(child).toMatchObject({ photo: null, name: 'Rejected Name', pending: ['photo', 'name'] });
    expect(child.proposal).toMatchObject({ name: 'Rejected Name' });
    expect(child.proposal?.photo).toEqual(expect.any(String));
    await checkOut(id);
    await unconfirmed(id);
  });

  test('it is checked in without `confirm`, moved, checked out, and both are undone', async () => {
    const id = await addedByParent('Nour Ibrahim');
    const entered = (await checkIn(id)).child;
    expect(entered.pending).toEqual(['photo', 'name']);
    await unconfirmed(id);
    const { room } = await app.expect(201, 'POST', '/api/rooms', {
      token: staff,
      json: { name: `Room ${faces}` },
    });
    await app.expect(200, 'POST', '/api/children/move', {
      token: staff,
      json: { childIds: [id], roomId: room._id },
    });
    expect((await checkOut(id)).child.pending).toEqual(['photo', 'name']);
    const undo = (what: string, { uniqueEntryId }: { uniqueEntryId: string | null }) =>
      app.expect(200, 'POST', `/api/children/undo-${what}-child/${id}`, {
        token: staff,
        json: { uniqueEntryId },
      });
    await undo('checkout', entered);
    await unconfirmed(id);
    await undo('checkin', entered);
    await unconfirmed(id);
  });

  test('a check-in with `confirm` comes after a rejection: nothing waits, so nothing is confirmed', async () => {
    const id = await addedByParent();
    await reject(id);
    expect((await checkIn(id, { confirm: true })).child.pending).toEqual(['photo', 'name']);
    await unconfirmed(id);
    await checkOut(id);
    for (const accept of [true, false])
      expect(
        await app.ask('POST', `/api/children/${id}/confirm`, { token: staff, json: { accept } }),
      ).toMatchObject({ status: 409, body: { code: 'proposal_changed' } });
    await unconfirmed(id);
  });

  test('one desk rejects while another accepts what it saw before', async () => {
    const id = await addedByParent();
    const { child } = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff });
    await reject(id);
    const json = { accept: true, revision: child.proposal?.revision };
    expect(await app.ask('POST', `/api/children/${id}/confirm`, { token: staff, json })).toMatchObject({
      status: 409,
      body: { code: 'proposal_changed' },
    });
    await unconfirmed(id);
  });

  test.each(['parent', 'desk'])('the %s adds a further photo: no camera knows the face', async (who) => {
    const id = await addedByParent();
    const { child } = await app.expect(201, 'POST', `/api/children/${id}/photos`, {
      token: who === 'desk' ? staff : family.token,
      form: { photo: fakePhoto({ face: face(), away: 0.3 }) },
    });
    expect(child.pending).toEqual(['photo', 'name', ...(who === 'desk' ? [] : ['photos'])]);
    expect(await isEnrolled(id)).toBe(false);
    expect(await whoIs(face())).toBeNull();
    await reject(id);
    await unconfirmed(id);
  });

  test('the desk sets its home room or birth date, or the parent its birth date', async () => {
    const id = await addedByParent();
    const { room } = await app.expect(201, 'POST', '/api/rooms', {
      token: staff,
      json: { name: `Home ${faces}` },
    });
    await update(id, staff, { homeRoomId: room._id });
    await update(id, staff, { birthDate: '2023-01-02' });
    await unconfirmed(id);
    await reject(id);
    await update(id, family.token, { birthDate: '2023-01-03' });
    expect(await pendingOf(id)).toEqual(['photo', 'name', 'birthDate']);
    // The name that was rejected is asked about again, in sight of whoever accepts the date.
    const { child } = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: staff });
    expect(child.proposal).toMatchObject({ name: 'Yara', birthDate: '2023-01-03' });
    expect((await confirm(id, { accept: true })).child.pending).toEqual(['photo']);
    expect(await isEnrolled(id)).toBe(false);
  });

  test('its parent deletes it and adds it again: the new one was never confirmed either', async () => {
    const id = await addedByParent();
    await confirm(id, { accept: true, confirm: true });
    await app.proveNow(family.token);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${id}`, { token: family.token });
    await unconfirmed(await addedByParent());
  });
});

test('its family reads which of the two nobody confirmed, and not so of a later change; another family reads nothing', async () => {
  const id = await addedByParent();
  const own = async () =>
    (await app.expect(200, 'GET', '/api/parent/info', { token: family.token })).parent.children[0];
  expect((await own())?.unconfirmed).toEqual(['photo', 'name']);
  const other = await app.makeFamily();
  expect(
    (await app.ask('GET', `/api/children/get-child/${id}`, { token: other.token })).status,
  ).toBeGreaterThanOrEqual(403);
  await update(id, staff, { name: 'Yara' });
  expect((await own())?.unconfirmed).toEqual(['photo']);
  await confirm(id, { accept: true });
  expect(await own()).not.toHaveProperty('unconfirmed');
  await update(id, family.token, { photo: photo('later') });
  expect(await own()).toMatchObject({ pending: ['photo'] });
  expect(await own()).not.toHaveProperty('unconfirmed');
});

describe('it is confirmed by', () => {
  test('a check-in with `confirm`', async () => {
    const id = await addedByParent();
    expect((await checkIn(id, { confirm: true })).child.pending).toEqual([]);
    expect(await pendingOf(id)).toEqual([]);
    expect(await isEnrolled(id)).toBe(true);
  });

  test('accepting what its parent sends after a rejection, and then keeps its name and photo', async () => {
    const id = await addedByParent();
    await reject(id);
    await update(id, family.token, { photo: photo('two') });
    expect((await confirm(id, { accept: true })).child.pending).toEqual([]);
    expect(await pendingOf(id)).toEqual([]);
    await update(id, family.token, { name: 'Another' });
    expect(await pendingOf(id)).toEqual(['name']);
    await reject(id);
    expect(await pendingOf(id)).toEqual([]);
    await update(id, family.token, { name: 'Another' });
    await update(id, family.token, { name: 'Yara' });
    expect(await pendingOf(id)).toEqual([]);
    expect(await isEnrolled(id)).toBe(true);
  });

  test('the desk, which takes a photo and saves the name, each for itself', async () => {
    const id = await addedByParent();
    await reject(id);
    await update(id, staff, { photo: photo('desk') });
    expect(await pendingOf(id)).toEqual(['name']);
    expect(await whoIs(face('desk'))).toBe(id);
    await update(id, staff, { name: 'Yara' });
    expect(await pendingOf(id)).toEqual([]);
  });

  test('the desk that adds it', async () => {
    const { _id: id } = await app.makeChild(family, 'By the desk', photo());
    expect(await pendingOf(id)).toEqual([]);
    expect(await isEnrolled(id)).toBe(true);
  });
});

test('an ex-partner who adds somebody else’s child is checked in marked, and its live page follows nobody', async () => {
  const mother = await app.makeFamily();
  const nour = (await app.makeChild(mother, 'Nour Ibrahim', photo()))._id;
  const id = await addedByParent('Nour Ibrahim');
  await app.expect(201, 'POST', '/api/cameras', {
    token: staff,
    json: { name: 'Hall', area: `Hall ${faces}`, kind: 'browser' },
  });
  expect((await checkIn(id)).child).toMatchObject({ isInside: true, pending: ['photo', 'name'] });
  // The specification's calls go on working: the ticket is for the coarse room.
  await app.expect(201, 'POST', '/api/tickets', {
    token: family.token,
    json: { for: 'video', childId: id },
  });
  expect(await pendingOf(id)).toEqual(['photo', 'name']);
  expect(await isEnrolled(id)).toBe(false);
  // The face in the pictures is the confirmed child, whom this account cannot watch.
  expect(await whoIs(face())).toBe(nour);
  const answer = await app.ask('GET', `/video_feed?target_id=${nour}`, { token: family.token });
  expect(answer.status).toBe(404);
  const asked = await app.ask('POST', `/api/children/${id}/confirm`, {
    token: staff,
    json: { accept: true },
  });
  expect(asked).toMatchObject({
    status: 409,
    body: { code: 'face_already_registered', candidates: [{ name: 'Nour Ibrahim' }] },
  });
  expect(await pendingOf(id)).toEqual(['photo', 'name']);
});

// The last one: afterwards there are several facilities.
test('a facility that comes to know a child that was never confirmed reads the mark, and another can decide nothing', async () => {
  const id = await addedByParent();
  const [knows, stranger] = [
    await makeFacility(app, `Knows ${faces}`),
    await makeFacility(app, `Not ${faces}`),
  ];
  await app.expect(200, 'POST', `/api/children/${id}/facilities`, {
    token: staff,
    json: { facilityId: knows },
  });
  const there = (place: string) =>
    atFacility(app, place).ask('GET', `/api/children/get-child/${id}`, { token: staff });
  expect((await there(knows)).body.child.pending).toEqual(['photo', 'name']);
  expect((await there(stranger)).status).toBe(404);
  // Inside at one facility, it keeps the photo of its check-in, also if the other one rejects a newer photo.
  const main = atFacility(app, 'main');
  const shown = (await there(knows)).body.child.photo;
  await main.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: staff });
  for (const place of [knows, 'main']) {
    await atFacility(app, place).expect(200, 'PUT', `/api/children/update-child/${id}`, {
      token: family.token,
      form: { photo: photo(place) },
    });
    expect((await there(knows)).body.child.photo).toBe(shown);
  }
  const { child } = await atFacility(app, knows).expect(200, 'POST', `/api/children/${id}/confirm`, {
    token: staff,
    json: { accept: false },
  });
  expect(child).toMatchObject({ photo: shown, pending: ['photo', 'name'] });
  await main.expect(200, 'POST', `/api/children/checkout-child/${id}`, { token: staff });
  for (const json of [{ accept: true }, { accept: false }])
    expect(
      (await atFacility(app, stranger).ask('POST', `/api/children/${id}/confirm`, { token: staff, json }))
        .status,
    ).toBe(404);
  await unconfirmed(id);
  // The gallery is one for all facilities, whoever reads it first.
  const known = (await main.makeChild(family, 'Known', photo('known')))._id;
  const { entries } = await inFacility(stranger, () => app.context.gallery.read());
  expect(entries.map(({ subject }) => subject.id)).toContain(known);
});

/** Photos of collectors: who sets and sees them, what a change of one ends, and when they are erased (decision 049). */
import type { ListedForBar } from '@haris/contract/http/barred';
import type { HandOver } from '@haris/contract/http/hand-over';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPhotoBody } from '../../db/photos.ts';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { fakePhoto, tinyJpeg } from '../../testing/fake-vision.ts';
import { changeGuardian } from '../../testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let owner: string;
let family: Family;
let child: string;
let collector: string;
let url: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  collector = await name();
  url = `/api/collectors/${collector}/photo`;
});

const name = async () =>
  (
    await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      token: family.token,
      json: { name: 'Samia Hassan', relation: 'Grandmother' },
    })
  ).collector._id;
const setPhoto = async (token = family.token) =>
  String((await app.expect(200, 'PUT', url, { token, form: { photo: fakePhoto() } })).collector.photo);
const statusOf = async (path: string, token: string | undefined) =>
  (await app.ask('GET', path, token === undefined ? {} : { token })).status;
const idOf = (path: string) => path.replace('/api/photos/', '');
const shown = async () => {
  const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: owner });
  return (body as unknown as HandOver).adults.find(({ _id }) => _id === collector);
};
/** The version of the collector as the desk sees it now. */
const seen = async () => (await shown())?.version;
const document = { kind: 'national_id', last: '0035' };
const checkIn = () => app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
const checkOut = async (json: object) => {
  const { status, body } = await app.ask('POST', `/api/children/checkout-child/${child}`, {
    token: owner,
    json,
  });
  return status === 200 ? 200 : body.code;
};

test('the family sets one, and it, staff and the dialog of the hand-over see it', async () => {
  const photo = await setPhoto();
  expect((await shown())?.photo).toBe(photo);
  const { collectors } = await app.expect(200, 'GET', `/api/children/${child}/collectors`, family);
  expect(collectors).toMatchObject([{ _id: collector, photo }]);
  for (const token of [family.token, owner])
    expect((await app.ask('GET', photo, { token })).bytes.indexOf(tinyJpeg)).toBe(0);
  expect(await statusOf(photo, undefined)).toBe(401);
  expect(await statusOf(photo, (await app.makeFamily()).token)).toBe(404);
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
  expect(entries.find(({ action }) => action === 'collector.photo_set')).toMatchObject({
    actor: { id: family.id },
    details: { collectorId: collector },
  });
});

test('a guardian who may not take the child sees only the faces of those whom it has named', async () => {
  const own = await setPhoto();
  const ofDesk = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    token: owner,
    json: { name: 'Nadia Fathy', relation: 'Aunt' },
  });
  const { collector: shownOf } = await app.expect(
    200,
    'PUT',
    `/api/collectors/${ofDesk.collector._id}/photo`,
    {
      token: owner,
      form: { photo: fakePhoto() },
    },
  );
  const other = String(shownOf.photo);
  const statuses = async () => [await statusOf(own, family.token), await statusOf(other, family.token)];
  expect(await statuses()).toEqual([200, 200]);
  await changeGuardian(app, child, family.id, { may_take: 0 });
  expect(await statuses()).toEqual([200, 404]);
  const ticket = { for: 'photo', photoId: idOf(other) };
  expect((await app.ask('POST', '/api/tickets', { token: family.token, json: ticket })).status).toBe(404);
  expect(await statusOf(other, owner)).toBe(200);
});

test('staff who note that a listed adult is not the barred one see it beside the name, and nobody else does', async () => {
  await app.expect(201, 'POST', `/api/children/${child}/barred`, {
    token: owner,
    json: { name: 'Samia Hasan' },
  });
  const bars = `/api/children/${child}/barred`;
  const listed = async () => {
    const { body } = await app.ask('GET', bars, { token: owner });
    const { adults } = body as unknown as { adults: ListedForBar[] };
    return adults.find(({ _id }) => _id === collector)?.photo;
  };
  expect(await listed()).toBeNull();
  const photo = await setPhoto();
  expect(await listed()).toBe(photo);
  expect((await app.ask('GET', photo, { token: owner })).bytes.indexOf(tinyJpeg)).toBe(0);
  expect(await statusOf(bars, undefined)).toBe(401);
  expect(await statusOf(bars, family.token)).toBe(403);
  await app.expect(200, 'DELETE', url, family);
  expect(await listed()).toBeNull();
});

test('a second one replaces it; without one there are initials again', async () => {
  const first = await setPhoto();
  const second = await setPhoto(owner);
  expect(await statusOf(first, owner)).toBe(404);
  expect(await statusOf(second, owner)).toBe(200);
  for (let times = 0; times < 2; times++)
    expect((await app.expect(200, 'DELETE', url, family)).collector.photo).toBeNull();
  expect(await statusOf(second, owner)).toBe(404);
  expect(await findPhotoBody(app.context.db, idOf(second))).toBeUndefined();
  expect((await shown())?.photo).toBeNull();
});

describe('is set and removed', () => {
  const calls = async (token: string | undefined, to = url) => {
    const sender = token === undefined ? {} : { token };
    return [
      (await app.ask('PUT', to, { ...sender, form: { photo: fakePhoto() } })).status,
      (await app.ask('DELETE', to, sender)).status,
    ];
  };

  test('by nobody without a session, of another family or of another facility', async () => {
    const photo = await setPhoto();
    expect(await calls(undefined)).toEqual([401, 401]);
    expect(await calls((await app.makeFamily()).token)).toEqual([404, 404]);
    const elsewhere = await makeFacility(app, `Elsewhere ${child}`);
    const stranger = await app.makeEmployee();
    await manageAt(app, stranger, elsewhere);
    const there = atFacility(app, elsewhere);
    const { token } = stranger;
    expect((await there.ask('PUT', url, { token, form: { photo: fakePhoto() } })).status).toBe(404);
    expect((await there.ask('DELETE', url, { token })).status).toBe(404);
    expect((await there.ask('GET', photo, { token })).status).toBe(404);
    expect((await shown())?.photo).toBe(photo);
  });

  test('by staff who may change collectors alone, and not once the collector has ended', async () => {
    const teacher = await app.makeEmployee();
    const json = { roles: [{ roleId: 'teacher', facilityId: 'main' }] };
    await app.expect(200, 'PUT', `/api/admin/${teacher.id}/roles`, { token: owner, json });
    expect(await calls(teacher.token)).toEqual([403, 403]);
    expect(await calls(owner)).toEqual([200, 200]);
    await app.expect(200, 'DELETE', `/api/collectors/${collector}`, family);
    expect(await calls(owner)).toEqual([404, 404]);
    expect(await calls(family.token)).toEqual([404, 404]);
  });

  test('only with what is a photo', async () => {
    const send = async (photo: Buffer) => {
      const { status, body } = await app.ask('PUT', url, { token: owner, form: { photo } });
      return [status, body.code];
    };
    expect(await send(Buffer.from('no photo at all'))).toEqual([415, 'unsupported_media_type']);
    expect((await send(fakePhoto({ problem: 'unreadable_photo' })))[1]).toBe('unreadable_photo');
    expect((await app.ask('PUT', url, { token: owner, json: {} })).status).toBe(400);
    expect((await shown())?.photo).toBeNull();
  });

  test('by a parent 40 times a day at most, together with all other changes', async () => {
    await app.forgetLimits();
    for (let times = 0; times < 40; times++) await setPhoto();
    expect(await calls(family.token)).toEqual([429, 429]);
  });
});

test.each([
  ['another photo', () => setPhoto()],
  ['no photo any more', () => app.expect(200, 'DELETE', url, family)],
])('%s ends the confirmation, the document that was seen and the passes', async (_what, change) => {
  await setPhoto();
  await checkIn();
  expect(await checkOut({ collectorId: collector, document, version: await seen() })).toBe(200);
  const pass = await app.expect(201, 'POST', `/api/collectors/${collector}/pass`, family);
  const list = async () =>
    (await app.expect(200, 'GET', `/api/children/${child}/collectors`, { token: owner })).collectors;
  expect(await list()).toMatchObject([{ isConfirmed: true, document, passDay: expect.any(String) }]);
  await change();
  expect(await list()).toMatchObject([{ isConfirmed: false, document: null, passDay: null }]);
  await checkIn();
  expect(await checkOut({ collectorId: collector })).toBe('document_required');
  const proof = { kind: 'pass', value: pass.token };
  expect(await checkOut({ collectorId: collector, document, proof, version: await seen() })).toBe(
    'wrong_pickup_proof',
  );
});

test.each([
  ['another photo', () => setPhoto()],
  ['no photo any more', () => app.expect(200, 'DELETE', url, family)],
])(
  'whoever has %s while the desk looks at the old one is not released to, and not confirmed',
  async (_what, change) => {
    await setPhoto();
    await checkIn();
    const version = await seen();
    await change();
    for (const old of [{ version }, {}])
      expect(await checkOut({ collectorId: collector, document, ...old })).toBe('collector_changed');
    const { collectors } = await app.expect(200, 'GET', `/api/children/${child}/collectors`, {
      token: owner,
    });
    expect(collectors).toMatchObject([{ isConfirmed: false, document: null }]);
    expect(await checkOut({ collectorId: collector, document, version: await seen() })).toBe(200);
  },
);

test('a change of it asks again whether a namesake is another person', async () => {
  const { barred } = await app.expect(201, 'POST', `/api/children/${child}/barred`, {
    token: owner,
    json: { name: 'Samia Hassan' },
  });
  const notes = `/api/barred/${barred._id}/namesakes`;
  const note = async () => ({ token: owner, json: { adultId: collector, version: await seen() } });
  // Nor is the note for a photo that came while the owner looked at another one.
  const before = await note();
  await setPhoto();
  expect((await app.ask('POST', notes, before)).body.code).toBe('collector_changed');
  await app.expect(200, 'POST', notes, await note());
  await checkIn();
  expect(await checkOut({ collectorId: collector, document, version: await seen() })).toBe(
    'proof_of_pickup_required',
  );
  await setPhoto();
  expect(await checkOut({ collectorId: collector, document, version: await seen() })).toBe('barred_person');
});

describe('is erased', () => {
  test('with the collector', async () => {
    const photo = await setPhoto();
    await app.expect(200, 'DELETE', `/api/collectors/${collector}`, family);
    expect(await statusOf(photo, owner)).toBe(404);
    expect(await findPhotoBody(app.context.db, idOf(photo))).toBeUndefined();
  });

  test('with the collectors that an account has named whose password was never proven', async () => {
    const photo = await setPhoto();
    await app.context.db
      .updateTable('parents')
      .set({ password_proof: null })
      .where('id', '=', family.id)
      .execute();
    await checkIn();
    expect(await shown()).toBeUndefined();
    expect(await findPhotoBody(app.context.db, idOf(photo))).toBeUndefined();
  });

  test('with the child', async () => {
    const photo = await setPhoto();
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: owner });
    const left = await app.context.db
      .selectFrom('photos')
      .selectAll()
      .where('owner_id', '=', child)
      .execute();
    expect(left).toEqual([]);
    expect(await findPhotoBody(app.context.db, idOf(photo))).toBeUndefined();
  });

  test('by its key: without the child’s key nobody reads it', async () => {
    const photo = await setPhoto();
    await app.context.db.deleteFrom('data_keys').where('owner_id', '=', child).execute();
    expect(await statusOf(photo, owner)).toBe(404);
  });

  test('not with the child’s own photo, nor that one with it', async () => {
    const photo = await setPhoto();
    const change = { token: owner, form: { photo: fakePhoto({ face: `another ${child}` }) } };
    const after = await app.expect(200, 'PUT', `/api/children/update-child/${child}`, change);
    const own = String(after.child.photo);
    expect(await statusOf(photo, owner)).toBe(200);
    expect(await statusOf(own, owner)).toBe(200);
    await setPhoto();
    await app.expect(200, 'DELETE', url, family);
    expect(await statusOf(own, owner)).toBe(200);
  });
});

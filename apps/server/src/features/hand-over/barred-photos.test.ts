/** Photos of barred adults: who sets and sees them, for which bars they count, when they are erased (decision 049). */
import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import type { BarredAdult } from '@haris/contract/http/barred';
import type { Permission } from '@haris/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findPhotoBody } from '../../db/photos.ts';
import { atFacility, makeFacility, manageAt } from '../../testing/at-facility.ts';
import { fakePhoto, tinyJpeg } from '../../testing/fake-vision.ts';
import { addGuardian } from '../../testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { askSlowly } from '../../testing/slow-body.ts';

const KARIM = { name: 'Karim Adel', phone: '01598765432', note: 'Court order' };

let app: TestApp;
let owner: string;
let family: Family;
let child: string;
let bar: string;
let url: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  // Later children of a family have its bars.
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  bar = await enter();
  url = `/api/barred/${bar}/photo`;
});

const enter = async (json: object = KARIM) =>
  (await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json })).barred._id;
const setPhoto = async (token = owner) =>
  String((await app.expect(200, 'PUT', url, { token, form: { photo: fakePhoto() } })).barred.photo);
/** The bars of a child as the owner reads them. */
const barsOf = async (id = child) => {
  const { body } = await app.ask('GET', `/api/children/${id}/barred`, { token: owner });
  return (body as unknown as { barred: BarredAdult[] }).barred;
};
/** The photo of the only bar of a child. */
const shown = async (id = child) => (await barsOf(id))[0]?.photo;
const statusOf = async (path: string, token: string | undefined, at: TestApp = app) =>
  (await at.ask('GET', path, token === undefined ? {} : { token })).status;
const idOf = (path: string) => path.replace('/api/photos/', '');
const ticketStatus = async (path: string, token: string, at: TestApp = app) =>
  (await at.ask('POST', '/api/tickets', { token, json: { for: 'photo', photoId: idOf(path) } })).status;
const entriesOf = async (action: string, id = child) =>
  (await app.expect(200, 'GET', `/api/audit?subject=${id}&limit=200`, { token: owner })).entries.filter(
    (entry) => entry.action === action,
  );
/** Statuses of setting and removing it. */
const changes = async (token: string | undefined, at: TestApp = app) => {
  const sender = token === undefined ? {} : { token };
  return [
    (await at.ask('PUT', url, { ...sender, form: { photo: fakePhoto() } })).status,
    (await at.ask('DELETE', url, sender)).status,
  ];
};
const inRole = async (roleId: string) => {
  const { id, token } = await app.makeEmployee();
  const json = { roles: [{ roleId, facilityId: 'main' }] };
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json });
  return token;
};
const withPermissions = async (...permissions: Permission[]) => {
  const json = { name: `Role ${permissions.length} ${child}`, permissions };
  const { role } = await app.expect(201, 'POST', '/api/roles', { token: await app.staff(), json });
  return inRole(role._id);
};
const makeStranger = async () => {
  const elsewhere = await makeFacility(app, `Elsewhere ${child}`);
  const { id, token } = await app.makeEmployee();
  await manageAt(app, { id }, elsewhere);
  return { token, there: atFacility(app, elsewhere) };
};

describe('the photo of a barred adult', () => {
  test('is in the list of bars, and the ledger has who set it and each look at it', async () => {
    expect(await shown()).toBeNull();
    const photo = await setPhoto();
    expect(await shown()).toBe(photo);
    expect(await entriesOf('barred.photo_set')).toMatchObject([{ details: { barId: bar } }]);
    const looks = async () =>
      (await entriesOf('barred.read')).filter(({ details }) => details.photoId === idOf(photo)).length;
    for (let n = 1; n <= 2; n++) {
      const answer = await app.ask('GET', photo, { token: await inRole('teacher') });
      expect(answer.bytes.indexOf(tinyJpeg)).toBe(0);
      // No browser keeps it, so that each look reaches the ledger, and none comes after the lift.
      expect(answer.headers['cache-control']).toBe('private, no-store');
      expect(await looks()).toBe(n);
    }
    expect(await entriesOf('photo.viewed')).toEqual([]);
  });

  test('is seen by no guardian, by nobody without a session or the right to read bars, and at no other facility', async () => {
    const photo = await setPhoto();
    const further = await app.makeFamily();
    await addGuardian(app, child, further.id);
    const inspector = await inRole('inspector');
    const desk = await withPermissions('families.view', 'families.edit', 'children.check_in');
    const stranger = await app.makeFamily();
    for (const token of [family.token, further.token, stranger.token, inspector, desk]) {
      expect(await statusOf(photo, token)).toBe(404);
      expect(await ticketStatus(photo, token)).toBe(404);
    }
    // Without the right to see families nobody gets as far as the list.
    expect(await statusOf(photo, await withPermissions('barred.view'))).toBe(404);
    expect(await statusOf(photo, undefined)).toBe(401);
    const { token, there } = await makeStranger();
    expect(await statusOf(photo, token, there)).toBe(404);
    expect(await ticketStatus(photo, token, there)).toBe(404);
    expect(await statusOf(photo, await inRole('teacher'))).toBe(200);
  });

  test('is opened by a ticket of who may see it, once, and not any more once that person may not', async () => {
    const photo = await setPhoto();
    const { id, token } = await app.makeEmployee();
    const json = { for: 'photo', photoId: idOf(photo) };
    const ticket = async () => (await app.expect(201, 'POST', '/api/tickets', { token, json })).ticket;
    const [first, second] = [await ticket(), await ticket()];
    const opened = await app.ask('GET', `${photo}?ticket=${String(first)}`);
    expect([opened.status, opened.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await app.ask('GET', `${photo}?ticket=${String(first)}`)).status).toBe(401);
    const roles = [{ roleId: 'inspector', facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json: { roles } });
    expect([401, 404]).toContain((await app.ask('GET', `${photo}?ticket=${String(second)}`)).status);
  });

  test('tells nothing of itself in the audit log of staff who may not see who is barred', async () => {
    const photo = await setPhoto();
    await app.ask('GET', photo, { token: owner });
    await app.expect(200, 'DELETE', url, { token: owner });
    const token = await withPermissions('audit.view', 'families.view');
    const asked = await app.ask('GET', `/api/audit?subject=${child}&limit=200`, { token });
    expect(asked.status).toBe(200);
    expect(asked.bytes.toString()).toContain('barred.photo_set');
    expect(asked.bytes.toString()).not.toContain('barred.read');
    for (const secret of [bar, idOf(photo)]) expect(asked.bytes.toString()).not.toContain(secret);
  });

  test('is no face that a camera looks for: nothing is computed from it', async () => {
    const known = async () => {
      const { db } = app.context;
      return [
        await db.selectFrom('face_encodings').selectAll().orderBy('id').execute(),
        await db.selectFrom('adult_faces').selectAll().orderBy('id').execute(),
        await db.selectFrom('gallery').selectAll().execute(),
      ];
    };
    const before = await known();
    const face = `karim ${child}`;
    await app.expect(200, 'PUT', url, { token: owner, form: { photo: fakePhoto({ face }) } });
    expect(await known()).toEqual(before);
    const image = fakePhoto({ face });
    const { faces } = await app.expect(200, 'POST', '/check-face', { token: owner, form: { image } });
    expect(faces[0]?.match).toBeNull();
  });

  test('a second one replaces it; removed, there is none', async () => {
    const first = await setPhoto();
    const second = await setPhoto();
    expect(await statusOf(first, owner)).toBe(404);
    expect(await findPhotoBody(app.context.db, idOf(first))).toBeUndefined();
    expect(await statusOf(second, owner)).toBe(200);
    for (let times = 0; times < 2; times++)
      expect((await app.expect(200, 'DELETE', url, { token: owner })).barred.photo).toBeNull();
    expect(await statusOf(second, owner)).toBe(404);
    expect(await findPhotoBody(app.context.db, idOf(second))).toBeUndefined();
    expect(await entriesOf('barred.photo_removed')).toMatchObject([{ details: { barId: bar } }]);
  });
});

describe('is set and removed', () => {
  test('by nobody without a session, by no parent, and by staff alone who may change families and see the bars', async () => {
    const photo = await setPhoto();
    expect(await changes(undefined)).toEqual([401, 401]);
    expect(await changes(family.token)).toEqual([403, 403]);
    for (const role of ['teacher', 'inspector'])
      expect(await changes(await inRole(role))).toEqual([403, 403]);
    expect(await changes(await withPermissions('families.view', 'families.edit'))).toEqual([403, 403]);
    const { token, there } = await makeStranger();
    expect(await changes(token, there)).toEqual([404, 404]);
    expect(await shown()).toBe(photo);
    expect(await changes(await inRole('desk'))).toEqual([200, 200]);
  });

  test('with a fresh proof alone', async () => {
    const photo = await setPhoto();
    app.clock.advance(11 * 60_000);
    for (const [method, ask] of [
      ['PUT', { form: { photo: fakePhoto() } }],
      ['DELETE', {}],
    ] as const)
      expect(await app.ask(method, url, { token: owner, ...ask })).toMatchObject({
        status: 403,
        body: { code: 'proof_required' },
      });
    owner = await app.staff();
    expect(await shown()).toBe(photo);
  });

  test('first where the child is known, and changed by who may do so wherever it is', async () => {
    const second = await makeFacility(app, `Second ${child}`);
    const json = { facilityId: second };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, { token: owner, json });
    const desk = await inRole('desk');
    const photo = await setPhoto(desk);
    for (const [method, ask] of [
      ['PUT', { form: { photo: fakePhoto() } }],
      ['DELETE', {}],
    ] as const)
      expect(await app.ask(method, url, { token: desk, ...ask })).toMatchObject({
        status: 403,
        body: { code: 'beyond_own_rights' },
      });
    expect(await shown()).toBe(photo);
    expect(await changes(owner)).toEqual([200, 200]);
  });

  test('only with what is a photo of at most 8 MB', async () => {
    const send = async (photo: Buffer) => {
      const { status, body } = await app.ask('PUT', url, { token: owner, form: { photo } });
      return [status, body.code];
    };
    expect(await send(Buffer.from('no photo at all'))).toEqual([415, 'unsupported_media_type']);
    expect(await send(fakePhoto({ problem: 'unreadable_photo' }))).toEqual([422, 'unreadable_photo']);
    const large = Buffer.concat([fakePhoto(), Buffer.alloc(PHOTO_MAX_BYTES)]);
    expect(await send(large)).toEqual([413, 'payload_too_large']);
    expect((await app.ask('PUT', url, { token: owner, json: {} })).status).toBe(400);
    expect(await shown()).toBeNull();
    expect(await entriesOf('barred.photo_set')).toEqual([]);
  });

  test('not once the bar is lifted', async () => {
    await app.expect(200, 'DELETE', `/api/barred/${bar}`, { token: owner });
    expect(await changes(owner)).toEqual([404, 404]);
    // Who may not see the bars does not learn that it is lifted.
    expect(await changes(await withPermissions('families.view', 'families.edit'))).toEqual([403, 403]);
  });

  test('not once the right to see the bars is lost while the photo is on its way', async () => {
    const role = (permissions: Permission[]) => ({
      token: owner,
      json: { name: `Late ${child}`, permissions: [...permissions, 'families.view', 'families.edit'] },
    });
    const made = await app.expect(201, 'POST', '/api/roles', role(['barred.view']));
    const token = await inRole(made.role._id);
    const narrow = () => app.expect(200, 'PUT', `/api/roles/${made.role._id}`, role([]));
    const ask = { token, form: { photo: fakePhoto() } };
    const late = await askSlowly(app, 'PUT', url, ask, narrow);
    expect(late).toEqual({ status: 403, code: 'beyond_own_rights' });
    expect(await shown()).toBeNull();
    expect(await entriesOf('barred.photo_set')).toEqual([]);
  });
});

describe('counts for the same bar of the siblings', () => {
  test('and of a child who is added later, each with a photo of its own, and for no other bar', async () => {
    const sister = (await app.makeChild(family))._id;
    const other = await enter({ name: 'Hani Omran' });
    const photo = await setPhoto();
    const ofSister = String(await shown(sister));
    expect(ofSister).toMatch(/^\/api\/photos\//);
    expect(ofSister).not.toBe(photo);
    expect((await barsOf()).find(({ _id }) => _id === other)?.photo).toBeNull();
    expect(await entriesOf('barred.photo_set', sister)).toHaveLength(1);
    const brother = (await app.makeChild(family))._id;
    const copied = (await barsOf(brother)).find(({ name }) => name === KARIM.name)?.photo;
    expect((await app.ask('GET', String(copied), { token: owner })).bytes.indexOf(tinyJpeg)).toBe(0);
    expect(await statusOf(String(copied), family.token)).toBe(404);

    await app.expect(200, 'DELETE', url, { token: owner });
    for (const id of [child, sister, brother])
      expect((await barsOf(id)).filter((one) => one.photo !== null)).toEqual([]);
    expect(await entriesOf('barred.photo_removed', brother)).toHaveLength(1);
  });

  test('and comes to a child who is added later from whichever sibling has one', async () => {
    const sister = (await app.makeChild(family))._id;
    // Bars are copied in the order of the children's ids: the bar of the first one gets no photo, because only another facility knows it.
    const [first = '', second = ''] = [child, sister].sort();
    const elsewhere = await makeFacility(app, `Elsewhere ${child}`);
    await app.context.db
      .updateTable('child_facilities')
      .set({ facility_id: elsewhere })
      .where('child_id', '=', first)
      .execute();
    const ofSecond = String((await barsOf(second))[0]?._id);
    const form = { photo: fakePhoto() };
    await app.expect(200, 'PUT', `/api/barred/${ofSecond}/photo`, { token: owner, form });
    const brother = (await app.makeChild(family))._id;
    expect(await barsOf(brother)).toHaveLength(1);
    expect(await shown(brother)).toMatch(/^\/api\/photos\//);
  });

  test('and keeps no bar from a child who is added later if it is damaged', async () => {
    const photo = await setPhoto();
    await app.context.db
      .updateTable('photo_bodies')
      .set({ sealed: Buffer.from('damaged') })
      .where('photo_id', '=', idOf(photo))
      .execute();
    const brother = (await app.makeChild(family))._id;
    const bars = (await barsOf(brother)).map((one) => [one.name, one.photo]);
    expect(bars).toEqual([[KARIM.name, null]]);
  });

  test('also where it is on a collector, which is one child’s', async () => {
    const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      ...{ token: owner, json: { name: 'Samia Hassan', relation: 'Aunt' } },
    });
    const sister = (await app.makeChild(family))._id;
    const samia = await enter({ name: 'Samia Hassan', adultId: collector._id, siblings: true });
    const form = { photo: fakePhoto() };
    await app.expect(200, 'PUT', `/api/barred/${samia}/photo`, { token: owner, form });
    const photos = async (id: string) =>
      Object.fromEntries((await barsOf(id)).map(({ name, photo }) => [name, photo !== null]));
    for (const id of [child, sister])
      expect(await photos(id)).toEqual({ 'Karim Adel': false, 'Samia Hassan': true });
  });
});

describe('is erased', () => {
  const rowsOf = async () =>
    app.context.db
      .selectFrom('photos')
      .select('id')
      .where('owner_id', '=', child)
      .where('bar_id', 'is not', null)
      .execute();

  test('with the lift of the bar, of this child alone', async () => {
    const sister = (await app.makeChild(family))._id;
    const photo = await setPhoto();
    const ofSister = String(await shown(sister));
    await app.expect(200, 'DELETE', `/api/barred/${bar}`, { token: owner });
    expect(await statusOf(photo, owner)).toBe(404);
    expect(await ticketStatus(photo, owner)).toBe(404);
    expect(await rowsOf()).toEqual([]);
    expect(await findPhotoBody(app.context.db, idOf(photo))).toBeUndefined();
    expect(await statusOf(ofSister, owner)).toBe(200);
  });

  test.each([
    ['the child', () => `/api/children/delete-child/${child}`],
    ['the family', () => `/api/parent/delete-parent/${family.id}`],
  ])('with %s', async (_what, path) => {
    const photo = await setPhoto();
    await app.expect(200, 'DELETE', path(), { token: owner });
    expect(await rowsOf()).toEqual([]);
    expect(await findPhotoBody(app.context.db, idOf(photo))).toBeUndefined();
    expect(await statusOf(photo, owner)).toBe(404);
  });

  test('not with a photo of the child or of a collector, nor those with it', async () => {
    const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      ...{ token: owner, json: { name: 'Mona Ali', relation: 'Aunt' } },
    });
    const ofCollector = `/api/collectors/${collector._id}/photo`;
    const set = (to: string, photo: Buffer) => app.expect(200, 'PUT', to, { token: owner, form: { photo } });
    const photo = await setPhoto();
    const theirs = String((await set(ofCollector, fakePhoto())).collector.photo);
    const face = `another ${child}`;
    const after = await set(`/api/children/update-child/${child}`, fakePhoto({ face }));
    const own = String(after.child.photo);
    for (const one of [photo, theirs, own]) expect(await statusOf(one, owner)).toBe(200);
    await app.expect(200, 'DELETE', ofCollector, { token: owner });
    expect(await statusOf(photo, owner)).toBe(200);
    await app.expect(200, 'DELETE', url, { token: owner });
    expect(await statusOf(own, owner)).toBe(200);
  });

  test('by its key: without the child’s key nobody reads it', async () => {
    const photo = await setPhoto();
    await app.context.db.deleteFrom('data_keys').where('owner_id', '=', child).execute();
    expect(await statusOf(photo, owner)).toBe(404);
  });
});

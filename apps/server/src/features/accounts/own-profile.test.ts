/** The own name and photo of staff: who changes them, who sees them, and that nothing of them stays behind. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../db/transaction.ts';
import { eraseStaffMember } from '../../erasure/people.ts';
import { makeColleague, makeDesk, type TestDesk } from '../../testing/desks.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Employee, startTestApp, type TestApp } from '../../testing/harness.ts';
import { makeKiosk } from '../../testing/kiosks.ts';

const MINE = '/api/admin/me/profile';
const PHOTO = '/api/admin/me/photo';

let app: TestApp;
let staff: string;
let desk: TestDesk;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  desk = await makeDesk(app);
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

async function photographed(member: Employee): Promise<string> {
  await app.proveNow(member.token);
  const form = { photo: fakePhoto() };
  const { admin } = await app.expect(200, 'PUT', MINE, { token: member.token, form });
  return String(admin.photo);
}

/** A colleague with this role alone. */
async function inRole(roleId: string): Promise<Employee> {
  const member = await app.makeEmployee();
  const json = { roles: [{ roleId, facilityId: 'main' }] };
  await app.proveNow(staff);
  await app.expect(200, 'PUT', `/api/admin/${member.id}/roles`, { token: staff, json });
  return member;
}

const kept = async (id: string) => ({
  photos: (await app.context.db.selectFrom('photos').select('id').where('owner_id', '=', id).execute())
    .length,
  keys: (await app.context.db.selectFrom('data_keys').select('owner_id').where('owner_id', '=', id).execute())
    .length,
});

test('a name and a photo are the own to change, and colleagues see them', async () => {
  const member = await app.makeEmployee();
  await app.proveNow(member.token);
  const form = { name: '  Nadia   Farouk ', photo: fakePhoto() };
  const { admin } = await app.expect(200, 'PUT', MINE, { token: member.token, form });
  expect(admin.name.trim()).toBe(admin.name);
  expect(admin.photo).toMatch(/^\/api\/admin\/photos\/[\w-]+$/);
  const listed = await app.expect(200, 'GET', '/api/admin/get-all-admins?search=farouk', { token: staff });
  expect(listed.admins).toMatchObject([{ _id: member.id, name: admin.name, photo: admin.photo }]);
  const { entries } = await app.expect(200, 'GET', `/api/audit?actor=${member.id}`, { token: staff });
  expect(entries[0]).toMatchObject({
    action: 'admin.updated',
    subject: { name: admin.name, photo: admin.photo },
    details: { fields: ['name', 'photo'] },
  });
});

test('nothing, a blank name and a file that is no photo are refused', async () => {
  const { token } = await app.makeEmployee();
  await app.proveNow(token);
  await app.expect(400, 'PUT', MINE, { token, json: {} });
  await app.expect(400, 'PUT', MINE, { token, json: { name: ' ' } });
  await app.expect(415, 'PUT', MINE, { token, form: { photo: Buffer.from('no photo at all') } });
});

test('without a fresh proof nothing changes', async () => {
  const { id, token } = await app.makeEmployee();
  app.clock.advance(11 * 60_000);
  expect((await app.expect(403, 'PUT', MINE, { token, json: { name: 'Somebody Else' } })).code).toBe(
    'proof_required',
  );
  await app.expect(403, 'DELETE', PHOTO, { token });
  const member = await app.context.db.selectFrom('staff').select('name').where('id', '=', id).execute();
  expect(member[0]?.name).not.toBe('Somebody Else');
});

test('a photo is for staff with a reason, its owner and the tablet that lists them, and for nobody else', async () => {
  const member = await inRole('teacher');
  const photo = await photographed(member);
  const photoId = photo.split('/').at(-1) ?? '';
  const [teacher, front] = [await inRole('teacher'), await inRole('desk')];
  const parent = await app.makeFamily();
  const statusFor = async (token: string | undefined, path = photo) =>
    (await app.ask('GET', path, token === undefined ? {} : { token })).status;
  expect(await statusFor(staff)).toBe(200);
  expect(await statusFor(front.token)).toBe(200);
  expect(await statusFor(member.token)).toBe(200);
  expect(await statusFor(teacher.token)).toBe(404);
  expect(await statusFor(parent.token)).toBe(403);
  expect(await statusFor(undefined)).toBe(401);
  expect(await statusFor(desk.token)).toBe(401);

  const atDesk = `/api/desk/photos/${photoId}`;
  const tablet = await app.ask('GET', '/api/desk', { token: desk.token });
  expect(tablet.bytes.toString()).toContain(photoId);
  expect(await statusFor(desk.token, atDesk)).toBe(200);
  expect(await statusFor((await makeKiosk(app)).token, atDesk)).toBe(401);
  expect(await statusFor(staff, atDesk)).toBe(403);
  expect(await statusFor(undefined, atDesk)).toBe(401);

  // The call for the photos of families knows none of staff, and the other way round.
  for (const token of [staff, parent.token])
    expect(await statusFor(token, `/api/photos/${photoId}`)).toBe(404);
  const child = String((await app.makeChild(parent)).photo)
    .split('/')
    .at(-1);
  expect(await statusFor(staff, `/api/admin/photos/${child}`)).toBe(404);
  expect(await statusFor(desk.token, `/api/desk/photos/${child}`)).toBe(404);
  expect(await statusFor(staff, '/api/admin/photos/%00')).toBe(404);
});

test('whoever lost every role is on no tablet, with no photo', async () => {
  const member = await app.makeEmployee();
  const photo = await photographed(member);
  await app.context.db.deleteFrom('memberships').where('staff_id', '=', member.id).execute();
  const path = photo.replace('/api/admin/', '/api/desk/');
  await app.expect(404, 'GET', path, { token: desk.token });
});

test('a photo is sealed; another one replaces it', async () => {
  const member = await app.makeEmployee();
  const first = await photographed(member);
  const second = await photographed(member);
  expect(await kept(member.id)).toEqual({ photos: 1, keys: 1 });
  await app.expect(404, 'GET', first, { token: staff });
  const { bytes, headers } = await app.ask('GET', second, { token: staff });
  expect(headers).toMatchObject({
    'content-type': 'image/jpeg',
    vary: expect.stringContaining('authorization'),
  });
  expect(String(headers['cache-control'])).toMatch(/^private, max-age=\d+$/);
  const id = second.split('/').at(-1) ?? '';
  const { sealed } = await app.context.db
    .selectFrom('photo_bodies')
    .select('sealed')
    .where('photo_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(Buffer.from(sealed).includes(bytes.subarray(0, 16))).toBe(false);
});

test('recognition that is switched off leaves the photo readable; the deleted photo leaves no key', async () => {
  const member = await app.makeEmployee();
  const photo = await photographed(member);
  const form = { photo: fakePhoto({ face: 'of the member' }) };
  const { token } = member;
  await app.expect(200, 'PUT', '/api/admin/me/recognition', { token, form });
  await app.expect(200, 'DELETE', '/api/admin/me/recognition', { token });
  await app.expect(200, 'GET', photo, { token: staff });
  expect((await app.expect(200, 'DELETE', PHOTO, { token })).admin.photo).toBeNull();
  expect(await kept(member.id)).toEqual({ photos: 0, keys: 0 });
  await app.expect(404, 'GET', photo, { token: staff });
});

test('the deleted photo leaves the key that recognition still needs', async () => {
  const member = await app.makeEmployee();
  await photographed(member);
  const form = { photo: fakePhoto({ face: 'still recognised' }) };
  await app.expect(200, 'PUT', '/api/admin/me/recognition', { token: member.token, form });
  await app.expect(200, 'DELETE', PHOTO, { token: member.token });
  expect(await kept(member.id)).toEqual({ photos: 0, keys: 1 });
  const { recognition } = await app.expect(200, 'GET', '/api/admin/me/recognition', { token: member.token });
  expect(recognition.on).toBe(true);
});

test('a deleted colleague leaves neither photo nor key', async () => {
  const member = await makeColleague(app, 'Omar Said', '804913');
  const photo = await photographed(member);
  await app.proveNow(staff);
  await app.expect(200, 'DELETE', `/api/admin/delete-admin/${member.id}`, { token: staff });
  expect(await kept(member.id)).toEqual({ photos: 0, keys: 0 });
  await app.expect(404, 'GET', photo, { token: staff });
});

test('an erasure that is replayed after a restore takes the photo too', async () => {
  const member = await app.makeEmployee();
  await photographed(member);
  await inTransaction(app.context.db, (tx) => eraseStaffMember(tx, member.id, app.clock.now()));
  expect(await kept(member.id)).toEqual({ photos: 0, keys: 0 });
});

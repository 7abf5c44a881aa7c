/** Registrations that nobody verifies: when they end, which do not, and what is left of them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cleanOnce } from '../../housekeeping.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let app: TestApp;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.clock.advance(HOUR));

const person = () => ({
  name: 'Mona',
  email: `stranger${++n}@family.test`,
  phone: '01112345678',
  password: 'secret-6',
});

async function register(photo = false) {
  const me = person();
  const sent = photo ? { form: { ...me, photo: fakePhoto() } } : { json: me };
  const { parent } = await app.expect(201, 'POST', '/api/parent/add', sent);
  return { ...me, id: parent._id };
}

/** Lets time pass as on a running server, which looks at its clock more than once a day. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 12 * HOUR) {
    app.clock.advance(Math.min(left, 12 * HOUR));
    await cleanOnce(app.context);
  }
}

async function isThere({ email }: { email: string }): Promise<boolean> {
  const token = await app.staff();
  const { total } = await app.expect(200, 'GET', `/api/parent/get-all-parents?search=${email}`, { token });
  return total === 1;
}

/** Rows that belong to an account. */
async function rowsOf(id: string): Promise<number> {
  const { db } = app.context;
  const counts = await Promise.all([
    db.selectFrom('photos').select('id').where('owner_id', '=', id).execute(),
    db.selectFrom('data_keys').select('owner_id').where('owner_id', '=', id).execute(),
    db.selectFrom('one_time_tokens').select('token_hash').where('account_id', '=', id).execute(),
  ]);
  return counts.flat().length;
}

test('ends after a week, with photo and key; the address can register again', async () => {
  const stranger = await register(true);
  await pass(7 * DAY - HOUR);
  expect(await isThere(stranger)).toBe(true);
  expect(await rowsOf(stranger.id)).toBe(2);
  await pass(2 * HOUR);
  expect(await isThere(stranger)).toBe(false);
  expect(await rowsOf(stranger.id)).toBe(0);
  const bodies = await app.context.db.selectFrom('photo_bodies').select('photo_id').execute();
  expect(bodies).toEqual([]);
  const { entries } = await app.expect(200, 'GET', '/api/audit?action=parent.deleted', {
    token: await app.staff(),
  });
  const row = entries.find(({ subject }) => subject?.id === stranger.id);
  expect(row).toMatchObject({ actor: null, details: { because: 'unverified' } });
  expect(JSON.stringify(row)).not.toMatch(/Mona|stranger/);
  const { email, password, name, phone } = stranger;
  await app.expect(201, 'POST', '/api/parent/add', { json: { email, password, name, phone } });
});

test('a photo that the person sent is there after the link was opened, and stays', async () => {
  const honest = await register(true);
  const { token } = await app.lastMail(honest.email);
  await app.expect(200, 'GET', `/api/parent/verify/email/${token}`);
  await pass(9 * DAY);
  const signedIn = await app.signIn('parent', honest.email, honest.password);
  const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: signedIn });
  expect((await app.ask('GET', String(parent.photo), { token: signedIn })).status).toBe(200);
});

test('accounts that staff made, vouched for, blocked, corrected or gave a child stay, however old', async () => {
  const token = await app.staff();
  const [vouched, blocked, corrected, withChild] = [
    await register(),
    await register(),
    await register(),
    await register(),
  ];
  const ended = await register();
  await app.expect(200, 'POST', `/api/parent/mark-verified/${vouched.id}`, { token });
  await app.expect(200, 'PUT', `/api/parent/${blocked.id}/block`, { token, json: { access: 'blocked' } });
  await app.expect(200, 'PUT', `/api/parent/update-parent/${corrected.id}`, {
    token,
    form: { phone: '01198765432' },
  });
  await app.makeChild(withChild, 'Their Child');
  const invited = { name: 'Invited', email: `invited${++n}@family.test` };
  await app.expect(201, 'POST', '/api/parent/create-parent', { token, json: invited });
  await pass(20 * DAY);
  for (const kept of [vouched, blocked, corrected, withChild, invited])
    expect(await isThere(kept), kept.email).toBe(true);
  expect(await isThere(ended)).toBe(false);
});

test('a link that still works is waited for, a day at most', async () => {
  const late = await register();
  const stubborn = await register();
  const signIn = ({ email, password }: typeof late) =>
    app.ask('POST', loginPath.parent, { json: { email, password } });
  await pass(6 * DAY + 20 * HOUR);
  for (const one of [late, stubborn])
    expect(await signIn(one)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
  await pass(8 * HOUR);
  await app.expect(200, 'GET', `/api/parent/verify/email/${(await app.lastMail(late.email)).token}`);
  expect((await signIn(stubborn)).status).toBe(403);
  await pass(22 * HOUR);
  expect(await isThere(stubborn)).toBe(false);
  expect((await signIn(late)).status).toBe(200);
});

test('a clock that is far ahead ends none', async () => {
  const waiting = await register();
  await cleanOnce(app.context);
  app.clock.advance(30 * DAY);
  await cleanOnce(app.context);
  expect(await isThere(waiting)).toBe(true);
  app.clock.advance(-30 * DAY);
  await cleanOnce(app.context);
  await pass(7 * DAY + HOUR);
  expect(await isThere(waiting)).toBe(false);
});

test('more than one portion ends at once, and the audit log stays whole', async () => {
  const many: Awaited<ReturnType<typeof register>>[] = [];
  for (let i = 0; i < 60; i++) {
    if (i % 50 === 49) app.clock.advance(16 * 60_000);
    many.push(await register());
  }
  await pass(8 * DAY);
  const left = await app.context.db
    .selectFrom('parents')
    .select('id')
    .where(
      'id',
      'in',
      many.map(({ id }) => id),
    )
    .execute();
  expect(left).toEqual([]);
});

test('photos of 200 are kept at most: the oldest goes, never that of somebody verified', async () => {
  const { db } = app.context;
  const add = async () => {
    app.clock.advance(1);
    const me = person();
    const sent = { form: { ...me, photo: fakePhoto() } };
    const { parent } = await app.expect(201, 'POST', '/api/parent/add', sent);
    expect(parent.photo).toMatch(/^\/api\/photos\//);
    return { ...me, id: parent._id };
  };
  const photosOf = ({ id }: { id: string }) =>
    db.selectFrom('photos').innerJoin('photo_bodies', 'photo_id', 'photos.id').where('owner_id', '=', id);
  const hasPhoto = async (who: { id: string }) =>
    (await photosOf(who).select('photos.id').execute()).length === 1;
  const [verified, oldest, second] = [await add(), await add(), await add()];
  await app.expect(200, 'GET', `/api/parent/verify/email/${(await app.lastMail(verified.email)).token}`);
  // 198 that registered after them, as copies of one row.
  const row = await db
    .selectFrom('parents')
    .selectAll()
    .where('id', '=', second.id)
    .executeTakeFirstOrThrow();
  app.clock.advance(1);
  const many = Array.from({ length: 198 }, () => ({
    ...row,
    id: randomUUID(),
    email: person().email,
    created_at: app.clock.now(),
  }));
  for (let start = 0; start < many.length; start += 50)
    await db
      .insertInto('parents')
      .values(many.slice(start, start + 50))
      .execute();
  expect(await hasPhoto(oldest)).toBe(true);
  await add();
  expect([await hasPhoto(oldest), await hasPhoto(second), await hasPhoto(verified)]).toEqual([
    false,
    true,
    true,
  ]);
  // The account itself is as before, and can have a photo again.
  await app.expect(200, 'GET', `/api/parent/verify/email/${(await app.lastMail(oldest.email)).token}`);
  const token = await app.signIn('parent', oldest.email, oldest.password);
  const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token });
  expect(parent.photo).toBeNull();
  const form = { photo: fakePhoto() };
  const url = `/api/parent/update-parent/${oldest.id}`;
  const changed = await app.expect(200, 'PUT', url, { token, form });
  expect(changed.parent.photo).toMatch(/^\/api\/photos\//);
});

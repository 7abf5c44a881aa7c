/** Photos: sealed in the database, served to accounts that may see their owner; and tickets (contract §2, §4). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addPhoto, dropPhotos, findPhotoBody } from '../../db/photos.ts';
import { inTransaction } from '../../db/transaction.ts';
import { fakePhoto, tinyJpeg } from '../../testing/fake-vision.ts';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Family,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let family: Family;
let other: Family;
let photo: string;
let photoId: string;
beforeAll(async () => {
  app = await startTestApp();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
});
afterAll(() => app.close());
beforeEach(async () => {
  staff = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
  photo = String((await app.makeChild(family)).photo);
  photoId = photo.replace('/api/photos/', '');
});

const looks = async (id: string) =>
  (await app.expect(200, 'GET', '/api/audit?limit=200', { token: staff })).entries.filter(
    (entry) => entry.action === 'photo.viewed' && entry.details.photoId === id,
  );
const ticketFor = async (token: string, id = photoId) =>
  (await app.expect(201, 'POST', '/api/tickets', { token, json: { for: 'photo', photoId: id } })).ticket;
const open = (ticket: string, path = photo) => app.ask('GET', `${path}?ticket=${ticket}`);

test('in the database a photo is sealed', async () => {
  const bodies = await app.context.db.selectFrom('photo_bodies').select('sealed').execute();
  expect(bodies.length).toBeGreaterThan(0);
  for (const { sealed } of bodies) {
    const bytes = Buffer.from(sealed);
    expect(bytes.length).toBeGreaterThan(tinyJpeg.length);
    for (const trace of [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('JFIF'), tinyJpeg.subarray(20, 40)])
      expect(bytes.includes(trace)).toBe(false);
  }
});

test('a second photo is kept beside the first until one of the two is dropped', async () => {
  const { db, clock } = app.context;
  const child = await app.makeChild(family);
  const first = String(child.photo).replace('/api/photos/', '');
  const owner = { kind: 'child', id: child._id } as const;
  const second = await inTransaction(db, (tx) => addPhoto(app.context, tx, owner, tinyJpeg, clock.now()));
  for (const id of [first, second])
    expect((await app.ask('GET', `/api/photos/${id}`, { token: staff })).bytes.indexOf(tinyJpeg)).toBe(0);
  await inTransaction(db, (tx) => dropPhotos(tx, owner, { except: second }));
  expect((await app.ask('GET', `/api/photos/${first}`, { token: staff })).status).toBe(404);
  expect((await app.ask('GET', `/api/photos/${second}`, { token: staff })).status).toBe(200);
  expect(await findPhotoBody(db, first)).toBeUndefined();
});

test('is served to staff and to the own family, for the browser alone to keep', async () => {
  for (const token of [staff, family.token]) {
    const answer = await app.ask('GET', photo, { token });
    expect(answer.status).toBe(200);
    expect(answer.bytes.indexOf(tinyJpeg)).toBe(0);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
    });
    const age = /^private, max-age=(\d+)$/.exec(String(answer.headers['cache-control']))?.[1];
    expect(Number(age)).toBeLessThanOrEqual(300);
  }
  expect((await app.ask('GET', photo, { token: other.token })).status).toBe(404);
  expect((await app.ask('GET', photo)).status).toBe(401);
});

test('of a parent is the family’s own too', async () => {
  const { parent } = await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
    token: family.token,
    form: { photo: fakePhoto() },
  });
  expect((await app.ask('GET', String(parent.photo), { token: family.token })).status).toBe(200);
  expect((await app.ask('GET', String(parent.photo), { token: other.token })).status).toBe(404);
});

test('each look by staff is a row of the audit log, a refused one is not', async () => {
  await app.ask('GET', photo, { token: staff });
  await app.ask('GET', photo, { token: other.token });
  await app.ask('GET', photo, { token: staff });
  await open(await ticketFor(family.token));
  const rows = await looks(photoId);
  expect(rows.map(({ actor }) => actor?.kind)).toEqual(['parent', 'admin', 'admin']);
  expect(rows[1]).toMatchObject({
    actor: { name: 'Administrator' },
    subject: { kind: 'child' },
    from: '127.0.0.1',
  });
  expect(rows[0]).toMatchObject({ actor: { id: family.id, name: expect.any(String) } });
});

test('sixty looks of a family at its own photo are one row in a quarter of an hour', async () => {
  const look = async (): Promise<number> => (await app.ask('GET', photo, { token: family.token })).status;
  for (let times = 0; times < 60; times++) expect(await look()).toBe(200);
  expect(await looks(photoId)).toHaveLength(1);
  app.clock.advance(15 * 60_000 + 1_000);
  expect(await look()).toBe(200);
  expect(await looks(photoId)).toHaveLength(2);
});

test('whose bytes or key were lost is not there, and does not crash', async () => {
  const [lost, keyless] = [await app.makeChild(family), await app.makeChild(family)];
  const id = String(lost.photo).replace('/api/photos/', '');
  await app.context.db.deleteFrom('photo_bodies').where('photo_id', '=', id).execute();
  await app.context.db.deleteFrom('data_keys').where('owner_id', '=', keyless._id).execute();
  for (const child of [lost, keyless])
    expect((await app.ask('GET', String(child.photo), { token: staff })).status).toBe(404);
});

test('swapped with another’s bytes is not served', async () => {
  const victim = await app.makeChild(family);
  const id = String(victim.photo).replace('/api/photos/', '');
  const sealed = await findPhotoBody(app.context.db, photoId);
  await app.context.db
    .updateTable('photo_bodies')
    .set({ sealed: sealed ?? Buffer.alloc(0) })
    .where('photo_id', '=', id)
    .execute();
  const answer = await app.ask('GET', String(victim.photo), { token: staff });
  expect([404, 500]).toContain(answer.status);
});

describe('a ticket', () => {
  test('opens the photo once', async () => {
    const ticket = await ticketFor(family.token);
    const first = await open(ticket);
    expect(first.status).toBe(200);
    expect(first.headers['cache-control']).toMatch(/private/);
    expect(await open(ticket)).toMatchObject({
      status: 401,
      body: { code: 'invalid_ticket', message: 'This link was used already or has expired.' },
    });
  });

  test('of twenty that open it at once, one does', async () => {
    const ticket = await ticketFor(family.token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(ticket)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  test('opens for 60 seconds, as it says', async () => {
    const body = await app.expect(201, 'POST', '/api/tickets', {
      token: staff,
      json: { for: 'photo', photoId },
    });
    expect(Date.parse(body.expiresAt)).toBe(app.clock.now() + 60_000);
    const late = await ticketFor(staff);
    app.clock.advance(59_999);
    expect((await open(body.ticket)).status).toBe(200);
    app.clock.advance(1);
    expect((await open(late)).status).toBe(401);
  });

  test('opens only what it was asked for, and is used up by trying', async () => {
    const sibling = await app.makeChild(family);
    const ticket = await ticketFor(family.token);
    expect((await open(ticket, String(sibling.photo))).status).toBe(401);
    expect((await open(ticket)).status).toBe(401);
  });

  test('dies with its session, not with another', async () => {
    const [mine, another] = [
      await app.signIn('parent', family.email, family.password),
      await app.signIn('parent', family.email, family.password),
    ];
    const [dead, alive] = [await ticketFor(mine), await ticketFor(another)];
    await app.ask('POST', '/api/logout', { token: mine });
    expect((await open(dead)).status).toBe(401);
    expect((await open(alive)).status).toBe(200);
  });

  test('of another session opens nothing beside a token, and is used up', async () => {
    const again = await app.signIn('parent', family.email, family.password);
    const beside = (ticket: string, token: string) => app.ask('GET', `${photo}?ticket=${ticket}`, { token });
    for (const token of [other.token, staff, again, 'a-token-of-nobody-at-all']) {
      const ticket = await ticketFor(family.token);
      expect(await beside(ticket, token)).toMatchObject({ status: 401, body: { code: 'invalid_ticket' } });
      expect((await open(ticket)).status).toBe(401);
    }
    expect((await beside(await ticketFor(family.token), family.token)).status).toBe(200);
  });

  test('is not given for another family’s photo, nor for nothing', async () => {
    const ask = (json: unknown, token = other.token) => app.ask('POST', '/api/tickets', { token, json });
    expect((await ask({ for: 'photo', photoId })).status).toBe(404);
    expect((await ask({ for: 'photo', photoId: 'nothing' }, staff)).status).toBe(404);
    expect((await ask({ for: 'photo' })).body.message).toBe('photoId is required');
    expect((await ask({ photoId })).status).toBe(400);
  });

  test('that was never given: 401, even with a good token in the header', async () => {
    for (const query of [
      'ticket=',
      'ticket=x',
      `ticket=${staff}`,
      'ticket=a&ticket=b',
      'ticket=%00',
      'ticket[]=x',
    ])
      expect([401, ...(query.startsWith('ticket[') ? [200] : [])], query).toContain(
        (await app.ask('GET', `${photo}?${query}`, { token: staff })).status,
      );
  });

  test('stands in the database only as a hash', async () => {
    const ticket = await ticketFor(staff);
    const rows = await app.context.db.selectFrom('tickets').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(ticket);
  });
});

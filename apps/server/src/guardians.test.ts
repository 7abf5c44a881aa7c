/** Who is a guardian of a child, what a guardian sees of it, and that two households read nothing of each other (decision 049). */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acrossFacilities } from './facility.ts';
import { atFacility, makeFacility, makeInsideAt, manageAt } from './testing/at-facility.ts';
import { fakePhoto } from './testing/fake-vision.ts';
import { addGuardian, changeGuardian } from './testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from './testing/harness.ts';

let app: TestApp;
let owner: string;
/** The child's family, another guardian, and a stranger with a child of the same name. */
let first: Family;
let second: Family;
let stranger: Family;
let child: string;
let photo: string;
/** Numbers faces, because a desk is asked about those that look alike. */
let faces = 0;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  const number = faces++;
  first = await app.makeFamily({ name: 'Mona Firsthouse', email: `mona-${number}@firsthouse.test` });
  second = await app.makeFamily({ name: 'Karim Otherhouse', email: `karim-${number}@otherhouse.test` });
  stranger = await app.makeFamily();
  const made = await app.makeChild(first, 'Lina', fakePhoto({ face: `guarded ${faces++}` }));
  child = made._id;
  photo = String(made.photo);
  await app.makeChild(stranger, 'Lina', fakePhoto({ face: `guarded ${faces++}` }));
});

const rows = () => app.context.db.selectFrom('guardians').selectAll().where('child_id', '=', child).execute();
const list = (token: string, query = '') =>
  app.expect(200, 'GET', `/api/children/get-all-children?limit=50${query}`, { token });
const idsOf = async (token: string, query = '') => (await list(token, query)).children.map(({ _id }) => _id);
const status = async (...ask: Parameters<TestApp['ask']>) => (await app.ask(...ask)).status;
const ticket = (token: string, json: object) => status('POST', '/api/tickets', { token, json });
const watch = (token: string) => ticket(token, { for: 'video', childId: child });
const photoId = () => photo.replace('/api/photos/', '');

/** What an account gets of the child, by what every guardian may read. */
const seenBy = async ({ token }: Family) => ({
  listed: (await idsOf(token)).includes(child),
  photo: await status('GET', photo, { token }),
  photoTicket: await ticket(token, { for: 'photo', photoId: photoId() }),
  live: await watch(token),
});
const EVERYTHING = { listed: true, photo: 200, photoTicket: 201, live: 201 };
const NOTHING = { listed: false, photo: 404, photoTicket: 404, live: 404 };

/** Nothing in an answer tells one household of the other. */
function expectNothingOf({ id, name, email }: Family, answer: unknown): void {
  for (const text of [id, name, email]) expect(JSON.stringify(answer)).not.toContain(text);
}

describe('each child has the account to which it was added as its first guardian', () => {
  test('whoever adds it', async () => {
    const form = { name: 'Own', photo: fakePhoto({ face: `guarded ${faces++}` }) };
    const url = `/api/children/create-child/${first.id}`;
    await app.expect(201, 'POST', url, { token: first.token, form });
    const db = app.context.db;
    const [children, guardians] = await acrossFacilities(async () => [
      await db.selectFrom('children').selectAll().execute(),
      await db.selectFrom('guardians').selectAll().execute(),
    ]);
    const keyOf = (childId: string, parentId: unknown) => `${childId} ${parentId}`;
    // The column is not in the schema.
    const expected = children.map((row) =>
      keyOf(row.id, (row as unknown as { parent_id: string }).parent_id),
    );
    expect(guardians.map((row) => keyOf(row.child_id, row.parent_id)).toSorted()).toEqual(
      expected.toSorted(),
    );
    for (const row of guardians)
      expect(row).toMatchObject({ may_live: 1, may_edit: 1, may_collect: 1, ended_at: null });
    expect(guardians.every(({ accepted_at }) => accepted_at !== null)).toBe(true);
  });

  test('until the child or the account is deleted', async () => {
    await addGuardian(app, child, second.id);
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${second.id}`, { token: await app.staff() });
    expect((await rows()).map(({ parent_id }) => parent_id)).toEqual([first.id]);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: await app.staff() });
    expect(await rows()).toEqual([]);
  });
});

describe('another guardian', () => {
  test('sees the child, its photo and its pictures, and nothing of the first', async () => {
    expect(await seenBy(second)).toEqual(NOTHING);
    await addGuardian(app, child, second.id);
    expect(await seenBy(second)).toEqual(EVERYTHING);
    expect(await seenBy(first)).toEqual(EVERYTHING);
    expect(await seenBy(stranger)).toEqual(NOTHING);
    const answer = await list(second.token);
    expect(answer.children).toMatchObject([
      { _id: child, name: 'Lina', parent: { _id: second.id, name: second.name } },
    ]);
    expectNothingOf(first, answer);
    const own = await list(first.token);
    expect(own.children).toMatchObject([{ _id: child, parent: { _id: first.id, name: first.name } }]);
    expectNothingOf(second, own);
  });

  test('finds the child by its name and by the own, not by what the first guardian is called', async () => {
    await addGuardian(app, child, second.id);
    for (const found of ['Lina', 'Otherhouse', second.email])
      expect(await idsOf(second.token, `&search=${found}`), found).toEqual([child]);
    for (const hidden of ['Firsthouse', first.email])
      expect(await idsOf(second.token, `&search=${hidden}`), hidden).toEqual([]);
    expect(await idsOf(first.token, '&search=Otherhouse')).toEqual([]);
  });

  test('reads the confirmed name and photo while a change of the first one waits', async () => {
    await addGuardian(app, child, second.id);
    const form = { name: 'Zeinab', photo: fakePhoto({ face: `guarded ${faces++}` }) };
    const url = `/api/children/update-child/${child}`;
    const { child: sent } = await app.expect(200, 'PUT', url, { token: first.token, form });
    expect(sent).toMatchObject({ name: 'Zeinab', pending: expect.arrayContaining(['name', 'photo']) });
    const [read] = (await list(second.token)).children;
    expect(read).toMatchObject({ name: 'Lina', photo, pending: [] });
    expect(await status('GET', String(sent.photo), { token: first.token })).toBe(200);
    expect(await status('GET', String(sent.photo), { token: second.token })).toBe(404);
    for (const [query, own, other] of [
      ['&search=Zeinab', [child], []],
      ['&pending=true', [child], []],
      ['&pending=false', [], [child]],
    ] as const) {
      expect(await idsOf(first.token, query), query).toEqual(own);
      expect(await idsOf(second.token, query), query).toEqual(other);
    }
  });

  test('does not read that the first one is on the way', async () => {
    await addGuardian(app, child, second.id);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    const arrivesAt = new Date(app.clock.now() + 600_000).toISOString();
    const json = { children: [child], arrivesAt };
    await app.expect(200, 'POST', '/api/children/on-my-way', { token: first.token, json });
    expect((await list(first.token)).children[0]).toHaveProperty('onMyWay');
    const [read] = (await list(second.token)).children;
    expect(read).toMatchObject({ isInside: true });
    expect(read).not.toHaveProperty('onMyWay');
  });

  test.each([
    ['that has not accepted', { accepted_at: null }],
    ['that has ended', { ended_at: 1 }],
  ])('%s is a stranger', async (_what, over) => {
    await addGuardian(app, child, second.id);
    expect(await seenBy(second)).toEqual(EVERYTHING);
    await changeGuardian(app, child, second.id, over);
    expect(await seenBy(second)).toEqual(NOTHING);
    expect(await seenBy(first)).toEqual(EVERYTHING);
  });

  test('without the right to watch sees the child, and no pictures', async () => {
    await addGuardian(app, child, second.id, { may_live: 0 });
    expect(await seenBy(second)).toEqual({ ...EVERYTHING, live: 404 });
    await changeGuardian(app, child, first.id, { may_live: 0 });
    expect(await seenBy(first)).toEqual({ ...EVERYTHING, live: 404 });
  });

  test('is known to staff where the child is, and nowhere else', async () => {
    const moon = await makeFacility(app, 'Full Moon');
    const theirs = await makeInsideAt(app, moon, first, 'Omar');
    const [here, there] = [await app.makeEmployee(), await app.makeEmployee()];
    await manageAt(app, here, 'main');
    await manageAt(app, there, moon);
    const knows = async (token: string, at: string) => {
      const { parents } = await atFacility(app, at).expect(
        200,
        'GET',
        '/api/parent/get-all-parents?limit=200',
        {
          token,
        },
      );
      return parents.some(({ _id }) => _id === second.id);
    };
    // A family without a child is known everywhere, so that any desk adds the first.
    expect([await knows(here.token, 'main'), await knows(there.token, moon)]).toEqual([true, true]);
    await addGuardian(app, theirs, second.id);
    expect([await knows(here.token, 'main'), await knows(there.token, moon)]).toEqual([false, true]);
    expect(await idsOf(second.token)).toEqual([theirs]);
  });
});

/** Calls about the child whose answers hold what the first guardian has entered, or that would replace it. */
const kept = () => {
  const arrivesAt = new Date(app.clock.now() + 600_000).toISOString();
  const card = { version: 0, card: EMPTY_CARE_CARD };
  return [
    ['GET', `/api/children/${child}/care-card`, {}],
    ['PUT', `/api/children/${child}/care-card`, { json: card }],
    ['GET', `/api/children/${child}/care-log`, {}],
    ['GET', `/api/children/${child}/bookings`, {}],
    [
      'POST',
      `/api/children/${child}/absences`,
      { json: { from: '2099-01-01', to: '2099-01-01', reason: 'illness' } },
    ],
    ['GET', `/api/children/${child}/collectors`, {}],
    ['POST', `/api/children/${child}/collectors`, { json: { name: 'Samia', relation: 'Aunt' } }],
    ['POST', '/api/children/on-my-way', { json: { children: [child], arrivesAt } }],
    ['DELETE', `/api/children/${child}/on-my-way`, {}],
    ['PUT', `/api/children/update-child/${child}`, { json: { name: 'Changed' } }],
    ['POST', `/api/children/${child}/photos`, { form: { photo: fakePhoto({ face: 'more' }) } }],
    ['DELETE', `/api/children/delete-child/${child}`, {}],
  ] as const;
};

test('what two households would read of each other is only for the first guardian', async () => {
  await addGuardian(app, child, second.id);
  for (const [method, url, ask] of kept()) {
    for (const { token } of [second, stranger])
      expect(await status(method, url, { token, ...ask }), `${method} ${url}`).toBe(404);
    expect(await status(method, url, ask), `${method} ${url}`).toBe(401);
  }
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
  const releases = async ({ token }: Family) =>
    (await app.expect(200, 'GET', '/api/account/releases', { token })).releases.length;
  expect([await releases(first), await releases(second)]).toEqual([1, 0]);
  const bookings = async ({ token }: Family) =>
    (await app.expect(200, 'GET', '/api/bookings', { token })).bookings.length;
  expect([await bookings(first), await bookings(second)]).toEqual([1, 0]);
});

describe('the first guardian', () => {
  const READS = ['care-card', 'care-log', 'bookings', 'collectors'];
  const reads = async () =>
    Promise.all(READS.map((what) => status('GET', `/api/children/${child}/${what}`, { token: first.token })));

  test('without the right to change reads the child, and changes nothing', async () => {
    await changeGuardian(app, child, first.id, { may_edit: 0 });
    for (const [method, url, ask] of kept()) {
      if (!/update-child|delete-child|photos|care-card/.test(url) || method === 'GET') continue;
      expect(await status(method, url, { token: first.token, ...ask }), `${method} ${url}`).toBe(404);
    }
    expect(await reads()).toEqual([200, 200, 200, 200]);
    expect((await list(first.token)).children).toMatchObject([{ name: 'Lina' }]);
    await changeGuardian(app, child, first.id, { may_edit: 1 });
    const json = { version: 0, card: EMPTY_CARE_CARD };
    await app.expect(200, 'PUT', `/api/children/${child}/care-card`, { token: first.token, json });
  });

  test('without the right to name collectors reads them, and names none', async () => {
    const json = { name: 'Samia', relation: 'Aunt' };
    const url = `/api/children/${child}/collectors`;
    const { collector } = await app.expect(201, 'POST', url, { token: first.token, json });
    await changeGuardian(app, child, first.id, { may_collect: 0 });
    const own = `/api/collectors/${collector._id}`;
    for (const [method, path] of [
      ['POST', url],
      ['PUT', own],
      ['DELETE', own],
      ['POST', `${own}/pass`],
      ['DELETE', `${own}/pass`],
    ] as const)
      expect(await status(method, path, { token: first.token, json }), `${method} ${path}`).toBe(404);
    expect(await reads()).toEqual([200, 200, 200, 200]);
    // Staff go on as before.
    await app.expect(200, 'PUT', own, { token: owner, json });
  });

  test('without a row sees nothing, whatever the child’s own row says', async () => {
    await app.context.db.deleteFrom('guardians').where('child_id', '=', child).execute();
    expect(await seenBy(first)).toEqual(NOTHING);
    for (const [method, url, ask] of kept()) {
      expect(await status(method, url, { token: first.token, ...ask }), `${method} ${url}`).toBe(404);
    }
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: first.token });
    expect(parent.children).toEqual([]);
    // Staff have the child as before.
    await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner });
  });
});

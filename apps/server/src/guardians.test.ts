/** Who is a guardian of a child, what a guardian sees of it, and that two households read nothing of each other (decision 049). */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import type { CareLogEntry } from '@haris/contract/http/care-log';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endGuardian } from './db/guardians/ends.ts';
import { inTransaction } from './db/transaction.ts';
import { replayErasures } from './erasure/replay.ts';
import { acrossFacilities, inFacility, MAIN_FACILITY } from './facility.ts';
import { barsBy } from './hand-over/adults.ts';
import { atFacility, makeFacility, makeInsideAt, manageAt } from './testing/at-facility.ts';
import { beforeTransaction } from './testing/before-transaction.ts';
import { addEntry } from './testing/care-log.ts';
import { fakePhoto } from './testing/fake-vision.ts';
import { addGuardian, changeGuardian, endingIn } from './testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from './testing/harness.ts';

let app: TestApp;
let owner: string;
/** The child's family, another guardian, and a stranger with a child of the same name. */
let first: Family;
let second: Family;
let stranger: Family;
let child: string;
let photo: string;
/** The face in it. */
let face: string;
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
  face = `guarded ${faces++}`;
  const made = await app.makeChild(first, 'Lina', fakePhoto({ face }));
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
      expect(row).toMatchObject({ may_live: 1, may_edit: 1, may_collect: 1, may_take: 1, ended_at: null });
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

  test('reads the care log without the signature of the first one, and is not asked to sign', async () => {
    const entry = await addEntry(app, owner, child);
    const logOf = async ({ token }: Family) => {
      const answer = await app.ask('GET', `/api/children/${child}/care-log`, { token });
      return { ...answer, body: answer.body as unknown as { entries: CareLogEntry[] } };
    };
    expect((await logOf(second)).status).toBe(404);
    await addGuardian(app, child, second.id);
    const url = `/api/children/${child}/care-log/${entry}/acknowledgement`;
    const json = { signature: { kind: 'typed', name: 'Mona Firsthouse' } };
    const waits = async ({ token }: Family) => {
      const { body } = await app.ask('GET', '/api/care-log/to-sign', { token });
      return (body as unknown as { waiting: unknown[] }).waiting.length;
    };
    expect([await waits(first), await waits(second)]).toEqual([1, 0]);
    expect(await status('POST', url, { token: second.token, json })).toBe(404);
    expect(await status('POST', url, { token: first.token, json })).toBe(201);
    const [mine, theirs] = [(await logOf(first)).body.entries, (await logOf(second)).body.entries];
    expect(mine).toMatchObject([{ _id: entry, asksSignature: true, acknowledged: json }]);
    expect(theirs).toMatchObject([{ _id: entry, asksSignature: false, acknowledged: null }]);
    expect(theirs[0]?.entry).toEqual(mine[0]?.entry);
    expectNothingOf(first, theirs);
    expect((await logOf(stranger)).status).toBe(404);
    await changeGuardian(app, child, second.id, { ended_at: 1 });
    expect((await logOf(second)).status).toBe(404);
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

/** Ends a guardian without the call. */
const end = (parentId: string, at = MAIN_FACILITY, childId = child) =>
  inFacility(at, () =>
    inTransaction(app.context.db, ({ trx }) => endGuardian(trx, { childId, parentId }, endingIn(app))),
  );

describe('a guardian who ends', () => {
  const READS = ['care-card', 'care-log', 'bookings', 'collectors'];
  const reads = ({ token }: Family) =>
    Promise.all(READS.map((what) => status('GET', `/api/children/${child}/${what}`, { token })));
  /** Whose child it is, for staff. */
  const firstForStaff = async () =>
    (await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner })).child.parent._id;
  const childrenOf = async ({ token }: Family) =>
    (await app.expect(200, 'GET', '/api/parent/info', { token })).parent.children.map(({ _id }) => _id);

  test('sees nothing more, and the first one stays the first', async () => {
    await addGuardian(app, child, second.id);
    expect(await end(second.id)).toBe('ended');
    expect([await seenBy(first), await seenBy(second)]).toEqual([EVERYTHING, NOTHING]);
    expect(await firstForStaff()).toBe(first.id);
    expect(await end(second.id)).toBe('not_found');
  });

  test('as the first one passes the child on, and keeps the other children', async () => {
    const sister = (await app.makeChild(first, 'Salma', fakePhoto({ face: `guarded ${faces++}` })))._id;
    await addGuardian(app, child, second.id);
    expect([await reads(first), await reads(second)]).toEqual([
      [200, 200, 200, 200],
      [404, 200, 404, 404],
    ]);
    expect(await end(first.id)).toBe('ended');
    expect(await firstForStaff()).toBe(second.id);
    expect([await seenBy(first), await seenBy(second)]).toEqual([NOTHING, EVERYTHING]);
    expect([await reads(first), await reads(second)]).toEqual([
      [404, 404, 404, 404],
      [200, 200, 200, 200],
    ]);
    expect([await childrenOf(first), await childrenOf(second)]).toEqual([[sister], [child]]);
    const kept = new Map((await rows()).map((row) => [row.parent_id, row]));
    expect(kept.get(first.id)).toMatchObject({ ended_by: 'desk', ended_at: expect.any(Number) });
    expect(kept.get(second.id)).toMatchObject({ ended_at: null });
    expect(await end(first.id)).toBe('not_found');
  });

  test('passes the child on to who accepted first', async () => {
    await addGuardian(app, child, second.id, { accepted_at: app.clock.now() });
    await addGuardian(app, child, stranger.id, { accepted_at: app.clock.now() - 1 });
    expect(await end(first.id)).toBe('ended');
    expect(await firstForStaff()).toBe(stranger.id);
  });

  test('stays if nobody else can answer for the child', async () => {
    const refused = async () => {
      const answer = await end(first.id);
      return [answer, await firstForStaff(), (await seenBy(first)).listed];
    };
    const LAST = ['last_guardian', first.id, true];
    expect(await refused()).toEqual(LAST);
    await addGuardian(app, child, second.id);
    for (const lacks of [
      { accepted_at: null },
      { ended_at: 1 },
      { may_live: 0 },
      { may_edit: 0 },
      { may_collect: 0 },
    ] as const) {
      await changeGuardian(app, child, second.id, lacks);
      expect(await refused(), JSON.stringify(lacks)).toEqual(LAST);
      const all = { may_live: 1, may_edit: 1, may_collect: 1 } as const;
      await changeGuardian(app, child, second.id, { ...all, accepted_at: 1, ended_at: null });
    }
    const account = (columns: object) =>
      app.context.db.updateTable('parents').set(columns).where('id', '=', second.id).execute();
    for (const closed of ['blocked_at', 'disowned_at']) {
      await account({ [closed]: 1 });
      expect(await refused(), closed).toEqual(LAST);
      await account({ [closed]: null });
    }
    const bars = app.context.db.insertInto('barred_adults').values({
      ...{ id: `bar of ${child}`, child_id: child, sealed: Buffer.from('x'), adult_id: second.id },
      ...{ others: '[]', document_date: null, created_by: 'desk', created_at: 1 },
      ...{ lifted_by: null, lifted_at: null },
    });
    await bars.execute();
    expect(await refused()).toEqual(LAST);
    await app.context.db
      .updateTable('barred_adults')
      .set({ lifted_at: 1 })
      .where('child_id', '=', child)
      .execute();
    expect(await end(first.id)).toBe('ended');
    // Its words cannot be opened.
    await app.context.db.deleteFrom('barred_adults').where('child_id', '=', child).execute();
  });

  test('does not end through a bar on the only account', async () => {
    const json = { name: 'Mona', note: 'Court', adultId: first.id };
    await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json });
    expect(await end(first.id)).toBe('last_guardian');
    expect(await rows()).toMatchObject([{ parent_id: first.id, ended_at: null }]);
  });

  test('by the deletion of the account: the child passes on, also while it is inside, and a sister goes with the account', async () => {
    const sister = (await app.makeChild(first, 'Salma', fakePhoto({ face: `guarded ${faces++}` })))._id;
    await addGuardian(app, child, second.id);
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    const remove = () => status('DELETE', `/api/parent/delete-parent/${first.id}`, { token: owner });
    await app.expect(200, 'POST', `/api/children/checkin-child/${sister}`, { token: owner });
    expect(await remove()).toBe(409);
    expect(await firstForStaff()).toBe(first.id);
    await app.expect(200, 'POST', `/api/children/checkout-child/${sister}`, { token: owner });
    expect(await remove()).toBe(200);
    expect(await firstForStaff()).toBe(second.id);
    expect(await childrenOf(second)).toEqual([child]);
    expect(await status('GET', `/api/children/get-child/${sister}`, { token: owner })).toBe(404);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${first.id}`, { token: owner });
    expect(entries.find(({ action }) => action === 'parent.deleted')).toMatchObject({
      details: { children: [sister], passedOn: [child] },
    });
  });

  test('by a deletion that a restore repeats', async () => {
    await addGuardian(app, child, second.id);
    const { db, audit, vault } = app.context;
    const erasure = { kind: 'parent', id: first.id, at: app.clock.now() } as const;
    expect(await replayErasures({ db, audit, isBarred: barsBy(vault) }, [erasure])).toMatchObject({
      people: 1,
    });
    expect(await firstForStaff()).toBe(second.id);
    expect((await rows()).map(({ parent_id }) => parent_id)).toEqual([second.id]);
  });

  test('may be one who has not accepted; nobody else, and not where the child is unknown', async () => {
    await addGuardian(app, child, second.id, { accepted_at: null });
    const moon = await makeFacility(app, `Moon ${faces++}`);
    expect(await end(second.id, moon)).toBe('not_found');
    expect(await end(stranger.id)).toBe('not_found');
    expect(await end(second.id, MAIN_FACILITY, 'unknown')).toBe('not_found');
    expect(await end(second.id)).toBe('ended');
    await changeGuardian(app, child, second.id, { accepted_at: app.clock.now() });
    expect(await seenBy(second)).toEqual(NOTHING);
  });
});

/** Calls about the child whose answers hold what the first guardian has entered, or that would replace it. */
const kept = () => {
  const card = { version: 0, card: EMPTY_CARE_CARD };
  return [
    ['GET', `/api/children/${child}/care-card`, {}],
    ['PUT', `/api/children/${child}/care-card`, { json: card }],
    ['GET', `/api/children/${child}/bookings`, {}],
    [
      'POST',
      `/api/children/${child}/absences`,
      { json: { from: '2099-01-01', to: '2099-01-01', reason: 'illness' } },
    ],
    ['GET', `/api/children/${child}/collectors`, {}],
    ['POST', `/api/children/${child}/collectors`, { json: { name: 'Samia', relation: 'Aunt' } }],
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

describe('a right that is taken away after a call has begun', () => {
  afterEach(() => void vi.restoreAllMocks());
  let collector: string;
  let entry: string;
  let stay: string;
  beforeEach(async () => {
    const json = { name: 'Samia', relation: 'Aunt' };
    const url = `/api/children/${child}/collectors`;
    collector = (await app.expect(201, 'POST', url, { token: first.token, json })).collector._id;
    entry = await addEntry(app, owner, child);
    await step('checkin-child');
    await step('checkout-child');
    const { releases } = await app.expect(200, 'GET', '/api/account/releases', { token: first.token });
    stay = String(releases[0]?.stayId);
    await step('checkin-child');
    await onMyWay();
  });
  const step = (name: string) => app.expect(200, 'POST', `/api/children/${name}/${child}`, { token: owner });

  const inMinutes = (minutes: number) => new Date(app.clock.now() + minutes * 60_000).toISOString();
  const onMyWay = () =>
    app.expect(200, 'POST', '/api/children/on-my-way', {
      token: first.token,
      json: { children: [child], arrivesAt: inMinutes(10) },
    });
  const ENDED = { ended_at: 1 };
  const NO_CHANGES = { may_edit: 0 } as const;
  const NAMES_NOBODY = { may_collect: 0 } as const;
  const OMAR = { name: 'Omar', relation: 'Uncle' };
  const photoForm = (name: string) => ({ form: { photo: fakePhoto({ face: name }) } });

  test.each([
    {
      what: 'a new name',
      send: () => ['PUT', `/api/children/update-child/${child}`, { json: { name: 'Changed' } }] as const,
      taken: NO_CHANGES,
    },
    {
      what: 'a new photo',
      send: () => ['PUT', `/api/children/update-child/${child}`, photoForm('another')] as const,
      taken: NO_CHANGES,
    },
    {
      what: 'one more photo',
      send: () => ['POST', `/api/children/${child}/photos`, photoForm(face)] as const,
      taken: NO_CHANGES,
      isRefused: true,
    },
    {
      what: 'a care card',
      send: () => {
        const json = { version: 0, card: EMPTY_CARE_CARD };
        return ['PUT', `/api/children/${child}/care-card`, { json }] as const;
      },
      taken: NO_CHANGES,
    },
    {
      what: 'a new collector',
      send: () => ['POST', `/api/children/${child}/collectors`, { json: OMAR }] as const,
      taken: NAMES_NOBODY,
    },
    {
      what: 'another name of a collector',
      send: () => ['PUT', `/api/collectors/${collector}`, { json: OMAR }] as const,
      taken: NAMES_NOBODY,
    },
    {
      what: 'a photo of a collector',
      send: () => ['PUT', `/api/collectors/${collector}/photo`, photoForm('aunt')] as const,
      taken: NAMES_NOBODY,
    },
    {
      what: 'the end of a collector',
      send: () => ['DELETE', `/api/collectors/${collector}`, {}] as const,
      taken: NAMES_NOBODY,
    },
    {
      what: 'a pass',
      send: () => ['POST', `/api/collectors/${collector}/pass`, { json: {} }] as const,
      taken: NAMES_NOBODY,
    },
    {
      what: 'the end of a pass',
      send: () => ['DELETE', `/api/collectors/${collector}/pass`, {}] as const,
      taken: NAMES_NOBODY,
    },
    {
      what: 'a signature',
      send: () => {
        const json = { signature: { kind: 'typed', name: 'Mona' } };
        return ['POST', `/api/children/${child}/care-log/${entry}/acknowledgement`, { json }] as const;
      },
      taken: ENDED,
    },
    {
      what: 'an absence',
      send: () => {
        const json = { from: '2099-01-01', to: '2099-01-01', reason: 'illness' };
        return ['POST', `/api/children/${child}/absences`, { json }] as const;
      },
      taken: ENDED,
    },
    {
      what: 'an announced pick-up',
      send: () => {
        const json = { children: [child], arrivesAt: inMinutes(20) };
        return ['POST', '/api/children/on-my-way', { json }] as const;
      },
      taken: ENDED,
    },
    {
      what: 'the end of an announced pick-up',
      send: () => ['DELETE', `/api/children/${child}/on-my-way`, {}] as const,
      taken: ENDED,
    },
    {
      what: 'an unexpected release',
      send: () => ['POST', `/api/account/releases/${stay}/unexpected`, {}] as const,
      taken: ENDED,
    },
  ])('writes nothing: $what', async ({ send, taken, isRefused = false }) => {
    const before = (await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner })).entries;
    const [method, url, ask] = send();
    const writes = beforeTransaction(app.context.db, () => changeGuardian(app, child, first.id, taken));
    expect(await status(method, url, { token: first.token, ...ask })).toBe(404);
    expect(writes.hasBegun()).toBe(true);
    vi.restoreAllMocks();
    const after = (await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner })).entries;
    expect(after).toEqual(before);
    // The same call goes through with the right.
    await changeGuardian(app, child, first.id, { ended_at: null, may_edit: 1, may_collect: 1 });
    const answer = await status(method, url, { token: first.token, ...ask });
    if (isRefused) expect(answer).toBe(409);
    else expect(answer).toBeLessThan(300);
  });

  test('deletes no child', async () => {
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    const url = `/api/children/delete-child/${child}`;
    beforeTransaction(app.context.db, () => changeGuardian(app, child, first.id, NO_CHANGES));
    expect(await status('DELETE', url, { token: first.token })).toBe(404);
    vi.restoreAllMocks();
    await changeGuardian(app, child, first.id, { may_edit: 1 });
    expect(await status('DELETE', url, { token: first.token })).toBe(200);
  });
});

test('a child with another guardian is deleted by staff alone', async () => {
  const url = `/api/children/delete-child/${child}`;
  const remove = async (token: string) => {
    const { status, body } = await app.ask('DELETE', url, { token });
    return status === 200 ? 200 : body.code;
  };
  await addGuardian(app, child, second.id, { accepted_at: null });
  expect(await remove(first.token)).toBe('child_kept');
  await changeGuardian(app, child, second.id, { accepted_at: app.clock.now() });
  expect(await remove(first.token)).toBe('child_kept');
  expect(await remove(second.token)).toBe('not_found');
  await changeGuardian(app, child, second.id, { ended_at: 1 });
  expect(await remove(first.token)).toBe(200);
});

/** Conflicts of desk tablets that had no connection: staff see both sides, and settle them once (decision 055). */
import { randomUUID } from 'node:crypto';
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import {
  beginConflicts,
  type ConflictHouse,
  type Conflicts,
  MINUTE,
  newEntryCode,
  openConflictHouse,
  takeTicket,
} from '../../testing/desk-conflicts.ts';
import type { TestApp } from '../../testing/harness.ts';

let house: ConflictHouse;
let world: Conflicts;
let app: TestApp;
let owner: string;
let child: string;

beforeAll(async () => {
  house = await openConflictHouse();
  app = house.app;
});
afterAll(() => app.close());
beforeEach(async () => {
  world = await beginConflicts(house);
  ({ owner, child } = world);
});

describe('settling', () => {
  test('of two at once counts once, and the other is told to look again', async () => {
    await world.seenLater();
    const conflict = await world.open();
    const answers = await Promise.all([
      world.trySettle(conflict, 'take', owner),
      world.trySettle(conflict, 'keep', world.omars),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict_changed');
    expect(await world.settledRows()).toHaveLength(1);
  });

  test('is refused once what Haris has has changed since', async () => {
    await world.seenLater();
    const conflict = await world.open();
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    expect(await world.trySettle(conflict, 'take')).toMatchObject({
      status: 409,
      body: { code: 'conflict_changed' },
    });
    expect(await world.trySettle(await world.open(), 'keep', world.omars)).toMatchObject({ status: 200 });
  });

  test('by who wrote one of the sides of a release needs a proof, and the ledger says so', async () => {
    await world.seenLater();
    app.clock.advance(11 * MINUTE);
    const conflict = await world.open();
    for (const choice of ['keep', 'take'] as const)
      expect(await world.trySettle(conflict, choice, world.session)).toMatchObject({
        status: 403,
        body: { code: 'proof_required' },
      });
    const json = { conflicts: [{ id: conflict._id, revision: conflict.revision }] };
    const several = await app.ask('POST', '/api/desk-conflicts/keep', { token: world.session, json });
    expect(several).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    });
    await app.expect(204, 'POST', '/api/session/proof', {
      token: world.session,
      json: { password: world.nadia.password },
    });
    const kept = await world.trySettle(conflict, 'keep', world.session, ' She stayed ');
    expect(kept).toMatchObject({ status: 200 });
    const { conflicts } = await world.list('&state=settled');
    expect(conflicts).toMatchObject([
      { settled: { by: { _id: world.nadia.id }, choice: 'keep', note: 'She stayed' } },
    ]);
    const [row] = await world.settledRows();
    expect(row?.actor_id).toBe(world.nadia.id);
    expect(JSON.parse(row?.details ?? '{}')).toMatchObject({ choice: 'keep', ownSide: true });
    // The ledger is never erased.
    expect(row?.details).not.toContain('stayed');
  });

  test('by a colleague needs none, but for a release of which nobody knows who wrote it', async () => {
    const entry = await world.checkIn();
    app.clock.advance(11 * MINUTE);
    await world.tell([world.left(entry, { ticket: newEntryCode() })]);
    const conflict = await world.open();
    expect(await world.trySettle(conflict, 'take', world.omars)).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    });
    expect(await world.trySettle(conflict, 'keep', world.omars)).toMatchObject({ status: 200 });
    expect(await world.staysOf()).toMatchObject([{ exit_time: null }]);
  });

  test('of a release that was told with a ticket that had ended needs a proof to believe it', async () => {
    const entry = await world.checkIn();
    await takeTicket(app, world.desk, world.omar, '941627');
    app.clock.advance(11 * MINUTE);
    await world.tell([world.left(entry)]);
    const conflict = await world.open();
    expect(conflict).toMatchObject({ reason: 'ticket_ended', desk: { by: { _id: world.nadia.id } } });
    expect(await world.trySettle(conflict, 'take', world.omars)).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    });
    await app.proveNow(world.omars);
    expect(await world.trySettle(conflict, 'take', world.omars)).toMatchObject({ status: 200 });
    // Nobody answers for what came with it but who has believed it.
    const [release] = await world.releasesOf();
    expect(release).toMatchObject({ adult_id: world.family.id, released_by: world.omar.id });
  });

  test('of 250 goes page by page, several at once, and leaves what has changed or is not there', async () => {
    const now = app.clock.now();
    const row = {
      ...{ desk_id: world.desk.id, facility_id: 'main', child_id: child, staff_id: world.nadia.id },
      ...{ happened_at: now, claimed_at: null, fingerprint: '', reason: 'overlaps', entry_code: 'x' },
      ...{ stay_id: null, sealed: null },
      kind: 'check_in',
      is_unsure: 0,
      outcome: 'conflict',
      took_effect: 0,
    } as const;
    const rows = Array.from({ length: 250 }, (_, index) => ({
      ...row,
      id: randomUUID(),
      received_at: now + (index % 7),
    }));
    for (let at = 0; at < rows.length; at += 50)
      await app.context.db
        .insertInto('desk_entries')
        .values(rows.slice(at, at + 50))
        .execute();
    const seen: DeskConflict[] = [];
    const pageAt = (cursor: string) =>
      app.expect(200, 'GET', `/api/desk-conflicts?limit=100${cursor}`, { token: owner });
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await pageAt(cursor && `&cursor=${cursor}`);
      expect(page.total).toBe(250);
      seen.push(...page.conflicts);
      cursor = page.nextCursor;
    }
    expect(new Set(seen.map(({ _id }) => _id))).toEqual(new Set(rows.map(({ id }) => id)));
    const times = seen.map(({ desk: { receivedAt } }) => receivedAt);
    expect(times).toEqual(times.toSorted());
    const some = seen.slice(0, 98).map(({ _id: id, revision }) => ({ id, revision }));
    const json = {
      conflicts: [...some, { id: String(seen[98]?._id), revision: 'x' }, { id: 'nobody', revision: 'x' }],
    };
    const kept = await app.expect(200, 'POST', '/api/desk-conflicts/keep', { token: owner, json });
    expect(kept).toMatchObject({ settled: 98, left: 2 });
    expect((await world.list()).total).toBe(152);
    const again = await app.expect(200, 'POST', '/api/desk-conflicts/keep', { token: owner, json });
    expect(again).toMatchObject({ settled: 0, left: 100 });
    const tooMany = { conflicts: Array.from({ length: 101 }, () => ({ id: 'nobody', revision: 'x' })) };
    expect((await app.ask('POST', '/api/desk-conflicts/keep', { token: owner, json: tooMany })).status).toBe(
      400,
    );
  });

  test('is for staff of the facility alone, and its conflicts are erased with the child', async () => {
    await world.seenLater();
    const conflict = await world.open();
    const there = atFacility(app, await makeFacility(app, `Branch ${randomUUID().slice(0, 8)}`));
    const elsewhere = await there.expect(200, 'GET', '/api/desk-conflicts', { token: owner });
    expect(elsewhere).toMatchObject({ conflicts: [], total: 0 });
    const json = { choice: 'keep', revision: conflict.revision };
    const path = `/api/desk-conflicts/${conflict._id}/settle`;
    expect((await there.ask('POST', path, { token: owner, json })).status).toBe(404);
    expect((await app.ask('GET', '/api/desk-conflicts', { token: world.family.token })).status).toBe(403);
    expect((await app.ask('GET', '/api/desk-conflicts', { token: world.desk.token })).status).toBe(401);
    await world.settle('keep');
    const settled = app.context.db.selectFrom('desk_entries').select('id').where('child_id', '=', child);
    expect(await settled.execute()).toHaveLength(1);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    await app.proveNow(owner);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: owner });
    expect(await settled.execute()).toEqual([]);
    expect((await world.list('&state=settled')).total).toBe(0);
  });
});

test('the quiet incident names the children, and one that was acknowledged hides no later conflict', async () => {
  await world.seenLater();
  const [first, ...more] = await world.incidents('desk_conflict');
  expect(more).toEqual([]);
  expect(first).toMatchObject({ severity: 'care', subject: { _id: child }, acknowledgedAt: null });
  await app.expect(200, 'POST', `/api/incidents/${first?._id}/acknowledge`, { token: owner });
  app.clock.advance(MINUTE);
  await world.tell([world.cameIn()]);
  const alerts = await world.incidents('desk_conflict');
  const waiting = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  expect(waiting).toMatchObject([{ subject: { _id: child } }]);
  const json = {
    conflicts: (await world.list()).conflicts.map(({ _id: id, revision }) => ({ id, revision })),
  };
  await app.expect(200, 'POST', '/api/desk-conflicts/keep', { token: owner, json });
  expect(await world.incidents('desk_conflict')).toEqual([]);
});

test('a later conflict about the same child neither ends the alert that waits nor opens another one', async () => {
  await world.seenLater();
  const [first] = await world.incidents('desk_conflict');
  app.clock.advance(MINUTE);
  await world.tell([world.cameIn()]);
  const after = await world.incidents('desk_conflict');
  expect(after).toMatchObject([{ _id: first?._id, acknowledgedAt: null }]);
  expect(after[0]?.subjects).toHaveLength(1);
});

test('screens of staff are told that there is something to settle, and a family is not', async () => {
  const eventsNow = async () => {
    const rows = await app.context.db
      .selectFrom('events')
      .select(['child_id', 'parent_id', 'facility_id'])
      .where('type', '=', 'desk.entries')
      .execute();
    return rows;
  };
  const before = (await eventsNow()).length;
  await world.seenLater();
  await world.settle('keep');
  expect((await eventsNow()).slice(before)).toEqual([
    { child_id: null, parent_id: null, facility_id: 'main' },
    { child_id: null, parent_id: null, facility_id: 'main' },
  ]);
});

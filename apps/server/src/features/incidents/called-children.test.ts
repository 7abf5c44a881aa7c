/** The roll call has who is inside by the word of a desk tablet alone (decision 055). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  beginConflicts,
  type ConflictHouse,
  type Conflicts,
  MINUTE,
  momentOf,
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

/** Begins an evacuation; returns the address of its calls. */
async function evacuate(): Promise<string> {
  const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token: owner });
  return `/api/evacuations/${evacuation._id}`;
}
/** The row of the child on the list of the evacuation. */
async function inEvacuation() {
  const { evacuation } = await app.expect(200, 'GET', '/api/evacuations/current', { token: owner });
  return evacuation?.children.find(({ childId }) => childId === child);
}
/** The desk tells that the child came in, of which Haris knows nothing. */
async function inByWordAlone(): Promise<void> {
  const whose = app.context.db.updateTable('parents').where('id', '=', world.family.id);
  await whose.set({ disowned_at: app.clock.now() }).execute();
  const came = world.cameIn();
  app.clock.advance(MINUTE);
  await world.tell([came]);
}

describe('the roll call', () => {
  test('has a child whose check-in has had no effect, with a mark, until staff have settled it', async () => {
    const at = app.clock.now();
    await inByWordAlone();
    const mark = { isInside: true, unsettled: { kind: 'check_in', at: momentOf(at) } };
    expect(await world.called()).toMatchObject(mark);
    const path = await evacuate();
    const tick = { childId: child, state: 'missing', at: momentOf(app.clock.now()) };
    const json = { device: 'tablet', ticks: [tick] };
    await app.expect(200, 'POST', `${path}/ticks`, { token: owner, json });
    expect(await inEvacuation()).toMatchObject({ ...mark, tick: { state: 'missing' } });
    app.clock.advance(MINUTE);
    await world.settle('keep');
    // Nobody vanishes from the list in the middle of an evacuation.
    const after = await inEvacuation();
    expect(after).toMatchObject({ isInside: false, tick: { state: 'missing' } });
    expect(after?.unsettled).toBeUndefined();
    app.clock.advance(MINUTE);
    expect(await world.called()).toBeUndefined();
    await app.expect(200, 'POST', `${path}/end`, { token: owner, json: {} });
  });

  test('keeps in an evacuation who left before it by what staff have settled since', async () => {
    const at = await world.seenLater();
    app.clock.advance(MINUTE);
    const path = await evacuate();
    expect(await inEvacuation()).toMatchObject({ isInside: true, unsettled: { kind: 'check_out' } });
    app.clock.advance(MINUTE);
    await world.settle('take');
    expect(await world.staysOf()).toMatchObject([{ exit_time: at }]);
    const after = await inEvacuation();
    expect(after).toMatchObject({ isInside: false });
    expect(after?.unsettled).toBeUndefined();
    app.clock.advance(MINUTE);
    expect(await world.called()).toBeUndefined();
    await app.expect(200, 'POST', `${path}/end`, { token: owner, json: {} });
  });

  test('keeps a child that is inside when staff decide so, without a mark', async () => {
    const at = await world.seenLater();
    expect(await world.called()).toMatchObject({ unsettled: { kind: 'check_out', at: momentOf(at) } });
    await world.settle('keep');
    const row = await world.called();
    expect(row).toMatchObject({ isInside: true });
    expect(row?.unsettled).toBeUndefined();
    expect(await world.staysOf()).toMatchObject([{ exit_time: null }]);
    expect(await world.correctionsOf()).toEqual([]);
  });

  test('has nobody because of a copied token of the tablet: only what comes with a valid ticket counts', async () => {
    const children = [child];
    for (let count = 0; count < 4; count++) children.push((await app.makeChild(world.family))._id);
    const ended = world.ticket;
    await takeTicket(app, world.desk, world.omar, '941627');
    app.clock.advance(MINUTE);
    await world.tell(children.map((childId) => world.cameIn({ childId, ticket: newEntryCode() })));
    await world.tell(children.map((childId) => world.cameIn({ childId, ticket: ended })));
    for (const id of children) expect(await world.called(id)).toBeUndefined();
    expect((await world.list()).total).toBe(10);
  });

  test('has no child that has left since by what Haris knows', async () => {
    const came = world.cameIn();
    app.clock.advance(30 * MINUTE);
    await world.checkIn();
    app.clock.advance(MINUTE);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    app.clock.advance(MINUTE);
    await world.tell([came]);
    expect(await world.called()).toBeUndefined();
  });
});

test('a child who is on the roll call by the word of a desk alone can be reported as missing, until that is settled', async () => {
  await inByWordAlone();
  const path = `/api/children/${child}/missing`;
  const { incident } = await app.expect(201, 'POST', path, { token: owner });
  expect(incident).toMatchObject({ kind: 'missing_child', subject: { _id: child } });
  await app.expect(200, 'POST', `/api/incidents/${incident._id}/found`, { token: owner, json: {} });
  app.clock.advance(MINUTE);
  await world.settle('keep');
  app.clock.advance(MINUTE);
  expect(await app.ask('POST', path, { token: owner })).toMatchObject({
    status: 409,
    body: { code: 'not_inside' },
  });
});

/** What a desk tablet told later is taken over, because staff say that the desk is right (decision 055). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyAuditTrail } from '../../db/audit.ts';
import {
  beginConflicts,
  type ConflictHouse,
  type Conflicts,
  MINUTE,
  momentOf,
  openConflictHouse,
  takeTicket,
} from '../../testing/desk-conflicts.ts';
import { makeColleague } from '../../testing/desks.ts';
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

describe('a check-in', () => {
  test('of which Haris knows nothing is taken over with its own time, for as long as the desk wrote', async () => {
    const sara = await makeColleague(app, 'Sara Helmy', '752064');
    const came = world.cameIn({ ticket: await takeTicket(app, world.desk, sara, '752064') });
    const at = app.clock.now();
    // A right that has ended meanwhile does not undo what happened, and has no effect by itself.
    await app.expect(200, 'PUT', `/api/admin/${sara.id}/roles`, {
      token: owner,
      json: { roles: [{ roleId: 'inspector', facilityId: 'main' }] },
    });
    app.clock.advance(10 * MINUTE);
    await world.tell([came]);
    expect(await world.open()).toMatchObject({
      ...{ reason: 'no_right', stay: null, canTake: true, settled: null, child: { _id: child } },
      desk: {
        ...{ kind: 'check_in', at: momentOf(at) },
        ...{ by: { name: 'Sara Helmy' }, tablet: { name: 'Front desk' } },
      },
    });
    expect(await world.staysOf()).toEqual([]);
    expect(await world.settle('take')).toMatchObject({ settled: { choice: 'take' }, canTake: false });
    const stays = await world.staysOf();
    expect(stays).toMatchObject([{ entry_time: at, exit_time: null, duration: 120, checked_in_by: sara.id }]);
    // Whoever has a copy of the tablet's tokens must not choose the secret of a slip.
    expect(stays[0]?.slip_token).not.toBe(came.slipToken);
    expect(await world.called()).toMatchObject({ isInside: true });
    expect((await world.called())?.unsettled).toBeUndefined();
    expect((await world.list()).total).toBe(0);
  });

  test('before the one that Haris has moves its begin, and keeps the former one', async () => {
    const came = world.cameIn();
    const at = app.clock.now();
    app.clock.advance(30 * MINUTE);
    await world.checkIn();
    await world.tell([came]);
    expect(await world.open()).toMatchObject({ reason: 'already_inside', canTake: true });
    await world.settle('take');
    expect(await world.staysOf()).toMatchObject([{ entry_time: at, exit_time: null }]);
    expect(await world.correctionsOf()).toMatchObject([
      { kind: 'check_in_moved', entry_time_before: at + 30 * MINUTE },
    ]);
  });

  test('more than twelve hours from the one that Haris has is another visit, and is not taken over', async () => {
    await world.checkIn();
    const began = app.clock.now() - 13 * 60 * MINUTE;
    const stays = app.context.db.updateTable('stays').where('child_id', '=', child);
    await stays.set({ entry_time: began }).execute();
    await world.tell([world.cameIn()]);
    expect(await world.open()).toMatchObject({ reason: 'already_inside', canTake: false });
    expect(await world.staysOf()).toMatchObject([{ entry_time: began }]);
  });

  test('of a child that is not known here is shown by its id, and can only be kept', async () => {
    const childId = randomUUID();
    await world.tell([world.cameIn({ childId })]);
    const conflict = await world.open();
    expect(conflict).toMatchObject({ child: { _id: childId, name: null }, canTake: false });
    expect(await world.trySettle(conflict, 'take')).toMatchObject({
      status: 409,
      body: { code: 'entry_cannot_be_taken' },
    });
    expect(await world.settle('keep')).toMatchObject({ settled: { choice: 'keep' } });
  });

  test('of an account that says that it never registered is not taken over', async () => {
    const whose = app.context.db.updateTable('parents').where('id', '=', world.family.id);
    await whose.set({ disowned_at: app.clock.now() }).execute();
    await world.tell([world.cameIn()]);
    expect(await world.trySettle(await world.open(), 'take')).toMatchObject({
      status: 409,
      body: { code: 'registration_disowned' },
    });
    expect(await world.staysOf()).toEqual([]);
  });
});

describe('a release', () => {
  test('of a child that was seen later is taken over with its own time, and the family is told when it was', async () => {
    const at = await world.seenLater();
    expect(await world.open()).toMatchObject({
      ...{ reason: 'seen_later', canTake: true },
      desk: { adult: { _id: world.family.id, kind: 'guardian', name: world.family.name }, proof: 'known' },
      stay: { exitTime: null, adult: null },
    });
    await world.settle('take');
    expect(await world.staysOf()).toMatchObject([{ exit_time: at, checked_out_by: world.nadia.id }]);
    expect(await world.releasesOf()).toMatchObject([
      { adult_id: world.family.id, proof: 'known', released_by: world.nadia.id, at },
    ]);
    await app.app.notifications.settled();
    const mails = await app.outbox(world.family.email);
    const told = mails.filter(({ subject }) => subject.includes('Picked up'));
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringContaining('because the desk had no connection'),
    ]);
    expect(await world.incidents('doubtful_release')).toEqual([]);
    expect(await verifyAuditTrail(app.context.db, app.context.vault)).toMatchObject({ whole: true });
  });

  test('that is taken over and would be refused now opens the danger, of which no parent hears', async () => {
    await world.seenLater();
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: world.family.name, adultId: world.family.id },
    });
    expect(await world.incidents('doubtful_release')).toEqual([]);
    await world.settle('take');
    expect(await world.incidents('doubtful_release')).toMatchObject([{ severity: 'safety' }]);
    const seen = await app.expect(200, 'GET', '/api/incidents', { token: world.family.token });
    expect(seen.incidents).toEqual([]);
  });

  test('to another adult than the recorded one is taken over without the document and the proof of the first', async () => {
    const uncle = await world.addUncle();
    const entry = await world.checkIn();
    app.clock.advance(MINUTE);
    const went = world.left(entry, { ticket: world.otherTicket, collectorId: uncle });
    const at = app.clock.now();
    app.clock.advance(2 * MINUTE);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
      token: world.session,
      json: { collectorId: world.family.id, proof: { kind: 'known' } },
    });
    const word = { unexpected_by: world.family.id, unexpected_at: 5 };
    const first = { had_document: 1, second_by: world.omar.id, ...word } as const;
    await app.context.db.updateTable('releases').set(first).where('child_id', '=', child).execute();
    await world.tell([went], world.other);
    expect(await world.open()).toMatchObject({
      reason: 'other_adult',
      desk: { adult: { kind: 'collector', name: 'Samir Adel' } },
      stay: { adult: { kind: 'guardian', name: world.family.name }, proof: 'known' },
    });
    await world.settle('take');
    expect(await world.releasesOf()).toMatchObject([
      {
        ...{ adult_kind: 'collector', adult_id: uncle, proof: 'known', released_by: world.omar.id, at },
        ...{ had_document: 0, second_by: null },
        // The word of the guardian stays, and so does its alert.
        ...{ unexpected_by: world.family.id, unexpected_at: 5 },
      },
    ]);
    expect(await world.staysOf()).toMatchObject([{ exit_time: at, checked_out_by: world.omar.id }]);
    expect(await world.correctionsOf()).toMatchObject([
      { kind: 'checkout_undone', exit_time_before: at + 2 * MINUTE, checked_out_by_before: world.nadia.id },
    ]);
  });

  test('at another time to the same adult, who is listed no more, leaves the adult in the record', async () => {
    const uncle = await world.addUncle();
    const entry = await world.checkIn();
    app.clock.advance(MINUTE);
    const went = world.left(entry, { collectorId: uncle });
    const at = app.clock.now();
    app.clock.advance(30 * MINUTE);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
      token: world.session,
      json: { collectorId: uncle, proof: { kind: 'known' } },
    });
    await world.endUncle(uncle);
    await world.tell([went]);
    expect(await world.open()).toMatchObject({ reason: 'left_twice' });
    await world.settle('take');
    expect(await world.incidents('doubtful_release')).toEqual([]);
    expect(await world.releasesOf()).toMatchObject([{ adult_kind: 'collector', adult_id: uncle, at }]);
    expect(await world.staysOf()).toMatchObject([{ exit_time: at }]);
  });

  test('to somebody who is listed no more puts nobody in the place of the recorded adult', async () => {
    const uncle = await world.addUncle();
    const entry = await world.checkIn();
    app.clock.advance(MINUTE);
    const went = world.left(entry, { collectorId: uncle });
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
      token: world.session,
      json: { collectorId: world.family.id, proof: { kind: 'known' } },
    });
    await world.endUncle(uncle);
    await world.tell([went]);
    expect(await world.trySettle(await world.open(), 'take')).toMatchObject({
      status: 409,
      body: { code: 'entry_cannot_be_taken' },
    });
    expect(await world.releasesOf()).toMatchObject([{ adult_id: world.family.id }]);
  });

  test('after the next visit is not taken over, also once that has ended', async () => {
    const entry = await world.checkIn();
    const leave = async () => {
      app.clock.advance(MINUTE);
      await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
      app.clock.advance(30 * MINUTE);
    };
    await leave();
    await world.checkIn();
    await leave();
    const before = await world.staysOf();
    await world.tell([world.left(entry)]);
    const conflict = await world.open();
    expect(conflict).toMatchObject({ reason: 'left_twice', canTake: false });
    // Omar has written neither side, so no proof is asked first.
    expect(await world.trySettle(conflict, 'take', world.omars)).toMatchObject({
      status: 409,
      body: { code: 'entry_cannot_be_taken' },
    });
    expect(await world.staysOf()).toEqual(before);
  });

  test('that has had its effect is only seen; why it would be refused is for staff who may see who is barred', async () => {
    const entry = await world.checkIn();
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: world.family.name, adultId: world.family.id },
    });
    await world.tell([world.left(entry)]);
    expect(await world.open()).toMatchObject({
      ...{ reason: 'release_refused', refusal: 'barred_person', canTake: false },
    });
    const helper = await app.makeEmployee();
    const json = { name: 'Helper at the door', permissions: ['children.check_in'] };
    const { role } = await app.expect(201, 'POST', '/api/roles', { token: owner, json });
    const roles = [{ roleId: role._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${helper.id}/roles`, { token: owner, json: { roles } });
    const text = JSON.stringify(await world.open(helper.token));
    expect(text).toContain('release_refused');
    expect(text).not.toContain('barred');
    await world.settle('keep');
    expect(await world.staysOf()).toMatchObject([{ exit_time: expect.any(Number) }]);
    // The danger lasts until somebody acknowledges it.
    expect(await world.incidents('doubtful_release')).toHaveLength(1);
  });
});

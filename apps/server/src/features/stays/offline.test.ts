/** What desk tablets tell after a time without a connection: once, with its own time, and never more than its ticket allows (decision 055). */
import { randomBytes, randomUUID } from 'node:crypto';
import { SESSIONS_PER_ACCOUNT } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyAuditTrail } from '../../db/audit.ts';
import { cleanOnce } from '../../housekeeping.ts';
import { atFacility, makeFacility, makeInsideAt, manageAt } from '../../testing/at-facility.ts';
import { makeColleague, makeDesk, pairDeskAgain, type TestDesk } from '../../testing/desks.ts';
import { addGuardian, changeGuardian } from '../../testing/guardians.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { announceTimeUp } from './service.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PIN = '830561';

let app: TestApp;
let owner: string;
let nadia: Employee;
let omar: Employee;
let desk: TestDesk;
let other: TestDesk;
let family: Family;
let child: string;
/** An ordinary session of Nadia's. */
let session: string;
/** Ticket of Nadia at `desk`, and of Omar at `other`. */
let ticket: string;
let otherTicket: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { deskOffline: true } });
  [desk, other] = [await makeDesk(app), await makeDesk(app, 'Back desk')];
  nadia = await makeColleague(app, 'Nadia Farouk', PIN);
  omar = await makeColleague(app, 'Omar Sayed', '941627');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  session = await app.signIn('admin', nadia.email, nadia.password);
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  ticket = await signIn(desk, nadia, PIN);
  otherTicket = await signIn(other, omar, '941627');
});

/** The ticket of a sign-in. */
async function signIn(at: TestDesk, who: Employee, pin: string): Promise<string> {
  const json = { staffId: who.id, pin };
  const { offlineTicket } = await app.expect(200, 'POST', '/api/desk/sign-in', { token: at.token, json });
  return String(offlineTicket);
}

const moment = (ms: number) => new Date(ms).toISOString();
const newCode = () => randomBytes(32).toString('base64url');

const cameIn = (over: object = {}) => ({
  kind: 'check_in',
  id: randomUUID(),
  ticket,
  at: moment(app.clock.now()),
  childId: child,
  uniqueEntryId: newCode(),
  slipToken: randomBytes(16).toString('hex'),
  durationInMinutes: 30,
  ...over,
});
const left = (uniqueEntryId: string, over: object = {}) => ({
  kind: 'check_out',
  id: randomUUID(),
  ticket,
  at: moment(app.clock.now()),
  childId: child,
  uniqueEntryId,
  collectorId: family.id,
  proof: { kind: 'known' },
  ...over,
});

/** The outcomes, in the order of the entries. */
async function send(entries: readonly object[], at: TestDesk = desk): Promise<string[]> {
  const answer = await app.expect(200, 'POST', '/api/desk/offline', { token: at.token, json: { entries } });
  return (answer.entries as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
}
const staysOf = (id = child) =>
  app.context.db.selectFrom('stays').selectAll().where('child_id', '=', id).orderBy('entry_time').execute();
const keptOf = (id = child) =>
  app.context.db.selectFrom('desk_entries').selectAll().where('child_id', '=', id).execute();
/** Why entries about a child are conflicts, in the order of the alphabet. */
const reasons = async (id = child) => (await keptOf(id)).flatMap(({ reason }) => reason ?? []).sort();
const releasesOf = (id = child) =>
  app.context.db.selectFrom('releases').selectAll().where('child_id', '=', id).execute();
/** The open alerts about a child that left with a doubtful adult. */
async function doubtful(): Promise<unknown[]> {
  await app.app.incidents.sweep();
  const path = '/api/incidents?state=open&limit=200';
  const { incidents } = await app.expect(200, 'GET', path, { token: owner });
  return incidents.filter(({ kind, subject }) => kind === 'doubtful_release' && subject?._id === child);
}
const setOffline = (deskOffline: boolean, at = app) =>
  at.expect(200, 'PUT', '/api/settings', { token: owner, json: { deskOffline } });
const checkIn = async (id = child, headers: Record<string, string> = {}) =>
  (await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: session, headers })).child;

describe('what fits', () => {
  test('is written once, with its own times, in the name of who signed in, however often and in whatever order it comes', async () => {
    const began = app.clock.now();
    const came = cameIn();
    app.clock.advance(25 * MINUTE);
    const slip = { kind: 'slip', value: `${came.uniqueEntryId}.${came.slipToken}` };
    const went = left(came.uniqueEntryId, { proof: slip });
    app.clock.advance(2 * 60 * MINUTE);
    expect(await send([went, came, came])).toEqual(['applied', 'applied', 'already']);
    expect(await send([came, went])).toEqual(['already', 'already']);
    await announceTimeUp(app.context);
    expect(await staysOf()).toMatchObject([
      {
        entry_time: began,
        exit_time: began + 25 * MINUTE,
        checked_in_by: nadia.id,
        checked_out_by: nadia.id,
        unique_entry_id: came.uniqueEntryId,
        time_up_at: null,
      },
    ]);
    expect(await releasesOf()).toMatchObject([
      { adult_id: family.id, proof: 'slip', released_by: nadia.id, at: began + 25 * MINUTE },
    ]);
    expect(await doubtful()).toEqual([]);
  });

  test('has the time of its telling in the audit log, and its own beside it', async () => {
    const began = app.clock.now();
    const came = cameIn();
    app.clock.advance(60 * MINUTE);
    await send([came]);
    const rows = await app.context.db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_id', '=', child)
      .where('action', '=', 'child.checked_in')
      .execute();
    expect(rows).toMatchObject([{ at: began + 60 * MINUTE, actor_id: nadia.id }]);
    expect(JSON.parse(rows[0]?.details ?? '{}')).toMatchObject({ entry: came.id, happenedAt: moment(began) });
    expect(await verifyAuditTrail(app.context.db, app.context.vault)).toMatchObject({ whole: true });
  });

  test('is not written twice if the ordinary call had arrived and only its answer was lost', async () => {
    const came = cameIn();
    const inside = await checkIn(child, { 'idempotency-key': came.id });
    app.clock.advance(5 * MINUTE);
    const went = left(came.uniqueEntryId);
    expect(await send([came, went])).toEqual(['already', 'applied']);
    expect(await staysOf()).toMatchObject([
      { unique_entry_id: inside.uniqueEntryId, exit_time: app.clock.now() },
    ]);
  });

  test('is not written again by a call that arrives after the entry of its press', async () => {
    const came = cameIn();
    app.clock.advance(5 * MINUTE);
    const went = left(came.uniqueEntryId);
    expect(await send([came, went])).toEqual(['applied', 'applied']);
    const late = (what: string, key: string) =>
      app.ask('POST', `/api/children/${what}-child/${child}`, {
        token: session,
        headers: { 'idempotency-key': key },
      });
    for (const [what, { id }] of [['checkin', came] as const, ['checkout', went] as const])
      expect(await late(what, id)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect(await staysOf()).toHaveLength(1);
  });

  test('of two desks within ten minutes is one stay, and either may hand the child over', async () => {
    const here = cameIn();
    app.clock.advance(4 * MINUTE);
    const there = cameIn({ ticket: otherTicket });
    expect(await send([here])).toEqual(['applied']);
    expect(await send([there], other)).toEqual(['merged']);
    app.clock.advance(20 * MINUTE);
    expect(await send([left(there.uniqueEntryId, { ticket: otherTicket })], other)).toEqual(['applied']);
    app.clock.advance(MINUTE);
    expect(await send([left(here.uniqueEntryId)])).toEqual(['merged']);
    expect(await staysOf()).toHaveLength(1);
  });

  test('of two desks in the same moment has one effect', async () => {
    const { uniqueEntryId } = await checkIn();
    app.clock.advance(MINUTE);
    const [here, there] = [left(String(uniqueEntryId)), left(String(uniqueEntryId), { ticket: otherTicket })];
    const outcomes = await Promise.all([send([here]), send([there], other)]);
    expect(outcomes.flat().sort()).toEqual(['applied', 'merged']);
    expect(await releasesOf()).toHaveLength(1);
  });

  test('of many children, doubled and cut off in between, is all there and nothing twice', async () => {
    const children = await Promise.all(Array.from({ length: 8 }, () => app.makeChild(family)));
    const day = children.flatMap(({ _id: childId }, index) => {
      const at = (minutes: number) => moment(app.clock.now() + (minutes * 60 + index) * 1000);
      return [0, 60, 120, 180].flatMap((minutes) => {
        const came = cameIn({ childId, at: at(minutes) });
        return [came, left(came.uniqueEntryId, { childId, at: at(minutes + 30) })];
      });
    });
    app.clock.advance(5 * 60 * MINUTE);
    await Promise.all([send(day.slice(0, 36)), send(day.slice(24)), send(day)]);
    // One that waited too long for another's lock was answered `later`.
    await send(day);
    expect(new Set(await send(day))).toEqual(new Set(['already']));
    for (const { _id } of children) {
      const stays = await staysOf(_id);
      expect(stays).toHaveLength(4);
      for (const { entry_time, exit_time } of stays) expect(exit_time).toBe(entry_time + 30 * MINUTE);
    }
  });

  test('tells the parent when it was, and that it is told late, and no other family', async () => {
    const stranger = await app.makeFamily();
    const came = cameIn();
    app.clock.advance(10 * MINUTE);
    const went = left(came.uniqueEntryId);
    app.clock.advance(30 * MINUTE);
    await send([came, went]);
    await app.app.notifications.settled();
    const mails = (await app.outbox(family.email)).filter(({ subject }) => subject.includes('Picked up'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('because the desk had no connection');
    expect((await app.outbox(stranger.email)).filter(({ subject }) => subject.includes('Picked up'))).toEqual(
      [],
    );
  });

  test('tells the parent the day too if it was another one', async () => {
    const came = cameIn();
    app.clock.advance(10 * MINUTE);
    const went = left(came.uniqueEntryId);
    app.clock.advance(DAY);
    expect(await send([came, went])).toEqual(['applied', 'applied']);
    await app.app.notifications.settled();
    const mails = (await app.outbox(family.email)).filter(({ subject }) => subject.includes('Picked up'));
    // The time is isolated from the sentence around it.
    expect(mails.map(({ text }) => text)).toEqual([expect.stringMatching(/ at \u2068[^\u2069]*\b20\d\d\b/)]);
  });

  test('is a release to another guardian who may take the child', async () => {
    const second = await app.makeFamily();
    await addGuardian(app, child, second.id);
    const { uniqueEntryId } = await checkIn();
    expect(await send([left(String(uniqueEntryId), { collectorId: second.id })])).toEqual(['applied']);
    expect(await releasesOf()).toMatchObject([
      { adult_kind: 'guardian', adult_id: second.id, proof: 'known' },
    ]);
    expect(await doubtful()).toEqual([]);
  });
});

describe('a slip that was printed without a connection', () => {
  const slipOf = ({ uniqueEntryId, slipToken }: ReturnType<typeof cameIn>) => `${uniqueEntryId}.${slipToken}`;
  const checkOut = (value: string) =>
    app.ask('POST', `/api/children/checkout-child/${child}`, {
      token: session,
      json: { collectorId: family.id, proof: { kind: 'slip', value } },
    });

  test('counts at an ordinary checkout once the check-in has arrived, and is the one that staff print again', async () => {
    const came = cameIn();
    app.clock.advance(20 * MINUTE);
    expect(await send([came])).toEqual(['applied']);
    const seen = await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: session });
    expect(seen.child.slipCode).toBe(slipOf(came));
    const json = { uniqueEntryId: slipOf(came) };
    expect(await app.ask('POST', '/api/children/find-entry', { token: session, json })).toMatchObject({
      status: 200,
      body: { entry: { state: 'inside' } },
    });
    expect(await checkOut(`${came.uniqueEntryId}.${'0'.repeat(32)}`)).toMatchObject({
      status: 409,
      body: { code: 'wrong_pickup_proof' },
    });
    expect((await checkOut(slipOf(came))).status).toBe(200);
    expect(await releasesOf()).toMatchObject([{ adult_id: family.id, proof: 'slip', at: app.clock.now() }]);
  });

  test('counts for nothing if another desk had checked the child in, whose slip still counts', async () => {
    const { slipCode } = await checkIn();
    app.clock.advance(MINUTE);
    const came = cameIn();
    expect(await send([came])).toEqual(['merged']);
    expect(await checkOut(slipOf(came))).toMatchObject({ body: { code: 'wrong_pickup_proof' } });
    expect((await checkOut(String(slipCode))).status).toBe(200);
  });

  test.each([
    [
      'somebody was barred from the child',
      async () => {
        const json = { name: 'Tarek Mansour Zaki' };
        await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json });
      },
    ],
    [
      'a guardian has ended',
      (second: string) => changeGuardian(app, child, second, { ended_at: app.clock.now(), ended_by: 'desk' }),
    ],
    [
      'a guardian may not take the child',
      (second: string) => changeGuardian(app, child, second, { may_take: 0 }),
    ],
  ])('counts for nothing if since the sign-in %s, who may hold it', async (_, change) => {
    const second = (await app.makeFamily()).id;
    await addGuardian(app, child, second);
    const came = cameIn();
    app.clock.advance(MINUTE);
    await change(second);
    app.clock.advance(MINUTE);
    // Nor if the tablet says that it was after that.
    expect(await send([{ ...came, at: moment(app.clock.now()) }])).toEqual(['applied']);
    expect(await checkOut(slipOf(came))).toMatchObject({ body: { code: 'wrong_pickup_proof' } });
    expect(await staysOf()).toMatchObject([{ unique_entry_id: came.uniqueEntryId, exit_time: null }]);
  });

  test('counts if somebody was barred from the child before the sign-in', async () => {
    const json = { name: 'Tarek Mansour Zaki' };
    await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json });
    app.clock.advance(MINUTE);
    ticket = await signIn(desk, nadia, PIN);
    const came = cameIn();
    expect(await send([came])).toEqual(['applied']);
    expect((await checkOut(slipOf(came))).status).toBe(200);
  });
});

test('a check-in into a room that has got a hard limit meanwhile, and is full, counts: the child is there', async () => {
  const json = { name: `Nest ${randomUUID().slice(0, 8)}` };
  const { room } = await app.expect(201, 'POST', '/api/rooms', { token: owner, json });
  const came = cameIn({ roomId: room._id });
  app.clock.advance(5 * MINUTE);
  const limit = { capacity: 1, capacityKind: 'hard' };
  await app.expect(200, 'PUT', `/api/rooms/${room._id}`, { token: await app.staff(), json: limit });
  const sister = (await app.makeChild(family))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${sister}`, {
    token: session,
    json: { roomId: room._id },
  });
  expect(await send([came])).toEqual(['applied']);
  expect(await staysOf()).toMatchObject([{ room_id: room._id, exit_time: null }]);
});

describe('one call', () => {
  test('takes 500 entries of the longest fields, and not one more', async () => {
    const entry = left(newCode(), {
      ticket: 'x'.repeat(200),
      childId: 'x'.repeat(100),
      collectorId: 'x'.repeat(100),
      proof: { kind: 'slip', value: 'x'.repeat(200) },
      at: '2026-11-20T10:15:00.000000+02:00',
    });
    const full = Array.from({ length: 500 }, (_, index) => ({
      ...entry,
      childId: String(index % 100).padStart(100, 'x'),
    }));
    expect(new Set(await send(full))).toEqual(new Set(['conflict', 'already']));
    for (const entries of [[...full, entry], []])
      expect(
        (await app.ask('POST', '/api/desk/offline', { token: desk.token, json: { entries } })).status,
      ).toBe(400);
  });

  test('writes the twenty oldest entries of a child, so that nobody else waits for long, and the others when they come again', async () => {
    const day = Array.from({ length: 11 }, (_, visit) => {
      const at = (minutes: number) => moment(app.clock.now() + (visit * 20 + minutes) * MINUTE);
      const came = cameIn({ at: at(0) });
      return [came, left(came.uniqueEntryId, { at: at(15) })];
    }).flat();
    app.clock.advance(4 * 60 * MINUTE);
    expect(await send(day.toReversed())).toEqual([
      ...['later', 'later'],
      ...Array.from({ length: 20 }, () => 'applied'),
    ]);
    expect(await staysOf()).toHaveLength(10);
    expect(await send(day.slice(20))).toEqual(['applied', 'applied']);
    expect(await staysOf()).toHaveLength(11);
  });

  test.each([
    ['an id in capitals, which would be another one', { id: randomUUID().toUpperCase() }],
    ['no time', { at: 'yesterday' }],
    ['a day that there is not', { at: '2026-02-30T10:00:00Z' }],
    ['an entry code of another form', { uniqueEntryId: 'short' }],
    ['a slip that could be guessed', { slipToken: '1' }],
    ['a booked time beyond a day', { durationInMinutes: 100_000 }],
    ['another kind', { kind: 'erase' }],
  ])('with %s is refused before anything is written', async (_, over) => {
    const json = { entries: [cameIn(over)] };
    expect((await app.ask('POST', '/api/desk/offline', { token: desk.token, json })).status).toBe(400);
    expect(await staysOf()).toEqual([]);
    expect(await keptOf()).toEqual([]);
  });

  test('of a tablet that has filled its share of conflicts leaves further ones there, and writes what fits', async () => {
    const now = app.clock.now();
    const row = {
      desk_id: desk.id,
      facility_id: 'main',
      kind: 'check_in',
      child_id: 'nobody',
      staff_id: null,
      happened_at: now,
      claimed_at: null,
      is_unsure: 0,
      received_at: now,
      fingerprint: '',
      outcome: 'conflict',
      reason: 'no_ticket',
      took_effect: 0,
      entry_code: '',
      stay_id: null,
      sealed: null,
    } as const;
    const rows = Array.from({ length: 2000 }, () => ({ id: randomUUID(), ...row }));
    for (let at = 0; at < rows.length; at += 100)
      await app.context.db
        .insertInto('desk_entries')
        .values(rows.slice(at, at + 100))
        .execute();
    const entries = [cameIn({ ticket: newCode() }), cameIn()];
    expect(await send(entries)).toEqual(['later', 'applied']);
    expect(await keptOf()).toMatchObject([{ outcome: 'applied' }]);
    await app.context.db.deleteFrom('desk_entries').where('child_id', '=', 'nobody').execute();
    expect(await send(entries)).toEqual(['conflict', 'already']);
  });
});

describe('a ticket', () => {
  const hasNoEffect = async (entry: object, reason: string, at = desk) => {
    expect(await send([entry], at)).toEqual(['conflict']);
    expect(await staysOf()).toEqual([]);
    expect(await keptOf()).toMatchObject([{ outcome: 'conflict', reason, took_effect: 0 }]);
  };

  test('is given only with the setting', async () => {
    await setOffline(false);
    const json = { staffId: nadia.id, pin: PIN };
    const answer = await app.expect(200, 'POST', '/api/desk/sign-in', { token: desk.token, json });
    expect(answer).not.toHaveProperty('offlineTicket');
    await setOffline(true);
  });

  test('has no effect while the setting is off', async () => {
    const came = cameIn();
    app.clock.advance(MINUTE);
    await setOffline(false);
    await hasNoEffect(came, 'switched_off');
    await setOffline(true);
    expect(await send([came])).toEqual(['already']);
    expect(await staysOf()).toEqual([]);
  });

  test('counts for nothing after the setting was off, when it is on again, and still for what happened before', async () => {
    const before = cameIn();
    app.clock.advance(MINUTE);
    await setOffline(false);
    await setOffline(true);
    app.clock.advance(MINUTE);
    await hasNoEffect(cameIn(), 'ticket_ended');
    expect(await send([before])).toEqual(['applied']);
  });

  test('that nobody gave writes nothing', async () => {
    await hasNoEffect(cameIn({ ticket: newCode() }), 'no_ticket');
  });
  test('of another tablet writes nothing', async () => {
    await hasNoEffect(cameIn({ ticket: otherTicket }), 'no_ticket');
  });
  test('that somebody wrote into the database writes nothing', async () => {
    await app.context.db
      .updateTable('desk_tickets')
      .set({ staff_id: omar.id })
      .where('desk_id', '=', desk.id)
      .execute();
    await hasNoEffect(cameIn(), 'no_ticket');
  });
  test('counts for nothing after the next sign-in at the tablet, and still for what happened before', async () => {
    const before = cameIn();
    app.clock.advance(MINUTE);
    await signIn(desk, omar, '941627');
    app.clock.advance(MINUTE);
    await hasNoEffect(cameIn(), 'ticket_ended');
    expect(await send([before])).toEqual(['applied']);
  });
  test('counts for nothing after "Hand over"', async () => {
    const json = { staffId: nadia.id, pin: PIN };
    const { token, offlineTicket } = await app.expect(200, 'POST', '/api/desk/sign-in', {
      token: desk.token,
      json,
    });
    await app.expect(204, 'POST', '/api/logout', { token });
    app.clock.advance(MINUTE);
    await hasNoEffect(cameIn({ ticket: offlineTicket }), 'ticket_ended');
  });
  test('counts for nothing after its owner has ended all other sessions, also if the tablet had locked itself', async () => {
    await app.context.db.deleteFrom('sessions').where('desk_id', '=', desk.id).execute();
    const before = cameIn();
    app.clock.advance(MINUTE);
    await app.expect(200, 'DELETE', '/api/account/sessions', { token: session });
    app.clock.advance(MINUTE);
    await hasNoEffect(cameIn(), 'ticket_ended');
    expect(await send([before])).toEqual(['applied']);
  });
  test('counts for nothing once so many later sign-ins of its owner have ended its session', async () => {
    const sara = await makeColleague(app, 'Sara Nabil', '752064');
    const hers = await signIn(desk, sara, '752064');
    const before = cameIn({ ticket: hers });
    app.clock.advance(MINUTE);
    for (let count = 0; count < SESSIONS_PER_ACCOUNT; count++)
      await app.signIn('admin', sara.email, sara.password);
    app.clock.advance(MINUTE);
    await hasNoEffect(cameIn({ ticket: hers }), 'ticket_ended');
    expect(await send([before])).toEqual(['applied']);
  });
  test('counts for nothing once its owner may not check children in', async () => {
    const sara = await makeColleague(app, 'Sara Helmy', '752064');
    const hers = await signIn(desk, sara, '752064');
    await app.expect(200, 'PUT', `/api/admin/${sara.id}/roles`, {
      token: owner,
      json: { roles: [{ roleId: 'inspector', facilityId: 'main' }] },
    });
    await hasNoEffect(cameIn({ ticket: hers }), 'no_right');
  });
  test('tells nothing that is older than a week', async () => {
    const came = cameIn();
    app.clock.advance(8 * DAY);
    await hasNoEffect(came, 'too_old');
  });
  test('of another facility writes nothing here, also with a tablet of that facility', async () => {
    const there = await makeFacility(app, `Branch ${randomUUID().slice(0, 8)}`);
    const branch = atFacility(app, there);
    const theirs = await makeDesk(branch, 'Branch desk');
    await setOffline(true, branch);
    const sara = await makeColleague(app, 'Sara Branch', '752064');
    await manageAt(app, sara, there);
    const hers = await signIn(theirs, sara, '752064');
    // Our ticket at their tablet, their ticket at ours, and their own for our child.
    expect(await send([cameIn()], theirs)).toEqual(['conflict']);
    expect(await send([cameIn({ ticket: hers })])).toEqual(['conflict']);
    expect(await send([cameIn({ ticket: hers })], theirs)).toEqual(['conflict']);
    expect(await staysOf()).toEqual([]);
    expect(await reasons()).toEqual(['no_ticket', 'no_ticket', 'unknown_child']);
    // Nor does the switch of one facility end a ticket of another.
    await setOffline(false);
    await setOffline(true);
    app.clock.advance(MINUTE);
    const nobody = randomUUID();
    await send([cameIn({ ticket: hers, childId: nobody })], theirs);
    expect(await reasons(nobody)).toEqual(['unknown_child']);
  });
  test('ends after twelve hours', async () => {
    app.clock.advance(12 * 60 * MINUTE + 1);
    await hasNoEffect(cameIn(), 'ticket_ended');
  });
  test('ends with the PIN, and with the pairing', async () => {
    await app.expect(200, 'DELETE', `/api/admin/${nadia.id}/desk-pin`, { token: owner });
    await hasNoEffect(cameIn(), 'no_ticket');
    await app.expect(200, 'PUT', '/api/account/desk-pin', {
      token: session,
      json: { pin: PIN },
    });
  });
  test('of a tablet that was paired again tells, and changes nothing', async () => {
    const { id, token } = desk;
    desk = { id, token: await pairDeskAgain(app, id) };
    const answer = await app.ask('POST', '/api/desk/offline', { token, json: { entries: [] } });
    expect(answer.status).toBe(401);
    await hasNoEffect(cameIn(), 'no_ticket');
  });
  test('places nothing before its sign-in and nothing in the future', async () => {
    const signedInAt = app.clock.now();
    const early = cameIn({ at: moment(signedInAt - 60 * MINUTE) });
    app.clock.advance(20 * MINUTE);
    const late = left(early.uniqueEntryId, { at: moment(app.clock.now() + 60 * MINUTE) });
    expect(await send([early, late])).toEqual(['applied', 'applied']);
    expect(await staysOf()).toMatchObject([{ entry_time: signedInAt, exit_time: app.clock.now() }]);
    expect(await keptOf()).toMatchObject([{ is_unsure: 1 }, { is_unsure: 1 }]);
  });
});

describe('what does not fit', () => {
  test('the same id with other contents has no effect', async () => {
    const came = cameIn();
    const second = (await app.makeChild(family))._id;
    await send([came]);
    expect(await send([{ ...came, childId: second }])).toEqual(['conflict']);
    expect(await staysOf(second)).toEqual([]);
  });

  test('the same entry from another tablet has no effect, and tells nothing of the first', async () => {
    const came = cameIn();
    expect(await send([came])).toEqual(['applied']);
    expect(await send([came], other)).toEqual(['conflict']);
    expect(await keptOf()).toHaveLength(1);
  });

  test('a release told before its check-in, and one from before it', async () => {
    const came = cameIn();
    const early = left(came.uniqueEntryId, { at: moment(app.clock.now() - MINUTE) });
    app.clock.advance(MINUTE);
    const went = left(came.uniqueEntryId);
    expect(await send([went])).toEqual(['conflict']);
    expect(await send([came])).toEqual(['applied']);
    // Moved to the sign-in, which is not before the check-in; so the check-in is put later.
    await app.context.db
      .updateTable('stays')
      .set({ entry_time: app.clock.now() })
      .where('child_id', '=', child)
      .execute();
    expect(await send([early])).toEqual(['conflict']);
    expect(await reasons()).toEqual(['before_check_in', 'unknown_stay']);
    expect(await staysOf()).toMatchObject([{ exit_time: null }]);
  });

  test('a stay whose check-in was undone, or of another child', async () => {
    const { uniqueEntryId } = await checkIn();
    const second = (await app.makeChild(family))._id;
    expect(await send([left(String(uniqueEntryId), { childId: second })])).toEqual(['conflict']);
    await app.expect(200, 'POST', `/api/children/undo-checkin-child/${child}`, {
      token: session,
      json: { uniqueEntryId },
    });
    expect(await send([left(String(uniqueEntryId))])).toEqual(['conflict']);
    expect(await keptOf(second)).toMatchObject([{ reason: 'unknown_stay' }]);
    expect(await keptOf()).toMatchObject([{ reason: 'check_in_undone', took_effect: 0 }]);
    expect(await releasesOf()).toEqual([]);
  });

  test('a check-in with the code of a stay that there is', async () => {
    const { uniqueEntryId } = await checkIn((await app.makeChild(family))._id);
    expect(await send([cameIn({ uniqueEntryId })])).toEqual(['conflict']);
    const there = await makeFacility(app, `Branch ${randomUUID().slice(0, 8)}`);
    const [away] = await staysOf(await makeInsideAt(app, there, family, 'Away'));
    expect(await send([cameIn({ uniqueEntryId: String(away?.unique_entry_id) })])).toEqual(['conflict']);
    expect(await reasons()).toEqual(['entry_code_taken', 'entry_code_taken']);
    expect(await staysOf()).toEqual([]);
  });

  test('a child whose account says that it never registered', async () => {
    const at = app.clock.now();
    const whose = app.context.db.updateTable('parents').where('id', '=', family.id);
    await whose.set({ disowned_at: at }).execute();
    expect(await send([cameIn()])).toEqual(['conflict']);
    expect(await keptOf()).toMatchObject([{ reason: 'registration_disowned' }]);
    expect(await staysOf()).toEqual([]);
  });

  test('a child who was inside for long, or was here over that time', async () => {
    await checkIn();
    app.clock.advance(30 * MINUTE);
    expect(await send([cameIn()])).toEqual(['conflict']);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: session });
    expect(await send([cameIn({ at: moment(app.clock.now() - 10 * MINUTE) })])).toEqual(['conflict']);
    expect(await reasons()).toEqual(['already_inside', 'overlaps']);
    expect(await staysOf()).toHaveLength(1);
  });

  test('a child of another facility, and one that nobody knows', async () => {
    const there = await makeFacility(app, `Branch ${randomUUID().slice(0, 8)}`);
    const theirs = await makeInsideAt(app, there, family, 'Away');
    const [stay] = await staysOf(theirs);
    expect(
      await send([
        cameIn({ childId: theirs }),
        left(String(stay?.unique_entry_id), { childId: theirs }),
        cameIn({ childId: randomUUID() }),
      ]),
    ).toEqual(['conflict', 'conflict', 'conflict']);
    expect(await staysOf(theirs)).toMatchObject([{ exit_time: null }]);
  });

  test('a child who is inside at another facility', async () => {
    const there = await makeFacility(app, `Branch ${randomUUID().slice(0, 8)}`);
    const theirs = await makeInsideAt(app, there, family, 'Both');
    await app.context.db
      .insertInto('child_facilities')
      .values({ child_id: theirs, facility_id: 'main', created_at: app.clock.now() })
      .execute();
    app.clock.advance(20 * MINUTE);
    expect(await send([cameIn({ childId: theirs })])).toEqual(['conflict']);
    expect(await keptOf(theirs)).toMatchObject([{ reason: 'inside_elsewhere' }]);
    expect(await staysOf(theirs)).toHaveLength(1);
  });

  test.each([
    [
      'ticked on a roll call',
      async () => {
        const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token: owner });
        const ticks = [{ childId: child, state: 'present', at: moment(app.clock.now()) }];
        await app.expect(200, 'POST', `/api/evacuations/${evacuation._id}/ticks`, {
          token: owner,
          json: { device: 'tablet', ticks },
        });
        await app.expect(200, 'POST', `/api/evacuations/${evacuation._id}/end`, { token: owner, json: {} });
      },
    ],
    [
      'ticked in a head count',
      async () => {
        const [stay] = await staysOf();
        const json = { name: `Garden ${randomUUID().slice(0, 8)}` };
        const { room } = await app.expect(201, 'POST', '/api/rooms', { token: owner, json });
        const { headCount } = await app.expect(201, 'POST', '/api/head-counts', {
          token: owner,
          json: { fromRoomId: stay?.room_id, toRoomId: room._id, childIds: [child] },
        });
        const of = `/api/head-counts/${headCount._id}`;
        await app.expect(200, 'PUT', `${of}/children/${child}`, { token: owner, json: { state: 'here' } });
        await app.expect(200, 'POST', `${of}/end`, { token: owner, json: { outcome: 'cancelled' } });
      },
    ],
    [
      'kept for longer',
      async () => {
        const [stay] = await staysOf();
        const due = moment((stay?.entry_time ?? 0) + (stay?.duration ?? 0) * MINUTE);
        await app.expect(200, 'POST', `/api/children/extend-stay/${child}`, {
          token: owner,
          json: { due, minutes: 60 },
        });
      },
    ],
    [
      'checked out and in again by an undo',
      async () => {
        const [stay] = await staysOf();
        await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: session });
        await app.expect(200, 'POST', `/api/children/undo-checkout-child/${child}`, {
          token: session,
          json: { uniqueEntryId: stay?.unique_entry_id },
        });
      },
    ],
  ])('a child who was %s later counts as inside', async (_, see) => {
    const { uniqueEntryId } = await checkIn();
    app.clock.advance(MINUTE);
    const went = left(String(uniqueEntryId));
    app.clock.advance(MINUTE);
    await see();
    expect(await send([went])).toEqual(['conflict']);
    expect(await staysOf()).toMatchObject([{ exit_time: null }]);
    expect(await keptOf()).toMatchObject([{ reason: 'seen_later', took_effect: 0 }]);
  });

  test('a child whom somebody saw later counts as inside', async () => {
    const { uniqueEntryId } = await checkIn();
    app.clock.advance(MINUTE);
    const went = left(String(uniqueEntryId));
    app.clock.advance(MINUTE);
    const { room } = await app.expect(201, 'POST', '/api/rooms', {
      token: owner,
      json: { name: `Garden ${randomUUID().slice(0, 8)}` },
    });
    await app.expect(200, 'POST', '/api/children/move', {
      token: owner,
      json: { childIds: [child], roomId: room._id },
    });
    expect(await send([went])).toEqual(['conflict']);
    expect(await staysOf()).toMatchObject([{ exit_time: null }]);
    expect(await keptOf()).toMatchObject([{ reason: 'seen_later', took_effect: 0 }]);
  });

  test('a child whom two desks handed to different adults: the first stands', async () => {
    const { uniqueEntryId } = await checkIn();
    const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      token: owner,
      json: { name: 'Samir Adel', relation: 'Uncle' },
    });
    app.clock.advance(MINUTE);
    expect(await send([left(String(uniqueEntryId))])).toEqual(['applied']);
    const again = left(String(uniqueEntryId), { ticket: otherTicket, collectorId: collector._id });
    expect(await send([again], other)).toEqual(['conflict']);
    expect(await releasesOf()).toMatchObject([{ adult_id: family.id }]);
    expect(await reasons()).toEqual(['other_adult']);
    expect(await doubtful()).toHaveLength(1);
  });

  test('a child who left long before with the same adult, which is no alert', async () => {
    const { uniqueEntryId } = await checkIn();
    const went = left(String(uniqueEntryId));
    app.clock.advance(30 * MINUTE);
    expect(await send([left(String(uniqueEntryId), { ticket: otherTicket })], other)).toEqual(['applied']);
    expect(await send([went])).toEqual(['conflict']);
    expect(await reasons()).toEqual(['left_twice']);
    expect(await doubtful()).toEqual([]);
  });

  test('a child with a barred adult has left, and staff are warned', async () => {
    const { uniqueEntryId } = await checkIn();
    const went = left(String(uniqueEntryId));
    app.clock.advance(5 * MINUTE);
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: family.name, adultId: family.id },
    });
    expect(await send([went])).toEqual(['conflict']);
    expect(await staysOf()).toMatchObject([{ exit_time: app.clock.now() - 5 * MINUTE }]);
    expect(await keptOf()).toMatchObject([{ reason: 'barred_person', took_effect: 1 }]);
    // Not `barred_person`, which says that the child is still inside.
    expect(await doubtful()).toMatchObject([{ timeline: [{ what: 'raised', by: { _id: nadia.id } }] }]);
  });

  test('tells why in the audit log only to staff who may see who is barred', async () => {
    const { uniqueEntryId } = await checkIn();
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: family.name, adultId: family.id },
    });
    await send([left(String(uniqueEntryId))]);
    const inspector = await app.makeEmployee();
    const roles = [{ roleId: 'inspector', facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${inspector.id}/roles`, { token: owner, json: { roles } });
    const read = async (token: string) => {
      const path = `/api/audit?kind=attendance&subject=${child}&limit=200`;
      const { entries } = await app.expect(200, 'GET', path, { token });
      return JSON.stringify(entries.filter(({ action }) => action === 'desk.entry_conflict'));
    };
    expect(await read(owner)).toContain('barred_person');
    const theirs = await read(inspector.token);
    expect(theirs).toContain('desk.entry_conflict');
    expect(theirs).not.toContain('barred');
  });

  test('a child with a bar on somebody else has left by one member of staff’s word, and staff are warned', async () => {
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: 'Tarek Mansour Zaki' },
    });
    const { uniqueEntryId } = await checkIn();
    expect(await send([left(String(uniqueEntryId))])).toEqual(['conflict']);
    expect(await keptOf()).toMatchObject([{ reason: 'proof_of_pickup_required', took_effect: 1 }]);
    expect(await doubtful()).toHaveLength(1);
  });

  test('a child with a guardian who may not take it has left, who is not recorded as one who may', async () => {
    const second = await app.makeFamily();
    await addGuardian(app, child, second.id);
    const { uniqueEntryId } = await checkIn();
    const went = left(String(uniqueEntryId), { collectorId: second.id });
    app.clock.advance(MINUTE);
    await changeGuardian(app, child, second.id, { may_take: 0 });
    expect(await send([went])).toEqual(['conflict']);
    expect(await keptOf()).toMatchObject([{ reason: 'collector_not_listed', took_effect: 1 }]);
    expect(await releasesOf()).toMatchObject([{ adult_kind: null, adult_id: null, proof: null }]);
    expect(await doubtful()).toHaveLength(1);
  });

  test('a child with a collector who can be a guardian who may not take it', async () => {
    const second = await app.makeFamily();
    await addGuardian(app, child, second.id, { may_take: 0 });
    const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      token: owner,
      json: { name: second.name, relation: 'Father' },
    });
    const { uniqueEntryId } = await checkIn();
    expect(await send([left(String(uniqueEntryId), { collectorId: collector._id })])).toEqual(['conflict']);
    expect(await keptOf()).toMatchObject([{ reason: 'collector_not_listed' }]);
  });

  test('a child with a collector whose document nobody has seen', async () => {
    const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      token: owner,
      json: { name: 'Samir Adel', relation: 'Uncle' },
    });
    const { uniqueEntryId } = await checkIn();
    expect(await send([left(String(uniqueEntryId), { collectorId: collector._id })])).toEqual(['conflict']);
    expect(await keptOf()).toMatchObject([{ reason: 'document_required' }]);
    const confirmed = app.context.db
      .selectFrom('collectors')
      .select('confirmed_at')
      .where('id', '=', collector._id);
    expect(await confirmed.execute()).toEqual([{ confirmed_at: null }]);
  });

  test('a child with a pass that was used before', async () => {
    const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      token: family.token,
      json: { name: 'Samir Adel', relation: 'Uncle' },
    });
    const json = { token: family.token };
    const { token: value } = await app.expect(201, 'POST', `/api/collectors/${collector._id}/pass`, json);
    await app.context.db
      .updateTable('collectors')
      .set({ confirmed_at: app.clock.now(), confirmed_by: nadia.id })
      .where('id', '=', collector._id)
      .execute();
    const { uniqueEntryId } = await checkIn();
    const proof = { kind: 'pass', value };
    const went = left(String(uniqueEntryId), { collectorId: collector._id, proof });
    expect(await send([went])).toEqual(['applied']);
    app.clock.advance(MINUTE);
    const again = await checkIn();
    expect(await send([left(String(again.uniqueEntryId), { collectorId: collector._id, proof })])).toEqual([
      'conflict',
    ]);
    expect(await reasons()).toEqual(['wrong_pickup_proof']);
  });

  test.each([
    ['a stranger', { collectorId: 'nobody' }, 'collector_not_listed'],
    ['a wrong slip', { proof: { kind: 'slip', value: 'wrong' } }, 'wrong_pickup_proof'],
  ])('%s took the child: it has left, and nothing false is recorded', async (_, over, reason) => {
    const { uniqueEntryId } = await checkIn();
    expect(await send([left(String(uniqueEntryId), over)])).toEqual(['conflict']);
    expect(await keptOf()).toMatchObject([{ reason, took_effect: 1 }]);
    expect(await releasesOf()).toMatchObject([{ proof: null }]);
    expect(await doubtful()).toHaveLength(1);
  });

  test('a code or a colleague’s PIN, which a tablet cannot check, is refused before anything is written', async () => {
    const { uniqueEntryId } = await checkIn();
    for (const proof of [
      { kind: 'code', value: '123456' },
      { kind: 'second', staffId: omar.id, value: '941627' },
    ]) {
      const json = { entries: [left(String(uniqueEntryId), { proof })] };
      expect((await app.ask('POST', '/api/desk/offline', { token: desk.token, json })).status).toBe(400);
    }
    expect(await keptOf()).toEqual([]);
  });
});

test('what was told of a child is erased with it', async () => {
  const came = cameIn();
  app.clock.advance(MINUTE);
  await send([came, left(came.uniqueEntryId)]);
  expect(await keptOf()).toHaveLength(2);
  await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: owner });
  expect(await keptOf()).toEqual([]);
  // What arrives afterwards is answered, and not kept.
  const late = cameIn();
  expect(await send([late])).toEqual(['conflict']);
  expect(await send([late])).toEqual(['conflict']);
  expect(await keptOf()).toEqual([]);
});

test('what fits is kept for 90 days, and so is what nobody knows the author of; a conflict stays', async () => {
  const { uniqueEntryId } = await checkIn();
  app.clock.advance(MINUTE);
  const stranger = (await app.makeChild(family))._id;
  expect(
    await send([
      left(String(uniqueEntryId)),
      cameIn({ childId: stranger, ticket: newCode() }),
      left(newCode(), { childId: stranger }),
    ]),
  ).toEqual(['applied', 'conflict', 'conflict']);
  /** In steps of a clock that is believed. */
  const wait = async (days: number) => {
    for (let halves = 2 * days; halves > 0; halves--) {
      app.clock.advance(DAY / 2);
      await app.context.clockGuard.look();
    }
    await cleanOnce(app.context);
  };
  await wait(89);
  expect([...(await keptOf()), ...(await keptOf(stranger))]).toHaveLength(3);
  await wait(2);
  expect(await keptOf()).toEqual([]);
  expect(await keptOf(stranger)).toMatchObject([{ reason: 'unknown_stay' }]);
  const tickets = app.context.db.selectFrom('desk_tickets').select('token_hash');
  expect(await tickets.execute()).toEqual([]);
});

/** Conflicts of desk tablets that had no connection: staff see both sides, and settle them once (decision 055). */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyAuditTrail } from '../../db/audit.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { makeColleague, makeDesk, type TestDesk } from '../../testing/desks.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;

let app: TestApp;
let owner: string;
let nadia: Employee;
let omar: Employee;
let desk: TestDesk;
let other: TestDesk;
let family: Family;
let child: string;
/** Ordinary sessions of Nadia and Omar. */
let session: string;
let omars: string;
/** Ticket of Nadia at `desk`, and of Omar at `other`. */
let ticket: string;
let otherTicket: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { deskOffline: true } });
  [desk, other] = [await makeDesk(app), await makeDesk(app, 'Back desk')];
  nadia = await makeColleague(app, 'Nadia Farouk', '830561');
  omar = await makeColleague(app, 'Omar Sayed', '941627');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  await app.context.db.deleteFrom('desk_entries').execute();
  owner = await app.staff();
  session = await app.signIn('admin', nadia.email, nadia.password);
  omars = await app.signIn('admin', omar.email, omar.password);
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  ticket = await signIn(desk, nadia, '830561');
  otherTicket = await signIn(other, omar, '941627');
});

async function signIn(at: TestDesk, who: Employee, pin: string): Promise<string> {
  const json = { staffId: who.id, pin };
  const { offlineTicket } = await app.expect(200, 'POST', '/api/desk/sign-in', { token: at.token, json });
  return String(offlineTicket);
}

const moment = (ms: number) => new Date(ms).toISOString();
const newCode = () => randomBytes(32).toString('base64url');
const cameIn = (over: object = {}) => ({
  ...{ kind: 'check_in', id: randomUUID(), ticket, at: moment(app.clock.now()), childId: child },
  ...{ uniqueEntryId: newCode(), slipToken: randomBytes(16).toString('hex'), durationInMinutes: 45 },
  ...over,
});
const left = (uniqueEntryId: string, over: object = {}) => ({
  ...{ kind: 'check_out', id: randomUUID(), ticket, at: moment(app.clock.now()), childId: child },
  ...{ uniqueEntryId, collectorId: family.id, proof: { kind: 'known' } },
  ...over,
});
/** Tells entries of which each is a conflict. */
async function tell(entries: readonly object[], at: TestDesk = desk): Promise<void> {
  const answer = await app.expect(200, 'POST', '/api/desk/offline', { token: at.token, json: { entries } });
  const outcomes = (answer.entries as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['conflict']));
}
const list = (query = '', token = owner) =>
  app.expect(200, 'GET', `/api/desk-conflicts?limit=200${query}`, { token });
/** The one open conflict. */
async function open(token = owner): Promise<DeskConflict> {
  const { conflicts, total } = await list('', token);
  const [conflict] = conflicts;
  expect(total).toBe(1);
  if (!conflict) throw new Error('there is no conflict');
  return conflict;
}
const trySettle = ({ _id, revision }: DeskConflict, choice: 'keep' | 'take', token = owner, note?: string) =>
  app.ask('POST', `/api/desk-conflicts/${_id}/settle`, { token, json: { choice, revision, note } });
async function settle(choice: 'keep' | 'take', token = owner): Promise<DeskConflict> {
  const answer = await trySettle(await open(), choice, token);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.conflict;
}
const staysOf = (id = child) =>
  app.context.db.selectFrom('stays').selectAll().where('child_id', '=', id).orderBy('entry_time').execute();
const correctionsOf = async () => {
  const [stay] = await staysOf();
  const rows = app.context.db.selectFrom('stay_corrections').selectAll();
  return rows.where('stay_id', '=', String(stay?.id)).execute();
};
const releasesOf = (id = child) =>
  app.context.db.selectFrom('releases').selectAll().where('child_id', '=', id).execute();
/** The rows of the ledger about what was settled of the child. */
const settledRows = () =>
  app.context.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'desk.entry_settled')
    .where('subject_id', '=', child)
    .execute();
const checkIn = async (id = child) =>
  String(
    (await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: owner })).child
      .uniqueEntryId,
  );
/** The row of the child on the roll call of now. */
async function called(id = child) {
  const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token: owner });
  return rollCall.children.find(({ childId }) => childId === id);
}
async function addUncle(): Promise<string> {
  const json = { name: 'Samir Adel', relation: 'Uncle' };
  const url = `/api/children/${child}/collectors`;
  const id = (await app.expect(201, 'POST', url, { token: owner, json })).collector._id;
  const confirmed = { confirmed_at: app.clock.now(), confirmed_by: nadia.id };
  await app.context.db.updateTable('collectors').set(confirmed).where('id', '=', id).execute();
  return id;
}
/** The collector is listed no more. */
async function endUncle(id: string): Promise<void> {
  const ended = { ended_at: app.clock.now() };
  await app.context.db.updateTable('collectors').set(ended).where('id', '=', id).execute();
}
/** The open incidents of a kind about the child. */
async function incidents(kind: string) {
  await app.app.incidents.sweep();
  const path = `/api/incidents?state=open&limit=200&kind=${kind}`;
  const { incidents: found } = await app.expect(200, 'GET', path, { token: owner });
  return found.filter(({ subject }) => subject?._id === child);
}
/** A child whom Haris has inside, of whom the desk says that it left, though it was seen later. Returns when the desk says so. */
async function seenLater(): Promise<number> {
  const entry = await checkIn();
  app.clock.advance(20 * MINUTE);
  const went = left(entry);
  const at = app.clock.now();
  app.clock.advance(5 * MINUTE);
  const { room } = await app.expect(201, 'POST', '/api/rooms', {
    token: owner,
    json: { name: `Garden ${randomUUID().slice(0, 8)}` },
  });
  const json = { childIds: [child], roomId: room._id };
  await app.expect(200, 'POST', '/api/children/move', { token: owner, json });
  await tell([went]);
  return at;
}

describe('a check-in', () => {
  test('of which Haris knows nothing is taken over with its own time, for as long as the desk wrote', async () => {
    const sara = await makeColleague(app, 'Sara Helmy', '752064');
    const came = cameIn({ ticket: await signIn(desk, sara, '752064') });
    const at = app.clock.now();
    // A right that has ended meanwhile does not undo what happened, and has no effect by itself.
    await app.expect(200, 'PUT', `/api/admin/${sara.id}/roles`, {
      token: owner,
      json: { roles: [{ roleId: 'inspector', facilityId: 'main' }] },
    });
    app.clock.advance(10 * MINUTE);
    await tell([came]);
    expect(await open()).toMatchObject({
      ...{ reason: 'no_right', stay: null, canTake: true, settled: null, child: { _id: child } },
      desk: { kind: 'check_in', at: moment(at), by: { name: 'Sara Helmy' }, tablet: { name: 'Front desk' } },
    });
    expect(await staysOf()).toEqual([]);
    expect(await settle('take')).toMatchObject({ settled: { choice: 'take' }, canTake: false });
    const stays = await staysOf();
    expect(stays).toMatchObject([{ entry_time: at, exit_time: null, duration: 45, checked_in_by: sara.id }]);
    // Whoever has a copy of the tablet's tokens must not choose the secret of a slip.
    expect(stays[0]?.slip_token).not.toBe(came.slipToken);
    expect(await called()).toMatchObject({ isInside: true });
    expect((await called())?.unsettled).toBeUndefined();
    expect((await list()).total).toBe(0);
  });

  test('before the one that Haris has moves its begin, and keeps the former one', async () => {
    const came = cameIn();
    const at = app.clock.now();
    app.clock.advance(30 * MINUTE);
    await checkIn();
    await tell([came]);
    expect(await open()).toMatchObject({ reason: 'already_inside', canTake: true });
    await settle('take');
    expect(await staysOf()).toMatchObject([{ entry_time: at, exit_time: null }]);
    expect(await correctionsOf()).toMatchObject([
      { kind: 'check_in_moved', entry_time_before: at + 30 * MINUTE },
    ]);
  });

  test('of a child that is not known here is shown by its id, and can only be kept', async () => {
    const childId = randomUUID();
    await tell([cameIn({ childId })]);
    const conflict = await open();
    expect(conflict).toMatchObject({ child: { _id: childId, name: null }, canTake: false });
    expect(await trySettle(conflict, 'take')).toMatchObject({
      status: 409,
      body: { code: 'entry_cannot_be_taken' },
    });
    expect(await settle('keep')).toMatchObject({ settled: { choice: 'keep' } });
  });

  test('of an account that says that it never registered is not taken over', async () => {
    const whose = app.context.db.updateTable('parents').where('id', '=', family.id);
    await whose.set({ disowned_at: app.clock.now() }).execute();
    await tell([cameIn()]);
    expect(await trySettle(await open(), 'take')).toMatchObject({
      status: 409,
      body: { code: 'registration_disowned' },
    });
    expect(await staysOf()).toEqual([]);
  });
});

describe('a release', () => {
  test('of a child that was seen later is taken over with its own time, and the family is told when it was', async () => {
    const at = await seenLater();
    expect(await open()).toMatchObject({
      ...{ reason: 'seen_later', canTake: true },
      desk: { adult: { _id: family.id, kind: 'guardian', name: family.name }, proof: 'known' },
      stay: { exitTime: null, adult: null },
    });
    await settle('take');
    expect(await staysOf()).toMatchObject([{ exit_time: at, checked_out_by: nadia.id }]);
    expect(await releasesOf()).toMatchObject([
      { adult_id: family.id, proof: 'known', released_by: nadia.id, at },
    ]);
    await app.app.notifications.settled();
    const mails = (await app.outbox(family.email)).filter(({ subject }) => subject.includes('Picked up'));
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringContaining('because the desk had no connection'),
    ]);
    expect(await incidents('doubtful_release')).toEqual([]);
    expect(await verifyAuditTrail(app.context.db, app.context.vault)).toMatchObject({ whole: true });
  });

  test('that is taken over and would be refused now opens the danger, of which no parent hears', async () => {
    await seenLater();
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: family.name, adultId: family.id },
    });
    expect(await incidents('doubtful_release')).toEqual([]);
    await settle('take');
    expect(await incidents('doubtful_release')).toMatchObject([{ severity: 'safety' }]);
    const seen = await app.expect(200, 'GET', '/api/incidents', { token: family.token });
    expect(seen.incidents).toEqual([]);
  });

  test('to another adult than the recorded one is taken over without the document and the proof of the first', async () => {
    const uncle = await addUncle();
    const entry = await checkIn();
    app.clock.advance(MINUTE);
    const went = left(entry, { ticket: otherTicket, collectorId: uncle });
    const at = app.clock.now();
    app.clock.advance(2 * MINUTE);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
      token: session,
      json: { collectorId: family.id, proof: { kind: 'known' } },
    });
    const word = { unexpected_by: family.id, unexpected_at: 5 };
    const first = { had_document: 1, second_by: omar.id, ...word } as const;
    await app.context.db.updateTable('releases').set(first).where('child_id', '=', child).execute();
    await tell([went], other);
    expect(await open()).toMatchObject({
      reason: 'other_adult',
      desk: { adult: { kind: 'collector', name: 'Samir Adel' } },
      stay: { adult: { kind: 'guardian', name: family.name }, proof: 'known' },
    });
    await settle('take');
    expect(await releasesOf()).toMatchObject([
      {
        ...{ adult_kind: 'collector', adult_id: uncle, proof: 'known', released_by: omar.id, at },
        ...{ had_document: 0, second_by: null },
        // The word of the guardian stays, and so does its alert.
        ...{ unexpected_by: family.id, unexpected_at: 5 },
      },
    ]);
    expect(await staysOf()).toMatchObject([{ exit_time: at, checked_out_by: omar.id }]);
    expect(await correctionsOf()).toMatchObject([
      { kind: 'checkout_undone', exit_time_before: at + 2 * MINUTE, checked_out_by_before: nadia.id },
    ]);
  });

  test('at another time to the same adult, who is listed no more, leaves the adult in the record', async () => {
    const uncle = await addUncle();
    const entry = await checkIn();
    app.clock.advance(MINUTE);
    const went = left(entry, { collectorId: uncle });
    const at = app.clock.now();
    app.clock.advance(30 * MINUTE);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
      token: session,
      json: { collectorId: uncle, proof: { kind: 'known' } },
    });
    await endUncle(uncle);
    await tell([went]);
    expect(await open()).toMatchObject({ reason: 'left_twice' });
    await settle('take');
    expect(await incidents('doubtful_release')).toEqual([]);
    expect(await releasesOf()).toMatchObject([{ adult_kind: 'collector', adult_id: uncle, at }]);
    expect(await staysOf()).toMatchObject([{ exit_time: at }]);
  });

  test('to somebody who is listed no more puts nobody in the place of the recorded adult', async () => {
    const uncle = await addUncle();
    const entry = await checkIn();
    app.clock.advance(MINUTE);
    const went = left(entry, { collectorId: uncle });
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
      token: session,
      json: { collectorId: family.id, proof: { kind: 'known' } },
    });
    await endUncle(uncle);
    await tell([went]);
    expect(await trySettle(await open(), 'take')).toMatchObject({
      status: 409,
      body: { code: 'entry_cannot_be_taken' },
    });
    expect(await releasesOf()).toMatchObject([{ adult_id: family.id }]);
  });

  test('that has had its effect is only seen; why it would be refused is for staff who may see who is barred', async () => {
    const entry = await checkIn();
    await app.expect(201, 'POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: family.name, adultId: family.id },
    });
    await tell([left(entry)]);
    expect(await open()).toMatchObject({
      ...{ reason: 'release_refused', refusal: 'barred_person', canTake: false },
    });
    const helper = await app.makeEmployee();
    const json = { name: 'Helper at the door', permissions: ['children.check_in'] };
    const { role } = await app.expect(201, 'POST', '/api/roles', { token: owner, json });
    const roles = [{ roleId: role._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${helper.id}/roles`, { token: owner, json: { roles } });
    const text = JSON.stringify(await open(helper.token));
    expect(text).toContain('release_refused');
    expect(text).not.toContain('barred');
    await settle('keep');
    expect(await staysOf()).toMatchObject([{ exit_time: expect.any(Number) }]);
    // The danger lasts until somebody acknowledges it.
    expect(await incidents('doubtful_release')).toHaveLength(1);
  });
});

describe('the roll call', () => {
  test('has a child whose check-in has had no effect, with a mark, until staff have settled it', async () => {
    const whose = app.context.db.updateTable('parents').where('id', '=', family.id);
    await whose.set({ disowned_at: app.clock.now() }).execute();
    const at = app.clock.now();
    const came = cameIn();
    app.clock.advance(MINUTE);
    await tell([came]);
    const mark = { isInside: true, unsettled: { kind: 'check_in', at: moment(at) } };
    expect(await called()).toMatchObject(mark);
    const begun = await app.expect(201, 'POST', '/api/evacuations', { token: owner });
    const inEvacuation = async () => {
      const { evacuation } = await app.expect(200, 'GET', '/api/evacuations/current', { token: owner });
      return evacuation?.children.find(({ childId }) => childId === child);
    };
    const path = `/api/evacuations/${begun.evacuation._id}`;
    const ticks = [{ childId: child, state: 'missing', at: moment(app.clock.now()) }];
    await app.expect(200, 'POST', `${path}/ticks`, { token: owner, json: { device: 'tablet', ticks } });
    expect(await inEvacuation()).toMatchObject({ ...mark, tick: { state: 'missing' } });
    app.clock.advance(MINUTE);
    await settle('keep');
    // Nobody vanishes from the list in the middle of an evacuation.
    const after = await inEvacuation();
    expect(after).toMatchObject({ isInside: false, tick: { state: 'missing' } });
    expect(after?.unsettled).toBeUndefined();
    app.clock.advance(MINUTE);
    expect(await called()).toBeUndefined();
    await app.expect(200, 'POST', `${path}/end`, { token: owner, json: {} });
  });

  test('keeps a child that is inside when staff decide so, without a mark', async () => {
    const at = await seenLater();
    expect(await called()).toMatchObject({ unsettled: { kind: 'check_out', at: moment(at) } });
    await settle('keep');
    const row = await called();
    expect(row).toMatchObject({ isInside: true });
    expect(row?.unsettled).toBeUndefined();
    expect(await staysOf()).toMatchObject([{ exit_time: null }]);
    expect(await correctionsOf()).toEqual([]);
  });

  test('has nobody because of a copied token of the tablet: only what comes with a valid ticket counts', async () => {
    const children = [child];
    for (let count = 0; count < 4; count++) children.push((await app.makeChild(family))._id);
    const ended = ticket;
    await signIn(desk, omar, '941627');
    app.clock.advance(MINUTE);
    await tell(children.map((childId) => cameIn({ childId, ticket: newCode() })));
    await tell(children.map((childId) => cameIn({ childId, ticket: ended })));
    for (const id of children) expect(await called(id)).toBeUndefined();
    expect((await list()).total).toBe(10);
  });

  test('has no child that has left since by what Haris knows', async () => {
    const came = cameIn();
    app.clock.advance(30 * MINUTE);
    await checkIn();
    app.clock.advance(MINUTE);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    app.clock.advance(MINUTE);
    await tell([came]);
    expect(await called()).toBeUndefined();
  });
});

describe('settling', () => {
  test('of two at once counts once, and the other is told to look again', async () => {
    await seenLater();
    const conflict = await open();
    const answers = await Promise.all([
      trySettle(conflict, 'take', owner),
      trySettle(conflict, 'keep', omars),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict_changed');
    expect(await settledRows()).toHaveLength(1);
  });

  test('is refused once what Haris has has changed since', async () => {
    await seenLater();
    const conflict = await open();
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    expect(await trySettle(conflict, 'take')).toMatchObject({
      status: 409,
      body: { code: 'conflict_changed' },
    });
    expect(await trySettle(await open(), 'keep', omars)).toMatchObject({ status: 200 });
  });

  test('by who wrote one of the sides of a release needs a proof, and the ledger says so', async () => {
    await seenLater();
    app.clock.advance(11 * MINUTE);
    const conflict = await open();
    for (const choice of ['keep', 'take'] as const)
      expect(await trySettle(conflict, choice, session)).toMatchObject({
        status: 403,
        body: { code: 'proof_required' },
      });
    const json = { conflicts: [{ id: conflict._id, revision: conflict.revision }] };
    expect(await app.ask('POST', '/api/desk-conflicts/keep', { token: session, json })).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    });
    await app.expect(204, 'POST', '/api/session/proof', {
      token: session,
      json: { password: nadia.password },
    });
    expect(await trySettle(conflict, 'keep', session, ' She stayed ')).toMatchObject({ status: 200 });
    const { conflicts } = await list('&state=settled');
    expect(conflicts).toMatchObject([
      { settled: { by: { _id: nadia.id }, choice: 'keep', note: 'She stayed' } },
    ]);
    const [row] = await settledRows();
    expect(row?.actor_id).toBe(nadia.id);
    expect(JSON.parse(row?.details ?? '{}')).toMatchObject({ choice: 'keep', ownSide: true });
    // The ledger is never erased.
    expect(row?.details).not.toContain('stayed');
  });

  test('by a colleague needs none, but for a release of which nobody knows who wrote it', async () => {
    const entry = await checkIn();
    app.clock.advance(11 * MINUTE);
    await tell([left(entry, { ticket: newCode() })]);
    const conflict = await open();
    expect(await trySettle(conflict, 'take', omars)).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    });
    expect(await trySettle(conflict, 'keep', omars)).toMatchObject({ status: 200 });
    expect(await staysOf()).toMatchObject([{ exit_time: null }]);
  });

  test('of 250 goes page by page, several at once, and leaves what has changed or is not there', async () => {
    const now = app.clock.now();
    const row = {
      ...{ desk_id: desk.id, facility_id: 'main', kind: 'check_in', child_id: child, staff_id: nadia.id },
      ...{ happened_at: now, claimed_at: null, is_unsure: 0, fingerprint: '', outcome: 'conflict' },
      ...{ reason: 'overlaps', took_effect: 0, entry_code: 'x', stay_id: null, sealed: null },
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
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/api/desk-conflicts?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = await app.expect(200, 'GET', path, { token: owner });
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
    expect((await list()).total).toBe(152);
    const again = await app.expect(200, 'POST', '/api/desk-conflicts/keep', { token: owner, json });
    expect(again).toMatchObject({ settled: 0, left: 100 });
    const tooMany = { conflicts: Array.from({ length: 101 }, () => ({ id: 'nobody', revision: 'x' })) };
    expect(
      (await app.ask('POST', '/api/desk-conflicts/keep', { token: owner, json: tooMany })).status,
    ).toBe(400);
  });

  test('is for staff of the facility alone, and its conflicts are erased with the child', async () => {
    await seenLater();
    const conflict = await open();
    const there = atFacility(app, await makeFacility(app, `Branch ${randomUUID().slice(0, 8)}`));
    const elsewhere = await there.expect(200, 'GET', '/api/desk-conflicts', { token: owner });
    expect(elsewhere).toMatchObject({ conflicts: [], total: 0 });
    const json = { choice: 'keep', revision: conflict.revision };
    const path = `/api/desk-conflicts/${conflict._id}/settle`;
    expect((await there.ask('POST', path, { token: owner, json })).status).toBe(404);
    expect((await app.ask('GET', '/api/desk-conflicts', { token: family.token })).status).toBe(403);
    expect((await app.ask('GET', '/api/desk-conflicts', { token: desk.token })).status).toBe(401);
    await settle('keep');
    const settled = app.context.db.selectFrom('desk_entries').select('id').where('child_id', '=', child);
    expect(await settled.execute()).toHaveLength(1);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    await app.proveNow(owner);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: owner });
    expect(await settled.execute()).toEqual([]);
    expect((await list('&state=settled')).total).toBe(0);
  });
});

test('the quiet incident names the children, and one that was acknowledged hides no later conflict', async () => {
  await seenLater();
  const [first, ...more] = await incidents('desk_conflict');
  expect(more).toEqual([]);
  expect(first).toMatchObject({ severity: 'care', subject: { _id: child }, acknowledgedAt: null });
  await app.expect(200, 'POST', `/api/incidents/${first?._id}/acknowledge`, { token: owner });
  app.clock.advance(MINUTE);
  await tell([cameIn()]);
  const waiting = (await incidents('desk_conflict')).filter(({ acknowledgedAt }) => acknowledgedAt === null);
  expect(waiting).toMatchObject([{ subject: { _id: child } }]);
  const json = {
    conflicts: (await list()).conflicts.map(({ _id: id, revision }) => ({ id, revision })),
  };
  await app.expect(200, 'POST', '/api/desk-conflicts/keep', { token: owner, json });
  expect(await incidents('desk_conflict')).toEqual([]);
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
  await seenLater();
  await settle('keep');
  expect((await eventsNow()).slice(before)).toEqual([
    { child_id: null, parent_id: null, facility_id: 'main' },
    { child_id: null, parent_id: null, facility_id: 'main' },
  ]);
});

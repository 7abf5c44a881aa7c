/** Two desk tablets that told something later, and what staff do with what does not fit; made through the calls of a test app. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { expect } from 'vitest';
import { makeColleague, makeDesk, type TestDesk } from './desks.ts';
import { type Answer, type Employee, type Family, startTestApp, type TestApp } from './harness.ts';

export const MINUTE = 60_000;

/** What all tests of a file share. */
export interface ConflictHouse {
  readonly app: TestApp;
  readonly desk: TestDesk;
  readonly other: TestDesk;
  readonly nadia: Employee;
  readonly omar: Employee;
}

export async function openConflictHouse(): Promise<ConflictHouse> {
  const app = await startTestApp();
  const json = { deskOffline: true };
  await app.expect(200, 'PUT', '/api/settings', { token: await app.staff(), json });
  return {
    app,
    desk: await makeDesk(app),
    other: await makeDesk(app, 'Back desk'),
    nadia: await makeColleague(app, 'Nadia Farouk', '830561'),
    omar: await makeColleague(app, 'Omar Sayed', '941627'),
  };
}

/** The ticket of a sign-in at a tablet. */
export async function takeTicket(
  app: TestApp,
  desk: TestDesk,
  who: { readonly id: string },
  pin: string,
): Promise<string> {
  const json = { staffId: who.id, pin };
  const { offlineTicket } = await app.expect(200, 'POST', '/api/desk/sign-in', { token: desk.token, json });
  return String(offlineTicket);
}

export const momentOf = (ms: number): string => new Date(ms).toISOString();
export const newEntryCode = (): string => randomBytes(32).toString('base64url');

/** What one test begins with. */
interface Turn extends ConflictHouse {
  readonly owner: string;
  readonly family: Family;
  readonly child: string;
  /** Ordinary sessions of Nadia and Omar. */
  readonly session: string;
  readonly omars: string;
  /** Ticket of Nadia at `desk`, and of Omar at `other`. */
  readonly ticket: string;
  readonly otherTicket: string;
}

async function beginTurn(house: ConflictHouse): Promise<Turn> {
  const { app, desk, other, nadia, omar } = house;
  await app.forgetLimits();
  await app.context.db.deleteFrom('desk_entries').execute();
  const owner = await app.staff();
  const session = await app.signIn('admin', nadia.email, nadia.password);
  const omars = await app.signIn('admin', omar.email, omar.password);
  const family = await app.makeFamily();
  const child = (await app.makeChild(family))._id;
  const ticket = await takeTicket(app, desk, nadia, '830561');
  const otherTicket = await takeTicket(app, other, omar, '941627');
  return { ...house, owner, family, child, session, omars, ticket, otherTicket };
}

/** What tablets tell. */
function entriesOf({ app, desk, family, child, ticket }: Turn) {
  return {
    cameIn: (over: object = {}) => ({
      ...{ kind: 'check_in', id: randomUUID(), ticket, at: momentOf(app.clock.now()), childId: child },
      ...{
        uniqueEntryId: newEntryCode(),
        slipToken: randomBytes(16).toString('hex'),
        durationInMinutes: 120,
      },
      ...over,
    }),
    left: (uniqueEntryId: string, over: object = {}) => ({
      ...{ kind: 'check_out', id: randomUUID(), ticket, at: momentOf(app.clock.now()), childId: child },
      ...{ uniqueEntryId, collectorId: family.id, proof: { kind: 'known' } },
      ...over,
    }),
    /** Tells entries of which each is a conflict. */
    async tell(entries: readonly object[], at: TestDesk = desk): Promise<void> {
      const json = { entries };
      const answer = await app.expect(200, 'POST', '/api/desk/offline', { token: at.token, json });
      const outcomes = (answer.entries as unknown as { outcome: string }[]).map(({ outcome }) => outcome);
      expect(new Set(outcomes)).toEqual(new Set(['conflict']));
    },
  };
}

/** Reads and settles conflicts. */
function settlingOf({ app, owner }: Turn) {
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
  const trySettle = (
    { _id, revision }: DeskConflict,
    choice: 'keep' | 'take',
    token = owner,
    note?: string,
  ): Promise<Answer> =>
    app.ask('POST', `/api/desk-conflicts/${_id}/settle`, { token, json: { choice, revision, note } });
  async function settle(choice: 'keep' | 'take', token = owner): Promise<DeskConflict> {
    const answer = await trySettle(await open(), choice, token);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.conflict;
  }
  return { list, open, trySettle, settle };
}

/** What the database has of the child. */
function rowsOf({ app: { context }, child }: Turn) {
  const staysOf = (id = child) =>
    context.db.selectFrom('stays').selectAll().where('child_id', '=', id).orderBy('entry_time').execute();
  return {
    staysOf,
    async correctionsOf() {
      const [stay] = await staysOf();
      const rows = context.db.selectFrom('stay_corrections').selectAll();
      return rows.where('stay_id', '=', String(stay?.id)).execute();
    },
    releasesOf: (id = child) =>
      context.db.selectFrom('releases').selectAll().where('child_id', '=', id).execute(),
    /** The rows of the ledger about what was settled of the child. */
    settledRows: () =>
      context.db
        .selectFrom('audit_log')
        .selectAll()
        .where('action', '=', 'desk.entry_settled')
        .where('subject_id', '=', child)
        .execute(),
  };
}

/** What staff do, and what they see. */
function deskWorkOf({ app, owner, nadia, child }: Turn) {
  return {
    /** Checks the child in; returns the entry id. */
    async checkIn(id = child): Promise<string> {
      const answer = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: owner });
      return String(answer.child.uniqueEntryId);
    },
    /** The row of the child on the roll call of now. */
    async called(id = child) {
      const { rollCall } = await app.expect(200, 'GET', '/api/roll-call', { token: owner });
      return rollCall.children.find(({ childId }) => childId === id);
    },
    async addUncle(): Promise<string> {
      const json = { name: 'Samir Adel', relation: 'Uncle' };
      const url = `/api/children/${child}/collectors`;
      const id = (await app.expect(201, 'POST', url, { token: owner, json })).collector._id;
      const confirmed = { confirmed_at: app.clock.now(), confirmed_by: nadia.id };
      await app.context.db.updateTable('collectors').set(confirmed).where('id', '=', id).execute();
      return id;
    },
    /** The collector is listed no more. */
    async endUncle(id: string): Promise<void> {
      const ended = { ended_at: app.clock.now() };
      await app.context.db.updateTable('collectors').set(ended).where('id', '=', id).execute();
    },
    /** The open incidents of a kind about the child. */
    async incidents(kind: string) {
      await app.app.incidents.sweep();
      const path = `/api/incidents?state=open&limit=200&kind=${kind}`;
      const { incidents: found } = await app.expect(200, 'GET', path, { token: owner });
      return found.filter(({ subject }) => subject?._id === child);
    },
  };
}

/** A family with a child, and all that a test does with them. */
export async function beginConflicts(house: ConflictHouse) {
  const turn = await beginTurn(house);
  const { app, owner, child } = turn;
  const entries = entriesOf(turn);
  const work = deskWorkOf(turn);
  /** A child whom Haris has inside, of whom the desk says that it left, though it was seen later. Returns when the desk says so. */
  async function seenLater(): Promise<number> {
    const entry = await work.checkIn();
    app.clock.advance(20 * MINUTE);
    const went = entries.left(entry);
    const at = app.clock.now();
    app.clock.advance(5 * MINUTE);
    const name = `Garden ${randomUUID().slice(0, 8)}`;
    const { room } = await app.expect(201, 'POST', '/api/rooms', { token: owner, json: { name } });
    const json = { childIds: [child], roomId: room._id };
    await app.expect(200, 'POST', '/api/children/move', { token: owner, json });
    await entries.tell([went]);
    return at;
  }
  return { ...turn, ...entries, ...settlingOf(turn), ...rowsOf(turn), ...work, seenLater };
}
export type Conflicts = Awaited<ReturnType<typeof beginConflicts>>;

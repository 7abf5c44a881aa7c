/** Writes what happened at a desk tablet without a connection: each entry once, with its own time (decision 055). */
import { randomUUID } from 'node:crypto';
import type { DeskEntry, DeskOutcome } from '@haris/contract/http/desk';
import type { ReleaseRefusal } from '@haris/contract/release';
import { describeFailure } from '@haris/runtime/log';
import type { Actor, DeskDevice } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { isDisowned } from '../../db/accounts.ts';
import { hasBarSince } from '../../db/barred-adults.ts';
import { lockChild } from '../../db/children.ts';
import { takeDataKey } from '../../db/data-keys.ts';
import {
  countConflicts,
  findDeskEntry,
  findStayToldBy,
  hasStaySince,
  insertDeskEntry,
  wasSeenAfter,
} from '../../db/desk-entries.ts';
import { type DeskTicketRow, findDeskTicket } from '../../db/desk-tickets.ts';
import { findErasedAmong } from '../../db/erasures.ts';
import { lockEventOrder } from '../../db/events.ts';
import { mayHaveLostTaker } from '../../db/guardians/of-child.ts';
import { findPermissions } from '../../db/memberships.ts';
import { findParent } from '../../db/parents.ts';
import { findReleaseOf } from '../../db/releases.ts';
import { lockRoom } from '../../db/rooms.ts';
import type { RoomRow, StayRow } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { findStaffMember } from '../../db/staff.ts';
import { findOpenStay } from '../../db/stay-extensions.ts';
import { beginStay, findStayByEntryId } from '../../db/stays.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { acrossFacilities, currentFacility } from '../../facility.ts';
import type { LockedChild } from '../../guardian-rights.ts';
import { judgePastHandOver } from '../../hand-over/release.ts';
import { permissionsAt } from '../../policy.ts';
import { lockRoomForCheckIn } from '../../rooms/places.ts';
import { type EntryDetails, entryPlace } from './entry-details.ts';
import { claimPress } from './idempotency.ts';
import { endAndRecord, recordCheckIn } from './service.ts';

/** What is older has no effect by itself. Milliseconds. */
export const DESK_ENTRY_MAX_AGE_MS = 7 * 24 * 3_600_000;
/** Within this time two desks that wrote the same mean the same. Milliseconds. */
const SAME_FACT_MS = 10 * 60_000;

/** Most entries of one child in one call: their transaction holds the end of the audit log, for which everybody else who writes waits. */
const ENTRIES_PER_CHILD = 20;

/** Most conflicts without an effect that are kept of a tablet within {@link DESK_ENTRY_MAX_AGE_MS}. */
const CONFLICTS_MAX = 2_000;

type Reason =
  | ReleaseRefusal
  | 'switched_off'
  | 'no_ticket'
  | 'ticket_ended'
  | 'too_old'
  | 'no_right'
  | 'unknown_child'
  | 'registration_disowned'
  | 'already_inside'
  | 'inside_elsewhere'
  | 'overlaps'
  | 'entry_code_taken'
  | 'unknown_stay'
  | 'check_in_undone'
  | 'before_check_in'
  | 'seen_later'
  | 'left_twice'
  | 'other_adult';

/** What became of an entry. `already`: its press had arrived by the ordinary call. */
interface Verdict {
  readonly outcome: 'applied' | 'already' | 'merged' | 'conflict';
  readonly reason: Reason | null;
  readonly tookEffect: boolean;
  readonly stayId: string | null;
}

const conflict = (reason: Reason, stayId: string | null = null): Verdict => ({
  outcome: 'conflict',
  reason,
  tookEffect: false,
  stayId,
});
const isSame = (one: number, other: number) => Math.abs(one - other) <= SAME_FACT_MS;

/**
 * Takes the entries of a tablet. The entries of one child are one transaction, so that nothing looks at it between two steps of its
 * day; those of other children do not wait for one that fails. Of more than {@link ENTRIES_PER_CHILD} the oldest are taken. The answers
 * are in the order of the entries.
 */
export async function takeDeskEntries(
  context: Context,
  desk: DeskDevice,
  entries: readonly DeskEntry[],
): Promise<{ id: string; outcome: DeskOutcome }[]> {
  const byChild = Map.groupBy(
    entries.map((entry, index) => ({ entry, index })),
    ({ entry }) => entry.childId,
  );
  const outcomes: DeskOutcome[] = entries.map(() => 'later');
  for (const [childId, own] of byChild) {
    const inOrder = own
      .toSorted((a, b) => Date.parse(a.entry.at) - Date.parse(b.entry.at) || a.index - b.index)
      .slice(0, ENTRIES_PER_CHILD);
    try {
      const done = await inTransaction(context.db, (tx) =>
        takeOfChild(
          context,
          tx,
          desk,
          childId,
          inOrder.map(({ entry }) => entry),
        ),
      );
      for (const [position, { index }] of inOrder.entries()) outcomes[index] = done[position] ?? 'later';
    } catch (error) {
      // The tablet is paired no more: nothing else can arrive either.
      if (error instanceof AppError && error.status === 401) throw error;
      context.log.error(describeFailure(error), 'entries of a desk tablet could not be written');
    }
  }
  return entries.map(({ id }, index) => ({ id, outcome: outcomes[index] ?? 'later' }));
}

async function takeOfChild(
  context: Context,
  tx: Tx,
  desk: DeskDevice,
  childId: string,
  entries: readonly DeskEntry[],
): Promise<DeskOutcome[]> {
  const child = await lockChild(tx.trx, childId);
  // Before the first row of the audit log, whose lock every other check-in takes after that of its room.
  if (child)
    for (const entry of entries) if (entry.kind === 'check_in') await lockRoomOf(tx, childId, entry.roomId);
  const outcomes: DeskOutcome[] = [];
  for (const entry of entries)
    outcomes.push(await takeOne(context, tx, desk, child ? { id: childId, ...child } : null, entry));
  if (outcomes.includes('conflict')) {
    await lockEventOrder(tx);
    await context.events.append(tx, { type: 'desk.entries' });
  }
  return outcomes;
}

/** The room of a late check-in, locked: the asked one if there still is one, else as for any check-in. */
export async function lockRoomOf(tx: Tx, childId: string, roomId: string | undefined): Promise<RoomRow> {
  const facility = currentFacility();
  const asked = roomId === undefined ? undefined : await lockRoom(tx.trx, facility, roomId);
  return asked ?? lockRoomForCheckIn(tx, facility, childId, undefined);
}

async function takeOne(
  context: Context,
  tx: Tx,
  desk: DeskDevice,
  child: LockedChild | null,
  entry: DeskEntry,
): Promise<DeskOutcome> {
  // With the tablet: what another one sends is another entry, and learns nothing of this one.
  const fingerprint = context.vault.mac('desk entry', JSON.stringify([desk.id, entry]));
  // At any facility: the id is unique in the whole installation.
  const earlier = await acrossFacilities(() => findDeskEntry(tx.trx, entry.id));
  if (earlier) return earlier.fingerprint === fingerprint ? 'already' : 'conflict';

  // Nothing is kept of a child that was erased meanwhile.
  if (!child && (await findErasedAmong(tx.trx, 'child', [entry.childId])).length > 0) return 'conflict';

  const now = context.clock.now();
  const claimed = Date.parse(entry.at);
  const ticket = await findDeskTicket(tx.trx, context.vault, entry.ticket, desk.id);
  // Nobody can place anything before the sign-in, or after it was told.
  const at = Math.min(Math.max(claimed, ticket?.made_at ?? claimed), now);
  const actor = ticket ? await personOf(context, tx, desk, ticket, { at, now }) : 'no_ticket';
  const told = { entry, at, isUnsure: entry.isUnsure || at !== claimed, signedInAt: ticket?.made_at ?? at };
  const verdict =
    typeof actor === 'string'
      ? conflict(actor)
      : child
        ? await apply(context, tx, actor, desk, child, told)
        : conflict('unknown_child');
  const { outcome, reason, tookEffect, stayId } = verdict;
  // Whoever has a copy of the tablet's tokens must not fill the table: what is beyond stays on the tablet.
  if (outcome === 'conflict' && !tookEffect && (await hasTooManyConflicts(tx, desk, now))) return 'later';
  const isKept = await insertDeskEntry(tx.trx, {
    id: entry.id,
    desk_id: desk.id,
    kind: entry.kind,
    child_id: entry.childId,
    staff_id: ticket?.staff_id ?? null,
    happened_at: at,
    claimed_at: at === claimed ? null : claimed,
    is_unsure: told.isUnsure ? 1 : 0,
    received_at: now,
    fingerprint,
    outcome: outcome === 'already' ? 'merged' : outcome,
    reason,
    took_effect: tookEffect ? 1 : 0,
    entry_code: entry.uniqueEntryId,
    stay_id: stayId,
    sealed: child ? await sealDetails(context, tx, entry) : null,
    doubtful_at: isDoubtful(entry, verdict) ? now : null,
  });
  // Another call with the same id was faster, for another child: everything here is taken back and tried again.
  if (!isKept) throw new Error('two entries have the same id');
  if (reason !== null)
    await context.audit.append(tx, {
      actor: typeof actor === 'string' ? desk : actor,
      action: 'desk.entry_conflict',
      ...(child ? { subject: { kind: 'child', id: child.id } } : {}),
      details: { entry: entry.id, reason, tookEffect, happenedAt: toMoment(at), desk: desk.id },
    });
  return outcome;
}

async function hasTooManyConflicts({ trx }: Tx, desk: DeskDevice, now: number): Promise<boolean> {
  return (await countConflicts(trx, desk.id, now - DESK_ENTRY_MAX_AGE_MS)) >= CONFLICTS_MAX;
}

/** Whether the child may have left with the wrong adult: the release would be refused now, or two desks have named different adults. */
function isDoubtful({ kind }: DeskEntry, { outcome, reason, tookEffect }: Verdict): boolean {
  return kind === 'check_out' && outcome === 'conflict' && (tookEffect || reason === 'other_adult');
}

/** What a conflict shows of the entry, sealed with the child's key. No value of a proof is kept. */
async function sealDetails({ vault }: Context, { trx }: Tx, entry: DeskEntry): Promise<Buffer> {
  const key = await takeDataKey(trx, vault, 'child', entry.childId);
  const details: EntryDetails =
    entry.kind === 'check_in'
      ? { durationInMinutes: entry.durationInMinutes, roomId: entry.roomId }
      : { collectorId: entry.collectorId, proof: entry.proof.kind };
  return key.seal(entryPlace(entry.id), Buffer.from(JSON.stringify(details)));
}

/**
 * The member of staff in whose name an entry is, with the rights of now. A session that idled out while the connection was there does not
 * end its ticket: that is asked of the opening of the desk, once tablets send one.
 */
async function personOf(
  { config }: Context,
  { trx }: Tx,
  desk: DeskDevice,
  ticket: DeskTicketRow,
  { at, now }: { readonly at: number; readonly now: number },
): Promise<Actor | 'switched_off' | 'ticket_ended' | 'too_old' | 'no_right'> {
  // Whoever switches it off because of what a tablet writes must not wait for the end of its tickets.
  if (!(await readSettings(trx, config)).deskOffline) return 'switched_off';
  if (now - at > DESK_ENTRY_MAX_AGE_MS) return 'too_old';
  if (at > ticket.expires_at || (ticket.ended_at !== null && at > ticket.ended_at)) return 'ticket_ended';
  const id = ticket.staff_id;
  const facility = currentFacility();
  const member = await findStaffMember(trx, id);
  const rights = (await findPermissions(trx, facility, [id])).get(id);
  const permissions = permissionsAt(rights ?? new Set(), desk.id);
  if (!member || !permissions.has('children.check_in')) return 'no_right';
  return {
    kind: 'admin',
    id,
    facility,
    permissions,
    everywhere: new Set(),
    name: member.name,
    session: '',
    provedAt: 0,
    factor: 'desk',
    deskId: desk.id,
    passwordSetBy: member.password_set_by,
    origin: desk.origin,
  };
}

interface Told<E extends DeskEntry = DeskEntry> {
  readonly entry: E;
  /** When it happened: milliseconds since 1970. */
  readonly at: number;
  readonly isUnsure: boolean;
  /** The sign-in whose ticket it has: milliseconds since 1970. */
  readonly signedInAt: number;
}

async function apply(
  context: Context,
  tx: Tx,
  actor: Actor,
  desk: DeskDevice,
  child: LockedChild,
  { entry, ...told }: Told,
): Promise<Verdict> {
  // The press was sent by the ordinary call, and only its answer was lost.
  const kept = await claimPress(context, tx, { actorId: actor.id, key: entry.id, childId: child.id });
  if (kept && kept.child.isInside === (entry.kind === 'check_in')) {
    const { uniqueEntryId } = kept.child;
    const stay = uniqueEntryId === null ? undefined : await findStayByEntryId(tx.trx, uniqueEntryId);
    return { outcome: 'already', reason: null, tookEffect: false, stayId: stay?.id ?? null };
  }
  return entry.kind === 'check_in'
    ? enterLate(context, tx, actor, child, { ...told, entry })
    : leaveLate(context, tx, actor, desk, child, { ...told, entry });
}

/** For the audit log: the row itself has the time at which it was told. */
const lateDetails = ({ entry, at, isUnsure }: Told) => ({
  entry: entry.id,
  happenedAt: toMoment(at),
  ...(isUnsure ? { timeUnsure: true } : {}),
});

async function enterLate(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: LockedChild,
  told: Told<Extract<DeskEntry, { kind: 'check_in' }>>,
): Promise<Verdict> {
  const { trx } = tx;
  const { entry, at } = told;
  const open = await findOpenStay(trx, child.id);
  if (open && isSame(open.entry_time, at))
    return { outcome: 'merged', reason: null, tookEffect: false, stayId: open.id };
  if (open) return conflict('already_inside', open.id);
  if (await acrossFacilities(() => hasStaySince(trx, child.id, at))) return conflict('overlaps');
  const parent = await findParent(trx, child.parent_id);
  if (parent && isDisowned(parent)) return conflict('registration_disowned');
  if (await acrossFacilities(() => findStayByEntryId(trx, entry.uniqueEntryId)))
    return conflict('entry_code_taken');
  const room = await lockRoomOf(tx, child.id, entry.roomId);
  const id = randomUUID();
  const { uniqueEntryId: entryId, slipToken, durationInMinutes } = entry;
  const stay = { id, entryId, childId: child.id, durationInMinutes, roomId: room.id };
  const printed = (await isSlipOver(tx, child.id, told.signedInAt)) ? stay : { ...stay, slipToken };
  // A room that is full by now does not send the child away: the alert of the room says so.
  if (!(await beginStay(trx, printed, { by: actor.id, at }))) return conflict('inside_elsewhere');
  await recordCheckIn(context, tx, actor, child.id, {
    stayId: id,
    minutes: durationInMinutes,
    roomId: room.id,
    ...lateDetails(told),
  });
  return { outcome: 'applied', reason: null, tookEffect: true, stayId: id };
}

/**
 * Whether a slip that was printed since a sign-in proves nothing, because somebody who may hold it must not take the child: so it is with the
 * slips of stays that there are once a bar is entered, or a guardian ends or may not take the child any more. The tablet's times are not
 * asked.
 */
async function isSlipOver({ trx }: Tx, childId: string, signedInAt: number): Promise<boolean> {
  return acrossFacilities(
    async () =>
      (await hasBarSince(trx, childId, signedInAt)) || (await mayHaveLostTaker(trx, childId, signedInAt)),
  );
}

/** The stay that the tablet names: by the slip's entry id, or by the one it drew for a child whom another desk has checked in too. */
async function findNamedStay(
  { trx }: Tx,
  desk: DeskDevice,
  childId: string,
  entryCode: string,
): Promise<StayRow | undefined> {
  const stay =
    (await findStayByEntryId(trx, entryCode)) ??
    (await findStayToldBy(trx, { deskId: desk.id, childId, entryCode }));
  return stay?.child_id === childId ? stay : undefined;
}

async function leaveLate(
  context: Context,
  tx: Tx,
  actor: Actor,
  desk: DeskDevice,
  child: LockedChild,
  told: Told<Extract<DeskEntry, { kind: 'check_out' }>>,
): Promise<Verdict> {
  const { trx } = tx;
  const { entry, at } = told;
  const { collectorId, proof } = entry;
  const stay = await findNamedStay(tx, desk, child.id, entry.uniqueEntryId);
  if (!stay) return conflict('unknown_stay');
  if (stay.voided_at !== null) return conflict('check_in_undone', stay.id);
  if (stay.exit_time !== null) {
    const adultId = (await findReleaseOf(trx, stay.id))?.adult_id ?? null;
    if (adultId !== null && adultId !== collectorId) return conflict('other_adult', stay.id);
    return adultId !== null && isSame(stay.exit_time, at)
      ? { outcome: 'merged', reason: null, tookEffect: false, stayId: stay.id }
      : conflict('left_twice', stay.id);
  }
  if (at < stay.entry_time) return conflict('before_check_in', stay.id);
  // Who was seen later counts as inside until somebody has looked: a search for a child at home costs less than one left in a fire.
  if (await wasSeenAfter(trx, { stayId: stay.id, childId: child.id, at }))
    return conflict('seen_later', stay.id);
  const { accepted, refusal } = await judgePastHandOver(context, tx, child, stay, { collectorId, proof, at });
  await endAndRecord(context, tx, actor, child, { accepted, at, isLate: true }, lateDetails(told));
  return {
    outcome: refusal === null ? 'applied' : 'conflict',
    reason: refusal,
    tookEffect: true,
    stayId: stay.id,
  };
}

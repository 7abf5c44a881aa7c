/** Does what a desk tablet told later, because staff have said that the desk is right (decision 055). */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { isDisowned } from '../../db/accounts.ts';
import type { AuditFact } from '../../db/audit.ts';
import type { Settled } from '../../db/desk-conflicts.ts';
import { findParent } from '../../db/parents.ts';
import { keepRelease, setReleaseTime } from '../../db/releases.ts';
import { beginStay, findStayByEntryId, moveBegin, replaceEnd } from '../../db/stays.ts';
import type { Tx } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';
import type { LockedChild } from '../../guardian-rights.ts';
import { type Accepted, judgePastHandOver } from '../../hand-over/release.ts';
import { notifyOfRelease } from '../../notifications/releases.ts';
import { randomToken } from '../../vault/vault.ts';
import { hasWriter, type Plan, type Sides } from './conflict-sides.ts';
import { lockRoomOf } from './offline.ts';
import { answerOf } from './one-step.ts';
import { endAndRecord, recordCheckIn } from './service.ts';

/** What came of it: for the row of the entry, and for the ledger. */
interface Taken extends Pick<Settled, 'stay_id' | 'doubtful_at'> {
  readonly details: AuditFact['details'];
}

/** Does what an entry says. Call it with the child locked. Throws `entry_cannot_be_taken`, `registration_disowned`. */
export async function takeEntry(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: LockedChild,
  sides: Sides,
): Promise<Taken> {
  const { plan } = sides;
  switch (plan?.kind) {
    case 'begin':
      return begin(context, tx, actor, child, sides, plan);
    case 'move':
      return move(context, tx, actor, sides, plan);
    case 'end':
    case 'replace':
      return end(context, tx, actor, child, sides, plan);
    default:
      throw new AppError('entry_cannot_be_taken');
  }
}

/** In whose name it is done: of who signed in at the tablet, if the ticket was valid. */
function writerOf({ row }: Sides, actor: Actor): string {
  return (hasWriter(row) ? row.staff_id : null) ?? actor.id;
}

async function begin(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: LockedChild,
  sides: Sides,
  { details: { durationInMinutes, roomId: asked } }: Extract<Plan, { kind: 'begin' }>,
): Promise<Taken> {
  const { row } = sides;
  const { trx } = tx;
  const parent = await findParent(trx, child.parent_id);
  if (parent && isDisowned(parent)) throw new AppError('registration_disowned');
  const room = await lockRoomOf(tx, child.id, asked);
  const id = randomUUID();
  // The slip that the tablet printed proves nothing: its secret is not kept, and whoever has a copy of the tablet's tokens could choose it.
  const isTaken = (await acrossFacilities(() => findStayByEntryId(trx, row.entry_code))) !== undefined;
  const entryId = isTaken ? randomToken() : row.entry_code;
  const stay = { id, entryId, childId: child.id, durationInMinutes, roomId: room.id };
  const begun = await beginStay(trx, stay, { by: writerOf(sides, actor), at: row.happened_at });
  if (!begun) throw new AppError('entry_cannot_be_taken');
  await recordCheckIn(context, tx, actor, child.id, {
    stayId: id,
    minutes: durationInMinutes,
    roomId: room.id,
    entry: row.id,
    happenedAt: toMoment(row.happened_at),
  });
  return { stay_id: id, doubtful_at: row.doubtful_at, details: { stayId: id } };
}

async function move(
  context: Context,
  tx: Tx,
  actor: Actor,
  { row }: Sides,
  { stay }: Extract<Plan, { kind: 'move' }>,
): Promise<Taken> {
  await moveBegin(tx.trx, stay, row.happened_at, { by: actor.id, at: context.clock.now() });
  const details = { stayId: stay.id, entryTimeBefore: toMoment(stay.entry_time) };
  return { stay_id: stay.id, doubtful_at: row.doubtful_at, details };
}

type EndPlan = Extract<Plan, { kind: 'end' | 'replace' }>;

async function end(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: LockedChild,
  sides: Sides,
  plan: EndPlan,
): Promise<Taken> {
  const { row, release } = sides;
  const { stay, details } = plan;
  const { collectorId, proof } = details;
  const at = row.happened_at;
  const by = writerOf(sides, actor);
  const past = { collectorId, proof: proof === 'known' ? { kind: proof } : null, at };
  const { accepted, refusal } = await judgePastHandOver(context, tx, child, stay, past);
  // The child may be with the wrong adult, and the desk that says so is believed now; but whom another desk has named, too, was judged then.
  const isDoubtful = refusal !== null && !(plan.kind === 'replace' && release?.adult_id === collectorId);
  const taken = {
    stay_id: stay.id,
    doubtful_at: isDoubtful ? context.clock.now() : row.doubtful_at,
  };
  if (plan.kind === 'end') {
    const told = { entry: row.id, happenedAt: toMoment(at) };
    await endAndRecord(context, tx, actor, child, { accepted, at, isLate: true, by }, told);
    return { ...taken, details: { stayId: stay.id } };
  }
  const before = await replace(context, tx, actor, child, sides, plan, { accepted, by });
  return { ...taken, details: { stayId: stay.id, ...before } };
}

/** Replaces the end of a stay, and who took the child. Returns what was recorded before. */
async function replace(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: LockedChild,
  { row, release }: Sides,
  { stay, details: { collectorId } }: EndPlan,
  { accepted, by }: { readonly accepted: Accepted; readonly by: string },
): Promise<NonNullable<AuditFact['details']>> {
  const at = row.happened_at;
  const { adult, proof, readers } = accepted;
  const recorded = release?.adult_id ?? null;
  // Whoever is not listed any more cannot be recorded, and nobody must stand where an adult stood.
  if (!adult && recorded !== null && recorded !== collectorId) throw new AppError('entry_cannot_be_taken');
  const mark = { by: actor.id, at: context.clock.now() };
  const isSameAdult = !adult || recorded === collectorId;
  await replaceEnd(tx.trx, stay, { by: isSameAdult ? (stay.checked_out_by ?? by) : by, at }, mark);
  if (release && isSameAdult) await setReleaseTime(tx.trx, stay.id, at);
  else
    await keepRelease(tx.trx, {
      stay_id: stay.id,
      child_id: child.id,
      adult_kind: adult?.kind ?? null,
      adult_id: adult?.id ?? null,
      proof,
      code_step: null,
      released_by: by,
      // Seen and agreed to for the former adult, not for this one.
      second_by: null,
      had_document: 0,
      at,
      // The word of a guardian, and its alert, stay.
      unexpected_by: release?.unexpected_by ?? null,
      unexpected_at: release?.unexpected_at ?? null,
      unexpected_also: release?.unexpected_also ?? '[]',
    });
  const { child: shown } = await answerOf(tx, actor, child.id, '');
  const released = { stayId: stay.id, childName: shown.name, child };
  await notifyOfRelease(context, tx, released, adult && { name: adult.name, readers }, at);
  return {
    exitTimeBefore: toMoment(stay.exit_time ?? at),
    ...(recorded === null ? {} : { takenByBefore: recorded }),
    ...(adult ? { takenBy: adult.id, takenAs: adult.kind } : {}),
  };
}

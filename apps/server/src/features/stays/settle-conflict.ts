/** Settles conflicts of desk tablets: all stays as Haris has it, or what the desk wrote is done (decision 055). */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { AuditFact } from '../../db/audit.ts';
import { lockChild } from '../../db/children.ts';
import { takeDataKey } from '../../db/data-keys.ts';
import { findConflicts, type Settled, setSettled } from '../../db/desk-conflicts.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { LockedChild } from '../../guardian-rights.ts';
import { requireProof } from '../../http/proof.ts';
import { hasWriter, readSides, type Sides } from './conflict-sides.ts';
import { presentConflicts } from './desk-conflicts.ts';
import { notePlace } from './entry-details.ts';
import { takeEntry } from './take-entry.ts';

/** One conflict and how it is settled. */
export interface Settlement {
  readonly id: string;
  readonly choice: 'keep' | 'take';
  /** Of the conflict as the person saw it. */
  readonly revision: string;
  /** Not kept for a child that is not known here. */
  readonly note: string | undefined;
}

/**
 * Settles one conflict. Throws 404, `conflict_changed`, `proof_required`; with `take` also `entry_cannot_be_taken` and
 * `registration_disowned`.
 */
export async function settleDeskConflict(
  context: Context,
  actor: Actor,
  { id, choice, revision, note }: Settlement,
): Promise<DeskConflict> {
  await inTransaction(context.db, async (tx) => {
    const [locked] = await lockSides(context, tx, [id]);
    if (!locked) throw new AppError('not_found');
    const { sides } = locked;
    if (sides.row.settled_at !== null || sides.revision !== revision) throw new AppError('conflict_changed');
    if (needsProof(actor, sides, choice)) await requireProof(context, actor, tx.trx);
    const settle = choice === 'keep' ? keep : take;
    if (!(await settle(context, tx, actor, locked, note))) throw new AppError('conflict_changed');
    await context.events.append(tx, { type: 'desk.entries' });
  });
  const after = await readSides(context, context.db, await findConflicts(context.db, [id]));
  const [conflict] = await presentConflicts(context, actor, after);
  // The child was erased in between.
  if (!conflict) throw new AppError('not_found');
  return conflict;
}

/** Settles several so that all stays as Haris has it. Those that have changed, or are not there, are left. Throws `proof_required`. */
export async function keepDeskConflicts(
  context: Context,
  actor: Actor,
  asked: readonly { readonly id: string; readonly revision: string }[],
): Promise<{ settled: number; left: number }> {
  const seen = new Map(asked.map(({ id, revision }) => [id, revision]));
  const settled = await inTransaction(context.db, async (tx) => {
    const open = (await lockSides(context, tx, [...seen.keys()])).filter(
      ({ sides }) => sides.row.settled_at === null && sides.revision === seen.get(sides.row.id),
    );
    // Before the first write, so that all or none are settled.
    const isProofDue = open.some(({ sides }) => needsProof(actor, sides, 'keep'));
    if (isProofDue) await requireProof(context, actor, tx.trx);
    let done = 0;
    for (const locked of open) if (await keep(context, tx, actor, locked, undefined)) done++;
    if (done > 0) await context.events.append(tx, { type: 'desk.entries' });
    return done;
  });
  return { settled, left: seen.size - settled };
}

interface Locked {
  readonly sides: Sides;
  /** Null: there is no such child here. */
  readonly child: LockedChild | null;
}

/** Conflicts with their children locked, so that both sides stay as they are until the transaction ends. */
async function lockSides(context: Context, tx: Tx, ids: readonly string[]): Promise<Locked[]> {
  const childIds = new Set((await findConflicts(tx.trx, ids)).map(({ child_id }) => child_id));
  const children = new Map<string, LockedChild>();
  // In one order, so that two who settle several do not wait for each other.
  for (const id of [...childIds].sort()) {
    const child = await lockChild(tx.trx, id);
    if (child) children.set(id, { id, ...child });
  }
  const all = await readSides(context, tx.trx, await findConflicts(tx.trx, ids));
  return all.map((sides) => ({ sides, child: children.get(sides.row.child_id) ?? null }));
}

/** Whether the actor has written one of the sides. */
function isOwn(actor: Actor, { row, stay, release }: Sides): boolean {
  const writers = [row.staff_id, stay?.checked_out_by, release?.released_by, release?.second_by];
  return writers.includes(actor.id);
}

/** Nobody settles what they wrote about a release, or takes one over for which nobody answers, with a copied session alone. */
function needsProof(actor: Actor, sides: Sides, choice: Settlement['choice']): boolean {
  if (sides.row.kind !== 'check_out') return false;
  return isOwn(actor, sides) || (choice === 'take' && !hasWriter(sides.row));
}

/** What the row of an entry says once it is settled. The note is sealed with the child's key. */
async function settledBy(
  { clock, vault }: Context,
  { trx }: Tx,
  actor: Actor,
  { sides: { row }, child }: Locked,
  choice: Settlement['choice'],
  note: string | undefined,
): Promise<Settled> {
  const { took_effect, stay_id, doubtful_at } = row;
  const key = note && child ? await takeDataKey(trx, vault, 'child', child.id) : null;
  const sealed = key?.seal(notePlace(row.id), Buffer.from(note ?? '')) ?? null;
  const settled = { settled_at: clock.now(), settled_by: actor.id, choice, note: sealed };
  return { ...settled, took_effect, stay_id, doubtful_at };
}

/** All stays as Haris has it. False if somebody has settled it meanwhile. */
async function keep(
  context: Context,
  tx: Tx,
  actor: Actor,
  locked: Locked,
  note: string | undefined,
): Promise<boolean> {
  const settled = await settledBy(context, tx, actor, locked, 'keep', note);
  if (!(await setSettled(tx.trx, locked.sides.row.id, settled))) return false;
  await record(context, tx, actor, locked, { choice: 'keep' });
  return true;
}

/** Does what the desk wrote. False if somebody has settled it meanwhile. */
async function take(
  context: Context,
  tx: Tx,
  actor: Actor,
  locked: Locked,
  note: string | undefined,
): Promise<boolean> {
  const { sides, child } = locked;
  if (!child) throw new AppError('entry_cannot_be_taken');
  const { details, ...taken } = await takeEntry(context, tx, actor, child, sides);
  const settled = await settledBy(context, tx, actor, locked, 'take', note);
  if (!(await setSettled(tx.trx, sides.row.id, { ...settled, ...taken, took_effect: 1 }))) return false;
  await record(context, tx, actor, locked, { choice: 'take', ...details });
  await context.events.append(tx, {
    type: 'child.updated',
    childId: child.id,
    parentId: child.parent_id,
    audience: 'guardians',
  });
  return true;
}

/** The row of the ledger. It says if the actor has written one of the sides. */
async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  { sides, child }: Locked,
  details: AuditFact['details'],
): Promise<void> {
  const { row } = sides;
  await context.audit.append(tx, {
    actor,
    action: 'desk.entry_settled',
    ...(child ? { subject: { kind: 'child', id: child.id } } : {}),
    details: {
      entry: row.id,
      happenedAt: toMoment(row.happened_at),
      desk: row.desk_id,
      ...(isOwn(actor, sides) ? { ownSide: true } : {}),
      ...details,
    },
  });
}

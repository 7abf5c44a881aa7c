/** Enters and lifts again the bars that the data folder has recorded and the restore of an older database has undone. */
import type { Kysely } from 'kysely';
import type { Context } from '../context.ts';
import { endBar, findAllBars, findBar } from '../db/barred-adults.ts';
import { lockChild } from '../db/children.ts';
import { type Erasure, findErasures } from '../db/erasures.ts';
import { renewSlip } from '../db/releases.ts';
import type { Database } from '../db/schema.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { endAndWithdraw } from '../guardian-ends.ts';
import type { EnteredBar, KeptBars, LiftedBar } from './bar-record.ts';
import { writeBar } from './inherited-bars.ts';

/** Without a log, bars that wait are only counted: the restore names them itself. */
type Parts = Pick<Context, 'db' | 'vault' | 'clock' | 'audit'> & Partial<Pick<Context, 'log'>>;

export interface ReplayedBars {
  /** Bars that are in force again. */
  readonly entered: number;
  /** Bars that are lifted again. */
  readonly lifted: number;
  /** Bars in force of children whom this database does not know: {@link findWaitingBars}. */
  readonly waiting: number;
}

/**
 * Call it after the erasures are replayed: the bars of an erased child are not needed. A bar of a child that this database does not
 * know waits in the file. Each repeated bar or lift gets an audit row.
 */
export async function replayBars(parts: Parts, kept: KeptBars): Promise<ReplayedBars> {
  const { entered, lifted } = kept;
  return acrossFacilities(async () => {
    const rows = new Map((await findAllBars(parts.db)).map((row) => [row.id, row]));
    const replayed = { entered: 0, lifted: 0 };
    for (const bar of entered.values())
      if (!rows.has(bar.id) && !lifted.has(bar.id))
        if (await inTransaction(parts.db, (tx) => enterAgain(parts, tx, bar))) replayed.entered++;
    for (const lift of lifted.values())
      if (rows.get(lift.id)?.lifted_at === null)
        if (await inTransaction(parts.db, (tx) => liftAgain(parts, tx, lift))) replayed.lifted++;
    const waiting = (await findWaitingBars(parts.db, kept)).length;
    if (waiting > 0)
      parts.log?.warn(
        { bars: waiting },
        'bars.log has bars of children whom the database does not know: whoever registers such a child anew must enter its bars again',
      );
    return { ...replayed, waiting };
  });
}

/**
 * Bars in force of the file whose child this database does not know, once they are replayed: the backup is older than the child,
 * whom the desk then registers anew, with another id and without the bar. Not those of erased children. `erasures`: what is known
 * to be erased beside what the database says.
 */
export async function findWaitingBars(
  db: Kysely<Database>,
  { entered, lifted }: KeptBars,
  erasures: readonly Erasure[] = [],
): Promise<EnteredBar[]> {
  return acrossFacilities(async () => {
    const rows = new Set((await findAllBars(db)).map(({ id }) => id));
    const all = [...erasures, ...(await findErasures(db))];
    const erased = new Set(all.filter(({ kind }) => kind === 'child').map(({ id }) => id));
    return [...entered.values()].filter(
      ({ id, childId }) => !rows.has(id) && !lifted.has(id) && !erased.has(childId),
    );
  });
}

/** Returns false if there is no such child, or another server has entered the bar meanwhile. */
async function enterAgain(parts: Parts, tx: Tx, bar: EnteredBar): Promise<boolean> {
  const { id, childId, name, phone, note, documentDate, adultId, by, at } = bar;
  if (!(await lockChild(tx.trx, childId)) || (await findBar(tx.trx, id))) return false;
  await writeBar(parts, tx, childId, { name, phone, note, documentDate, adultId }, by, { id, at });
  await renewSlip(tx.trx, childId);
  await noteReplayed(parts, tx, 'barred.added', bar, { barId: id });
  if (adultId === null) return true;
  // As the bar itself did. Nobody else may answer for the child in the older copy: then the guardian stays, and the bar holds.
  const ended = await endAndWithdraw(parts, tx, by, { childId, parentId: adultId });
  if (typeof ended === 'string') return true;
  const passedOn = ended.passedOn === null ? {} : { passedOn: ended.passedOn };
  await noteReplayed(parts, tx, 'guardian.ended', bar, { parentId: adultId, ...passedOn });
  return true;
}

/** Returns false if another server has lifted the bar meanwhile. */
async function liftAgain(parts: Parts, tx: Tx, lift: LiftedBar): Promise<boolean> {
  const { id, childId, by, at } = lift;
  if (!(await lockChild(tx.trx, childId)) || (await findBar(tx.trx, id))?.lifted_at !== null) return false;
  await endBar(tx.trx, id, { by, at });
  await noteReplayed(parts, tx, 'barred.lifted', lift, { barId: id });
  return true;
}

async function noteReplayed(
  { audit }: Parts,
  tx: Tx,
  action: 'barred.added' | 'barred.lifted' | 'guardian.ended',
  { childId }: EnteredBar | LiftedBar,
  details: Readonly<Record<string, string>>,
): Promise<void> {
  const subject = { kind: 'child', id: childId } as const;
  await audit.append(tx, { actor: null, action, subject, details: { ...details, replayed: true } });
}

/** Collectors as staff and families see them (decision 049). */
import type { Collector } from '@haris/contract/http/collectors';
import { photoPath } from '@haris/contract/http/photos';
import type { BarredAdult } from '@haris/contract/release';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCollector, findOpenPasses } from '../../db/collectors.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { facilityOrNull, inFacility, MAIN_FACILITY } from '../../facility.ts';
import {
  type KnownCollector,
  openCollector,
  readBarred,
  readCollectors,
  resemblesBarred,
} from '../../hand-over/adults.ts';
import { may } from '../../policy.ts';
import { recordBarredShown } from './barred.ts';
import { isOpenTo } from './collector-steps.ts';

/**
 * Today where the child is looked after, `YYYY-MM-DD`: at the facility of the current work; for a parent, at the only
 * facility of the child, or at the main one.
 */
export async function dayOf(
  { config, clock }: Context,
  db: Context['db'] | Tx['trx'],
  childId: string,
): Promise<string> {
  const own = facilityOrNull() ?? (await findFacilitiesOfChild(db, childId));
  const places = typeof own === 'string' ? [own] : own;
  const settings = await inFacility(places.length === 1 ? (places[0] ?? MAIN_FACILITY) : MAIN_FACILITY, () =>
    readSettings(db, config),
  );
  return localDay(clock.now(), settings.timeZone);
}

/** A collector as this account sees it: only staff see the document, and only with `barred.view` what the bars say of it. */
function present(
  known: KnownCollector,
  { kind }: Actor,
  passDay: string | null,
  barred: readonly BarredAdult[] | null,
): Collector {
  const { row, name, relation, phone, document, weekdays, photoId } = known;
  return {
    _id: row.id,
    childId: row.child_id,
    name,
    relation,
    phone,
    photo: photoId && photoPath(photoId),
    from: row.valid_from,
    until: row.valid_until,
    weekdays: [...weekdays],
    isConfirmed: row.confirmed_at !== null,
    ...(kind === 'admin' ? { document } : {}),
    passDay,
    ...(barred === null ? {} : { resemblesBarred: resemblesBarred(known, barred) }),
  };
}

/** Collectors as this account sees them. */
async function presentAll(
  context: Context,
  db: Context['db'] | Tx['trx'],
  actor: Actor,
  childId: string,
  known: readonly KnownCollector[],
): Promise<Collector[]> {
  const ids = known.map(({ row }) => row.id);
  const passes = await findOpenPasses(db, ids, await dayOf(context, db, childId));
  // No parent learns of a bar.
  const barred = may(actor, 'barred.view') ? await readBarred(context, db, childId) : null;
  return known.map((one) => present(one, actor, passes.get(one.row.id) ?? null, barred));
}

/** Whether one of them is marked: a mark beside a name tells who is barred, so the ledger records that staff have read it. */
const tellsOfBar = (shown: readonly Collector[]) => shown.some(({ resemblesBarred: is }) => is === true);

/** The collectors of a child that have not ended, as far as they are open to this account; see {@link isOpenTo}. */
export async function listCollectors(
  context: Context,
  actor: Actor,
  childId: string,
  mayTake: boolean | undefined,
): Promise<Collector[]> {
  const { db } = context;
  const known = await readCollectors(context, db, childId);
  const open = known.filter(({ row }) => isOpenTo(actor, mayTake, row));
  const shown = await presentAll(context, db, actor, childId, open);
  if (tellsOfBar(shown)) await inTransaction(db, (tx) => recordBarredShown(context, tx, actor, childId));
  return shown;
}

/** A collector after a change. Throws 404. */
export async function presentOne(context: Context, tx: Tx, actor: Actor, id: string): Promise<Collector> {
  const row = await findCollector(tx.trx, id);
  if (!row) throw new AppError('not_found');
  const known = await openCollector(context, tx.trx, row);
  const shown = await presentAll(context, tx.trx, actor, row.child_id, [known]);
  if (tellsOfBar(shown)) await recordBarredShown(context, tx, actor, row.child_id);
  const [collector] = shown;
  if (!collector) throw new AppError('not_found');
  return collector;
}

/** Barred adults: entered by staff, lifted by the owner (decision 049). No parent learns of them. */
import { BARRED_MAX, type BarredAdult, type ListedForBar } from '@haris/contract/http/barred';
import { photoPath } from '@haris/contract/http/photos';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { writeBlocked } from '../../blocking.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { endBar, findBar, findBarred, updateOthers } from '../../db/barred-adults.ts';
import { findChild, lockChild } from '../../db/children.ts';
import { findCollector } from '../../db/collectors.ts';
import { lockChildrenOf } from '../../db/guardians/children-of.ts';
import { findHeldGuardian } from '../../db/guardians/held.ts';
import { findPhotosOfAdults } from '../../db/photos.ts';
import { renewSlip } from '../../db/releases.ts';
import type { BarredAdultRow } from '../../db/schema.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';
import { type EndedGuardian, endWithBars, recordEnd } from '../../guardian-ends.ts';
import { type KnownBar, readAdults, readBars } from '../../hand-over/adults.ts';
import { type BarContent, contentsOf, writeBar } from '../../hand-over/inherited-bars.ts';
import { requireProof } from '../../http/proof.ts';
import { may } from '../../policy.ts';
import { requireRightsOverChild } from '../../staff-rights.ts';

/** What staff enter about a barred adult. */
export interface BarDetails {
  readonly name: string;
  readonly phone?: string | null | undefined;
  readonly note: string;
  readonly documentDate?: string | null | undefined;
  readonly adultId?: string | null | undefined;
  /** Also for the other children of the family. */
  readonly siblings: boolean;
  /** Also block the account, which is the barred adult's. */
  readonly blockAccount: boolean;
}

/** `photos`: ids of photos by bar. */
function present({ row, name, phone, note }: KnownBar, photos: ReadonlyMap<string, string>): BarredAdult {
  const photoId = photos.get(row.id);
  return {
    _id: row.id,
    childId: row.child_id,
    name,
    phone,
    note,
    documentDate: row.document_date,
    photo: photoId === undefined ? null : photoPath(photoId),
    adultId: row.adult_id,
    createdAt: toMoment(row.created_at),
  };
}

/** A list that is open reads itself anew with each event. */
const SHOWN_ONCE_MS = 5 * 60_000;

/** What of the bars of a child somebody has read. */
const readingOf = ({ vault }: Context, { id }: Actor, childId: string): Limit => ({
  scope: 'barred reading',
  key: vault.mac('throttle', JSON.stringify([id, childId])),
  most: 1,
  windowMs: SHOWN_ONCE_MS,
});

/** Records in the ledger that staff have read who must not be handed a child. */
async function recordBarredRead(context: Context, tx: Tx, actor: Actor, childId: string): Promise<void> {
  await countHit(tx.trx, [readingOf(context, actor, childId)], context.clock.now());
  await context.audit.append(tx, { actor, action: 'barred.read', subject: { kind: 'child', id: childId } });
}

/**
 * Records a doubt or a mark beside a name as a reading of the bars, unless the ledger has one of this person and child from the last
 * five minutes.
 */
export async function recordBarredShown(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
): Promise<void> {
  const once = readingOf(context, actor, childId);
  if ((await secondsUntilRoom(tx.trx, [once], context.clock.now())) !== null) return;
  await recordBarredRead(context, tx, actor, childId);
}

/** The adults to whom a child must not be handed, which the ledger records, and those who may be noted as somebody else. */
export async function listBarred(
  context: Context,
  actor: Actor,
  child: { readonly id: string; readonly parent_id: string },
): Promise<{ barred: BarredAdult[]; adults: ListedForBar[] }> {
  const bars = await readBars(context, context.db, child.id);
  if (bars.length === 0) return { barred: [], adults: [] };
  await inTransaction(context.db, (tx) => recordBarredRead(context, tx, actor, child.id));
  const adults = await readAdults(context, context.db, child);
  const photos = await findPhotosOfAdults(context.db, child.id, 'bar_id');
  return {
    barred: bars.map((bar) => present(bar, photos)),
    adults: adults.map(({ id, name, phone, photoId, shown }) => ({
      _id: id,
      name,
      phone,
      photo: photoId && photoPath(photoId),
      version: shown,
    })),
  };
}

/** A bar in force. Throws 404. */
export async function findKnown(
  context: Context,
  tx: Tx,
  { id, child_id }: Pick<BarredAdultRow, 'id' | 'child_id'>,
): Promise<KnownBar> {
  const known = (await readBars(context, tx.trx, child_id)).find(({ row }) => row.id === id);
  if (!known) throw new AppError('not_found');
  return known;
}

/** A bar after a change. Throws 404. */
export async function presentOne(
  context: Context,
  tx: Tx,
  bar: Pick<BarredAdultRow, 'id' | 'child_id'>,
): Promise<BarredAdult> {
  const photos = await findPhotosOfAdults(tx.trx, bar.child_id, 'bar_id');
  return present(await findKnown(context, tx, bar), photos);
}

/**
 * Bars an adult, and ends the guardian who it is, unless nobody else could answer for the child; with `siblings` for all children
 * of the family that this facility knows. With `blockAccount` it blocks the account in the same step: a bar alone leaves the only
 * account of a child its session, live video and care card. Throws 404, `too_many_barred`; with
 * `blockAccount` also 400, `forbidden`, `proof_required`.
 */
export async function addBarred(
  context: Context,
  actor: Actor,
  childId: string,
  details: BarDetails,
): Promise<BarredAdult> {
  const barred = await inTransaction(context.db, async (tx) => {
    const recordBlocked = details.blockAccount
      ? await blockAccountOf(context, tx, actor, childId, details.adultId)
      : undefined;
    const child = await lockChild(tx.trx, childId);
    if (!child) throw new AppError('not_found');
    // For this child the id must be known: otherwise the bar would silently lose whom it is for.
    const { adultId = null } = details;
    if (adultId !== null && !(await isAdultOf(tx, { id: childId, ...child }, adultId)))
      throw new AppError('not_found');
    if ((await findBarred(tx.trx, childId)).length >= BARRED_MAX) throw new AppError('too_many_barred');
    const children = details.siblings ? await lockSiblings(tx, child.parent_id) : [childId];
    const { name, phone = null, note, documentDate = null } = details;
    const content = { name, phone, note, documentDate, adultId };
    const first = await writeOne(context, tx, actor, childId, content);
    const written = [first];
    const added = await findKnown(context, tx, { id: first.barId, child_id: childId });
    const copies = await contentsOf(context, tx, added);
    // The family can end the collector and name the same person anew, so this child needs that person's name and phone, too.
    for (const copy of copies.slice(1)) written.push(await writeOne(context, tx, actor, childId, copy));
    for (const one of children.filter((other) => other !== childId))
      for (const copy of copies) written.push(await writeOne(context, tx, actor, one, copy));
    // Rows of children and codes before the audit chain, as a checkout locks them.
    await recordBlocked?.();
    for (const { ended, ...one } of written) {
      await recordBar(context, tx, actor, 'barred.added', one);
      if (ended) await recordEnd(context, tx, actor, ended);
    }
    return presentOne(context, tx, added.row);
  });
  await context.bars.update();
  return barred;
}

/** Locks the children of a family; returns their ids. The second look finds a child whose addition the first one waited for. */
export async function lockSiblings({ trx }: Tx, parentId: string): Promise<string[]> {
  await lockChildrenOf(trx, parentId);
  return (await lockChildrenOf(trx, parentId)).sort();
}

const NOT_THE_ACCOUNT = 'Only the account of the family can be blocked';

/** Locks the account before the child, as a block by itself does; returns what records the block. */
async function blockAccountOf(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  adultId: string | null | undefined,
): Promise<() => Promise<void>> {
  if (!may(actor, 'families.block')) throw new AppError('forbidden');
  const child = await findChild(tx.trx, childId);
  if (!child) throw new AppError('not_found');
  if (adultId !== child.parent_id)
    throw new AppError('invalid_request', {
      message: NOT_THE_ACCOUNT,
      fields: { blockAccount: NOT_THE_ACCOUNT },
    });
  await requireProof(context, actor, tx.trx);
  const record = await writeBlocked(context, tx, actor, child.parent_id, true);
  if (!record) throw new AppError('not_found');
  return record;
}

interface WrittenBar {
  readonly childId: string;
  readonly barId: string;
  /** The guardian whom the bar has ended. */
  readonly ended: EndedGuardian | null;
}

/** Writes a bar, and ends the guardian who it is, without audit rows and events. */
async function writeOne(
  context: Context,
  tx: Tx,
  actor: Actor,
  childId: string,
  content: BarContent,
): Promise<WrittenBar> {
  const barId = await writeBar(context, tx, childId, content, actor.id);
  // The barred adult may hold a slip that was printed today.
  await acrossFacilities(() => renewSlip(tx.trx, childId));
  const { adultId: parentId } = content;
  // Nobody else can answer for the child of the only account; staff may block that.
  const end =
    parentId === null ? 'not_found' : await endWithBars(context, tx, actor.id, { childId, parentId });
  return { childId, barId, ended: typeof end === 'string' ? null : end };
}

/**
 * Whether an id is that of the child's account, of another guardian or one who was asked, or of a collector, also of a blocked or an
 * ended one.
 */
async function isAdultOf(
  { trx }: Tx,
  child: { readonly id: string; readonly parent_id: string },
  adultId: string,
): Promise<boolean> {
  if (adultId === child.parent_id || (await findCollector(trx, adultId))?.child_id === child.id) return true;
  const pair = { childId: child.id, parentId: adultId };
  return (await acrossFacilities(() => findHeldGuardian(trx, pair))) !== undefined;
}

/** Writes the audit row, and an event for staff alone. */
export async function recordBar(
  context: Context,
  tx: Tx,
  actor: Actor,
  action:
    | 'barred.added'
    | 'barred.lifted'
    | 'barred.namesake_noted'
    | 'barred.photo_removed'
    | 'barred.photo_set',
  { childId, ...details }: { readonly childId: string; readonly barId: string; readonly adultId?: string },
): Promise<void> {
  await context.audit.append(tx, { actor, action, subject: { kind: 'child', id: childId }, details });
  await context.events.append(tx, { type: 'child.updated', childId });
}

/**
 * Locks the child of a bar that is in force, for somebody who may lift it wherever the child is known: the bar protects it
 * there, too. Throws 404, `beyond_own_rights`.
 */
async function lockBar(tx: Tx, actor: Actor, { id, child_id }: Pick<BarredAdultRow, 'id' | 'child_id'>) {
  const child = await lockChild(tx.trx, child_id);
  const row = await findBar(tx.trx, id);
  if (!child || !row || row.lifted_at !== null) throw new AppError('not_found');
  await requireRightsOverChild(tx.trx, actor, child_id, 'barred.lift');
  return { child: { id: child_id, ...child }, row };
}

/** Lifts a bar, and erases its photo. Throws 404, `beyond_own_rights`. */
export async function liftBar(context: Context, actor: Actor, known: BarredAdultRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { row } = await lockBar(tx, actor, known);
    await endBar(tx.trx, row.id, { by: actor.id, at: context.clock.now() });
    await recordBar(context, tx, actor, 'barred.lifted', { childId: row.child_id, barId: row.id });
  });
  await context.bars.update();
}

/**
 * Records that a listed adult is not the barred one, until that adult's name, phone or photo change. `version`: `shown` of the adult
 * whom the owner has seen. Throws 404, `beyond_own_rights`, `collector_changed`.
 */
export async function noteNamesake(
  context: Context,
  actor: Actor,
  known: BarredAdultRow,
  { adultId, version }: { readonly adultId: string; readonly version: string },
): Promise<BarredAdult> {
  return inTransaction(context.db, async (tx) => {
    const { child, row } = await lockBar(tx, actor, known);
    const adult = (await readAdults(context, tx.trx, child)).find(({ id }) => id === adultId);
    const bar = (await readBars(context, tx.trx, child.id)).find((one) => one.row.id === row.id);
    if (!adult || !bar) throw new AppError('not_found');
    // The family can give the adult another name or photo while the owner's form is open.
    if (adult.shown !== version) throw new AppError('collector_changed');
    const others = [
      ...bar.others.filter(({ id }) => id !== adultId),
      { id: adultId, version: adult.version },
    ];
    await updateOthers(tx.trx, row.id, JSON.stringify(others));
    await recordBar(context, tx, actor, 'barred.namesake_noted', {
      childId: child.id,
      barId: row.id,
      adultId,
    });
    return presentOne(context, tx, row);
  });
}

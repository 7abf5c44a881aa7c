/** Collectors and their passes: named by a family or by staff, and ended at once (decision 049). */
import { randomUUID } from 'node:crypto';
import { COLLECTORS_MAX, type Collector } from '@haris/contract/http/hand-over';
import { photoPath } from '@haris/contract/http/photos';
import { type BarredAdult, foldPersonName, isListedOn } from '@haris/contract/release';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { lockChild } from '../../db/children.ts';
import {
  findCollector,
  findCollectors,
  findOpenPasses,
  insertCollector,
  insertPass,
  revokePasses,
  updateCollector as updateRow,
} from '../../db/collectors.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { dropPhotos, hasPhoto, keepPhoto } from '../../db/photos.ts';
import type { CollectorRow } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { facilityOrNull, inFacility, MAIN_FACILITY } from '../../facility.ts';
import {
  type CollectorSecrets,
  type KnownCollector,
  openCollector,
  readBarred,
  readCollectors,
  resemblesBarred,
  sealCollector,
} from '../../hand-over/adults.ts';
import { may } from '../../policy.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { countChange } from '../../proposals/limits.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { askerOf } from '../../vision/client.ts';
import { toStoredPhoto } from '../../vision/stored-photo.ts';

/** Passes that a guardian may create in an hour. */
const PASSES_PER_HOUR = 20;

/** What a family tells about a collector. */
export interface CollectorDetails {
  readonly name: string;
  readonly relation: string;
  readonly phone?: string | null | undefined;
  readonly from?: string | null | undefined;
  readonly until?: string | null | undefined;
  readonly weekdays: readonly number[];
}

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

/** The bars of a child for staff who may see them; null for anybody else: no parent learns of one. */
async function barredFor(
  context: Context,
  db: Context['db'] | Tx['trx'],
  actor: Actor,
  childId: string,
): Promise<BarredAdult[] | null> {
  return may(actor, 'barred.view') ? readBarred(context, db, childId) : null;
}

/** The collectors of a child that have not ended. */
export async function listCollectors(context: Context, actor: Actor, childId: string): Promise<Collector[]> {
  const known = await readCollectors(context, context.db, childId);
  const ids = known.map(({ row }) => row.id);
  const passes = await findOpenPasses(context.db, ids, await dayOf(context, context.db, childId));
  const barred = await barredFor(context, context.db, actor, childId);
  return known.map((one) => present(one, actor, passes.get(one.row.id) ?? null, barred));
}

async function presentOne(context: Context, tx: Tx, actor: Actor, id: string): Promise<Collector> {
  const row = await findCollector(tx.trx, id);
  if (!row) throw new AppError('not_found');
  const passes = await findOpenPasses(tx.trx, [id], await dayOf(context, tx.trx, row.child_id));
  const known = await openCollector(context, tx.trx, row);
  const barred = await barredFor(context, tx.trx, actor, row.child_id);
  return present(known, actor, passes.get(id) ?? null, barred);
}

function columnsOf({ from, until, weekdays }: CollectorDetails) {
  return {
    valid_from: from ?? null,
    valid_until: until ?? null,
    weekdays: JSON.stringify([...new Set(weekdays)].sort()),
  };
}

async function recordChange(
  context: Context,
  tx: Tx,
  actor: Actor,
  action:
    | 'collector.added'
    | 'collector.updated'
    | 'collector.removed'
    | 'collector.photo_set'
    | 'collector.photo_removed',
  { child, collectorId }: { readonly child: { id: string; parent_id: string }; readonly collectorId: string },
): Promise<void> {
  await context.audit.append(tx, {
    actor,
    action,
    subject: { kind: 'child', id: child.id },
    details: { collectorId },
  });
  await context.events.append(tx, { type: 'child.updated', childId: child.id, parentId: child.parent_id });
}

/**
 * Counts a change by a parent, and mails the owner of the account: whoever has a stolen session could name a friend. Throws
 * `too_many_attempts`.
 */
async function admitChange(
  context: Context,
  tx: Tx,
  actor: Actor,
  change: 'collector' | 'pass',
): Promise<void> {
  if (actor.kind !== 'parent') return;
  if (change === 'collector') await countChange(context, tx, actor);
  await mailChanges(context, tx, actor.id, [change]);
}

/** Names a collector. Throws 404, `too_many_collectors`, `too_many_attempts`. */
export async function addCollector(
  context: Context,
  actor: Actor,
  childId: string,
  details: CollectorDetails,
): Promise<Collector> {
  const collector = await inTransaction(context.db, async (tx) => {
    const child = await lockChild(tx.trx, childId);
    if (!child) throw new AppError('not_found');
    if ((await findCollectors(tx.trx, childId)).length >= COLLECTORS_MAX)
      throw new AppError('too_many_collectors');
    await admitChange(context, tx, actor, 'collector');
    const id = randomUUID();
    const { name, relation, phone = null } = details;
    const secrets: CollectorSecrets = { name, relation, phone, document: null };
    await insertCollector(tx.trx, {
      id,
      child_id: childId,
      sealed: await sealCollector(context, tx, { id, childId }, secrets),
      ...columnsOf(details),
      version: 1,
      named_by: actor.id,
      created_at: context.clock.now(),
      confirmed_at: null,
      confirmed_by: null,
      ended_at: null,
    });
    await recordChange(context, tx, actor, 'collector.added', {
      child: { id: childId, ...child },
      collectorId: id,
    });
    return presentOne(context, tx, actor, id);
  });
  await context.mails.settled();
  return collector;
}

/** Locks the child of a collector that has not ended, and reads the collector again. Throws 404. */
async function lockCollector(tx: Tx, { id, child_id }: Pick<CollectorRow, 'id' | 'child_id'>) {
  const child = await lockChild(tx.trx, child_id);
  const row = await findCollector(tx.trx, id);
  if (!child || !row || row.ended_at !== null) throw new AppError('not_found');
  return { child: { id: child_id, ...child }, row };
}

/** Changes a collector. Another name or phone removes the confirmation and ends passes. Throws 404, `too_many_attempts`. */
export async function changeCollector(
  context: Context,
  actor: Actor,
  known: CollectorRow,
  details: CollectorDetails,
): Promise<Collector> {
  const collector = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, known);
    await admitChange(context, tx, actor, 'collector');
    const before = await openCollector(context, tx.trx, row);
    const { name, relation, phone = null } = details;
    const isSamePerson = foldPersonName(before.name) === foldPersonName(name) && before.phone === phone;
    const document = isSamePerson ? before.document : null;
    await updateRow(tx.trx, row.id, {
      sealed: await sealCollector(
        context,
        tx,
        { id: row.id, childId: child.id },
        { name, relation, phone, document },
      ),
      ...columnsOf(details),
      ...(isSamePerson ? {} : { version: row.version + 1, confirmed_at: null, confirmed_by: null }),
    });
    if (!isSamePerson) await revokePasses(tx.trx, row.id, context.clock.now());
    await recordChange(context, tx, actor, 'collector.updated', { child, collectorId: row.id });
    return presentOne(context, tx, actor, row.id);
  });
  await context.mails.settled();
  return collector;
}

/** The photo of a collector among those of the child. */
const photoOf = ({ id, child_id }: Pick<CollectorRow, 'id' | 'child_id'>) =>
  ({ kind: 'child', id: child_id, collectorId: id }) as const;

/**
 * Sets the photo of a collector. The confirmation and the passes end: staff have seen another face. Throws 404,
 * `too_many_attempts`, `unreadable_photo`, 503.
 */
export async function setCollectorPhoto(
  context: Context,
  actor: Actor,
  known: CollectorRow,
  photo: Buffer,
): Promise<Collector> {
  // Counted before the photo is decoded, which is much work.
  await inTransaction(context.db, (tx) => countChange(context, tx, actor));
  const jpeg = await toStoredPhoto(context, askerOf(actor), photo);
  const collector = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, known);
    if (actor.kind === 'parent') await mailChanges(context, tx, actor.id, ['collector']);
    await keepPhoto(context, tx, photoOf(row), jpeg, context.clock.now());
    await endConfirmation(context, tx, row);
    await recordChange(context, tx, actor, 'collector.photo_set', { child, collectorId: row.id });
    return presentOne(context, tx, actor, row.id);
  });
  await context.mails.settled();
  return collector;
}

/** Removes the photo of a collector, with the confirmation and the passes. Throws 404, `too_many_attempts`. */
export async function removeCollectorPhoto(
  context: Context,
  actor: Actor,
  known: CollectorRow,
): Promise<Collector> {
  const collector = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, known);
    if (await hasPhoto(tx.trx, photoOf(row))) {
      await admitChange(context, tx, actor, 'collector');
      await dropPhotos(tx, photoOf(row));
      await endConfirmation(context, tx, row);
      await recordChange(context, tx, actor, 'collector.photo_removed', { child, collectorId: row.id });
    }
    return presentOne(context, tx, actor, row.id);
  });
  await context.mails.settled();
  return collector;
}

/** Makes a collector one whom nobody has confirmed, and ends the passes. */
async function endConfirmation(context: Context, tx: Tx, row: CollectorRow): Promise<void> {
  const { name, relation, phone } = await openCollector(context, tx.trx, row);
  await updateRow(tx.trx, row.id, {
    sealed: await sealCollector(
      context,
      tx,
      { id: row.id, childId: row.child_id },
      { name, relation, phone, document: null },
    ),
    version: row.version + 1,
    confirmed_at: null,
    confirmed_by: null,
  });
  await revokePasses(tx.trx, row.id, context.clock.now());
}

/** Ends a collector and the passes at once, and erases the photo. Throws 404. */
export async function endCollector(context: Context, actor: Actor, known: CollectorRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, known);
    const at = context.clock.now();
    await updateRow(tx.trx, row.id, { ended_at: at });
    await dropPhotos(tx, photoOf(row));
    await revokePasses(tx.trx, row.id, at);
    await recordChange(context, tx, actor, 'collector.removed', { child, collectorId: row.id });
  });
}

/**
 * Creates the pass of a collector for a day, in place of an older one. Throws 404; `collector_not_listed` if the collector
 * may not come on that day, or the day is over; `too_many_attempts`.
 */
export async function createPass(
  context: Context,
  actor: Actor,
  known: CollectorRow,
  asked: string | undefined,
): Promise<{ token: string; day: string }> {
  const { clock, vault } = context;
  const today = await dayOf(context, context.db, known.child_id);
  const day = asked ?? today;
  const key = vault.mac('throttle', actor.id);
  const limit: Limit = { scope: 'pass', key, most: PASSES_PER_HOUR, windowMs: 3_600_000 };
  const token = randomToken();
  const retryAfter = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, known);
    const adult = (await readCollectors(context, tx.trx, child.id)).find((one) => one.row.id === row.id);
    const days = { from: row.valid_from, until: row.valid_until, weekdays: adult?.weekdays ?? [] };
    if (day < today || !isListedOn(days, day, new Date(day).getUTCDay()))
      throw new AppError('collector_not_listed');
    const seconds = await secondsUntilRoom(tx.trx, [limit], clock.now());
    if (seconds !== null) return seconds;
    await countHit(tx.trx, [limit], clock.now());
    await admitChange(context, tx, actor, 'pass');
    await revokePasses(tx.trx, row.id, clock.now());
    await insertPass(tx.trx, vault, {
      id: randomUUID(),
      collector_id: row.id,
      token_hash: hashToken(token),
      day,
      created_by: actor.id,
      created_at: clock.now(),
    });
    await context.audit.append(tx, {
      actor,
      action: 'collector.pass_created',
      subject: { kind: 'child', id: child.id },
      details: { collectorId: row.id, day },
    });
    return null;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await context.mails.settled();
  return { token, day };
}

/** Revokes the pass of a collector. Throws 404 if the collector has ended. */
export async function revokePass(context: Context, actor: Actor, known: CollectorRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, known);
    if (!(await revokePasses(tx.trx, row.id, context.clock.now()))) return;
    await context.audit.append(tx, {
      actor,
      action: 'collector.pass_revoked',
      subject: { kind: 'child', id: child.id },
      details: { collectorId: row.id },
    });
  });
}

/** Makes, corrects and signs entries of care logs, with their records in the audit log (decision 052). */
import { createHash, randomUUID } from 'node:crypto';
import { validityOf } from '@haris/contract/care-card';
import {
  asksSignature,
  CARE_LOG_AHEAD_MS,
  CARE_LOG_DAYS_BACK,
  type CareEntryContent,
  type CareSignature,
  type Sleep,
  sleepAfter,
} from '@haris/contract/care-log';
import {
  CARE_LOG_FUTURE,
  CARE_LOG_TOO_OLD,
  CARE_LOG_WRONG_CORRECTION,
  type PermittedMedicine,
} from '@haris/contract/http/care-log';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCareCard } from '../../db/care-cards.ts';
import {
  addCareEntry,
  type CareEntryView,
  findCareEntry,
  findValidEntriesSince,
  setSleepDue,
  signCareEntry,
} from '../../db/care-entries.ts';
import { lockChild } from '../../db/children.ts';
import { findDataKey, takeDataKey } from '../../db/data-keys.ts';
import { answerContext, askedHere, type KeyClaim, keepSealedAnswer, takeKey } from '../../db/idempotency.ts';
import { readSettings } from '../../db/settings.ts';
import { findOpenStay } from '../../db/stay-extensions.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { inFacility } from '../../facility.ts';
import { lockChildFor } from '../../guardian-rights.ts';

type Reader = Context['db'] | Tx['trx'];

export interface EntryInput {
  readonly entry: CareEntryContent;
  readonly at?: string | undefined;
  readonly corrects?: string | undefined;
}

export interface Made {
  readonly view: CareEntryView;
  readonly asleep: Sleep | null;
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_request', { message, fields: { [field]: message } });
}

/** The sleep of a child that goes on; null while it is awake or outside. */
export async function findSleep({ vault }: Context, db: Reader, childId: string): Promise<Sleep | null> {
  const stay = await findOpenStay(db, childId);
  if (!stay) return null;
  return sleepAfter(await findValidEntriesSince(db, vault, childId, stay.entry_time));
}

/** The id of the entry that an earlier request with this key has made; null for the first. Throws `idempotency_key_reused`. */
async function findMade(
  { vault, clock }: Context,
  { trx }: Tx,
  childId: string,
  claim: KeyClaim,
): Promise<string | null> {
  const earlier = await takeKey(trx, claim, clock.now());
  if (!earlier) return null;
  const dataKey = await findDataKey(trx, vault, 'child', childId);
  if (earlier.fingerprint !== claim.fingerprint || !earlier.sealed_answer || !dataKey)
    throw new AppError('idempotency_key_reused');
  return dataKey.open(answerContext(claim), earlier.sealed_answer).toString('utf8');
}

async function keepMade(
  { vault }: Context,
  { trx }: Tx,
  childId: string,
  claim: KeyClaim,
  id: string,
): Promise<void> {
  const dataKey = await takeDataKey(trx, vault, 'child', childId);
  await keepSealedAnswer(trx, claim, 201, dataKey.seal(answerContext(claim), Buffer.from(id)));
}

/**
 * Adds an entry, or one that corrects another; with an idempotency key at most once. Throws 404, 400, `not_inside`,
 * `already_asleep`, `not_asleep`, `medicine_not_permitted`, `care_entry_corrected`, `idempotency_key_reused`.
 */
export async function addEntry(
  context: Context,
  actor: Actor,
  childId: string,
  input: EntryInput,
  key: string | null,
): Promise<Made> {
  return inTransaction(context.db, async (tx) => {
    const child = await lockChild(tx.trx, childId);
    if (!child) throw new AppError('not_found');
    const asks = askedHere(`care-log ${childId} ${JSON.stringify(input)}`);
    const claim = key && {
      actorId: actor.id,
      key,
      fingerprint: createHash('sha256').update(asks).digest('hex'),
    };
    const made = claim && (await findMade(context, tx, childId, claim));
    if (made) return readMade(context, tx, childId, made);
    const id = await makeEntry(context, tx, actor, { id: childId, parentId: child.parent_id }, input);
    if (claim) await keepMade(context, tx, childId, claim, id);
    return readMade(context, tx, childId, id);
  });
}

async function readMade(context: Context, tx: Tx, childId: string, id: string): Promise<Made> {
  const asleep = await findSleep(context, tx.trx, childId);
  return { view: await requireEntry(context, tx, childId, id), asleep };
}

async function makeEntry(
  context: Context,
  tx: Tx,
  actor: Actor,
  { id: childId, parentId }: { readonly id: string; readonly parentId: string },
  input: EntryInput,
): Promise<string> {
  const { vault, clock } = context;
  const { trx } = tx;
  const corrected = await findCorrected(context, tx, childId, input);
  const now = clock.now();
  const at = momentOf(input, corrected, now);
  const { timeZone } = await readSettings(trx, context.config);
  const { entry } = input;
  await requireSleep(context, tx, childId, { entry, at, corrected });
  if (entry.kind === 'medicine')
    await requirePermission(context, tx, childId, {
      name: entry.name,
      corrected,
      day: localDay(at, timeZone),
    });
  const id = randomUUID();
  await addCareEntry(trx, vault, {
    ...{ id, childId, day: localDay(at, timeZone), at, recordedAt: now, recordedBy: actor.id },
    ...{ corrects: corrected?.id ?? null, content: entry },
    ...{ asksSignature: asksSignature(entry.kind), tellsFamily: entry.kind === 'accident' },
  });
  const stay = await findOpenStay(trx, childId);
  const asleep = await findSleep(context, trx, childId);
  // A sleep that began before another one ended would leave the child awake, and nobody would check it.
  if (entry.kind === 'sleep_start' && !corrected && asleep?.since !== at)
    throw new AppError('already_asleep');
  if (stay && (stay.sleep_due_at ?? null) !== (asleep?.dueAt ?? null))
    await setSleepDue(trx, stay.id, asleep?.dueAt ?? null);
  await context.audit.append(tx, {
    actor,
    action: corrected ? 'care_log.corrected' : 'care_log.recorded',
    subject: { kind: 'child', id: childId },
    details: { entry: id, ...(corrected ? { corrects: corrected.id } : {}) },
  });
  await context.events.append(tx, { type: 'care_log.changed', childId, parentId, audience: 'guardians' });
  return id;
}

async function requireEntry(
  { vault }: Context,
  { trx }: Tx,
  childId: string,
  id: string,
): Promise<CareEntryView> {
  const view = await findCareEntry(trx, vault, childId, id);
  if (!view) throw new AppError('not_found');
  return view;
}

/** The entry that is corrected; undefined for a new one. */
async function findCorrected(
  context: Context,
  tx: Tx,
  childId: string,
  { corrects, entry }: EntryInput,
): Promise<CareEntryView | undefined> {
  const isWithdrawal = entry.kind === 'withdrawn';
  if (corrects === undefined) {
    if (isWithdrawal) throw refuse('corrects', CARE_LOG_WRONG_CORRECTION);
    return undefined;
  }
  const view = await requireEntry(context, tx, childId, corrects);
  if (view.correctedBy !== null || view.content?.kind === 'withdrawn')
    throw new AppError('care_entry_corrected');
  if (!isWithdrawal && view.content?.kind !== entry.kind)
    throw refuse('entry.kind', CARE_LOG_WRONG_CORRECTION);
  return view;
}

/** When it happened. A clock that is a little ahead means now. */
function momentOf({ at }: EntryInput, corrected: CareEntryView | undefined, now: number): number {
  if (at === undefined) return corrected?.at ?? now;
  const moment = Date.parse(at);
  if (moment > now + CARE_LOG_AHEAD_MS) throw refuse('at', CARE_LOG_FUTURE);
  const oldest = Math.min(now - CARE_LOG_DAYS_BACK * 24 * 3_600_000, corrected?.at ?? now);
  if (moment < oldest) throw refuse('at', CARE_LOG_TOO_OLD);
  return Math.min(moment, now);
}

interface SleepInput {
  readonly entry: CareEntryContent;
  readonly at: number;
  readonly corrected: CareEntryView | undefined;
}

/**
 * Sleep is of a child that is inside: it begins while the child is awake, and is checked and ends while it is asleep. A
 * correction keeps the entry in its stay.
 */
async function requireSleep(
  context: Context,
  { trx }: Tx,
  childId: string,
  { entry: { kind }, at, corrected }: SleepInput,
): Promise<void> {
  if (kind !== 'sleep_start' && kind !== 'sleep_check' && kind !== 'sleep_end') return;
  const stay = await findOpenStay(trx, childId);
  if (corrected) {
    if (stay && corrected.at >= stay.entry_time && at < stay.entry_time) throw new AppError('not_inside');
    return;
  }
  if (!stay || at < stay.entry_time) throw new AppError('not_inside');
  const sleep = await findSleep(context, trx, childId);
  if (kind === 'sleep_start') {
    if (sleep) throw new AppError('already_asleep');
  } else if (!sleep || at < sleep.since) throw new AppError('not_asleep');
}

/** The medicines that the family has permitted and that have not ended on a local day. */
export async function findPermitted(
  { vault }: Context,
  db: Reader,
  childId: string,
  day: string,
): Promise<PermittedMedicine[]> {
  const card = (await findCareCard(db, vault, childId))?.card;
  return (card?.medicines ?? [])
    .filter(({ permitted, untilDate }) => permitted && validityOf(untilDate, day) !== 'ended')
    .map(({ name, dose, when }) => ({ name, dose, when }));
}

interface Given {
  readonly name: string;
  readonly corrected: CareEntryView | undefined;
  readonly day: string;
}

/** What was given already may be corrected, also if the family no longer permits it. */
async function requirePermission(
  context: Context,
  { trx }: Tx,
  childId: string,
  { name, corrected, day }: Given,
): Promise<void> {
  if (corrected?.content?.kind === 'medicine' && corrected.content.name === name) return;
  const permitted = await findPermitted(context, trx, childId, day);
  if (!permitted.some((medicine) => medicine.name === name)) throw new AppError('medicine_not_permitted');
}

/** Signs an entry for the family. Throws 404, `care_entry_corrected`, `care_entry_acknowledged`. */
export async function signEntry(
  context: Context,
  actor: Actor,
  childId: string,
  id: string,
  signature: CareSignature,
): Promise<CareEntryView> {
  return inTransaction(context.db, async (tx) => {
    await lockChildFor(tx, actor, childId, null);
    const view = await requireEntry(context, tx, childId, id);
    if (!view.asksSignature) throw new AppError('not_found');
    if (view.correctedBy !== null) throw new AppError('care_entry_corrected');
    // Nobody signs what nobody can read.
    if (view.content === null) throw new AppError('not_found');
    const at = context.clock.now();
    const isNew = await signCareEntry(tx.trx, context.vault, { id, childId, by: actor.id, at, signature });
    if (!isNew) throw new AppError('care_entry_acknowledged');
    const subject = { kind: 'child', id: childId } as const;
    await inFacility(view.facility, async () => {
      await context.audit.append(tx, { actor, action: 'care_log.signed', subject, details: { entry: id } });
      await context.events.append(tx, { type: 'care_log.changed', childId, parentId: actor.id });
    });
    return requireEntry(context, tx, childId, id);
  });
}

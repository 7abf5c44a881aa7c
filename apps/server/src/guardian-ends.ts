/** Ends a guardian of a child with all that the account has entered for the child (decision 049). */
import { canBeSamePerson } from '@haris/contract/release';
import type { Actor } from './actor.ts';
import { recordAboutChild } from './child-facts.ts';
import type { Context } from './context.ts';
import { findBarred } from './db/barred-adults.ts';
import { lockChild } from './db/children.ts';
import { endCollectors, endCollectorsOf, findCollectors, revokePassesBy } from './db/collectors.ts';
import { findFacilitiesOfChild } from './db/facilities.ts';
import { findFurtherChildIds, lockChildrenOf } from './db/guardians/children-of.ts';
import { endGuardian, giveToNext, type MayTakeOver } from './db/guardians/ends.ts';
import { findHeldGuardian, type HeldGuardian } from './db/guardians/held.ts';
import { findFamiliesOf } from './db/guardians/of-child.ts';
import { findAskedChildIds } from './db/guardians/requests.ts';
import { dropPickupsBy } from './db/pickups.ts';
import { endPickupCodes, renewSlip } from './db/releases.ts';
import type { Tx } from './db/transaction.ts';
import { acrossFacilities, inFacility } from './facility.ts';
import { isAccountBarred, readCollectors } from './hand-over/adults.ts';
import { type CopiedBar, copyBars, recordCopied } from './hand-over/inherited-bars.ts';
import { emitWithdrawn, type Withdrawn, withdrawRequests } from './kiosk-requests.ts';
import { withdrawProposedBy } from './proposals/propose.ts';

/** A child, and one of its guardians. */
interface Pair {
  readonly childId: string;
  readonly parentId: string;
}

/** What was withdrawn and is on the screens of the desk. */
export interface WithdrawnEntries {
  /** The facilities where the child is known. */
  readonly places: readonly string[];
  readonly asked: readonly { readonly place: string; readonly requests: Withdrawn }[];
  /** Whether a pick-up was announced. */
  readonly wasOnTheWay: boolean;
}

/**
 * Withdraws by what an account would take a child that the transaction has locked: requests at kiosks to fetch it, or all (`kind`),
 * and the announced pick-up. Slips that were printed prove nothing any more, nor do the account's passes for the child and its codes; for
 * the other children of the account its phone fetches another one.
 */
export async function withdrawTaking(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  pair: Pair,
  kind: 'pick_up' | 'all' = 'pick_up',
): Promise<WithdrawnEntries> {
  const { trx } = tx;
  const { childId, parentId } = pair;
  const at = clock.now();
  const places = await findFacilitiesOfChild(trx, childId);
  const asked: { place: string; requests: Withdrawn }[] = [];
  for (const place of places) {
    const of = { childId, parentId, ...(kind === 'all' ? {} : { kind }) };
    const requests = await inFacility(place, () => withdrawRequests(tx, of, { state: 'ended', at }));
    asked.push({ place, requests });
  }
  return acrossFacilities(async () => {
    const wasOnTheWay = await dropPickupsBy(trx, childId, parentId);
    await renewSlip(trx, childId);
    await revokePassesBy(trx, { namedBy: parentId, childId }, at);
    await endPickupCodes(trx, parentId);
    return { places, asked, wasOnTheWay };
  });
}

/** Does what {@link withdrawTaking} does, with the account's collectors and their passes, and its proposals. */
async function withdrawEntries(parts: Pick<Context, 'clock'>, tx: Tx, pair: Pair): Promise<WithdrawnEntries> {
  const { childId, parentId } = pair;
  const withdrawn = await withdrawTaking(parts, tx, pair, 'all');
  await acrossFacilities(async () => {
    await endCollectorsOf(tx.trx, { namedBy: parentId, childId, isAll: true }, parts.clock.now());
    await withdrawProposedBy(tx, childId, parentId);
  });
  return withdrawn;
}

/**
 * Ends the collectors who can be this guardian, by name or phone, if it may not take the child. As long as it is a guardian, they are not
 * offered to the desk; its end must not give the child to it. Returns their ids.
 */
async function endAliases(
  { clock, vault }: Pick<Context, 'clock' | 'vault'>,
  { trx }: Tx,
  childId: string,
  guardian: HeldGuardian,
): Promise<string[]> {
  if (guardian.mayTake) return [];
  // Nobody can be handed the child on what cannot be read, and a lost key must not keep a guardian: then all end.
  const known = await readCollectors({ vault }, trx, childId).catch(async () =>
    (await findCollectors(trx, childId)).map((row) => ({ row, name: guardian.name, phone: null })),
  );
  const same = known.filter((one) => canBeSamePerson(guardian, one)).map(({ row }) => row.id);
  await endCollectors(trx, same, clock.now());
  return same;
}

/** Collectors of a child who can be a guardian that has ended. */
export interface EndedAliases {
  readonly childId: string;
  readonly aliases: readonly string[];
}

/**
 * Does for the children whose further guardian an account is what {@link endAndWithdraw} does about collectors who can be the same person:
 * the account is deleted. Returns them, to be recorded with {@link recordAliases}. Call it across facilities.
 */
export async function endAliasesOf(
  parts: Pick<Context, 'clock' | 'vault'>,
  tx: Tx,
  parentId: string,
): Promise<EndedAliases[]> {
  const ended: EndedAliases[] = [];
  for (const childId of (await findFurtherChildIds(tx.trx, parentId)).sort()) {
    await lockChild(tx.trx, childId);
    const held = await findHeldGuardian(tx.trx, { childId, parentId });
    if (held && held.acceptedAt !== null)
      ended.push({ childId, aliases: await endAliases(parts, tx, childId, held) });
  }
  return ended;
}

/** Records that collectors ended with a guardian. */
export async function recordAliases(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  { childId, aliases }: EndedAliases,
): Promise<void> {
  for (const collectorId of aliases)
    await recordAboutChild(context, tx, childId, {
      actor,
      action: 'collector.removed',
      details: { collectorId },
    });
}

/** Emits what {@link withdrawTaking} or {@link withdrawEntries} changed. Append the audit row first. */
export async function emitWithdrawnEntries(
  context: Context,
  tx: Tx,
  { childId, parentId }: Pair,
  { places, asked, wasOnTheWay }: WithdrawnEntries,
): Promise<void> {
  for (const { place, requests } of asked)
    await inFacility(place, () => emitWithdrawn(context, tx, requests));
  if (!wasOnTheWay) return;
  const ended = { type: 'child.on_my_way_ended', childId, parentId } as const;
  for (const place of places) await inFacility(place, () => context.events.append(tx, ended));
}

/**
 * Tells staff wherever the child is known that its guardians have changed, and the accounts whose question or right it is. Append
 * the audit row first.
 */
export async function emitGuardians(
  context: Context,
  tx: Tx,
  childId: string,
  parentIds: readonly string[],
): Promise<void> {
  const fact = { type: 'guardian.changed', childId } as const;
  for (const place of await findFacilitiesOfChild(tx.trx, childId))
    await inFacility(place, () => context.events.append(tx, fact));
  for (const parentId of parentIds)
    await context.events.append(tx, { ...fact, parentId, audience: 'account' });
}

/** A guardian, or a question to one, that has ended, with what ended too. */
export interface EndedGuardian extends Pair, EndedAliases {
  /** The first guardian from now on; null if that is the same as before. */
  readonly passedOn: string | null;
  /** Null for a question: who has only been asked could enter nothing. */
  readonly withdrawn: WithdrawnEntries | null;
  /** Bars of the other children of the new first guardian that the child has from now on. */
  readonly copied: readonly CopiedBar[];
  /** Further guardians whom these bars have ended. */
  readonly further: readonly EndedGuardian[];
}

/** Nobody who is barred from the child, or has the name or phone of somebody who is, or a name that sounds like it. */
function takeOverRule({ vault }: Pick<Context, 'vault'>, { trx }: Tx): MayTakeOver {
  return async (childId, parentId) => !(await isAccountBarred({ vault }, trx, childId, parentId));
}

/**
 * Ends a guardian, or the question to one, in the database alone, and withdraws what the account has entered for the child. The
 * first guardian passes the child on to who neither is barred from taking it, nor has the name or phone of somebody who is, or a
 * name that sounds like it: `last_guardian`, without any change, if nobody else could answer for it. `not_found`: there is no such
 * child here, or no such guardian. Of one who may not take the child, collectors who can be the same person end too. `by`: who ends it.
 */
export async function endAndWithdraw(
  parts: Pick<Context, 'clock' | 'vault'>,
  tx: Tx,
  by: string,
  pair: Pair,
): Promise<EndedGuardian | 'last_guardian' | 'not_found'> {
  const { childId } = pair;
  const before = await lockChild(tx.trx, childId);
  if (!before) return 'not_found';
  const held = await acrossFacilities(() => findHeldGuardian(tx.trx, pair));
  if (!held) return 'not_found';
  const end = await endGuardian(tx.trx, pair, {
    by,
    at: parts.clock.now(),
    mayTakeOver: takeOverRule(parts, tx),
  });
  if (end !== 'ended') return end;
  const withdrawn = held.acceptedAt === null ? null : await withdrawEntries(parts, tx, pair);
  const aliases = withdrawn ? await acrossFacilities(() => endAliases(parts, tx, childId, held)) : [];
  const first = (await findFamiliesOf(tx.trx, [childId])).get(childId) ?? before.parent_id;
  const passedOn = first === before.parent_id ? null : first;
  return { ...pair, passedOn, withdrawn, aliases, copied: [], further: [] };
}

/**
 * Does what {@link endAndWithdraw} does; a child that is passed on also gets the bars of the other children of its new first guardian,
 * which end its guardians whom they name. Live pictures end by themselves, because they ask who is a guardian now. Locks children,
 * so append audit rows afterwards, with {@link recordEnd}.
 */
export async function endWithBars(
  context: Context,
  tx: Tx,
  by: string,
  pair: Pair,
): Promise<EndedGuardian | 'last_guardian' | 'not_found'> {
  const ended = await endAndWithdraw(context, tx, by, pair);
  if (typeof ended === 'string' || ended.passedOn === null) return ended;
  const { childId, passedOn } = ended;
  const copied = await copyBars(context, tx, { id: childId, parentId: passedOn });
  const further: EndedGuardian[] = [];
  for (const parentId of new Set(copied.map(({ adultId }) => adultId))) {
    // Nobody else could answer for the child of an account that is barred from a sister.
    if (parentId === null || parentId === passedOn) continue;
    const other = await endAndWithdraw(context, tx, by, { childId, parentId });
    if (typeof other !== 'string') further.push(other);
  }
  return { ...ended, copied, further };
}

/** Records and emits the end of a guardian. */
export async function recordEnd(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  ended: EndedGuardian,
): Promise<void> {
  const { childId, parentId, passedOn } = ended;
  await recordAboutChild(context, tx, childId, {
    actor,
    action: 'guardian.ended',
    details: { parentId, ...(passedOn === null ? {} : { passedOn }) },
  });
  await emitEnd(context, tx, actor, ended);
}

/** Does what {@link recordEnd} does, for a caller whose audit row says who has ended. */
export async function emitEnd(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  ended: EndedGuardian,
): Promise<void> {
  const { childId, parentId, passedOn, withdrawn, copied, further } = ended;
  await recordAliases(context, tx, actor, ended);
  await recordCopied(context, tx, actor, childId, copied);
  for (const other of further) await recordEnd(context, tx, actor, other);
  await emitGuardians(context, tx, childId, passedOn === null ? [parentId] : [parentId, passedOn]);
  if (!withdrawn) return;
  await emitWithdrawnEntries(context, tx, ended, withdrawn);
  // Staff see other collectors, and perhaps another family; the new one reads what is for the first guardian alone.
  const changed = { type: 'child.updated', childId, parentId: passedOn } as const;
  for (const place of withdrawn.places) await inFacility(place, () => context.events.append(tx, changed));
}

/**
 * Passes on the children of an account that is deleted, without audit rows and events. `left`: ids of those who have nobody who could
 * answer for them, sorted. Call it across facilities.
 */
export async function passOnChildren(
  context: Context,
  tx: Tx,
  parentId: string,
): Promise<{ left: string[]; passed: EndedGuardian[] }> {
  const left: string[] = [];
  const passed: EndedGuardian[] = [];
  for (const childId of (await lockChildrenOf(tx.trx, parentId)).sort()) {
    const ended = await endWithBars(context, tx, parentId, { childId, parentId });
    if (typeof ended === 'string') left.push(childId);
    else passed.push(ended);
  }
  return { left, passed };
}

/**
 * Once somebody has accepted, or got a right: ends a first guardian who is barred from the child by account, if somebody else can answer
 * for it now, without audit rows and events: nobody could when the bar was entered. A child for whom nobody answers, after the restore
 * of a backup, gets a first guardian. Lock the child first.
 */
export async function settleFirst(
  context: Context,
  tx: Tx,
  childId: string,
): Promise<EndedGuardian | undefined> {
  await giveToNext(tx.trx, childId, takeOverRule(context, tx));
  const parentId = (await findFamiliesOf(tx.trx, [childId])).get(childId);
  const bar = (await findBarred(tx.trx, childId)).find(({ adult_id: id }) => id === parentId);
  if (parentId === undefined || !bar) return undefined;
  const ended = await endWithBars(context, tx, bar.created_by, { childId, parentId });
  return typeof ended === 'string' ? undefined : ended;
}

/**
 * Ends all questions to an account, without audit rows and events: its address has changed, and staff have asked the owner of the
 * former one. Lock the account first.
 */
export async function endQuestions(context: Context, tx: Tx, parentId: string): Promise<EndedGuardian[]> {
  return acrossFacilities(async () => {
    const ended: EndedGuardian[] = [];
    for (const childId of await findAskedChildIds(tx.trx, parentId)) {
      const one = await endAndWithdraw(context, tx, parentId, { childId, parentId });
      if (typeof one !== 'string') ended.push(one);
    }
    return ended;
  });
}

/** Records and emits the end of questions, at the facilities of each child. */
export async function recordEndedQuestions(
  context: Context,
  tx: Tx,
  actor: Actor | null,
  ended: readonly EndedGuardian[],
): Promise<void> {
  await acrossFacilities(async () => {
    for (const one of ended) await recordEnd(context, tx, actor, one);
  });
}

/** Who may take a child, and who took it: for the desk and for the family (decision 049). */
import { randomUUID } from 'node:crypto';
import { type HandOver, RELEASE_SHOWN_MS, type Release } from '@haris/contract/http/hand-over';
import { photoPath } from '@haris/contract/http/photos';
import { demandsOf, doubtsAbout, foldPersonName, isListedOn } from '@haris/contract/release';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import {
  type ChildView,
  findChild,
  findChildrenByIds,
  findGuardedChildren,
  lockChild,
} from '../../db/children.ts';
import { findCollector, findPass } from '../../db/collectors.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { findGuardiansOf } from '../../db/guardians/of-child.ts';
import {
  findCodeEpoch,
  findRelease,
  findReleasesSince,
  markUnexpected,
  type ReleaseView,
  saidUnexpected,
  takeCodeEpoch,
} from '../../db/releases.ts';
import { readSettings } from '../../db/settings.ts';
import { findDeskStaff } from '../../db/staff-pins.ts';
import { findChildIdsInside, hasChildToTake } from '../../db/stays.ts';
import { inTransaction } from '../../db/transaction.ts';
import { inFacility, MAIN_FACILITY } from '../../facility.ts';
import { firstNameOf } from '../../first-name.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { openCollector, readersOf, readKnownAdults, voucherOf } from '../../hand-over/adults.ts';
import { pickupSecret } from '../../hand-over/secrets.ts';
import { isOidcSignInDue } from '../../oidc-due.ts';
import { may } from '../../policy.ts';
import { hashToken } from '../../vault/vault.ts';
import { recordBarredShown } from './barred.ts';
import { dayOf } from './collector-views.ts';

type Child = Pick<ChildView, 'id' | 'name' | 'parent_id' | 'guardians'>;

/** The other children inside who have the child's first name, however it is spelt, by name. */
async function readNamesakes({ db }: Context, child: Child): Promise<HandOver['namesakes']> {
  const fold = ({ name }: { readonly name: string }) => foldPersonName(firstNameOf(name));
  const inside = await findChildrenByIds(db, await findChildIdsInside(db));
  return inside
    .filter((other) => other.id !== child.id && fold(other) === fold(child))
    .sort((a, b) => (a.sort_name < b.sort_name ? -1 : 1))
    .map(({ id, name, photo_id }) => ({ _id: id, name, photo: photo_id && photoPath(photo_id) }));
}

/** Colleagues whose PIN counts as a second person's; not one whom the desk would send to the provider first. */
async function findSeconds({ db, clock }: Context, actor: Actor): Promise<{ id: string; name: string }[]> {
  const seconds: { id: string; name: string }[] = [];
  for (const { id, name, hasPin, hasPassword } of await findDeskStaff(db)) {
    if (!hasPin || id === actor.id) continue;
    const isDue = !hasPassword && (await isOidcSignInDue(db, { id, password_hash: '' }, clock.now()));
    if (!isDue) seconds.push({ id, name });
  }
  return seconds;
}

/**
 * Who may take a child, and what the facility asks for at its checkout. Doubts are for staff who may see who is barred, and are
 * a reading of that, which the ledger records.
 */
export async function readHandOver(context: Context, actor: Actor, child: Child): Promise<HandOver> {
  const { db, config } = context;
  const settings = await readSettings(db, config);
  const day = await dayOf(context, db, child.id);
  const weekday = new Date(day).getUTCDay();
  const { adults, barred, notTaking } = await readKnownAdults(context, db, child);
  const hasBarred = barred.length > 0;
  const { handover: mode, handoverStaffProofs: staffProofs } = settings;
  const demands = demandsOf({ mode, staffProofs, hasNotTaking: notTaking.length > 0 }, hasBarred);
  const colleagues = await findSeconds(context, actor);
  const doubts = may(actor, 'barred.view')
    ? new Map(adults.map((adult) => [adult.id, doubtsAbout(adult, barred)]))
    : null;
  if (doubts && [...doubts.values()].some(({ length }) => length > 0))
    await inTransaction(db, (tx) => recordBarredShown(context, tx, actor, child.id));
  return {
    mode,
    hasBarred,
    ...demands,
    staffProofs: [...demands.staffProofs],
    namesakes: await readNamesakes(context, child),
    adults: adults.map(({ photoId, ...adult }) => ({
      _id: adult.id,
      kind: adult.kind,
      name: adult.name,
      relation: adult.relation,
      phone: adult.phone,
      photo: photoId && photoPath(photoId),
      isToday: isListedOn(adult, day, weekday),
      isConfirmed: adult.isConfirmed,
      version: adult.shown,
      ...(doubts && { doubts: doubts.get(adult.id) ?? [] }),
    })),
    notTaking: notTaking.map(({ id, name, photo_id: photoId }) => ({
      _id: id,
      name,
      photo: photoId && photoPath(photoId),
    })),
    colleagues: colleagues.map(({ id, name }) => ({ _id: id, name })),
  };
}

/**
 * The secret of the account's pick-up code; null while no child is inside that it may take. A new one is made under the locks of its
 * children: a right that is taken away at this moment would end no codes, and find one when it is given again.
 */
export async function takePickupSecret(
  { db, vault, clock }: Context,
  parentId: string,
): Promise<string | null> {
  if (!(await hasChildToTake(db, parentId))) return null;
  const known = await findCodeEpoch(db, parentId);
  if (known !== undefined) return pickupSecret(vault, parentId, known);
  const children = (await findGuardedChildren(db, [parentId])).map(({ id }) => id);
  return inTransaction(db, async ({ trx }) => {
    for (const childId of children.sort()) await lockChild(trx, childId);
    if (!(await hasChildToTake(trx, parentId))) return null;
    return pickupSecret(vault, parentId, await takeCodeEpoch(trx, parentId, randomUUID(), clock.now()));
  });
}

/**
 * Who took the children lately whose guardian the account is, newest first, since it is one; nobody is named to an account that may
 * not take the child, or whose owner is barred.
 */
export async function listReleases(context: Context, parentId: string): Promise<Release[]> {
  const { db, clock } = context;
  const children = await findGuardedChildren(db, [parentId]);
  const known = new Map<string, { child: ChildView; trusted: ReadonlySet<string> }>();
  for (const child of children)
    known.set(child.id, { child, trusted: (await readKnownAdults(context, db, child)).trusted });
  const found = await findReleasesSince(db, [...known.keys()], clock.now() - RELEASE_SHOWN_MS);
  const releases: Release[] = [];
  for (const row of found) {
    const about = known.get(row.child_id);
    if (!about || row.at < guardianSince(about.child, parentId)) continue;
    releases.push({
      stayId: row.stay_id,
      child: { _id: row.child_id, name: about.child.name },
      at: toMoment(row.at),
      adult: await readTaker(context, row, { ...about, parentId }),
      proof: row.proof,
      releasedBy: row.released_by_name,
      secondBy: row.second_by_name,
      isUnexpected: saidUnexpected(row).includes(parentId),
    });
  }
  return releases;
}

/** When an account has become a guardian of a child, in milliseconds since 1970; infinite if it is none. */
function guardianSince({ guardians }: Pick<ChildView, 'guardians'>, parentId: string): number {
  return guardians.find((one) => one.parentId === parentId)?.since ?? Infinity;
}

interface Reader {
  readonly parentId: string;
  readonly child: Pick<ChildView, 'id' | 'guardians' | 'parent_id'>;
  readonly trusted: ReadonlySet<string>;
}

/** Who took the child, as far as this guardian may learn it ({@link readersOf}): null for one who must not. */
async function readTaker(
  context: Context,
  row: ReleaseView,
  { parentId, child, trusted }: Reader,
): Promise<Release['adult']> {
  if (row.adult_id === null || row.adult_kind === null || !trusted.has(parentId)) return null;
  if (row.adult_kind === 'guardian') {
    // One who has ended since, or was barred, is nobody of the child any more.
    const name = child.guardians.find((one) => one.parentId === row.adult_id)?.name ?? '';
    return { kind: 'guardian', name: row.adult_id === parentId ? null : name, relation: null };
  }
  const collector = await findCollector(context.db, row.adult_id);
  const nameless = { kind: 'collector', name: null, relation: null } as const;
  if (!collector) return nameless;
  const voucher = await voucherOf(context.db, child, collector.named_by);
  if (!readersOf({ kind: 'collector', voucher }, trusted).has(parentId)) return { ...nameless, name: '' };
  const { name, relation } = await openCollector(context, context.db, collector);
  return { kind: 'collector', name, relation };
}

/** Records that a guardian did not expect a release; again changes nothing. Throws 404, also for an older one. */
export async function reportUnexpected(context: Context, actor: Actor, stayId: string): Promise<void> {
  const { db, clock } = context;
  await inTransaction(db, async (tx) => {
    const found = await findRelease(tx.trx, stayId);
    if (!found) throw new AppError('not_found');
    await lockChildFor(tx, actor, found.child_id, null, 'any');
    // As it is under the lock: another guardian may say the same at this moment, and staff may undo the checkout.
    const release = await findRelease(tx.trx, stayId);
    const at = clock.now();
    if (!release || release.at < at - RELEASE_SHOWN_MS) throw new AppError('not_found');
    const guardians = await findGuardiansOf(tx.trx, release.child_id);
    if (Number(release.at) < guardianSince({ guardians }, actor.id)) throw new AppError('not_found');
    if (saidUnexpected(release).includes(actor.id)) return;
    await markUnexpected(tx.trx, release, { by: actor.id, at });
    await context.audit.append(tx, {
      actor,
      action: 'child.release_unexpected',
      subject: { kind: 'child', id: release.child_id },
      details: { stayId },
    });
    await context.events.append(tx, {
      type: 'child.updated',
      childId: release.child_id,
      parentId: actor.id,
    });
  });
}

/** What a pass is for. Throws `invalid_token`. */
export async function readPass(context: Context, token: string) {
  const { db, vault, config } = context;
  const pass = await findPass(db, vault, hashToken(token));
  const collector = pass && (await findCollector(db, pass.collector_id));
  const child = collector && (await findChild(db, collector.child_id));
  if (!pass || !collector || !child) throw new AppError('invalid_token');
  const { name } = await openCollector(context, db, collector);
  const [facility = MAIN_FACILITY] = await findFacilitiesOfChild(db, child.id);
  const settings = await inFacility(facility, () => readSettings(db, config));
  const day = await dayOf(context, db, child.id);
  const isRevoked = pass.revoked_at !== null || collector.ended_at !== null;
  const timely = pass.day < day ? 'past' : pass.day > day ? 'early' : 'valid';
  const state = pass.used_stay_id !== null ? 'used' : isRevoked ? 'revoked' : timely;
  const isAlive = state === 'valid' || state === 'early';
  return {
    // A link stays in chats for years, and a revoked one may be with a stranger.
    childFirstName: isAlive ? firstNameOf(child.name) : '',
    collector: isAlive ? name : '',
    day: pass.day,
    facility: settings.facilityName,
    state,
  } as const;
}

/** Who may take a child, and who took it: for the desk and for the family (decision 049). */
import { randomUUID } from 'node:crypto';
import { type HandOver, RELEASE_SHOWN_MS, type Release } from '@haris/contract/http/hand-over';
import { photoPath } from '@haris/contract/http/photos';
import { demandsOf, doubtsAbout, foldPersonName, isListedOn } from '@haris/contract/release';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChildView, findChild, findChildrenByIds, findChildrenOf } from '../../db/children.ts';
import { findCollector, findPass } from '../../db/collectors.ts';
import { findFacilitiesOfChild } from '../../db/facilities.ts';
import { findGuardiansOf } from '../../db/guardians.ts';
import {
  findRelease,
  findReleasesSince,
  markUnexpected,
  type ReleaseView,
  takeCodeEpoch,
} from '../../db/releases.ts';
import { readSettings } from '../../db/settings.ts';
import { findStaffMember } from '../../db/staff.ts';
import { findDeskStaff } from '../../db/staff-pins.ts';
import { findChildIdsInside, hasChildInside } from '../../db/stays.ts';
import { inTransaction } from '../../db/transaction.ts';
import { acrossFacilities, inFacility, MAIN_FACILITY } from '../../facility.ts';
import { firstNameOf } from '../../first-name.ts';
import { lockChildFor } from '../../guardian-rights.ts';
import { openCollector, readKnownAdults } from '../../hand-over/adults.ts';
import { pickupSecret } from '../../hand-over/secrets.ts';
import { isOidcSignInDue } from '../../oidc-due.ts';
import { may } from '../../policy.ts';
import { hashToken } from '../../vault/vault.ts';
import { recordBarredShown } from './barred.ts';
import { dayOf } from './collector-views.ts';

type Child = { readonly id: string; readonly name: string; readonly parent_id: string };

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
  const { adults, barred } = await readKnownAdults(context, db, child);
  const hasBarred = barred.length > 0;
  const { handover: mode, handoverStaffProofs: staffProofs } = settings;
  const demands = demandsOf({ mode, staffProofs }, hasBarred);
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
    colleagues: colleagues.map(({ id, name }) => ({ _id: id, name })),
  };
}

/** The secret of the family's pick-up code; null while no child is inside. */
export async function takePickupSecret(
  { db, vault, clock }: Context,
  parentId: string,
): Promise<string | null> {
  if (!(await hasChildInside(db, parentId))) return null;
  return inTransaction(db, async ({ trx }) =>
    pickupSecret(vault, parentId, await takeCodeEpoch(trx, parentId, randomUUID(), clock.now())),
  );
}

/**
 * Who took the family's children lately, newest first, since the account is a guardian; nobody is named to an account whose owner is
 * barred.
 */
export async function listReleases(context: Context, parentId: string): Promise<Release[]> {
  const { db, clock } = context;
  const children = await findChildrenOf(db, [parentId]);
  const names = new Map(children.map(({ id, name }) => [id, name]));
  const since = new Map(children.map((child) => [child.id, guardianSince(child, parentId)]));
  const found = await findReleasesSince(db, [...names.keys()], clock.now() - RELEASE_SHOWN_MS);
  const rows = found.filter(({ child_id: id, at }) => at >= (since.get(id) ?? Infinity));
  const trusting = new Set<string>();
  for (const child of children)
    if ((await readKnownAdults(context, db, child)).isTrusted) trusting.add(child.id);
  return Promise.all(
    rows.map(async (row) => ({
      stayId: row.stay_id,
      child: { _id: row.child_id, name: names.get(row.child_id) ?? '' },
      at: toMoment(row.at),
      adult: trusting.has(row.child_id) ? await readTaker(context, row, parentId) : null,
      proof: row.proof,
      releasedBy: row.released_by_name,
      secondBy: row.second_by_name,
      isUnexpected: row.unexpected_at !== null,
    })),
  );
}

/** When an account has become a guardian of a child, in milliseconds since 1970; infinite if it is none. */
function guardianSince({ guardians }: Pick<ChildView, 'guardians'>, parentId: string): number {
  return guardians.find((one) => one.parentId === parentId)?.since ?? Infinity;
}

/** Nobody of another household is named: an adult whom neither the account nor staff have named. */
async function readTaker(context: Context, row: ReleaseView, parentId: string): Promise<Release['adult']> {
  if (row.adult_id === null || row.adult_kind === null) return null;
  if (row.adult_kind === 'guardian')
    return { kind: 'guardian', name: row.adult_id === parentId ? null : '', relation: null };
  const collector = await findCollector(context.db, row.adult_id);
  const nameless = { kind: 'collector', name: null, relation: null } as const;
  if (!collector) return nameless;
  const { named_by: by } = collector;
  if (by !== parentId && !(await acrossFacilities(() => findStaffMember(context.db, by)))) return nameless;
  const { name, relation } = await openCollector(context, context.db, collector);
  return { kind: 'collector', name, relation };
}

/** Records that the family did not expect a release; again changes nothing. Throws 404, also for an older one. */
export async function reportUnexpected(context: Context, actor: Actor, stayId: string): Promise<void> {
  const { db, clock } = context;
  await inTransaction(db, async (tx) => {
    const release = await findRelease(tx.trx, stayId);
    const at = clock.now();
    if (!release || release.at < at - RELEASE_SHOWN_MS) throw new AppError('not_found');
    const child = await lockChildFor(tx, actor, release.child_id, null);
    const guardians = await findGuardiansOf(tx.trx, release.child_id);
    if (Number(release.at) < guardianSince({ guardians }, actor.id)) throw new AppError('not_found');
    if (!(await markUnexpected(tx.trx, stayId, { by: actor.id, at }))) return;
    await context.audit.append(tx, {
      actor,
      action: 'child.release_unexpected',
      subject: { kind: 'child', id: release.child_id },
      details: { stayId },
    });
    await context.events.append(tx, {
      type: 'child.updated',
      childId: release.child_id,
      parentId: child.parent_id,
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

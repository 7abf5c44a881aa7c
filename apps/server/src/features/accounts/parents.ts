/** Adds and deletes parents. A parent is added by registering, or by staff at the desk. */
import { randomUUID } from 'node:crypto';
import type { Language } from '@haris/contract/fields';
import type { Permission } from '@haris/contract/permissions';
import type { Actor, Visitor } from '../../actor.ts';
import { countAdded } from '../../added-families.ts';
import { AppError } from '../../app-error.ts';
import { refuseBesideSample } from '../../beside-sample.ts';
import type { Context } from '../../context.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { findFurtherChildIds, findHeldPlaces } from '../../db/guardians/children-of.ts';
import { hasOtherGuardian } from '../../db/guardians/of-child.ts';
import {
  findParent,
  findParentByEmail,
  findParentView,
  insertParent,
  lockParentForDeletion,
  type ParentView,
} from '../../db/parents.ts';
import { hasChildInside } from '../../db/stays.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { dropOldestStrangersPhotos } from '../../db/unverified-parents.ts';
import { eraseParent } from '../../erasure/people.ts';
import { acrossFacilities, currentFacility, inFacility } from '../../facility.ts';
import {
  type EndedAliases,
  type EndedGuardian,
  emitEnd,
  emitGuardians,
  endAliasesOf,
  passOnChildren,
  recordAliases,
} from '../../guardian-ends.ts';
import { roughNetworkOf } from '../../http/network.ts';
import { mailLink } from '../../mail/account-mails.ts';
import { requireRights } from '../../staff-rights.ts';
import { hashPassword } from '../../vault/passwords.ts';
import { createBrowserKey } from './browser-keys.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { countRegistration } from './limits.ts';
import { normalizePhoto, setParentPhoto } from './parent-photo.ts';

/**
 * Photos that are kept for people who have not verified their e-mail, 400 kB each at most. Beyond it the oldest goes, so that
 * strangers cannot fill the disk.
 */
const STRANGERS_PHOTOS = 200;

export interface NewParent {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | undefined;
  readonly password?: string | undefined;
  readonly language: Language;
  /** Uploaded photo, not yet normalized. */
  readonly photo?: Buffer | undefined;
}

/** Returns the id unchanged if the parent exists. Throws 404. */
export async function requireParent(context: Context, id: string): Promise<string> {
  if (!(await findParent(context.db, id))) throw new AppError('not_found');
  return id;
}

/** Returns the parent with the children. Throws 404. */
export async function getParentView(context: Context, id: string): Promise<ParentView> {
  const view = await findParentView(context.db, id);
  if (!view) throw new AppError('not_found');
  return view;
}

/** An account that was added, and the key for the browser of a visitor who registered it. */
interface AddedParent {
  readonly view: ParentView;
  readonly browserKey?: string;
}

/**
 * Adds an account. With a password, a mailed link verifies its e-mail; without one, the mail is an invitation.
 * Throws `email_taken`, `unreadable_photo`, 503; for visitors `too_many_attempts`, for staff who add many `proof_required`.
 */
export async function addParent(
  context: Context,
  actor: Actor | Visitor,
  input: NewParent,
): Promise<AddedParent> {
  const { db } = context;
  if (actor.kind === 'visitor') await countRegistration(context, actor.origin);
  if (input.password !== undefined) await refuseCommonPassword(input.password, input);
  if (await findParentByEmail(db, input.email)) throw new AppError('email_taken');
  const jpeg = input.photo && (await normalizePhoto(context, actor, input.photo));
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  const id = randomUUID();
  const { name, email, language } = input;
  let browserKey: string | undefined;
  try {
    browserKey = await inTransaction(db, async (tx) => {
      await refuseBesideSample(tx);
      if (actor.kind === 'admin') await countAdded(context, tx, actor);
      await insertParent(tx.trx, {
        id,
        name,
        email,
        phone: input.phone ?? null,
        passwordHash,
        language,
        madeFrom: actor.kind === 'visitor' ? roughNetworkOf(actor.origin.address) : null,
        createdAt: context.clock.now(),
      });
      if (jpeg) await setParentPhoto(context, tx, id, jpeg);
      const dropped =
        jpeg && actor.kind === 'visitor'
          ? await acrossFacilities(() => dropOldestStrangersPhotos(tx, context.dialect, STRANGERS_PHOTOS))
          : [];
      const purpose = passwordHash === null ? 'invitation' : 'verify';
      await mailLink(context, tx, purpose, { kind: 'parent', accountId: id, name, email, language });
      await context.audit.append(tx, {
        actor: actor.kind === 'visitor' ? null : actor,
        origin: actor.origin,
        action: 'parent.created',
        subject: { kind: 'parent', id },
        details: { invited: passwordHash === null },
      });
      await context.events.append(tx, { type: 'parent.created', parentId: id });
      for (const parentId of dropped) await context.events.append(tx, { type: 'parent.updated', parentId });
      return actor.kind === 'visitor' ? createBrowserKey(context, tx, { id, email }) : undefined;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('email_taken');
    throw error;
  }
  await context.mails.settled();
  const view = await getParentView(context, id);
  return browserKey === undefined ? { view } : { view, browserKey };
}

/**
 * Deletes a parent with photos, encodings, keys and sessions, and with the children who have no other guardian; the others pass
 * on to theirs. Throws 404, `child_inside`, `beyond_own_rights`, `last_guardian`.
 */
export async function deleteParent(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const places = await requireWhereKnown(tx, actor, id);
    // Of whom the account is another guardian than the first, or was asked.
    const further = await acrossFacilities(() => findFurtherChildIds(tx.trx, id));
    const { childIds, passed, aliases } = await removeParent(context, tx, id);
    const passedOn = passed.map(({ childId }) => childId);
    await context.audit.append(tx, {
      actor,
      action: 'parent.deleted',
      subject: { kind: 'parent', id },
      details: { children: childIds, ...(passedOn.length === 0 ? {} : { passedOn }) },
    });
    for (const place of places)
      await inFacility(place, async () => {
        for (const childId of childIds)
          await context.events.append(tx, { type: 'child.deleted', childId, parentId: id });
        await context.events.append(tx, { type: 'parent.deleted', parentId: id });
      });
    for (const ended of passed) await emitEnd(context, tx, actor, ended);
    for (const ended of aliases) await recordAliases(context, tx, actor, ended);
    for (const childId of further) await emitGuardians(context, tx, childId, []);
  });
  await eraseDestroyedKeys(context);
  await context.erasures.update();
  await context.bars.update();
}

/**
 * Returns the facilities where the family is known, or was asked to become a guardian, else the current one. Throws
 * `beyond_own_rights` unless the actor may delete families at each: it is erased everywhere.
 */
async function requireWhereKnown({ trx }: Tx, actor: Actor, id: string): Promise<readonly string[]> {
  if (!(await findParent(trx, id))) throw new AppError('not_found');
  const known = await acrossFacilities(() => findHeldPlaces(trx, id));
  const places = known.length > 0 ? known : [currentFacility()];
  await requireRights(
    trx,
    actor,
    new Map(places.map((place) => [place, new Set<Permission>(['families.delete'])])),
  );
  return places;
}

/** What was deleted with a parent, and what was passed on. */
interface Removed {
  /** The children who were erased, sorted. */
  readonly childIds: readonly string[];
  readonly passed: readonly EndedGuardian[];
  /** Who could be this account, by name or phone, of those who might take children whom it might not take. */
  readonly aliases: readonly EndedAliases[];
}

/**
 * Removes a parent with all that belongs to the account, and the children who have no other guardian. From those who pass on,
 * what the account has entered is withdrawn. Throws 404, `child_inside`; `last_guardian` if a child has another
 * guardian, or one who was asked, who cannot answer for it: it would be erased although it is that guardian's, too.
 */
export async function removeParent(context: Context, tx: Tx, id: string): Promise<Removed> {
  if (!(await lockParentForDeletion(tx.trx, context.dialect, id))) throw new AppError('not_found');
  // The children may be known, or inside, at another facility.
  return acrossFacilities(async () => {
    const { left: childIds, passed } = await passOnChildren(context, tx, id);
    for (const childId of childIds)
      if (await hasOtherGuardian(tx.trx, childId, id)) throw new AppError('last_guardian');
    if (await hasChildInside(tx.trx, id)) throw new AppError('child_inside');
    const aliases = await endAliasesOf(context, tx, id);
    await eraseParent(tx, id, childIds, context.clock.now());
    return { childIds, passed, aliases };
  });
}

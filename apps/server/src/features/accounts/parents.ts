/** Parents: registering, adding at the desk, changing, deleting. */
import { randomUUID } from 'node:crypto';
import type { Language } from '@haris/contract/fields';
import type { Actor, Visitor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { hasChildInside } from '../../db/children.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { foldForSearch } from '../../db/folding.ts';
import { endOneTimeTokens } from '../../db/one-time-tokens.ts';
import {
  findParentByEmail,
  findParentView,
  type ParentView,
  searchText,
  takeParent,
} from '../../db/parents.ts';
import { keepPhoto } from '../../db/photos.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { eraseParent } from '../../erasure/people.ts';
import { roughNetworkOf } from '../../http/network.ts';
import { mailEmailChange, mailLink } from '../../mail/account-mails.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { proposeForAccount, withdraw } from '../../proposals/propose.ts';
import { dropAdultFace } from '../../vision/adults.ts';
import { askerOf } from '../../vision/client.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { countEmailChange, countRegistration } from './limits.ts';
import { hashPassword } from './passwords.ts';
import { followPhoto, type NewPhoto, readNewPhoto, recognitionBy } from './recognition.ts';

export interface NewParent {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | undefined;
  readonly password?: string | undefined;
  readonly language: Language;
  /** As sent. */
  readonly photo?: Buffer | undefined;
}

/** The parent with the children. Throws 404. */
export async function getParentView(context: Context, id: string): Promise<ParentView> {
  const view = await findParentView(context.db, id);
  if (!view) throw new AppError('not_found');
  return view;
}

/**
 * Makes an account: with a password its e-mail is to be verified by a mailed link, without one it is invited.
 * Throws `email_taken`, `unreadable_photo`, 503; for visitors `too_many_attempts`.
 */
export async function addParent(
  context: Context,
  actor: Actor | Visitor,
  input: NewParent,
): Promise<ParentView> {
  const { db } = context;
  if (actor.kind === 'visitor') await countRegistration(context, actor.origin);
  if (input.password !== undefined) await refuseCommonPassword(input.password, input);
  if (await findParentByEmail(db, input.email)) throw new AppError('email_taken');
  const jpeg = await normalized(context, actor, input.photo);
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  let id = '';
  const { name, email, language } = input;
  const phone = input.phone ?? null;
  try {
    await inTransaction(db, async (tx) => {
      const madeFrom = actor.kind === 'visitor' ? actor.origin.address : null;
      id = await insertParent(context, tx, { name, email, phone, passwordHash, language, madeFrom });
      if (jpeg) await setPhoto(context, tx, id, jpeg);
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
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('email_taken');
    throw error;
  }
  await context.mails.settled();
  return getParentView(context, id);
}

/** The row of a new parent, whose e-mail is not verified; answers its id. Fails where the e-mail has an account. */
export async function insertParent(
  context: Context,
  { trx }: Tx,
  parent: {
    name: string;
    email: string;
    phone: string | null;
    passwordHash: string | null;
    language: Language;
    /** Address of whoever registered; null where staff make the account. */
    madeFrom: string | null;
  },
): Promise<string> {
  const { name, email, phone, madeFrom, passwordHash } = parent;
  const id = randomUUID();
  await trx
    .insertInto('parents')
    .values({
      id,
      name,
      email,
      phone,
      password_hash: passwordHash,
      made_by: madeFrom === null ? 'staff' : 'self',
      made_from: madeFrom === null ? null : roughNetworkOf(madeFrom),
      password_proof: madeFrom === null && passwordHash !== null ? 'staff' : null,
      email_verified: 0,
      pending_email: null,
      photo_id: null,
      language: parent.language,
      sort_name: foldForSearch(name),
      search_text: searchText([name, email, phone]),
      created_at: context.clock.now(),
    })
    .execute();
  return id;
}

export interface ParentChange {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | null | undefined;
  readonly language?: Language | undefined;
  readonly photo?: Buffer | undefined;
}

/**
 * Changes a parent. A new e-mail counts from its verification on (a link is mailed to it); an account that was never
 * verified takes it at once, and links to the old address die: it may have been mistyped.
 * Throws 404, `email_taken`, `unreadable_photo`, 503. Answers whether a new e-mail waits for its verification.
 */
export async function updateParent(
  context: Context,
  actor: Actor,
  id: string,
  change: ParentChange,
): Promise<{ view: ParentView; emailToVerify: boolean }> {
  const photo = change.photo && (await readNewPhoto(context, actor, id, change.photo));
  let isErased = false;
  let emailToVerify = false;
  try {
    await inTransaction(context.db, async (tx) => {
      const parent = await takeParent(tx.trx, id);
      if (!parent) throw new AppError('not_found');
      const byParent = actor.kind === 'parent';
      // While a child is inside, the desk goes on seeing whom it has seen (contract §6).
      const waits = byParent && (await hasChildInside(tx.trx, id));
      const name = waits ? parent.name : (change.name ?? parent.name);
      const phone = waits || change.phone === undefined ? parent.phone : change.phone;
      const language = change.language ?? parent.language;
      let email = parent.email;
      // The address in force was typed: a change that still waits is called off.
      if (change.email === parent.email && parent.pending_email !== null) {
        await endOneTimeTokens(tx.trx, 'parent', id, ['verify']);
        await tx.trx.updateTable('parents').set({ pending_email: null }).where('id', '=', id).execute();
      }
      if (change.email !== undefined && change.email !== parent.email) {
        if (actor.kind === 'parent') await countEmailChange(context, tx, id, change.email);
        if (await findParentByEmail(tx.trx, change.email)) throw new AppError('email_taken');
        emailToVerify = true;
        await endOneTimeTokens(tx.trx, 'parent', id, ['verify']);
        if (parent.email_verified === 1) {
          await tx.trx
            .updateTable('parents')
            .set({ pending_email: change.email })
            .where('id', '=', id)
            .execute();
          const owner = { kind: 'parent', accountId: id, name, email, language } as const;
          await mailEmailChange(context, tx, owner, change.email);
        } else {
          email = change.email;
          await endOneTimeTokens(tx.trx, 'parent', id, ['reset', 'invitation']);
        }
        const purpose =
          parent.email_verified === 0 && parent.password_hash === null ? 'invitation' : 'verify';
        await mailLink(context, tx, purpose, {
          kind: 'parent',
          accountId: id,
          name,
          email: change.email,
          language,
        });
      }
      await tx.trx
        .updateTable('parents')
        .set({
          name,
          email,
          phone,
          language,
          // Staff may set the language of the mails; the one of the screens is the person's own to choose.
          ...(change.language !== undefined && actor.kind === 'parent'
            ? { language_chosen: 1 as const }
            : {}),
          sort_name: foldForSearch(name),
          search_text: searchText([name, email, phone]),
        })
        .where('id', '=', id)
        .execute();
      if (byParent) await changeOwn(context, tx, actor, parent, { ...change, photo }, waits);
      else {
        await withdraw(tx, { kind: 'parent', id }, fieldsOf({ ...change, photo }));
        if (photo) {
          await setPhoto(context, tx, id, photo.jpeg);
          isErased = await followPhoto(context, tx, actor, id, photo);
        }
        if (photo || (phone !== null && phone !== parent.phone))
          await endUnprovenPassword(context, tx, actor, id, 'details_changed');
      }
      await context.audit.append(tx, {
        actor,
        action: 'parent.updated',
        subject: { kind: 'parent', id },
        details: {
          fields: Object.entries(change)
            .filter(([, value]) => value !== undefined)
            .map(([field]) => field),
        },
      });
      await context.events.append(tx, { type: 'parent.updated', parentId: id });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('email_taken');
    throw error;
  }
  if (isErased) await eraseDestroyedKeys(context);
  await context.mails.settled();
  return { view: await getParentView(context, id), emailToVerify };
}

/** Name, phone and photo as a parent changes them. */
interface OwnChange {
  readonly name?: string | undefined;
  readonly phone?: string | null | undefined;
  readonly photo?: NewPhoto | undefined;
}

function fieldsOf({ name, phone, photo }: OwnChange): ('name' | 'phone' | 'photo')[] {
  return [
    ...(name === undefined ? [] : (['name'] as const)),
    ...(phone === undefined ? [] : (['phone'] as const)),
    ...(photo ? (['photo'] as const) : []),
  ];
}

/**
 * What a parent changes of the own account: told to the address in force, and while a child is inside it waits for staff.
 * What the cameras know the parent by always waits.
 */
async function changeOwn(
  context: Context,
  tx: Tx,
  actor: Actor,
  before: ParentRow,
  change: OwnChange,
  waits: boolean,
): Promise<void> {
  const { id } = before;
  const { name, phone, photo } = change;
  const differs = {
    name: name !== undefined && name !== before.name,
    phone: phone !== undefined && phone !== before.phone,
    photo: photo !== undefined,
  };
  const own = { name: 'own_name', phone: 'own_phone', photo: 'own_photo' } as const;
  const fields = fieldsOf(change);
  await mailChanges(
    context,
    tx,
    id,
    fields.filter((field) => differs[field]).map((field) => own[field]),
  );
  const recognition = photo && (await recognitionBy(tx, id, photo));
  if (!waits) {
    await withdraw(tx, { kind: 'parent', id }, fields);
    if (photo) {
      await setPhoto(context, tx, id, photo.jpeg);
      if (recognition) await proposeForAccount(context, tx, actor, { recognition });
      // The problem of the previous photo no longer applies.
      else await dropAdultFace(tx.trx, { kind: 'parent', id }, context.clock.now());
    }
    return;
  }
  if (fields.length === 0) return;
  await proposeForAccount(context, tx, actor, {
    name,
    phone: phone ?? undefined,
    photo: photo?.jpeg,
    ...(recognition ? { recognition } : {}),
  });
}

/** Deletes a parent with the children, photos, encodings, keys and sessions. Throws 404, `child_inside`. */
export async function deleteParent(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const childIds = await removeParent(context, tx, id);
    await context.audit.append(tx, {
      actor,
      action: 'parent.deleted',
      subject: { kind: 'parent', id },
      details: { children: childIds },
    });
    for (const childId of childIds)
      await context.events.append(tx, { type: 'child.deleted', childId, parentId: id });
    await context.events.append(tx, { type: 'parent.deleted', parentId: id });
  });
  await eraseDestroyedKeys(context);
  await context.erasures.update();
}

/** Removes a parent with everything that is the parent's; answers the ids of the children. Throws 404, `child_inside`. */
export async function removeParent(context: Context, tx: Tx, id: string): Promise<string[]> {
  const { trx } = tx;
  // On PostgreSQL this waits for a child that is being added to the parent, and lets none be added after.
  const parents = trx.selectFrom('parents').select('id').where('id', '=', id);
  const parent = await (context.dialect === 'postgres' ? parents.forUpdate() : parents).executeTakeFirst();
  if (!parent) throw new AppError('not_found');
  const children = await trx
    .updateTable('children')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('parent_id', '=', id)
    .returning('id')
    .execute();
  const childIds = children.map((child) => child.id);
  if (childIds.length > 0) {
    const inside = await trx
      .selectFrom('stays')
      .select('id')
      .where('child_id', 'in', childIds)
      .where('exit_time', 'is', null)
      .executeTakeFirst();
    if (inside) throw new AppError('child_inside');
  }
  await eraseParent(tx, id, childIds, context.clock.now());
  return childIds;
}

async function normalized(
  context: Context,
  actor: Actor | Visitor,
  photo: Buffer | undefined,
): Promise<Buffer | null> {
  return photo ? Buffer.from((await context.vision.normalize(photo, askerOf(actor))).jpeg, 'base64') : null;
}

async function setPhoto(context: Context, tx: Tx, id: string, jpeg: Buffer): Promise<void> {
  const photoId = await keepPhoto(context, tx, { kind: 'parent', id }, jpeg, context.clock.now());
  await tx.trx.updateTable('parents').set({ photo_id: photoId }).where('id', '=', id).execute();
}

/** Changes a parent's account, for staff or for the parent. Some changes by the parent wait for staff. */

import type { Language } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { dropAdultFace } from '../../db/adult-faces.ts';
import { eraseDestroyedKeys } from '../../db/data-keys.ts';
import { noteDetailChanges } from '../../db/detail-changes.ts';
import { hasGuardedChild } from '../../db/guardians/children-of.ts';
import { lockParent, type ParentView, updateParentDetails } from '../../db/parents.ts';
import type { ParentRow } from '../../db/schema.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import { mailChanges } from '../../proposals/change-mail.ts';
import { proposeForAccount, withdraw } from '../../proposals/propose.ts';
import { endUnprovenPassword } from '../../vouching.ts';
import { changeEmail, type EmailOutcome } from './email-changes.ts';
import { setParentPhoto } from './parent-photo.ts';
import { getParentView } from './parents.ts';
import { followPhoto, type NewPhoto, readNewPhoto, recognitionBy } from './recognition.ts';
import { tryCode } from './vouching.ts';

export interface ParentChange {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | null | undefined;
  readonly language?: Language | undefined;
  /** Uploaded photo, not yet normalized. */
  readonly photo?: Buffer | undefined;
}

/** A change whose photo has been read. */
type ReadChange = Omit<ParentChange, 'photo'> & { readonly photo: NewPhoto | undefined };

/**
 * Changes a parent. A new e-mail takes effect when it is verified with a mailed link, which waits for an agreement if staff
 * change the address of a verified account with children; `code` is the parent's at the desk. An account that was never verified
 * gets it at once, and links mailed to the old address stop working, because that address may have been mistyped.
 * Returns the parent and what becomes of a new e-mail. Throws 404, `wrong_code`, `email_taken`, `unreadable_photo`, 503.
 */
export async function updateParent(
  context: Context,
  actor: Actor,
  id: string,
  change: ParentChange,
  code?: string,
): Promise<{ view: ParentView; emailOutcome: EmailOutcome }> {
  const photo = change.photo && (await readNewPhoto(context, actor, id, change.photo));
  // Counted outside the transaction: a refused attempt counts.
  if (code !== undefined && !(await tryCode(context, id, code))) throw new AppError('wrong_code');
  const { emailOutcome, isErased } = await inTransaction(context.db, (tx) =>
    updateIn(context, tx, actor, id, { ...change, photo }, code),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('email_taken') : error;
  });
  if (isErased) await eraseDestroyedKeys(context);
  await context.mails.settled();
  return { view: await getParentView(context, id), emailOutcome };
}

async function updateIn(
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  change: ReadChange,
  code: string | undefined,
): Promise<{ emailOutcome: EmailOutcome; isErased: boolean }> {
  const before = await lockParent(tx.trx, id);
  if (!before) throw new AppError('not_found');
  const byParent = actor.kind === 'parent';
  // The desk compares who picks up a child with these details, so none of them changes behind its back (contract §6).
  const waits = byParent && (await hasGuardedChild(tx.trx, id));
  const name = waits ? before.name : (change.name ?? before.name);
  const phone = waits || change.phone === undefined ? before.phone : change.phone;
  const language = change.language ?? before.language;
  const requested = { asked: change.email, code, name, language };
  const { email, outcome: emailOutcome } = await changeEmail(context, tx, actor, before, requested);
  await updateParentDetails(
    tx.trx,
    id,
    { name, email, phone },
    // Staff may set the language of the mails; the language of the screens is the person's own choice.
    { language, ...(change.language !== undefined && byParent ? { language_chosen: 1 } : {}) },
  );
  if (!waits)
    await noteDetailChanges(
      tx.trx,
      { subject_kind: 'parent', subject_id: id },
      changedFields(before, change),
      context.clock.now(),
    );
  let isErased = false;
  if (byParent) await changeOwn(context, tx, actor, before, change, waits);
  else isErased = await changeByStaff(context, tx, actor, before, change);
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
  return { emailOutcome, isErased };
}

/** Applies a change by staff, which replaces proposals for the same fields. Returns whether a face was erased. */
async function changeByStaff(
  context: Context,
  tx: Tx,
  actor: Actor,
  before: ParentRow,
  change: ReadChange,
): Promise<boolean> {
  const { id } = before;
  const { phone, photo } = change;
  await withdraw(tx, { kind: 'parent', id }, fieldsOf(change));
  let isErased = false;
  if (photo) {
    await setParentPhoto(context, tx, id, photo.jpeg);
    isErased = await followPhoto(context, tx, actor, id, photo);
  }
  const isNewPhone = phone !== undefined && phone !== null && phone !== before.phone;
  if (photo || isNewPhone) await endUnprovenPassword(context, tx, actor, id, 'details_changed');
  return isErased;
}

function fieldsOf({ name, phone, photo }: ReadChange): ('name' | 'phone' | 'photo')[] {
  return [
    ...(name === undefined ? [] : (['name'] as const)),
    ...(phone === undefined ? [] : (['phone'] as const)),
    ...(photo ? (['photo'] as const) : []),
  ];
}

/**
 * Applies a parent's change to the parent's own account, and mails a message about it to the current address. Once the
 * account has a child, name, phone and photo wait for staff. A new face for the cameras always waits for staff.
 */
async function changeOwn(
  context: Context,
  tx: Tx,
  actor: Actor,
  before: ParentRow,
  change: ReadChange,
  waits: boolean,
): Promise<void> {
  const { id } = before;
  const { name, phone, photo } = change;
  const fields = fieldsOf(change);
  const told = changedFields(before, change).map((field) => `own_${field}` as const);
  await mailChanges(context, tx, id, told);
  const recognition = photo && (await recognitionBy(tx, id, photo));
  if (!waits) {
    await withdraw(tx, { kind: 'parent', id }, fields);
    if (photo) {
      await setParentPhoto(context, tx, id, photo.jpeg);
      if (recognition) await proposeForAccount(context, tx, actor, { recognition });
      // The problem of the previous photo no longer applies.
      else await dropAdultFace(tx.trx, { kind: 'parent', id }, context.clock.now());
    }
  } else if (fields.length > 0)
    await proposeForAccount(context, tx, actor, {
      name,
      phone: phone ?? undefined,
      photo: photo?.jpeg,
      ...(recognition ? { recognition } : {}),
    });
}

/** The details that get another value. */
function changedFields(
  before: ParentRow,
  { name, phone, photo }: ReadChange,
): ('name' | 'phone' | 'photo')[] {
  return [
    ...(name !== undefined && name !== before.name ? (['name'] as const) : []),
    ...(phone !== undefined && phone !== before.phone ? (['phone'] as const) : []),
    ...(photo ? (['photo'] as const) : []),
  ];
}

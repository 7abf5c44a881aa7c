/** The language that a person has chosen for the account: of the screens on every device, and of the mails. */
import type { Language } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Throws 401 when the account is gone meanwhile. */
export async function chooseLanguage(context: Context, actor: Actor, language: Language): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const changed = await tx.trx
      .updateTable(actor.kind === 'admin' ? 'admins' : 'parents')
      .set({ language, language_chosen: 1 })
      .where('id', '=', actor.id)
      .returning('id')
      .executeTakeFirst();
    if (!changed) throw new AppError('unauthenticated');
    await context.audit.append(tx, {
      actor,
      action: `${actor.kind}.language_chosen`,
      subject: { kind: actor.kind, id: actor.id },
      details: { language },
    });
    // The person's other devices that are open follow at once.
    if (actor.kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: actor.id });
  });
}

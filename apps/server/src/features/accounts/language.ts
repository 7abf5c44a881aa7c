/** Language of an account: its screens on every device and its mails use it. */
import type { Language } from '@haris/contract/fields';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { setAccountLanguage } from '../../db/accounts.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Stores the language that the person has chosen. Throws 401 if the account has been deleted meanwhile. */
export async function chooseLanguage(context: Context, actor: Actor, language: Language): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await setAccountLanguage(tx.trx, actor, language))) throw new AppError('unauthenticated');
    await context.audit.append(tx, {
      actor,
      action: `${actor.kind}.language_chosen`,
      subject: { kind: actor.kind, id: actor.id },
      details: { language },
    });
    // The person's other open devices switch their language at once.
    if (actor.kind === 'parent')
      await context.events.append(tx, { type: 'parent.updated', parentId: actor.id });
  });
}

/** Language of an account: its screens on every device and its mails use it. */
import { type Language, languageSchema } from '@haris/contract/fields';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { setAccountLanguage } from '../../db/accounts.ts';
import { findChosenSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';

/** The browser's preferred language, if Haris speaks it. */
function languageOfBrowser(request: FastifyRequest): Language | undefined {
  const first = /^\s*([a-z]{2})/i.exec(request.headers['accept-language'] ?? '')?.[1];
  return languageSchema.safeParse(first?.toLowerCase()).data;
}

/**
 * Language of a new account whose form names none. A person who registers uses their own browser. Staff add people
 * whose browser is unknown, so the facility's language comes first, once staff have chosen it.
 */
export async function languageOfNewAccount(
  context: Context,
  request: FastifyRequest,
  { byStaff }: { byStaff: boolean },
): Promise<Language> {
  const browser = languageOfBrowser(request);
  const { language: facility } = await findChosenSettings(context.db);
  return (byStaff ? (facility ?? browser) : (browser ?? facility)) ?? 'en';
}

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

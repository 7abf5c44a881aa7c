/** The language of a new account whose form names none. */
import { type Language, languageSchema } from '@haris/contract/fields';
import type { FastifyRequest } from 'fastify';
import type { Context } from './context.ts';
import { findChosenSettings } from './db/settings.ts';

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

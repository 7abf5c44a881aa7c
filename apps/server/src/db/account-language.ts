/** The language of an account, for mails and files that are made for its owner. */
import type { Language } from '@haris/contract/fields';
import type { Kysely } from 'kysely';
import type { Actor } from '../actor.ts';
import type { Database } from './schema.ts';

/** English where the account is gone. */
export async function findAccountLanguage(db: Kysely<Database>, actor: Actor): Promise<Language> {
  const row = await db
    .selectFrom(actor.kind === 'admin' ? 'admins' : 'parents')
    .select('language')
    .where('id', '=', actor.id)
    .executeTakeFirst();
  return row?.language ?? 'en';
}

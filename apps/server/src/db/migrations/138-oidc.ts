/** Links between staff accounts and accounts at an identity provider, and attempts to sign in there (decision 046). */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the word for bytes. */
export function oidc(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('oidc_links')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('issuer', 'text', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('staff_id', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('confirmed_at', 'bigint')
        .addColumn('ended_at', 'bigint')
        .addUniqueConstraint('oidc_links_subject', ['issuer', 'subject'])
        .addUniqueConstraint('oidc_links_staff', ['staff_id', 'issuer'])
        .execute();
      await db.schema
        .createTable('oidc_attempts')
        .addColumn('state_hash', 'text', (c) => c.primaryKey())
        .addColumn('browser_hash', 'text', (c) => c.notNull())
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('session_hash', 'text')
        .addColumn('issuer', 'text', (c) => c.notNull())
        .addColumn('secrets_sealed', bytes, (c) => c.notNull())
        .addColumn('return_to', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.alterTable('factor_challenges').addColumn('oidc_link', 'text').execute();
    },
  };
}

/** Second factors, the factor and origin of each session, and blocked families (decision 041). */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the word for bytes. */
export function secondFactors(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('second_factors')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('secret_sealed', bytes)
        .addColumn('last_step', 'bigint')
        .addColumn('credential_id', 'text', (c) => c.unique())
        .addColumn('public_key', bytes)
        .addColumn('counter', 'bigint')
        .addColumn('transports', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('confirmed_at', 'bigint')
        .addColumn('last_used_at', 'bigint')
        .execute();
      await db.schema
        .createIndex('second_factors_account')
        .on('second_factors')
        .columns(['account_id', 'account_kind'])
        .execute();
      await db.schema
        .createTable('recovery_codes')
        .addColumn('code_mac', 'text', (c) => c.primaryKey())
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('recovery_codes_account')
        .on('recovery_codes')
        .columns(['account_id', 'account_kind'])
        .execute();
      await db.schema
        .createTable('factor_challenges')
        .addColumn('challenge_hash', 'text', (c) => c.primaryKey())
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('account_kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('binding', 'text', (c) => c.notNull())
        .addColumn('code_mac', 'text')
        .addColumn('tries', 'integer', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.alterTable('parents').addColumn('blocked_at', 'bigint').execute();
      await alterSessions(db);
    },
  };
}

async function alterSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('factor', 'text', (c) => c.notNull().defaultTo('password'))
    .execute();
  await db.schema.alterTable('sessions').addColumn('agent', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('address', 'text').execute();
}

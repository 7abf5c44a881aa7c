/**
 * The first schema: accounts, children, stays, photos, events, audit. Uses only SQL that both SQLite and PostgreSQL
 * support.
 */
import { type Kysely, sql } from 'kysely';

/** `dialect` decides the few words that differ: bytes, byte-wise order of text, and triggers. */
export function foundation(dialect: 'sqlite' | 'postgres') {
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;
  // PostgreSQL orders text by the server's locale unless told; lists are paged by it, so it must be the same everywhere.
  const orderedText = dialect === 'postgres' ? sql`text collate "C"` : sql`text`;

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('parents')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull().unique())
        .addColumn('phone', 'text')
        .addColumn('password_hash', 'text')
        .addColumn('email_verified', 'integer', (c) => c.notNull())
        .addColumn('pending_email', 'text')
        .addColumn('photo_id', 'text')
        .addColumn('language', 'text', (c) => c.notNull())
        .addColumn('sort_name', orderedText, (c) => c.notNull())
        .addColumn('search_text', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('parents_order').on('parents').columns(['sort_name', 'id']).execute();

      await db.schema
        .createTable('admins')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull().unique())
        .addColumn('password_hash', 'text', (c) => c.notNull())
        .addColumn('national_id_sealed', bytes)
        .addColumn('national_id_mac', 'text', (c) => c.unique())
        .addColumn('email_verified', 'integer', (c) => c.notNull())
        .addColumn('language', 'text', (c) => c.notNull())
        .addColumn('sort_name', orderedText, (c) => c.notNull())
        .addColumn('search_text', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();

      await db.schema
        .createTable('children')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('parent_id', 'text', (c) => c.notNull().references('parents.id').onDelete('cascade'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('photo_id', 'text')
        .addColumn('sort_name', orderedText, (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('version', 'integer', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('children_order').on('children').columns(['sort_name', 'id']).execute();
      await db.schema.createIndex('children_parent').on('children').column('parent_id').execute();

      await db.schema
        .createTable('data_keys')
        .addColumn('owner_kind', 'text', (c) => c.notNull())
        .addColumn('owner_id', 'text', (c) => c.notNull())
        .addColumn('wrapped', bytes, (c) => c.notNull())
        .addPrimaryKeyConstraint('data_keys_key', ['owner_kind', 'owner_id'])
        .execute();

      await db.schema
        .createTable('photos')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('owner_kind', 'text', (c) => c.notNull())
        .addColumn('owner_id', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('photos_owner').on('photos').columns(['owner_kind', 'owner_id']).execute();

      await db.schema
        .createTable('face_encodings')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('child_id', 'text', (c) => c.notNull().references('children.id').onDelete('cascade'))
        .addColumn('sealed', bytes, (c) => c.notNull())
        .addColumn('model', 'text', (c) => c.notNull())
        .addColumn('quality', 'double precision', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('face_encodings_child').on('face_encodings').column('child_id').execute();

      await db.schema
        .createTable('gallery')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('revision', 'integer', (c) => c.notNull())
        .execute();
      await sql`insert into gallery (id, revision) values (1, 0)`.execute(db);

      // No reference to children: a past stay outlives the child's row, which holds the name.
      await db.schema
        .createTable('stays')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('unique_entry_id', 'text', (c) => c.notNull().unique())
        .addColumn('child_id', 'text', (c) => c.notNull())
        .addColumn('checked_in_by', 'text', (c) => c.notNull())
        .addColumn('entry_time', 'bigint', (c) => c.notNull())
        .addColumn('duration', 'integer', (c) => c.notNull())
        .addColumn('checked_out_by', 'text')
        .addColumn('exit_time', 'bigint')
        .addColumn('time_up_at', 'bigint')
        .execute();
      await sql`create unique index stays_one_open on stays (child_id) where exit_time is null`.execute(db);
      await db.schema.createIndex('stays_child').on('stays').columns(['child_id', 'entry_time']).execute();

      await db.schema
        .createTable('sessions')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('sessions_account')
        .on('sessions')
        .columns(['kind', 'account_id'])
        .execute();

      await db.schema
        .createTable('one_time_tokens')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('one_time_tokens_account')
        .on('one_time_tokens')
        .columns(['kind', 'account_id', 'purpose'])
        .execute();

      await db.schema
        .createTable('tickets')
        .addColumn('ticket_hash', 'text', (c) => c.primaryKey())
        .addColumn('session_hash', 'text', (c) =>
          c.notNull().references('sessions.token_hash').onDelete('cascade'),
        )
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('subject_id', 'text', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();

      await db.schema
        .createTable('throttle_hits')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('scope', 'text', (c) => c.notNull())
        .addColumn('key', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('throttle_hits_key')
        .on('throttle_hits')
        .columns(['scope', 'key', 'at'])
        .execute();

      await db.schema
        .createTable('mails')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('sealed', bytes, (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('next_try_at', 'bigint', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('failed_at', 'bigint')
        .execute();

      await db.schema
        .createTable('idempotency_keys')
        .addColumn('actor_id', 'text', (c) => c.notNull())
        .addColumn('key', 'text', (c) => c.notNull())
        .addColumn('fingerprint', 'text', (c) => c.notNull())
        .addColumn('status', 'integer')
        .addColumn('sealed_answer', bytes)
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('idempotency_keys_key', ['actor_id', 'key'])
        .execute();

      await db.schema
        .createTable('events')
        .addColumn('id', dialect === 'postgres' ? 'bigserial' : 'integer', (c) =>
          dialect === 'postgres' ? c.primaryKey() : c.primaryKey().autoIncrement(),
        )
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('child_id', 'text')
        .addColumn('parent_id', 'text')
        .execute();

      await db.schema
        .createTable('audit_log')
        .addColumn('seq', 'bigint', (c) => c.primaryKey())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('actor_kind', 'text')
        .addColumn('actor_id', 'text')
        .addColumn('actor_name', 'text')
        .addColumn('action', 'text', (c) => c.notNull())
        .addColumn('subject_kind', 'text')
        .addColumn('subject_id', 'text')
        .addColumn('from_address', 'text')
        .addColumn('request_id', 'text')
        .addColumn('details', 'text', (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('audit_head')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('seq', 'bigint', (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .addColumn('mac', 'text', (c) => c.notNull())
        .execute();
      await sql`insert into audit_head (id, seq, hash, mac) values (1, 0, '', '')`.execute(db);
      await appendOnly(db, dialect);

      for (const table of ['settings', 'meta'])
        await db.schema
          .createTable(table)
          .addColumn('key', 'text', (c) => c.primaryKey())
          .addColumn('value', 'text', (c) => c.notNull())
          .execute();
    },
  };
}

/** The audit log takes new rows only; the database itself refuses to change or remove one. */
async function appendOnly(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (dialect === 'postgres') {
    await sql`create function audit_log_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'audit_log is append-only'; end $$`.execute(db);
    await sql`create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function audit_log_append_only()`.execute(db);
    return;
  }
  await sql`create trigger audit_log_no_update before update on audit_log
    begin select raise(abort, 'audit_log is append-only'); end`.execute(db);
  await sql`create trigger audit_log_no_delete before delete on audit_log
    begin select raise(abort, 'audit_log is append-only'); end`.execute(db);
}

/** An open database of either engine, and its tables. */
import { type Kysely, type LogEvent, sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface OpenDatabase {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  close(): Promise<void>;
}

/** Called with the error of every failed statement. */
export type FailureListener = ((error: unknown) => void) | undefined;

/** Reduces Kysely's log to failed statements. */
export function logFailures(onFailure: FailureListener) {
  return onFailure
    ? { log: (event: LogEvent) => void (event.level === 'error' && onFailure(event.error)) }
    : {};
}

/** Whether the database has a table; works before the migrations. */
export async function hasTable(
  db: Kysely<Database> | Transaction<Database>,
  dialect: Dialect,
  name: string,
): Promise<boolean> {
  return (await findTables(db, dialect)).includes(name);
}

/** Names of all tables; works before the migrations. */
export async function findTables(
  db: Kysely<Database> | Transaction<Database>,
  dialect: Dialect,
): Promise<string[]> {
  const { rows } =
    dialect === 'postgres'
      ? await sql<{
          name: string;
        }>`select tablename as name from pg_tables where schemaname = any (current_schemas(false))`.execute(
          db,
        )
      : await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db);
  return rows.map((row) => row.name);
}

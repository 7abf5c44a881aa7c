/** Rows of a durable queue: claimed by one server at a time, and updated only by the server that claimed them. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Columns that every queue table has. */
export interface QueuedRow {
  /** Milliseconds since 1970: when the row is due or, while a server works on it, when the server's lease ends. */
  readonly next_try_at: number;
  /** Number of claims. It is the fence: a server whose lease has ended finds a higher number here. */
  readonly attempts: number;
}

/** The condition under which a row of each queue is waiting. */
const WAITING = {
  mails: sql`failed_at is null`,
  notification_deliveries: sql`state = 'waiting'`,
  incident_steps: sql`notified_at is null`,
} as const satisfies Partial<Record<keyof Database, RawBuilder<unknown>>>;
type QueueTable = keyof typeof WAITING;

/** The key of a row, column by column. */
export type RowKey = Readonly<Record<string, string | number>>;

function isWaitingAs(table: QueueTable, key: RowKey, attempts: number): RawBuilder<unknown> {
  const columns = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql`${sql.join(columns, sql` and `)} and ${WAITING[table]} and attempts = ${attempts}`;
}

/** Claims a due row until `until`; the first of several servers to update it wins. Null if another server won. */
export async function claimRow<Row extends QueuedRow>(
  db: Kysely<Database>,
  table: QueueTable,
  key: RowKey,
  row: Row,
  until: number,
): Promise<Row | null> {
  const claimed = { ...row, next_try_at: until, attempts: row.attempts + 1 };
  const { rows } = await sql`
    update ${sql.table(table)} set next_try_at = ${until}, attempts = ${claimed.attempts}
    where ${isWaitingAs(table, key, row.attempts)} and next_try_at = ${row.next_try_at}
    returning attempts`.execute(db);
  return rows.length === 0 ? null : claimed;
}

/** Updates a row that this server has claimed; does nothing if it has ended or another server has claimed it since. */
export async function updateClaimedRow(
  db: Kysely<Database>,
  table: QueueTable,
  key: RowKey,
  { attempts }: Pick<QueuedRow, 'attempts'>,
  changes: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`
    update ${sql.table(table)} set ${sql.join(assignments)}
    where ${isWaitingAs(table, key, attempts)}`.execute(db);
}

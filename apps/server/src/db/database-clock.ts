/** The database's own clock, used where servers with different clocks must agree. Milliseconds since 1970. */
import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './dialect.ts';

/** The time at which the statement runs. now() would be the start of the transaction, before any wait for a lock. */
export function databaseNow(dialect: Dialect): RawBuilder<number> {
  return dialect === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}

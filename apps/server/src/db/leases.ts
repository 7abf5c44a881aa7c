/**
 * Leases: work that only one of several servers on one database does at a time. Only the database's clock counts, so a
 * server with a wrong clock neither keeps a lease nor acquires one too early (decision 022).
 */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { databaseNow } from './database-clock.ts';
import type { Dialect } from './dialect.ts';
import type { Database } from './schema.ts';
import { inTransaction, type Tx } from './transaction.ts';

/** A lease that this server holds or held. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows by one each time a server acquires this lease. */
  readonly epoch: number;
}

/** Another server has acquired the lease; the transaction under it is rolled back. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export interface Leases {
  /** Acquires a free lease for `ms` milliseconds; null while another server holds it. */
  acquire(name: string, ms: number): Promise<Lease | null>;
  /** Renews the lease for `ms` milliseconds from now; false if another server has acquired it since. */
  renew(lease: Lease, ms: number): Promise<boolean>;
  /** Releases the lease at once; does nothing if another server holds it. */
  release(lease: Lease): Promise<void>;
  /**
   * The last statement of a transaction that may commit only under this lease. Throws {@link LeaseLostError}, so that a
   * paused server writes nothing after another server has taken over.
   */
  fence(trx: Transaction<Database>, lease: Lease): Promise<void>;
}

/** Opens the leases of a database. Each call makes a new holder. */
export function openLeases(db: Kysely<Database>, dialect: Dialect): Leases {
  const holder = randomUUID();
  const now = databaseNow(dialect);
  // Only PostgreSQL has several concurrent writers; a SQLite transaction locks the whole database.
  const share = dialect === 'postgres' ? sql` for share` : sql``;

  return {
    async acquire(name, ms) {
      // An expiry further ahead than a lease can last was written before the database's clock was set back.
      const { rows } = await sql<{ epoch: number }>`
        insert into leases as l (name, holder, epoch, until) values (${name}, ${holder}, 1, ${now} + ${sql.lit(ms)})
        on conflict (name) do update
          set holder = excluded.holder, epoch = l.epoch + 1, until = excluded.until
          where l.until <= ${now} or l.until > ${now} + ${sql.lit(2 * ms)}
        returning epoch`.execute(db);
      return rows[0] ? { name, holder, epoch: Number(rows[0].epoch) } : null;
    },
    async renew({ name, holder: mine, epoch }, ms) {
      const { rows } = await sql`
        update leases set until = ${now} + ${sql.lit(ms)}
        where name = ${name} and holder = ${mine} and epoch = ${epoch} returning epoch`.execute(db);
      return rows.length > 0;
    },
    async release({ name, holder: mine, epoch }) {
      // The row is never deleted: its epochs would restart at 1, and an old holder would pass the fence.
      await sql`update leases set until = 0 where name = ${name} and holder = ${mine} and epoch = ${epoch}`.execute(
        db,
      );
    },
    async fence(trx, { name, epoch }) {
      const { rows } =
        await sql`select 1 from leases where name = ${name} and epoch = ${epoch}${share}`.execute(trx);
      if (rows.length === 0) throw new LeaseLostError(`the lease ${name} was lost`);
    },
  };
}

/**
 * Ends all leases, whatever their expiry, for a database with a single server: their holders are gone, and the clock may
 * have been wrong when they were written.
 */
export async function endAllLeases(db: Kysely<Database>): Promise<void> {
  await db.updateTable('leases').set({ until: 0 }).where('until', '>', 0).execute();
}

/** Runs a transaction that commits only while this server holds the lease. Throws {@link LeaseLostError}. */
export async function inTransactionUnder<T>(
  { db, leases }: { readonly db: Kysely<Database>; readonly leases: Leases },
  lease: Lease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const result = await work(tx);
    await leases.fence(tx.trx, lease);
    return result;
  });
}

/** A lease that one server keeps for repeated work. */
export interface KeptLease {
  /** Renews the lease, or acquires a free one; null while another server holds it. Call this before it expires. */
  hold(): Promise<Lease | null>;
  release(): Promise<void>;
}

/** `ms`: length of the lease, after which another server takes over from a dead server. */
export function keepLease(leases: Leases, name: string, ms: number): KeptLease {
  let lease: Lease | null = null;
  return {
    async hold() {
      if (!lease || !(await leases.renew(lease, ms))) lease = await leases.acquire(name, ms);
      return lease;
    },
    async release() {
      if (lease) await leases.release(lease);
      lease = null;
    },
  };
}

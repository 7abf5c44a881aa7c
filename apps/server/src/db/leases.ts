/**
 * Leases: work that one of several servers on one database does at a time. The database's clock alone decides, so that a
 * server whose clock is wrong neither keeps a lease nor takes one too early (decision 022).
 */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { databaseNow } from './database-clock.ts';
import type { Dialect } from './open.ts';
import type { Database } from './schema.ts';
import { inTransaction, type Tx } from './transaction.ts';

/** A lease that this server was given. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows by one each time any server takes this lease. */
  readonly epoch: number;
}

/** Another server has taken the lease: what was to be written under it is rolled back. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export interface Leases {
  /** Takes a lease that nobody has, for `ms` milliseconds; null while another holder has it. */
  acquire(name: string, ms: number): Promise<Lease | null>;
  /** Keeps it for `ms` more from now; false where another server has taken it since. */
  renew(lease: Lease, ms: number): Promise<boolean>;
  /** Gives it back at once. Nothing happens where another server has it. */
  release(lease: Lease): Promise<void>;
  /**
   * The last statement of a transaction that may be committed only under this lease. Throws {@link LeaseLostError}, so
   * that a server that was paused writes nothing once another one has taken over.
   */
  fence(trx: Transaction<Database>, lease: Lease): Promise<void>;
}

/** Opens the leases of a database. Each call makes a new holder. */
export function openLeases(db: Kysely<Database>, dialect: Dialect): Leases {
  const holder = randomUUID();
  const now = databaseNow(dialect);
  // PostgreSQL alone has several writers at once; SQLite's transaction holds the whole database.
  const share = dialect === 'postgres' ? sql` for share` : sql``;

  return {
    async acquire(name, ms) {
      // An end that lies further ahead than a lease can last was written before the database's clock was set back.
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
      // Never deleted: its epochs would start again from 1, and an old holder would pass the fence.
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
 * Ends all leases, whatever their rows say, for the one server that a database can have: whoever held them is gone, and
 * the clock may have been wrong when they were written.
 */
export async function endAllLeases(db: Kysely<Database>): Promise<void> {
  await db.updateTable('leases').set({ until: 0 }).where('until', '>', 0).execute();
}

/** One transaction that is committed only while the lease is this server's. Throws {@link LeaseLostError}. */
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

/** A lease that is held as long as possible, for repeated work. */
export interface KeptLease {
  /** Renews it, or takes it where it is free; null while another server has it. Call it more often than the lease lasts. */
  hold(): Promise<Lease | null>;
  release(): Promise<void>;
}

/** `ms`: how long after this server is gone another one takes over. Milliseconds. */
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

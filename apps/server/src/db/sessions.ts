/** Sessions: opaque tokens stored as hashes. A session is alive while its account exists and its times have not run out. */
import { SESSION_MAX_MS, STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import { hashToken, randomToken } from '../vault/vault.ts';
import type { Database } from './schema.ts';

/** Writing "seen" on every request would make each read a write; once a minute is exact enough for 12 hours. */
const SEEN_EVERY_MS = 60_000;

export interface LiveSession {
  readonly tokenHash: string;
  readonly kind: AccountKind;
  readonly accountId: string;
  /** Name of the account. */
  readonly name: string;
  /** When the person last proved who they are. Milliseconds since 1970. */
  readonly provedAt: number;
  /** The member of staff who set the account's password; null where it is the person's own. */
  readonly passwordSetBy: string | null;
}

/** Makes a session and answers its token, which is not stored anywhere. */
export async function createSession(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  now: number,
): Promise<string> {
  const token = randomToken();
  await trx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      kind,
      account_id: accountId,
      created_at: now,
      last_seen_at: now,
      expires_at: now + SESSION_MAX_MS,
      proved_at: now,
    })
    .execute();
  return token;
}

/**
 * When sessions were used last that this server could not write down: whoever works on a full disk must be able to read
 * for longer than an idle session lasts, and cannot sign in again. Milliseconds by token hash.
 */
const unwritten = new Map<string, number>();
const UNWRITTEN_MAX = 10_000;

function lastSeenOf(row: { readonly token_hash: string; readonly last_seen_at: number }): number {
  return Math.max(row.last_seen_at, unwritten.get(row.token_hash) ?? 0);
}

/** Best effort: a reader must not be kept out because nothing can be written. */
async function noteSeen(db: Kysely<Database>, tokenHash: string, now: number): Promise<void> {
  try {
    await db
      .updateTable('sessions')
      .set({ last_seen_at: now })
      .where('token_hash', '=', tokenHash)
      .where('last_seen_at', '<', now)
      .execute();
    unwritten.delete(tokenHash);
  } catch {
    if (unwritten.size < UNWRITTEN_MAX) unwritten.set(tokenHash, now);
  }
}

function sessions(db: Kysely<Database>) {
  return db
    .selectFrom('sessions')
    .leftJoin('admins', (join) =>
      join.onRef('admins.id', '=', 'sessions.account_id').on('sessions.kind', '=', 'admin'),
    )
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'sessions.account_id').on('sessions.kind', '=', 'parent'),
    )
    .select([
      'sessions.token_hash',
      'sessions.kind',
      'sessions.account_id',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.proved_at',
      'admins.name as admin_name',
      'admins.password_set_by',
      'parents.name as parent_name',
    ]);
}

/** Name of the account; null where it is gone, and where the session's times have run out. Pure. */
function nameIfAlive(
  row: {
    readonly token_hash: string;
    readonly kind: AccountKind;
    readonly last_seen_at: number;
    readonly expires_at: number;
    readonly admin_name: string | null;
    readonly parent_name: string | null;
  },
  now: number,
): string | null {
  const idle = row.kind === 'admin' && now - lastSeenOf(row) >= STAFF_SESSION_IDLE_MS;
  if (now >= row.expires_at || idle) return null;
  return row.kind === 'admin' ? row.admin_name : row.parent_name;
}

/** The session of a token while it is alive; undefined for every other text. Notes that it was used. */
export async function findSession(
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<LiveSession | undefined> {
  return findSessionByHash(db, hashToken(token), now, true);
}

/** As {@link findSession}, by the stored hash; `seen` false leaves the idle time running. */
export async function findSessionByHash(
  db: Kysely<Database>,
  tokenHash: string,
  now: number,
  seen: boolean,
): Promise<LiveSession | undefined> {
  const row = await sessions(db).where('sessions.token_hash', '=', tokenHash).executeTakeFirst();
  const name = row ? nameIfAlive(row, now) : null;
  if (!row || name === null) return undefined;
  if (seen && now - lastSeenOf(row) >= SEEN_EVERY_MS) await noteSeen(db, tokenHash, now);
  return {
    tokenHash: row.token_hash,
    kind: row.kind,
    accountId: row.account_id,
    name,
    provedAt: row.proved_at,
    passwordSetBy: row.password_set_by,
  };
}

/** Notes a proof. Answers whether the session is still there. */
export async function proveSession(
  trx: Transaction<Database>,
  tokenHash: string,
  now: number,
): Promise<boolean> {
  const kept = await trx
    .updateTable('sessions')
    .set({ proved_at: now })
    .where('token_hash', '=', tokenHash)
    .returning('token_hash')
    .executeTakeFirst();
  return kept !== undefined;
}

/** Which of these sessions (stored hashes) are alive; leaves the idle time running. */
export async function findLiveSessions(
  db: Kysely<Database>,
  tokenHashes: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (tokenHashes.length === 0) return new Set();
  const rows = await sessions(db).where('sessions.token_hash', 'in', tokenHashes).execute();
  return new Set(rows.filter((row) => nameIfAlive(row, now) !== null).map((row) => row.token_hash));
}

export async function endSession(
  db: Kysely<Database> | Transaction<Database>,
  tokenHash: string,
): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends every session of an account, but `except` (a stored hash): on a new password and on deletion. */
export async function endSessionsOf(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  except = '',
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('token_hash', '!=', except)
    .execute();
}

/** Ends the sessions of an account that were not used for longest, so that at most `kept` are left. */
export async function endOldestSessions(
  trx: Transaction<Database>,
  kind: AccountKind,
  accountId: string,
  kept: number,
): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .where('token_hash', 'not in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('token_hash')
        .where('kind', '=', kind)
        .where('account_id', '=', accountId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .limit(kept),
    )
    .execute();
}

/** Removes sessions and tickets whose time has run out. */
export async function deleteExpiredSessions(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('tickets').where('expires_at', '<=', now).execute();
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await db
    .deleteFrom('sessions')
    .where('kind', '=', 'admin')
    .where('last_seen_at', '<=', now - STAFF_SESSION_IDLE_MS)
    .execute();
}

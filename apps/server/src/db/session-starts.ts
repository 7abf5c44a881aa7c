/** Opens sessions: of a browser, and of a desk tablet. */
import { SESSION_MAX_MS, STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import type { AccountKind } from '@haris/contract/roles';
import type { Transaction } from 'kysely';
import { hashToken, randomToken, type Vault } from '../vault/vault.ts';
import { type Covered, sealed } from './row-seals.ts';
import type { Database, SessionFactor } from './schema.ts';
import { endSessionsAtDesk } from './session-ends.ts';

/** The factor with which a session is opened, and its origin. */
export interface SessionStart {
  readonly factor: SessionFactor;
  readonly agent: string | null;
  readonly address: string | null;
  /** Time of the proof, if it was not just now. */
  readonly provedAt?: number;
  /** Maximum lifetime, if shorter than usual. Milliseconds. */
  readonly lifetimeMs?: number;
}

/** A session at a desk tablet (decision 045). */
interface DeskStart extends SessionStart {
  readonly deskId: string;
  /** Milliseconds without a press. */
  readonly idleMs: number;
}

/** Inserts a session, and returns its token. */
async function insertSession(
  trx: Transaction<Database>,
  vault: Vault,
  session: Omit<Covered<'sessions'>, 'token_hash'>,
  { agent, address }: Pick<SessionStart, 'agent' | 'address'>,
): Promise<string> {
  const token = randomToken();
  const row = sealed(vault, 'sessions', { token_hash: hashToken(token), ...session });
  await trx
    .insertInto('sessions')
    .values({ ...row, last_seen_at: row.created_at, agent, address })
    .execute();
  return token;
}

/**
 * Creates the session of a desk tablet and returns its token. It ends the previous session there, lives for at most a
 * working day, and does not count as a proof.
 */
export async function createDeskSession(
  trx: Transaction<Database>,
  vault: Vault,
  staffId: string,
  now: number,
  { deskId, idleMs, ...start }: DeskStart,
): Promise<string> {
  await endSessionsAtDesk(trx, deskId);
  const session = {
    kind: 'admin',
    account_id: staffId,
    created_at: now,
    expires_at: now + STAFF_SESSION_IDLE_MS,
    proved_at: 0,
    factor: start.factor,
    desk_id: deskId,
    idle_ms: idleMs,
  } as const;
  return insertSession(trx, vault, session, start);
}

/** Creates a session and returns its token, which is not stored anywhere. */
export async function createSession(
  trx: Transaction<Database>,
  vault: Vault,
  kind: AccountKind,
  accountId: string,
  now: number,
  { provedAt = now, lifetimeMs = SESSION_MAX_MS, ...start }: SessionStart = {
    factor: 'password',
    agent: null,
    address: null,
  },
): Promise<string> {
  const session = {
    kind,
    account_id: accountId,
    created_at: now,
    expires_at: now + lifetimeMs,
    proved_at: provedAt,
    factor: start.factor,
    desk_id: null,
    idle_ms: null,
  };
  return insertSession(trx, vault, session, start);
}

/**
 * Sessions: opaque tokens stored as hashes. A session is alive while its account exists, it has neither expired nor idled
 * out, and this version knows a role of the staff member.
 */
import { STAFF_SESSION_IDLE_MS } from '@haris/contract/constants';
import type { Permission } from '@haris/contract/permissions';
import type { AccountKind } from '@haris/contract/roles';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { permissionsAt } from '../policy.ts';
import { hashToken, type Vault } from '../vault/vault.ts';
import type { Dialect } from './dialect.ts';
import { findDeskFacility, findFamilyFacility } from './facilities.ts';
import {
  findFacilitiesOfStaff,
  findPermissions,
  findRightsAt,
  holdRightsAt,
  type Rights,
} from './memberships.ts';
import { type Covered, isSealed, sealOf } from './row-seals.ts';
import type { Database, SessionFactor } from './schema.ts';

/**
 * Updating `last_seen_at` on every request would turn each read into a write; once a minute is exact enough for a 12-hour
 * limit.
 */
const SEEN_EVERY_MS = 60_000;

/** Maximum clock difference between two servers. */
const CLOCK_SKEW_MS = 60_000;

export interface LiveSession {
  readonly tokenHash: string;
  readonly kind: AccountKind;
  readonly accountId: string;
  /**
   * The facility that the session works at. Null for staff without a role at the facility that they asked for, and for
   * a parent whose children are not all known at one facility.
   */
  readonly facility: string | null;
  /** Permissions of a staff member there; empty for a parent. */
  readonly permissions: ReadonlySet<Permission>;
  /** Permissions of the staff member at every facility. */
  readonly everywhere: ReadonlySet<Permission>;
  /** Name of the account. */
  readonly name: string;
  /** Time of the last proof. Milliseconds since 1970. */
  readonly provedAt: number;
  /** The staff member who set the account's password; null if the person chose it. */
  readonly passwordSetBy: string | null;
  readonly factor: SessionFactor;
  /** The desk tablet that the session belongs to; null elsewhere. */
  readonly deskId: string | null;
}

/** When an unused session of staff idles out: earlier at a desk tablet. Milliseconds since 1970. */
export function idlesOutAt(eb: ExpressionBuilder<Database, 'sessions'>) {
  return eb('sessions.last_seen_at', '+', eb.fn.coalesce('sessions.idle_ms', eb.val(STAFF_SESSION_IDLE_MS)));
}

/**
 * Last uses of sessions that this server could not write. On a full disk nobody can sign in again, so the map keeps
 * active readers signed in beyond the idle limit. Milliseconds by token hash.
 */
const unwritten = new Map<string, number>();
const UNWRITTEN_MAX = 10_000;

function lastSeenOf(row: { readonly token_hash: string; readonly last_seen_at: number }): number {
  return Math.max(row.last_seen_at, unwritten.get(row.token_hash) ?? 0);
}

/** Best effort: a failed write must not lock a reader out. */
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
    .leftJoin('staff', (join) =>
      join.onRef('staff.id', '=', 'sessions.account_id').on('sessions.kind', '=', 'admin'),
    )
    .leftJoin('parents', (join) =>
      join.onRef('parents.id', '=', 'sessions.account_id').on('sessions.kind', '=', 'parent'),
    )
    .select([
      'sessions.token_hash',
      'sessions.kind',
      'sessions.account_id',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.proved_at',
      'sessions.factor',
      'sessions.desk_id',
      'sessions.idle_ms',
      'sessions.seal',
      'staff.name as staff_name',
      'staff.password_set_by',
      'parents.name as parent_name',
      'parents.blocked_at',
    ]);
}

/** Name of the account; null if it is gone, the session has expired or idled out, or its row is not of this installation. Pure. */
function nameIfAlive(
  vault: Vault,
  row: Covered<'sessions'> & {
    readonly seal: string | null;
    readonly last_seen_at: number;
    readonly staff_name: string | null;
    readonly parent_name: string | null;
    readonly blocked_at: number | null;
  },
  now: number,
): string | null {
  if (!isSealed(vault, 'sessions', row)) return null;
  const idle = row.kind === 'admin' && now - lastSeenOf(row) >= (row.idle_ms ?? STAFF_SESSION_IDLE_MS);
  // At a shared tablet a clock that was set back must not prolong a person's time.
  const isAhead = row.idle_ms !== null && lastSeenOf(row) > now + CLOCK_SKEW_MS;
  if (now >= row.expires_at || idle || isAhead) return null;
  if (row.kind === 'parent') return row.blocked_at === null ? row.parent_name : null;
  return row.staff_name;
}

const NOTHING: ReadonlySet<Permission> = new Set();

type Owner = {
  readonly kind: AccountKind;
  readonly account_id: string;
  readonly desk_id: string | null;
};

/**
 * The permissions of a session, from the `permissions` of its owner; undefined for staff without a role that this
 * version knows.
 */
function permissionsOf(
  { kind, account_id, desk_id }: Owner,
  permissions: ReadonlyMap<string, ReadonlySet<Permission>>,
): ReadonlySet<Permission> | undefined {
  if (kind === 'parent') return NOTHING;
  const own = permissions.get(account_id);
  return own && permissionsAt(own, desk_id);
}

/** How a session is used. */
export interface SessionUse {
  /** The facility that the client asks for; null: the person's first. At a desk tablet it is the tablet's. */
  readonly facility: string | null;
  /** Whether the use is recorded. */
  readonly seen: boolean;
}

/** The live session of a token, or undefined. Records the use. `facility`: see {@link SessionUse}. */
export async function findSession(
  db: Kysely<Database>,
  vault: Vault,
  token: string,
  now: number,
  facility: string | null = null,
): Promise<LiveSession | undefined> {
  return findSessionByHash(db, vault, hashToken(token), now, { facility, seen: true });
}

/** What a session of staff may do, of the rights of its owner. Pure. */
function sessionRights(
  { here, everywhere }: Rights,
  deskId: string | null,
): Pick<LiveSession, 'permissions' | 'everywhere'> {
  return { permissions: permissionsAt(here, deskId), everywhere: permissionsAt(everywhere, deskId) };
}

/** Facility and rights of a session's owner; undefined for staff without any role that this version knows. */
async function findPlace(
  db: Kysely<Database>,
  owner: Owner,
  asked: string | null,
): Promise<Pick<LiveSession, 'facility' | 'permissions' | 'everywhere'> | undefined> {
  const { kind, account_id: id, desk_id } = owner;
  const nowhere = { facility: null, permissions: NOTHING, everywhere: NOTHING };
  if (kind === 'parent') return { ...nowhere, facility: await findFamilyFacility(db, id) };
  const wanted = desk_id === null ? asked : await findDeskFacility(db, desk_id);
  const facilities = await findFacilitiesOfStaff(db, id);
  const facility = wanted ?? facilities[0];
  if (facility === undefined) return undefined;
  const rights = facilities.includes(facility) ? (await findRightsAt(db, facility, [id])).get(id) : undefined;
  // At a tablet of another facility the person has no session at all.
  if (!rights) return asked === null || desk_id !== null ? undefined : nowhere;
  return { facility, ...sessionRights(rights, desk_id) };
}

/** Like {@link findSession}, by the stored hash. */
export async function findSessionByHash(
  db: Kysely<Database>,
  vault: Vault,
  tokenHash: string,
  now: number,
  { facility: asked, seen }: SessionUse,
): Promise<LiveSession | undefined> {
  const row = await sessions(db).where('sessions.token_hash', '=', tokenHash).executeTakeFirst();
  const name = row ? nameIfAlive(vault, row, now) : null;
  if (!row || name === null) return undefined;
  const place = await findPlace(db, row, asked);
  if (!place) return undefined;
  // At a shared tablet only a press counts: an open dashboard reads all day.
  if (seen && row.desk_id === null && now - lastSeenOf(row) >= SEEN_EVERY_MS)
    await noteSeen(db, tokenHash, now);
  return {
    tokenHash: row.token_hash,
    kind: row.kind,
    accountId: row.account_id,
    ...place,
    name,
    provedAt: row.proved_at,
    passwordSetBy: row.password_set_by,
    factor: row.factor,
    deskId: row.desk_id,
  };
}

/**
 * The time of a live session's last proof; undefined if the session or its account is gone, blocked or has idled out. The
 * session stays until the transaction ends: whoever wants to end it waits.
 */
export async function holdSession(
  trx: Transaction<Database>,
  { dialect, vault }: { readonly dialect: Dialect; readonly vault: Vault },
  tokenHash: string,
  now: number,
): Promise<{ readonly provedAt: number } | undefined> {
  const found = sessions(trx).where('sessions.token_hash', '=', tokenHash);
  const row = await (dialect === 'postgres' ? found.forKeyShare('sessions') : found).executeTakeFirst();
  return row && nameIfAlive(vault, row, now) !== null ? { provedAt: row.proved_at } : undefined;
}

/**
 * What a staff member's session may do now at a facility; undefined if the person has no role there. The person's roles stay
 * until the transaction ends: whoever wants to take them waits.
 */
export async function holdSessionRights(
  trx: Transaction<Database>,
  dialect: Dialect,
  { id, deskId }: { readonly id: string; readonly deskId: string | null },
  facility: string,
): Promise<Pick<LiveSession, 'permissions' | 'everywhere'> | undefined> {
  const rights = await holdRightsAt(trx, dialect, facility, id);
  return rights && sessionRights(rights, deskId);
}

/** Records a press in a session at a desk tablet. */
export async function notePress(db: Kysely<Database>, tokenHash: string, now: number): Promise<void> {
  await noteSeen(db, tokenHash, now);
}

/** Changes what a session's seal covers. Returns false if the session is gone. */
async function changeSession(
  trx: Transaction<Database>,
  vault: Vault,
  tokenHash: string,
  change: Partial<Pick<Covered<'sessions'>, 'proved_at' | 'factor'>>,
): Promise<boolean> {
  // Locks the row on both databases, so that the seal covers what is there when it is written.
  const row = await trx
    .updateTable('sessions')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('token_hash', '=', tokenHash)
    .returningAll()
    .executeTakeFirst();
  if (!row || !isSealed(vault, 'sessions', row)) return false;
  await trx
    .updateTable('sessions')
    .set({ ...change, seal: sealOf(vault, 'sessions', { ...row, ...change }) })
    .where('token_hash', '=', tokenHash)
    .execute();
  return true;
}

/** Records a proof. Returns false if the session is gone. */
export async function proveSession(
  trx: Transaction<Database>,
  vault: Vault,
  tokenHash: string,
  now: number,
): Promise<boolean> {
  return changeSession(trx, vault, tokenHash, { proved_at: now });
}

/** A session (stored hash) and the facility that it works at. */
interface SessionAt {
  readonly session: string;
  readonly facility: string | null;
}

/**
 * The permissions of each of these sessions that is alive, by {@link sessionKey}; does not record a use. Staff
 * who have lost their role at the facility count as signed out.
 */
export async function findLiveSessions(
  db: Kysely<Database>,
  vault: Vault,
  asked: readonly SessionAt[],
  now: number,
): Promise<Map<string, ReadonlySet<Permission>>> {
  if (asked.length === 0) return new Map();
  const hashes = [...new Set(asked.map(({ session }) => session))];
  const rows = await sessions(db).where('sessions.token_hash', 'in', hashes).execute();
  const alive = new Map(
    rows.filter((row) => nameIfAlive(vault, row, now) !== null).map((row) => [row.token_hash, row]),
  );
  const found = new Map<string, ReadonlySet<Permission>>();
  for (const [facility, some] of Map.groupBy(asked, (one) => one.facility)) {
    const here = some.flatMap(({ session }) => alive.get(session) ?? []);
    const staff = here.filter(({ kind }) => kind === 'admin').map(({ account_id }) => account_id);
    const permissions =
      facility === null ? new Map() : await findPermissions(db, facility, [...new Set(staff)]);
    for (const row of here) {
      const allowed = permissionsOf(row, permissions);
      if (allowed) found.set(sessionKey({ session: row.token_hash, facility }), allowed);
    }
  }
  return found;
}

/** Key of a session at a facility in {@link findLiveSessions}. */
export function sessionKey({ session, facility }: SessionAt): string {
  return `${session} ${facility ?? ''}`;
}

/** Records that the session's user has just given a second factor. Returns false if the session is gone. */
export async function raiseSession(
  trx: Transaction<Database>,
  vault: Vault,
  tokenHash: string,
  now: number,
): Promise<boolean> {
  return changeSession(trx, vault, tokenHash, { factor: 'second', proved_at: now });
}

/** A session in its owner's list. */
export interface ListedSession {
  readonly token_hash: string;
  readonly agent: string | null;
  readonly address: string | null;
  readonly created_at: number;
  readonly last_seen_at: number;
}

/** Live sessions of an account, the latest used first. */
export async function findSessionsOf(
  db: Kysely<Database>,
  vault: Vault,
  kind: AccountKind,
  accountId: string,
  now: number,
): Promise<ListedSession[]> {
  const rows = await sessions(db)
    .select(['sessions.agent', 'sessions.address'])
    .where('sessions.account_id', '=', accountId)
    .where('sessions.kind', '=', kind)
    .orderBy('sessions.last_seen_at', 'desc')
    .execute();
  return rows.filter((row) => nameIfAlive(vault, row, now) !== null);
}

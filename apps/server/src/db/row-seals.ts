/**
 * Seals of rows that hold the hash of a secret: a keyed hash over the secret's hash and all that the row permits. Whoever
 * can write to the database, but has no master key, can neither make such a row nor give one to somebody else.
 */
import type { Selectable } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import type { Database } from './schema.ts';

/**
 * The columns that a seal covers, the hash of the secret first, which identifies the row. Not covered: columns that only
 * restrict a row further, or that change with each use.
 */
export const sealedColumns = {
  sessions: [
    'token_hash',
    'kind',
    'account_id',
    'created_at',
    'expires_at',
    'proved_at',
    'factor',
    'desk_id',
    'idle_ms',
  ],
  one_time_tokens: ['token_hash', 'purpose', 'kind', 'account_id', 'email', 'created_at', 'expires_at'],
  tickets: ['ticket_hash', 'session_hash', 'facility_id', 'purpose', 'subject_id', 'expires_at'],
  factor_challenges: [
    'challenge_hash',
    'purpose',
    'account_kind',
    'account_id',
    'binding',
    'code_mac',
    'expires_at',
    'oidc_link',
  ],
  oidc_attempts: [
    'state_hash',
    'browser_hash',
    'purpose',
    'session_hash',
    'issuer',
    'return_to',
    'created_at',
    'expires_at',
  ],
  kiosk_devices: ['token_hash', 'kiosk_id', 'paired_at'],
  kiosk_codes: ['code_hash', 'session_hash', 'parent_id', 'expires_at'],
  kiosk_grants: ['grant_hash', 'kiosk_id', 'parent_id', 'proved_by', 'expires_at'],
  desk_tickets: ['token_hash', 'desk_id', 'staff_id', 'session_hash', 'made_at', 'expires_at'],
  camera_devices: ['token_hash', 'camera_id', 'paired_at'],
  collector_passes: ['token_hash', 'id', 'collector_id', 'day', 'created_by', 'created_at'],
} as const satisfies { readonly [T in keyof Database]?: readonly (keyof Database[T])[] };

export type SealedTable = keyof typeof sealedColumns;
export const sealedTables = Object.keys(sealedColumns) as readonly SealedTable[];

type Row<T extends SealedTable> = Selectable<Database[T]>;
/** The part of a row that its seal covers. */
export type Covered<T extends SealedTable> = {
  readonly [C in (typeof sealedColumns)[T][number] & keyof Row<T>]: Row<T>[C];
};

/** The seal of a row: hex. */
export function sealOf<T extends SealedTable>(vault: Vault, table: T, row: Covered<T>): string {
  const cells: Readonly<Record<string, unknown>> = { ...row };
  return vault.mac(`row of ${table}`, JSON.stringify(sealedColumns[table].map((column) => cells[column])));
}

/** The row with its seal, to be written. */
export function sealed<T extends SealedTable>(
  vault: Vault,
  table: T,
  row: Covered<T>,
): Covered<T> & { readonly seal: string } {
  return { ...row, seal: sealOf(vault, table, row) };
}

/** Whether a row that was read is one that this installation wrote. Rows without a seal are not. */
export function isSealed<T extends SealedTable>(
  vault: Vault,
  table: T,
  row: Covered<T> & { readonly seal: string | null },
): boolean {
  return row.seal !== null && row.seal === sealOf(vault, table, row);
}

/** The row, if it is there and {@link isSealed}. */
export function believed<T extends SealedTable, R extends Covered<T> & { readonly seal: string | null }>(
  vault: Vault,
  table: T,
  row: R | undefined,
): R | undefined {
  return row && isSealed(vault, table, row) ? row : undefined;
}

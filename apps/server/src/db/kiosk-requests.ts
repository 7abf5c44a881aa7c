/**
 * Requests of families at kiosks, one row per child. A row past its time is still `waiting` here; callers compare the
 * time.
 */
import { KIOSK_REQUEST_MS } from '@haris/contract/http/kiosk';
import type { Kysely, Transaction } from 'kysely';
import { isAlive } from '../lifetime.ts';
import type { Database, KioskRequestRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** Adds a request. End an older one of the same child first: a unique index allows one that waits. */
export async function insertKioskRequest(trx: Transaction<Database>, row: KioskRequestRow): Promise<void> {
  await trx.insertInto('kiosk_requests').values(row).execute();
}

export async function findKioskRequest(db: Reader, id: string): Promise<KioskRequestRow | undefined> {
  return db.selectFrom('kiosk_requests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a request has expired. Pure. */
export function hasRunOut(
  { expires_at: expiresAt }: Pick<KioskRequestRow, 'expires_at'>,
  now: number,
): boolean {
  return !isAlive({ expiresAt, lifetimeMs: KIOSK_REQUEST_MS, now });
}

/** Requests that wait and have not expired, oldest first. */
export async function findWaitingKioskRequests(db: Reader, now: number): Promise<KioskRequestRow[]> {
  return (
    db
      .selectFrom('kiosk_requests')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('expires_at', '>', now)
      // A row of the future was made before the clock was set back (`isAlive`).
      .where('expires_at', '<=', now + KIOSK_REQUEST_MS)
      .orderBy('created_at')
      .orderBy('visit_id')
      .orderBy('id')
      .execute()
  );
}

/** The requests of one visit to a kiosk, unless they ended before `since`. */
export async function findKioskVisit(
  db: Reader,
  visit: { readonly id: string; readonly kioskId: string; readonly since: number },
): Promise<KioskRequestRow[]> {
  return db
    .selectFrom('kiosk_requests')
    .selectAll()
    .where('visit_id', '=', visit.id)
    .where('kiosk_id', '=', visit.kioskId)
    .where('expires_at', '>', visit.since)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', visit.since)]))
    .orderBy('id')
    .execute();
}

/** Which requests to end. */
export interface WaitingOf {
  readonly id?: string;
  readonly childId?: string;
  readonly visitId?: string;
  readonly kioskId?: string;
  readonly parentId?: string;
  readonly kind?: KioskRequestRow['kind'];
}

/** Ends waiting requests, and returns their rows. */
export async function endKioskRequests(
  trx: Transaction<Database>,
  of: WaitingOf,
  { state, at }: { readonly state: 'done' | 'refused' | 'ended'; readonly at: number },
): Promise<KioskRequestRow[]> {
  let ended = trx
    .updateTable('kiosk_requests')
    .set({ state, ended_at: at })
    .where('kiosk_requests.state', '=', 'waiting');
  if (of.id !== undefined) ended = ended.where('id', '=', of.id);
  if (of.childId !== undefined) ended = ended.where('child_id', '=', of.childId);
  if (of.visitId !== undefined) ended = ended.where('visit_id', '=', of.visitId);
  if (of.kioskId !== undefined) ended = ended.where('kiosk_id', '=', of.kioskId);
  if (of.parentId !== undefined) ended = ended.where('parent_id', '=', of.parentId);
  if (of.kind !== undefined) ended = ended.where('kind', '=', of.kind);
  return ended.returningAll().execute();
}

/** Deletes all requests about a child. */
export async function deleteKioskRequestsOf(trx: Transaction<Database>, childId: string): Promise<void> {
  await trx.deleteFrom('kiosk_requests').where('child_id', '=', childId).execute();
}

/** Deletes requests that were made before a moment. */
export async function deleteKioskRequestsBefore(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('kiosk_requests').where('created_at', '<', before).execute();
}

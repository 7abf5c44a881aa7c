/** Reads cameras, opens their addresses, and keeps the devices that are cameras. */
import { type Zone, zoneSchema } from '@haris/contract/http/cameras';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Vault } from '../vault/vault.ts';
import { containsPattern, foldForSearch } from './folding.ts';
import { fromCursor, type PageRequest, toCursor } from './paging.ts';
import type { CameraRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const zonesSchema = z.array(zoneSchema);

/** Whether several servers can reach it; a device, and what is built in, speaks to one of them by itself. */
export function isNetworkCamera({ kind }: Pick<CameraRow, 'kind'>): boolean {
  return kind === 'rtsp' || kind === 'mjpeg';
}

/** The camera's zones. Throws a ZodError or SyntaxError for a row that somebody else wrote: never "no zones". */
export function readZones(row: Pick<CameraRow, 'zones'>): Zone[] {
  return zonesSchema.parse(JSON.parse(row.zones));
}

export function sealAddress(vault: Vault, cameraId: string, url: string | undefined): Buffer | null {
  return url === undefined ? null : vault.seal(`camera address ${cameraId}`, Buffer.from(url));
}

/** The whole address with user and password: for the face engine only. Null for a device. */
export function openAddress(vault: Vault, row: Pick<CameraRow, 'id' | 'address_sealed'>): string | null {
  return row.address_sealed && vault.open(`camera address ${row.id}`, row.address_sealed).toString('utf8');
}

export async function findCamera(db: Reader, id: string): Promise<CameraRow | undefined> {
  return db.selectFrom('cameras').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Takes a camera for this transaction alone, on both databases, and answers the row as it is then. */
export async function takeCamera(trx: Transaction<Database>, id: string): Promise<CameraRow | undefined> {
  return trx
    .updateTable('cameras')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** All cameras by name; a place has some dozens at most. */
export async function findCameras(db: Reader): Promise<CameraRow[]> {
  return db.selectFrom('cameras').selectAll().orderBy('sort_name').orderBy('id').execute();
}

/** A page of cameras by name; `search` is part of the name or the area. */
export async function hasCameras(db: Reader): Promise<boolean> {
  return (await db.selectFrom('cameras').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function findCamerasPage(
  db: Reader,
  request: PageRequest,
): Promise<{ rows: CameraRow[]; total: number; nextCursor: string | null }> {
  let matching = db.selectFrom('cameras');
  const folded = foldForSearch(request.search ?? '');
  if (folded)
    matching = matching.where(sql<boolean>`cameras.search_text like ${containsPattern(folded)} escape '\\'`);
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (request.cursor !== undefined) {
    const [name, id] = fromCursor(request.cursor);
    page = page.where((eb) =>
      eb.or([eb('sort_name', '>', name), eb.and([eb('sort_name', '=', name), eb('id', '>', id)])]),
    );
  }
  const rows = await page
    .orderBy('sort_name')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute();
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  return { rows: shown, total: Number(total), nextCursor: last ? toCursor([last.sort_name, last.id]) : null };
}

/** The columns by which cameras are ordered and searched. */
export function cameraSearchColumns(name: string, area: string): { sort_name: string; search_text: string } {
  return {
    sort_name: foldForSearch(name),
    search_text: [name, area].map(foldForSearch).join('\n'),
  };
}

/** Ids of the cameras that a device was paired with. */
export async function findPairedCameras(db: Reader): Promise<Set<string>> {
  const rows = await db.selectFrom('camera_devices').select('camera_id').execute();
  return new Set(rows.map((row) => row.camera_id));
}

/** The device's token, its code and its connection die: another kind, another pairing. */
export async function unpairDevice(trx: Transaction<Database>, cameraId: string): Promise<void> {
  await trx.deleteFrom('camera_pairings').where('camera_id', '=', cameraId).execute();
  await trx.deleteFrom('camera_devices').where('camera_id', '=', cameraId).execute();
}

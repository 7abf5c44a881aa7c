/** Cameras: finds, adds, changes and deletes their rows, and seals their addresses. */
import { type Zone, zoneSchema } from '@haris/contract/http/cameras';
import { foldForSearch } from '@haris/contract/search/folding';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Vault } from '../vault/vault.ts';
import { noteErasure } from './erasures.ts';
import { byName, findPage, type Page, type PageRequest, whereContains } from './paging.ts';
import type { CameraRow, Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

const zonesSchema = z.array(zoneSchema);

/** Whether every server can connect to the camera. A device or a built-in source reaches only one server. */
export function isNetworkCamera({ kind }: Pick<CameraRow, 'kind'>): boolean {
  return kind === 'rtsp' || kind === 'mjpeg';
}

/** The camera's zones. Throws a ZodError or SyntaxError if the row is damaged: it never falls back to "no zones". */
export function readZones(row: Pick<CameraRow, 'zones'>): Zone[] {
  return zonesSchema.parse(JSON.parse(row.zones));
}

export function sealAddress(vault: Vault, cameraId: string, url: string | undefined): Buffer | null {
  return url === undefined ? null : vault.seal(`camera address ${cameraId}`, Buffer.from(url));
}

/** The whole address with user and password, for the engine only. Null for a device. */
export function openAddress(vault: Vault, row: Pick<CameraRow, 'id' | 'address_sealed'>): string | null {
  return row.address_sealed && vault.open(`camera address ${row.id}`, row.address_sealed).toString('utf8');
}

export async function findCamera(db: Reader, id: string): Promise<CameraRow | undefined> {
  return db.selectFrom('cameras').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the row until the transaction ends, on both databases. */
export async function lockCamera(trx: Transaction<Database>, id: string): Promise<CameraRow | undefined> {
  return trx
    .updateTable('cameras')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** All cameras by name; a facility has a few dozen at most. */
export async function findCameras(db: Reader): Promise<CameraRow[]> {
  return db.selectFrom('cameras').selectAll().orderBy('sort_name').orderBy('id').execute();
}

/** The areas with an enabled camera, each once. */
export async function findCameraAreas(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('cameras')
    .select('area')
    .distinct()
    .where('enabled', '=', 1)
    .orderBy('area')
    .execute();
  return rows.map(({ area }) => area);
}

/** Whether the facility has any camera. */
export async function hasCameras(db: Reader): Promise<boolean> {
  return (await db.selectFrom('cameras').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** A page of cameras by name; `search` is part of the name or the area. */
export async function findCamerasPage(db: Reader, request: PageRequest): Promise<Page<CameraRow>> {
  const matching = whereContains(db.selectFrom('cameras'), ['cameras.search_text'], request.search);
  return findPage(matching, (found) => found.selectAll(), byName('cameras'), request);
}

/** The columns that sort and search cameras. */
export function cameraSearchColumns(name: string, area: string): { sort_name: string; search_text: string } {
  return {
    sort_name: foldForSearch(name),
    search_text: [name, area].map(foldForSearch).join('\n'),
  };
}

export async function insertCamera(trx: Transaction<Database>, row: CameraRow): Promise<void> {
  await trx.insertInto('cameras').values(row).execute();
}

export async function updateCameraRow(trx: Transaction<Database>, row: CameraRow): Promise<void> {
  await trx.updateTable('cameras').set(row).where('id', '=', row.id).execute();
}

/** Deletes a camera with its device and its sightings. Returns false if it does not exist. */
export async function deleteCameraRow(trx: Transaction<Database>, id: string, at: number): Promise<boolean> {
  const deleted = await trx.deleteFrom('cameras').where('id', '=', id).returning('id').executeTakeFirst();
  if (deleted) await noteErasure(trx, { kind: 'camera', id, at });
  return deleted !== undefined;
}

/** Whether a camera should give pictures: one without a paired device cannot have gone down. Pure. */
export function isWatched(
  { id, enabled, kind }: Pick<CameraRow, 'id' | 'enabled' | 'kind'>,
  paired: ReadonlySet<string>,
): boolean {
  return enabled === 1 && (kind !== 'browser' || paired.has(id));
}

/**
 * The enrolled faces, as the vision process is asked about them. Every question names the revision that it is about;
 * a vision process that holds another one is sent the gallery first, so that no answer is about faces of the past.
 */
import type { VisionGallery } from '@haris/contract/vision';
import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../app-error.ts';
import { findDataKey } from '../db/data-keys.ts';
import type { Database } from '../db/schema.ts';
import type { Vault } from '../vault/vault.ts';
import { GalleryStaleError, type VisionClient } from './client.ts';
import { openEncoding } from './encoding.ts';

export interface Near {
  readonly childId: string;
  /** Mean of the Euclidean distances to the child's photos; smaller is nearer. */
  readonly distance: number;
}

/** Questions throw AppError 503 `face_engine_unavailable`. */
export interface Gallery {
  /** All enrolled faces, and the revision that they are at least as new as. Asks nobody. */
  read(): Promise<VisionGallery>;
  /** Enrolled children nearer than `maxDistance`, nearest first, and the revision that the answer is about. */
  nearest(
    encoding: number[],
    maxDistance: number,
    exclude: string[],
  ): Promise<{ revision: number; nearest: Near[] }>;
  /** Every face of a photo with its child, or null (unknown) and the children nearer than `questionDistance`. */
  identify(
    photo: Uint8Array,
    limits: { readonly threshold: number; readonly margin: number; readonly questionDistance: number },
  ): Promise<{ box: [number, number, number, number]; match: Near | null; near: Near[] }[]>;
}

async function findGalleryRevision(db: Kysely<Database> | Transaction<Database>): Promise<number> {
  const row = await db.selectFrom('gallery').select('revision').where('id', '=', 1).executeTakeFirstOrThrow();
  return row.revision;
}

/** Says with this transaction that the enrolled faces change. */
export async function advanceGallery(trx: Transaction<Database>): Promise<void> {
  await trx
    .updateTable('gallery')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', 1)
    .execute();
}

/** As {@link advanceGallery}, but only from the revision that was decided on; false when another change came between. */
export async function advanceGalleryFrom(trx: Transaction<Database>, revision: number): Promise<boolean> {
  const row = await trx
    .updateTable('gallery')
    .set({ revision: revision + 1 })
    .where('id', '=', 1)
    .where('revision', '=', revision)
    .returning('revision')
    .executeTakeFirst();
  return row !== undefined;
}

export function openGallery(db: Kysely<Database>, vault: Vault, vision: VisionClient): Gallery {
  /** Opened encodings by row id: opening a thousand takes a while, and rows never change. */
  const opened = new Map<string, number[]>();
  let sending: Promise<unknown> = Promise.resolve();
  let held: VisionGallery | null = null;

  /** The revision is read before the rows, so the rows are at least as new as it says. */
  async function read(): Promise<VisionGallery> {
    const revision = await findGalleryRevision(db);
    if (held?.revision !== revision) held = { revision, entries: await readEntries() };
    return held;
  }

  async function readEntries() {
    const rows = await db.selectFrom('face_encodings').select(['id', 'child_id', 'sealed']).execute();
    const entries = new Map<string, number[][]>();
    for (const row of rows) {
      let encoding = opened.get(row.id);
      if (!encoding) {
        const key = await findDataKey(db, vault, 'child', row.child_id);
        if (!key) continue;
        encoding = openEncoding(key, row.id, row.sealed);
        opened.set(row.id, encoding);
      }
      const mine = entries.get(row.child_id);
      if (mine) mine.push(encoding);
      else entries.set(row.child_id, [encoding]);
    }
    const kept = new Set(rows.map((row) => row.id));
    for (const id of opened.keys()) if (!kept.has(id)) opened.delete(id);
    return [...entries].map(([childId, encodings]) => ({ childId, encodings }));
  }

  /** Asks, and where the vision process holds another gallery, sends ours and asks again. */
  async function ask<T>(
    question: (revision: number) => Promise<T>,
  ): Promise<{ revision: number; answer: T }> {
    let last = -1;
    for (let inVain = 0; inVain < 5; ) {
      const revision = await findGalleryRevision(db);
      // Where the faces have changed meanwhile, somebody else got on: that is not in vain.
      if (revision === last) inVain++;
      last = revision;
      try {
        return { revision, answer: await question(revision) };
      } catch (error) {
        if (!(error instanceof GalleryStaleError)) throw error;
        // One sender at a time.
        sending = sending.catch(() => undefined).then(async () => vision.putGallery(await read()));
        await sending;
      }
    }
    throw new AppError('face_engine_unavailable');
  }

  return {
    read,
    async nearest(encoding, maxDistance, exclude) {
      const { revision, answer } = await ask((r) =>
        vision.match({ revision: r, encoding, maxDistance, exclude }),
      );
      return { revision, nearest: answer.nearest };
    },
    async identify(photo, limits) {
      const { answer } = await ask((r) => vision.identify(photo, { revision: r, ...limits }));
      return answer.faces;
    },
  };
}

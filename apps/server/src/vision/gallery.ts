/**
 * The gallery: all enrolled faces for comparison by the face engine. Every call names a revision of the gallery. If the
 * engine has a different revision, it gets the gallery first, so that it never compares with outdated faces.
 */
import { subjectKey } from '@haris/contract/subject';
import type { NearChild, VisionGallery } from '@haris/contract/vision';
import { createLimiter } from '@haris/runtime/limiter';
import type { Kysely } from 'kysely';
import { AppError } from '../app-error.ts';
import { findDataKey } from '../db/data-keys.ts';
import { openEncoding } from '../db/encoding.ts';
import { findEncodings, findGalleryRevision } from '../db/gallery.ts';
import type { Database } from '../db/schema.ts';
import type { Vault } from '../vault/vault.ts';
import { GalleryStaleError, type VisionClient } from './client.ts';
import { subjectOf } from './subject.ts';

/** Calls of the engine throw AppError 503 `face_engine_unavailable`. */
export interface Gallery {
  /** Reads all enrolled faces from the database; they are at least as new as the returned revision. */
  read(): Promise<VisionGallery>;
  /** Sends all enrolled faces to the engine; returns their revision. */
  send(): Promise<number>;
  /** Finds enrolled children nearer than `maxDistance`, nearest first, and the revision of the compared gallery. */
  nearest(
    encoding: number[],
    maxDistance: number,
    exclude: string[],
  ): Promise<{ revision: number; nearest: NearChild[] }>;
  /** Finds all faces in a photo. `match` is null for an unknown face; `near`: children nearer than `questionDistance`. */
  identify(
    photo: Uint8Array,
    limits: { readonly threshold: number; readonly margin: number; readonly questionDistance: number },
  ): Promise<{ box: [number, number, number, number]; match: NearChild | null; near: NearChild[] }[]>;
}

export function openGallery(db: Kysely<Database>, vault: Vault, vision: VisionClient): Gallery {
  /** Cache of decrypted encodings by row id: decrypting a thousand takes a while, and rows never change. */
  const opened = new Map<string, number[]>();
  let held: VisionGallery | null = null;
  /** One sender at a time, so that an older gallery never replaces a newer one. */
  const sender = createLimiter(1);

  /** Reads the revision before the rows, so that the rows are at least as new as the revision. */
  async function read(): Promise<VisionGallery> {
    const revision = await findGalleryRevision(db);
    if (held?.revision !== revision) held = { revision, entries: await readEntries() };
    return held;
  }

  async function readEntries(): Promise<VisionGallery['entries']> {
    const rows = await findEncodings(db);
    const entries = new Map<string, VisionGallery['entries'][number]>();
    for (const { id, owner, sealed } of rows) {
      let encoding = opened.get(id);
      if (!encoding) {
        const key = await findDataKey(db, vault, owner.kind, owner.id);
        if (!key) continue;
        encoding = openEncoding(key, id, sealed);
        opened.set(id, encoding);
      }
      const subject = subjectOf(owner);
      const entry = entries.get(subjectKey(subject));
      if (entry) entry.encodings.push(encoding);
      else entries.set(subjectKey(subject), { subject, encodings: [encoding] });
    }
    const kept = new Set(rows.map((row) => row.id));
    for (const id of opened.keys()) if (!kept.has(id)) opened.delete(id);
    return [...entries.values()];
  }

  const send = (): Promise<number> =>
    sender.run(async () => {
      const gallery = await read();
      await vision.putGallery(gallery);
      return gallery.revision;
    });

  /** Calls the engine. If it has a different gallery, sends ours and repeats the call. */
  async function ask<T>(
    question: (revision: number) => Promise<T>,
  ): Promise<{ revision: number; answer: T }> {
    let last = -1;
    for (let inVain = 0; inVain < 5; ) {
      const revision = await findGalleryRevision(db);
      // Count only attempts at an unchanged revision: a new revision means that another enrolment succeeded.
      if (revision === last) inVain++;
      last = revision;
      try {
        return { revision, answer: await question(revision) };
      } catch (error) {
        if (!(error instanceof GalleryStaleError)) throw error;
        await send();
      }
    }
    throw new AppError('face_engine_unavailable');
  }

  return {
    read,
    send,
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

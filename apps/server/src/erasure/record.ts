/**
 * The file `erasures.log` in the data folder: one line of JSON per erasure or revoked key, ids and keyed hashes only. It is
 * outside the database, so that it survives the restore of an older database. Lines are only appended.
 */
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ERASED_KINDS } from '../db/erased-kinds.ts';
import { type Erasure, findErasures } from '../db/erasures.ts';
import type { Database } from '../db/schema.ts';
import { appendKeptLines, hasKeptLines, type KeptRecord, readKeptLines } from '../kept-lines.ts';

const erasureSchema = z.object({ kind: z.enum(ERASED_KINDS), id: z.string(), at: z.number() });

const FILE = 'erasures.log';
const keyOf = ({ kind, id }: Erasure) => `${kind} ${id}`;

/**
 * All erasures in the file. Skips a line that a crash cut off; the database still has that erasure. Throws
 * DataFolderError if it cannot be read.
 */
export function readErasures(dataDir: string): Erasure[] {
  return readKeptLines(dataDir, FILE).flatMap((line) => {
    try {
      return [erasureSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/**
 * Whether the file can be that of an installation whose backup held `erasures`: false if there is none, or if it lacks one
 * of them. An old copy of the right file, with the erasures of the backup and none of the later ones, is not noticed.
 */
export function hasRecordSince(dataDir: string, erasures: readonly Erasure[]): boolean {
  const known = new Set(readErasures(dataDir).map(keyOf));
  return hasKeptLines(dataDir, FILE) && erasures.every((erasure) => known.has(keyOf(erasure)));
}

/** `alsoForget`: lets other files outside the database forget who was erased; never rejects. */
export function openErasureRecord(
  db: Kysely<Database>,
  dataDir: string,
  log: Logger,
  alsoForget: () => Promise<void>,
): KeptRecord {
  const known = new Set(readErasures(dataDir).map(keyOf));
  return {
    async update() {
      try {
        const fresh = (await findErasures(db)).filter((erasure) => !known.has(keyOf(erasure)));
        const lines = fresh.map(({ kind, id, at }) => JSON.stringify({ kind, id, at }));
        appendKeptLines(dataDir, FILE, lines);
        for (const erasure of fresh) known.add(keyOf(erasure));
      } catch (error) {
        log.error(describeFailure(error), 'an erasure could not be noted outside the database yet');
      }
      await alsoForget();
    },
  };
}

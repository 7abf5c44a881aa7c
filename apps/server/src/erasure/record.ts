/**
 * The file `erasures.log` in the data folder: one line of JSON per erasure or revoked key, ids and keyed hashes only. It is
 * outside the database, so that it survives the restore of an older database. Lines are only appended.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DataFolderError } from '../db/embedded.ts';
import { ERASED_KINDS } from '../db/erased-kinds.ts';
import { type Erasure, findErasures } from '../db/erasures.ts';
import type { Database } from '../db/schema.ts';

const erasureSchema = z.object({ kind: z.enum(ERASED_KINDS), id: z.string(), at: z.number() });

const fileOf = (dataDir: string) => join(dataDir, 'erasures.log');
const keyOf = ({ kind, id }: Erasure) => `${kind} ${id}`;

export interface ErasureRecord {
  /**
   * Appends the erasures that the database has and the file lacks, and syncs them to disk; makes the file if there is none.
   * Call it after each erasure or revocation and at start. Never rejects: after a failure, the next call writes them.
   */
  update(): Promise<void>;
}

/**
 * All erasures in the file. Skips a line that a crash cut off; the database still has that erasure. Throws
 * {@link DataFolderError} if it cannot be read.
 */
export function readErasures(dataDir: string): Erasure[] {
  let text: string;
  try {
    text = readFileSync(fileOf(dataDir), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return [];
    // Without it, people who were erased could come back with a restore.
    throw new DataFolderError(
      `erasures.log in the data folder ${dataDir} cannot be read (${code}). It must be a file that this user may read and write.`,
    );
  }
  return text.split('\n').flatMap((line) => {
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
  return existsSync(fileOf(dataDir)) && erasures.every((erasure) => known.has(keyOf(erasure)));
}

/** Appends lines and syncs them to disk. Each starts with a line break, in case a crash cut off the last one. */
function appendErasures(dataDir: string, erasures: readonly Erasure[]): void {
  if (erasures.length === 0 && existsSync(fileOf(dataDir))) return;
  const file = openSync(fileOf(dataDir), 'a', 0o600);
  try {
    writeSync(file, erasures.map(({ kind, id, at }) => `\n${JSON.stringify({ kind, id, at })}`).join(''));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export function openErasureRecord(db: Kysely<Database>, dataDir: string, log: Logger): ErasureRecord {
  const known = new Set(readErasures(dataDir).map(keyOf));
  return {
    async update() {
      try {
        const fresh = (await findErasures(db)).filter((erasure) => !known.has(keyOf(erasure)));
        appendErasures(dataDir, fresh);
        for (const erasure of fresh) known.add(keyOf(erasure));
      } catch (error) {
        log.error(describeFailure(error), 'an erasure could not be noted outside the database yet');
      }
    },
  };
}

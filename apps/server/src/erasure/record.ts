/**
 * The file `erasures.log` below the data folder: what was erased, a line of JSON each, ids alone. It lies outside the
 * database, so that it still knows when an older copy of the database is put back. Lines are only ever added.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { ERASED_KINDS, type Erasure, findErasures } from '../db/erasures.ts';
import type { Database } from '../db/schema.ts';

const erasureSchema = z.object({ kind: z.enum(ERASED_KINDS), id: z.string(), at: z.number() });

const fileOf = (dataDir: string) => join(dataDir, 'erasures.log');
const keyOf = ({ kind, id }: Erasure) => `${kind} ${id}`;

export interface ErasureRecord {
  /**
   * Writes what the database has noted and the file has not; on disk when it resolves. Call it after each erasure and at
   * start. Never rejects: what could not be written is written the next time.
   */
  update(): Promise<void>;
}

/** All lines of the file; a line that was cut off by a crash is no erasure, and is noted again from the database. */
export function readErasures(dataDir: string): Erasure[] {
  let text: string;
  try {
    text = readFileSync(fileOf(dataDir), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [erasureSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** Adds lines, synced to disk when it returns. Each begins on a line of its own, whatever a crash has left before it. */
function appendErasures(dataDir: string, erasures: readonly Erasure[]): void {
  if (erasures.length === 0) return;
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

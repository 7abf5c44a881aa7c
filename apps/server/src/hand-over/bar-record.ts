/**
 * The file `bars.log` in the data folder: a line for each adult to whom a child must not be handed, and for each such bar that was
 * lifted. It is outside the database, so that a bar survives the restore of an older one. Each line is sealed with the master key: it
 * shows no name, and nobody lifts a bar by writing a line. A line ends with a full stop; without it, a crash cut it off.
 */
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { findAllBars } from '../db/barred-adults.ts';
import { findErasures } from '../db/erasures.ts';
import type { BarredAdultRow, Database } from '../db/schema.ts';
import { acrossFacilities } from '../facility.ts';
import {
  appendKeptLines,
  blankKeptLines,
  hasKeptLines,
  type KeptRecord,
  readKeptLines,
} from '../kept-lines.ts';
import type { Vault } from '../vault/vault.ts';
import { openBar } from './adults.ts';

const FILE = 'bars.log';
const SEALED_AS = 'bars.log';
const END = '.';

const enteredSchema = z.object({
  kind: z.literal('entered'),
  id: z.string(),
  childId: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  note: z.string(),
  documentDate: z.string().nullable(),
  adultId: z.string().nullable(),
  by: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const liftedSchema = z.object({
  kind: z.literal('lifted'),
  id: z.string(),
  childId: z.string(),
  by: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const lineSchema = z.discriminatedUnion('kind', [enteredSchema, liftedSchema]);

/** A bar as it was entered. Notes about namesakes are left out: they name versions of adults, which a restore sets back. */
export type EnteredBar = z.infer<typeof enteredSchema>;
/** Who lifted a bar, and when. */
export type LiftedBar = z.infer<typeof liftedSchema>;
type Line = EnteredBar | LiftedBar;

/** What the file says, by the ids of bars. */
export interface KeptBars {
  readonly entered: ReadonlyMap<string, EnteredBar>;
  readonly lifted: ReadonlyMap<string, LiftedBar>;
  /** Lines that are whole but were changed, or not written by this installation. They count for nothing. */
  readonly unreadable: number;
}

function sealLine(vault: Vault, line: Line): string {
  return vault.seal(SEALED_AS, Buffer.from(JSON.stringify(line))).toString('base64url') + END;
}

/** Throws if the line was not written with this master key. */
function openLine(vault: Vault, text: string): Line {
  const sealed = Buffer.from(text.slice(0, -END.length), 'base64url');
  return lineSchema.parse(JSON.parse(vault.open(SEALED_AS, sealed).toString('utf8')));
}

/** Whether a line is written to its end. One that begins with a space is being removed, or is gone. */
const isWhole = (text: string) => text.endsWith(END) && !text.startsWith(' ');

/**
 * What a line of the file is about: two lines with the same `subject` say the same. Null if it is not whole, or was not written
 * with this master key.
 */
export function readBarLine(
  vault: Vault,
  text: string,
): { readonly subject: string; readonly childId: string } | null {
  if (!isWhole(text)) return null;
  try {
    const { kind, id, childId } = openLine(vault, text);
    return { subject: `${kind} ${id}`, childId };
  } catch {
    return null;
  }
}

/** Reads the file; nothing if there is none. Throws DataFolderError if it cannot be read. */
export function readKeptBars(dataDir: string, vault: Vault): KeptBars {
  const entered = new Map<string, EnteredBar>();
  const lifted = new Map<string, LiftedBar>();
  let unreadable = 0;
  for (const text of readKeptLines(dataDir, FILE).filter(isWhole)) {
    try {
      const line = openLine(vault, text);
      if (line.kind === 'entered') entered.set(line.id, line);
      else lifted.set(line.id, line);
    } catch {
      unreadable++;
    }
  }
  return { entered, lifted, unreadable };
}

/**
 * Whether the file can be that of an installation whose backup held these bars: false if there is none, or if it lacks one of them.
 * An old copy of the right file, with the bars of the backup and none of the later ones, is not noticed.
 */
export function hasBarsSince(
  dataDir: string,
  { entered, lifted }: KeptBars,
  rows: readonly BarredAdultRow[],
): boolean {
  return (
    hasKeptLines(dataDir, FILE) &&
    rows.every(({ id, lifted_at }) => lifted.has(id) || (lifted_at === null && entered.has(id)))
  );
}

/** The line that a row lacks; null if it lacks none. A bar that was lifted is never put back, so it needs only the line of its lift. */
async function missingLine(
  vault: Vault,
  db: Kysely<Database>,
  row: BarredAdultRow,
  kept: KeptBars,
): Promise<Line | null> {
  const { id, child_id: childId, lifted_at: liftedAt } = row;
  if (liftedAt !== null)
    return kept.lifted.has(id)
      ? null
      : { kind: 'lifted', id, childId, by: row.lifted_by ?? '', at: liftedAt };
  if (kept.entered.has(id)) return null;
  const { name, phone, note } = await openBar({ vault }, db, row);
  const { document_date: documentDate, adult_id: adultId, created_by: by, created_at: at } = row;
  return { kind: 'entered', id, childId, name, phone, note, documentDate, adultId, by, at };
}

/** The record of bars. An update also removes the lines of children that were erased. */
export function openBarRecord(db: Kysely<Database>, vault: Vault, dataDir: string, log: Logger): KeptRecord {
  const failed = (error: unknown) =>
    log.error(describeFailure(error), 'a bar could not be noted outside the database yet');

  async function append(): Promise<void> {
    // The file is read each time: another server may share it.
    const kept = readKeptBars(dataDir, vault);
    const lines: string[] = [];
    for (const row of await findAllBars(db))
      try {
        const line = await missingLine(vault, db, row, kept);
        if (line) lines.push(sealLine(vault, line));
      } catch (error) {
        // One bar that cannot be read must not keep the others out.
        failed(error);
      }
    appendKeptLines(dataDir, FILE, lines);
  }

  async function removeErased(): Promise<void> {
    const children = (await findErasures(db)).filter(({ kind }) => kind === 'child');
    const erased = new Set(children.map(({ id }) => id));
    const { entered, lifted } = readKeptBars(dataDir, vault);
    if (![...entered.values(), ...lifted.values()].some(({ childId }) => erased.has(childId))) return;
    blankKeptLines(dataDir, FILE, (text) => {
      const line = readBarLine(vault, text);
      return line !== null && erased.has(line.childId);
    });
  }

  async function bringUpToDate(): Promise<void> {
    try {
      await acrossFacilities(append);
      await removeErased();
    } catch (error) {
      failed(error);
    }
  }

  let last = Promise.resolve();
  return {
    update() {
      // One at a time: two at once would write the same lines.
      last = last.then(bringUpToDate);
      return last;
    },
  };
}

/**
 * The copy of the files outside the database (`erasures.log` and its like) in the folder of nightly backups: after the loss
 * of the machine nothing else tells a restore what was erased since the backup. It is sealed with the master key, so that
 * who can write to the folder erases nobody with a line of their own.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { readBarLine } from '../hand-over/bar-record.ts';
import { appendKeptLines } from '../kept-lines.ts';
import type { MasterKey } from '../vault/master-key.ts';
import { openVault, type Vault } from '../vault/vault.ts';
import { ArchiveError, openArchive, sealArchive } from './archive.ts';
import { isSurvivor, survivorsIn } from './replace.ts';

const FILE = '.haris-records';
const PURPOSE = 'records beside backups';
const BARS = 'bars.log';
const HEADS = 'audit-heads.log';

const copySchema = z.object({
  /** When the copy was made. ISO 8601. */
  at: z.string(),
  files: z.record(z.string().refine(isSurvivor), z.string()),
});
type Copy = z.infer<typeof copySchema>;
type Files = Copy['files'];

/** The copy; null if there is none. Throws {@link ArchiveError} if it is damaged, or of another key. */
async function readCopy(file: string, master: MasterKey): Promise<Copy | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of openArchive(master.derive(PURPOSE), createReadStream(file))) parts.push(part);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const read = copySchema.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  if (!read.success) throw new ArchiveError('It was made by a newer Haris.');
  return read.data;
}

function readFiles(dataDir: string): Files {
  return Object.fromEntries(
    survivorsIn(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]),
  );
}

const erasedChildSchema = z.object({ kind: z.literal('child'), id: z.string() });

/** Ids of the children whom these files call erased: what an older copy says of them must not come back. */
function findErased(...all: readonly Files[]): Set<string> {
  const lines = all.flatMap((files) => (files['erasures.log'] ?? '').split('\n'));
  return new Set(
    lines.flatMap((line) => {
      try {
        return [erasedChildSchema.parse(JSON.parse(line)).id];
      } catch {
        return [];
      }
    }),
  );
}

/** The lines of the older file that still count. */
function linesOf(
  name: string,
  text: string | undefined,
  vault: Vault,
  erased: ReadonlySet<string>,
): string[] {
  return (text ?? '').split('\n').filter((line) => {
    if (line.trim() === '') return false;
    if (name !== BARS) return true;
    const bar = readBarLine(vault, line);
    return bar !== null && !erased.has(bar.childId);
  });
}

/** The lines of `more` that say what no line of `lines` says. */
function newIn(more: readonly string[], lines: readonly string[], name: string, vault: Vault): string[] {
  // The same bar is sealed anew where the file was written anew.
  const subjectOf = (line: string) => (name === BARS ? readBarLine(vault, line)?.subject : undefined) ?? line;
  const known = new Set(lines.map(subjectOf));
  return more.filter((line) => line.trim() !== '' && !known.has(subjectOf(line)));
}

/** All that the older copy and the present files say. The order of each stays, and what is new comes last. */
function unite(older: Files, present: Files, vault: Vault): Files {
  const erased = findErased(older, present);
  const names = [...new Set([...Object.keys(older), ...Object.keys(present)])];
  return Object.fromEntries(
    names.map((name) => {
      const kept = linesOf(name, older[name], vault, erased);
      const fresh = newIn((present[name] ?? '').split('\n'), kept, name, vault);
      return [name, [...kept, ...fresh].map((line) => `${line}\n`).join('')];
    }),
  );
}

/** Moves a copy that cannot be opened to a name of its own, because it may be the last that knows something. */
async function keepApart(file: string, now: number): Promise<void> {
  const name = `${file}.${new Date(now).toISOString().slice(0, 10)}`;
  let free = name;
  for (let count = 2; existsSync(free); count++) free = `${name}-${count}`;
  await rename(file, free);
}

/**
 * Copies the files of `dataDir` to the folder of nightly backups. What the copy before knows stays in it, except bars of erased
 * children: after a restore that did not take it, the files of `dataDir` know less.
 */
export async function writeRecords(
  dataDir: string,
  folder: string,
  master: MasterKey,
  now: number,
): Promise<void> {
  const file = join(folder, FILE);
  const older = await readCopy(file, master).catch(async (error: unknown) => {
    if (!(error instanceof ArchiveError)) throw error;
    await keepApart(file, now);
    return null;
  });
  const files = unite(older?.files ?? {}, readFiles(dataDir), openVault(master));
  const copy: Copy = { at: new Date(now).toISOString(), files };
  const bytes = Readable.from([Buffer.from(JSON.stringify(copy))]);
  const sealed: Buffer[] = [];
  for await (const part of sealArchive(master.derive(PURPOSE), bytes)) sealed.push(part);
  const part = join(folder, `${FILE}.part`);
  await writeFile(part, Buffer.concat(sealed), { mode: 0o600 });
  const written = await open(part, 'r+');
  await written.sync().finally(() => written.close());
  await rename(part, file);
}

/** What a data folder was given from the copy. */
export interface TakenRecords {
  /** Files that it did not have. */
  readonly names: readonly string[];
  /** Files that it had, and how many lines were appended to each. */
  readonly added: readonly { readonly name: string; readonly count: number }[];
  /** When the copy was made. ISO 8601. */
  readonly at: string;
}

/**
 * Gives a data folder the files that it lacks, from the copy beside `backup`, and its own files the lines that they lack;
 * null if there is no copy. The heads of the audit log are not added to: what they say depends on their order. Throws
 * {@link ArchiveError} for a copy that is damaged, or of another key.
 */
export async function takeRecords(
  dataDir: string,
  backup: string,
  master: MasterKey,
): Promise<TakenRecords | null> {
  const copy = await readCopy(join(dirname(backup), FILE), master);
  if (copy === null) return null;
  const vault = openVault(master);
  const present = readFiles(dataDir);
  const erased = findErased(copy.files, present);
  const names: string[] = [];
  const added: { name: string; count: number }[] = [];
  for (const [name, text] of Object.entries(copy.files)) {
    const own = present[name];
    if (own !== undefined && name === HEADS) continue;
    const lines = newIn(linesOf(name, text, vault, erased), (own ?? '').split('\n'), name, vault);
    // Each begins with a line break: a last line that was cut off takes none with it.
    appendKeptLines(dataDir, name, lines);
    if (own === undefined) names.push(name);
    else if (lines.length > 0) added.push({ name, count: lines.length });
  }
  return { names, added, at: copy.at };
}

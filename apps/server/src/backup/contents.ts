/** What a backup holds: every row of every table from one moment, and every photo that those rows name. */
import { describeFailure } from '@haris/runtime/log';
import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Dialect } from '../db/open.ts';
import { findPhotoBody } from '../db/photos.ts';
import type { Database } from '../db/schema.ts';
import { ArchiveError } from './archive.ts';

/**
 * Every table, in the order in which they can be filled: a row that refers to another comes after it. A table that the
 * schema has and this list has not is an error of the compiler. `false`: its rows are lines of their own.
 */
const tableOrder = {
  meta: true,
  settings: true,
  parents: true,
  admins: true,
  children: true,
  data_keys: true,
  photos: true,
  photo_bodies: false,
  face_encodings: true,
  adult_faces: true,
  gallery: true,
  stays: true,
  stay_corrections: true,
  cameras: true,
  camera_pairings: true,
  camera_devices: true,
  sightings: true,
  seen_announcements: true,
  presence_episodes: true,
  sensors: true,
  home_assistant_accounts: true,
  sensor_readings: true,
  sensor_means: true,
  sensor_states: true,
  camera_states: true,
  incidents: true,
  incident_timeline: true,
  incident_steps: true,
  incident_audience: true,
  pending_episodes: true,
  evacuation_ticks: true,
  leases: true,
  sessions: true,
  known_devices: true,
  known_networks: true,
  desk_codes: true,
  push_subscriptions: true,
  notice_preferences: true,
  notice_deliveries: true,
  one_time_tokens: true,
  tickets: true,
  throttle_hits: true,
  mails: true,
  idempotency_keys: true,
  events: true,
  audit_log: true,
  audit_head: true,
} as const satisfies Record<keyof Database, boolean>;
const TABLES = (Object.keys(tableOrder) as (keyof Database)[]).filter((table) => tableOrder[table]);

/** Tables that a migrated database has rows in from the start. */
const SEEDED = new Set<string>(['gallery', 'audit_head']);

const ROWS_AT_ONCE = 500;

const cellSchema = z.union([z.null(), z.string(), z.number(), z.object({ bytes: z.base64() })]);
const lineSchema = z.union([
  z.object({ haris: z.literal(1), at: z.string() }),
  z.object({ table: z.enum(TABLES), rows: z.array(z.record(z.string(), cellSchema)) }),
  z.object({ photo: z.uuid(), sealed: z.base64() }),
  z.object({
    end: z.object({
      rows: z.number().int(),
      photos: z.number().int(),
      lost: z.array(z.string()).default([]),
    }),
  }),
]);
type Line = z.infer<typeof lineSchema>;

export interface Counts {
  readonly rows: number;
  readonly photos: number;
  /** Ids of photos whose bytes are gone: their rows are kept, and can be shown no more than before. */
  readonly lost: readonly string[];
}

/** Lines of JSON as of one moment, while others go on writing; the photos stay sealed as they are in the database. */
export async function* writeContents(
  db: Kysely<Database>,
  dialect: Dialect,
  now: Date,
  done: (counts: Counts) => void,
): AsyncGenerator<Buffer> {
  const line = (value: Line): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
  yield line({ haris: 1, at: now.toISOString() });
  let rows = 0;
  let photos = 0;
  const lost: string[] = [];
  const starting = db.startTransaction();
  // SQLite's reader sees one moment by itself.
  const trx = await (dialect === 'postgres'
    ? starting.setIsolationLevel('repeatable read')
    : starting
  ).execute();
  try {
    const named: string[] = [];
    for await (const part of readTables(trx)) {
      rows += part.rows.length;
      if (part.table === 'photos') named.push(...part.rows.map((row) => String(row.id)));
      yield line(part);
    }
    for (const id of named) {
      const sealed = await findPhotoBody(trx, id);
      if (!sealed) lost.push(id);
      else {
        photos++;
        yield line({ photo: id, sealed: Buffer.from(sealed).toString('base64') });
      }
    }
  } finally {
    await trx.rollback().execute();
  }
  done({ rows, photos, lost });
  yield line({ end: { rows, photos, lost } });
}

async function* readTables(
  trx: Transaction<Database>,
): AsyncGenerator<{ table: keyof Database; rows: Record<string, z.infer<typeof cellSchema>>[] }> {
  for (const table of TABLES) {
    const total = await trx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    for (let offset = 0; offset < Number(total.total); offset += ROWS_AT_ONCE) {
      const { rows } = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} order by 1, 2 limit ${ROWS_AT_ONCE} offset ${offset}`.execute(trx);
      yield { table, rows: rows.map(toCells) };
    }
  }
}

function toCells(row: Record<string, unknown>): Record<string, z.infer<typeof cellSchema>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Uint8Array) return [name, { bytes: Buffer.from(value).toString('base64') }];
      return [name, cellSchema.parse(value)];
    }),
  );
}

/** Each line, parsed. Throws {@link ArchiveError} for what is not one. */
async function* parseLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let waiting = '';
  const decoder = new TextDecoder();
  const parse = (text: string): Line => {
    try {
      return lineSchema.parse(JSON.parse(text));
    } catch (error) {
      throw new ArchiveError(`The backup holds something unknown (${describeFailure(error).failure}).`);
    }
  };
  for await (const chunk of bytes) {
    waiting += decoder.decode(chunk, { stream: true });
    const lines = waiting.split('\n');
    waiting = lines.pop() ?? '';
    for (const text of lines) yield parse(text);
  }
  if (waiting) throw new ArchiveError('The backup is cut off.');
}

/** Reads a backup to its end without touching anything. Throws {@link ArchiveError} where it is not whole. */
export async function checkContents(bytes: AsyncIterable<Uint8Array>): Promise<Counts & { at: string }> {
  let at: string | null = null;
  let rows = 0;
  const named = new Set<string>();
  const held = new Set<string>();
  let end: Counts | null = null;
  for await (const line of parseLines(bytes)) {
    if (end) throw new ArchiveError('The backup is damaged: something follows its end.');
    if ('haris' in line) at = line.at;
    else if ('table' in line) {
      rows += line.rows.length;
      if (line.table === 'photos') for (const row of line.rows) named.add(String(row.id));
    } else if ('photo' in line) held.add(line.photo);
    else end = line.end;
  }
  if (at === null || !end) throw new ArchiveError('The backup is cut off.');
  const lost = new Set(end.lost);
  if (end.rows !== rows || end.photos !== held.size || named.symmetricDifference(held.union(lost)).size > 0)
    throw new ArchiveError('The backup does not hold all that it says.');
  return { at, rows, photos: held.size, lost: end.lost };
}

/** Fills an empty, migrated database. Run {@link checkContents} on the same bytes first. */
export async function restoreContents(
  db: Kysely<Database>,
  dialect: Dialect,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of SEEDED) await sql`delete from ${sql.table(table)}`.execute(trx);
    for await (const line of parseLines(bytes)) {
      if ('table' in line) await insertRows(trx, line.table, line.rows);
      else if ('photo' in line)
        await trx
          .insertInto('photo_bodies')
          .values({ photo_id: line.photo, sealed: Buffer.from(line.sealed, 'base64') })
          .execute();
    }
    // What is added next continues after what was restored.
    if (dialect === 'postgres')
      await sql`select setval(pg_get_serial_sequence('events', 'id'), greatest((select coalesce(max(id), 0) from events), 1))`.execute(
        trx,
      );
  });
}

async function insertRows(
  trx: Transaction<Database>,
  table: keyof Database,
  rows: readonly Record<string, z.infer<typeof cellSchema>>[],
): Promise<void> {
  for (const row of rows) {
    const names = Object.keys(row);
    const values = names.map((name) => {
      const value = row[name] ?? null;
      return sql`${value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value}`;
    });
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(values)})`.execute(
      trx,
    );
  }
}

/** Whether nobody has ever used this database. */
export async function isUnused(db: Kysely<Database>): Promise<boolean> {
  for (const table of ['parents', 'admins', 'stays', 'audit_log', 'meta'] as const)
    if (await db.selectFrom(table).select(sql<number>`1`.as('one')).executeTakeFirst()) return false;
  return true;
}

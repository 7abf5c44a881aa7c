/** What counts as confirmed after an update from a version without that state, and after a restore of its backup. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { afterAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../db/dialect.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import type { ProposalRow } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { writeContents } from './contents.ts';
import { fillDatabase } from './fill.ts';

const BEFORE = '152-care-log';

const scratch = mkdtempSync(join(tmpdir(), 'haris-confirmed-'));
const places: FreshDatabase[] = [];
const opened: OpenDatabase[] = [];
afterAll(async () => {
  for (const { close } of opened) await close();
  for (const place of places) await place.drop();
  rmSync(scratch, { recursive: true, force: true });
});

async function openBefore(): Promise<OpenDatabase> {
  const place = await freshDb();
  places.push(place);
  const database = await openDatabase({
    databaseUrl: place.url ?? null,
    dataDir: mkdtempSync(join(scratch, 'place-')),
    log: createLogger('test', 'fatal'),
    upTo: BEFORE,
  });
  opened.push(database);
  return database;
}

interface OldChild {
  readonly photo: string | null;
  /** Whether the cameras know a face of it. */
  readonly isEnrolled: boolean;
  readonly proposals: readonly { readonly field: ProposalRow['field']; readonly value: string }[];
  /** Expected: photo and name are confirmed. */
  readonly confirmed: readonly [boolean, boolean];
}

/** Children by name; a proposed photo has its id as `value`. */
const CHILDREN: Readonly<Record<string, OldChild>> = {
  'by the desk': { photo: 'a', isEnrolled: true, proposals: [], confirmed: [true, true] },
  'changed by its parent': {
    photo: 'b',
    isEnrolled: true,
    proposals: [
      { field: 'photo', value: 'b2' },
      { field: 'name', value: 'Another' },
    ],
    confirmed: [true, true],
  },
  'added by its parent': {
    photo: 'c',
    isEnrolled: false,
    proposals: [
      { field: 'photo', value: 'c' },
      { field: 'name', value: 'added by its parent' },
    ],
    confirmed: [false, false],
  },
  'added by its parent, with one more face by the desk': {
    photo: 'd',
    isEnrolled: true,
    proposals: [
      { field: 'photo', value: 'd' },
      { field: 'name', value: 'added by its parent, with one more face by the desk' },
    ],
    confirmed: [false, false],
  },
  'changed while inside, never confirmed': {
    photo: 'e',
    isEnrolled: false,
    proposals: [
      { field: 'photo', value: 'e2' },
      { field: 'name', value: 'Another' },
    ],
    confirmed: [false, false],
  },
  'photographed by the desk, its first name waits': {
    photo: 'f',
    isEnrolled: true,
    proposals: [{ field: 'name', value: 'photographed by the desk, its first name waits' }],
    confirmed: [true, false],
  },
  'named by the desk, or named back by its parent': {
    photo: 'g',
    isEnrolled: false,
    proposals: [{ field: 'photo', value: 'g' }],
    confirmed: [false, true],
  },
  rejected: { photo: null, isEnrolled: false, proposals: [], confirmed: [false, false] },
  'rejected while its first photo stayed': {
    photo: 'h',
    isEnrolled: false,
    proposals: [],
    confirmed: [false, false],
  },
};

async function furnish({ db }: OpenDatabase): Promise<void> {
  await inTransaction(db, async ({ trx }) => {
    const parent = { name: 'Mona', sort_name: 'mona', email: 'mona@family.test', phone: null };
    await trx
      .insertInto('parents')
      .values({
        ...{ ...parent, id: 'mona', password_hash: null, email_verified: 0, pending_email: null },
        ...{ photo_id: null, language: 'en', created_at: 1 },
      })
      .execute();
    for (const [name, { photo, isEnrolled, proposals }] of Object.entries(CHILDREN)) {
      const child = { id: `id of ${name}`, parent_id: 'mona', name, sort_name: name, photo_id: photo };
      await trx
        .insertInto('children')
        .values({ ...child, created_at: 7, version: 1 })
        .execute();
      if (isEnrolled)
        await trx
          .insertInto('face_encodings')
          .values({
            ...{ id: `face of ${name}`, child_id: child.id, sealed: Buffer.from('sealed') },
            ...{ model: 'm', quality: 1, created_at: 7 },
          })
          .execute();
      for (const { field, value } of proposals)
        await trx
          .insertInto('proposals')
          .values({
            ...{ id: `${field} of ${name}`, subject_kind: 'child', subject_id: child.id, field, slot: '' },
            ...{ value: field === 'photo' ? null : value, photo_id: field === 'photo' ? value : null },
            ...{ sealed: null, model: null, quality: null, by_id: 'mona', created_at: 8 },
          })
          .execute();
    }
  });
}

async function confirmedIn({ db }: OpenDatabase) {
  const rows = await db
    .selectFrom('children')
    .select(['name', 'photo_confirmed_at', 'name_confirmed_at'])
    .execute();
  return Object.fromEntries(
    rows.map(({ name, ...at }) => [name, [at.photo_confirmed_at, at.name_confirmed_at]]),
  );
}

const expected = Object.fromEntries(
  Object.entries(CHILDREN).map(([name, { confirmed }]) => [name, confirmed.map((is) => (is ? 7 : null))]),
);

test('an update and a restore of an older backup tell a first proposal from a change, and say unconfirmed in doubt', async () => {
  const before = await openBefore();
  await furnish(before);
  const lines: Buffer[] = [];
  const source = { db: before.db, dialect: before.dialect, dataDir: scratch };
  for await (const line of writeContents(source, new Date(0), () => {})) lines.push(line);
  await migrate(before.db, before.dialect);
  expect(await confirmedIn(before)).toEqual(expected);

  const restored = await openBefore();
  async function* open() {
    yield* lines;
  }
  await fillDatabase({ db: restored.db, dialect: restored.dialect, open });
  expect(await confirmedIn(restored)).toEqual(expected);
});

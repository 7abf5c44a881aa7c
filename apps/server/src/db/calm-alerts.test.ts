/**
 * The migration of decision 032: open incidents of one cause become one, and parents lose access to what they must
 * not see.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@haris/runtime/log';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import type { OpenDatabase } from './dialect.ts';
import { openDatabase } from './open.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'haris-calm-'));
let fresh: FreshDatabase;
let opened: OpenDatabase;

beforeAll(async () => {
  fresh = await freshDb();
  const place = { databaseUrl: fresh.url ?? null, dataDir, log: createLogger('migrations', 'fatal') };
  const old = await openDatabase({ ...place, upTo: '096-one-queue' });
  await fill(old);
  await old.close();
  opened = await openDatabase(place);
});
afterAll(async () => {
  await opened.close();
  await fresh.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** An incident of the old kind that has notified people of its first step. */
async function raise(
  { db }: OpenDatabase,
  id: string,
  kind: string,
  over: {
    subject?: [string, string];
    area?: string;
    at?: number;
    parent?: string;
    acknowledged?: boolean;
    cleared?: boolean;
    waits?: boolean;
  },
): Promise<void> {
  const { subject = [null, null], area = null, at = 1_000, parent = null } = over;
  const [by, name] = over.acknowledged ? ['admin-1', 'Karim'] : [null, null];
  await sql`insert into incidents (id, kind, condition, area, subject_kind, subject_id, parent_id, raised_at, cleared_at,
      acknowledged_at, acknowledged_by, acknowledged_name)
    values (${id}, ${kind}, ${`${kind} ${id}`}, ${area}, ${subject[0]}, ${subject[1]}, ${parent}, ${at},
      ${over.cleared ? 9_000 : null}, ${over.acknowledged ? at + 1 : null}, ${by}, ${name})`.execute(db);
  await sql`insert into incident_timeline (incident_id, position, at, what) values (${id}, 0, ${at}, 'raised')`.execute(
    db,
  );
  await sql`insert into incident_steps (incident_id, step, phase, at, next_try_at, attempts, notified_at)
    values (${id}, 0, 'raised', ${at}, 0, 0, ${over.waits ? null : at})`.execute(db);
  const people = [`admin ${id}`, 'admin both', ...(parent === null ? [] : [`parent ${parent}`])];
  for (const person of people)
    await sql`insert into incident_audience (incident_id, account_kind, account_id)
      values (${id}, ${person.split(' ')[0]}, ${person.split(' ')[1]})`.execute(db);
}

async function fill(old: OpenDatabase): Promise<void> {
  const { db } = old;
  const child = (id: string): [string, string] => ['child', id];
  await raise(old, 'late-1', 'time_up', { subject: child('lina'), parent: 'mona', at: 1_000 });
  await raise(old, 'late-2', 'time_up', { subject: child('omar'), parent: 'nour', at: 2_000, waits: true });
  await raise(old, 'late-3', 'time_up', { subject: child('adam'), parent: 'sara', acknowledged: true });
  await raise(old, 'late-4', 'time_up', { subject: child('lina'), parent: 'mona', cleared: true });
  await raise(old, 'soon', 'stay_due', { subject: child('lina'), parent: 'mona' });
  await raise(old, 'lost-1', 'not_seen', { subject: child('lina'), parent: 'mona', waits: true });
  await raise(old, 'lost-2', 'not_seen', { subject: child('omar'), parent: 'nour', cleared: true });
  await raise(old, 'camera-1', 'camera_down', { subject: ['camera', 'c1'], area: 'Hall', at: 3_000 });
  await raise(old, 'camera-2', 'camera_down', { subject: ['camera', 'c2'], area: 'Playroom', at: 2_000 });
  await raise(old, 'fire', 'temperature', { subject: ['sensor', 's1'], area: 'Hall' });
  await sql`insert into parents (id, name, email, email_verified, language, sort_name, search_text, created_at)
    values ('mona', 'Mona', 'mona@haris.test', 1, 'en', 'mona', 'mona', 1)`.execute(db);
  await sql`insert into events (at, type, child_id, parent_id, incident_id) values
    (1, 'child.not_seen', 'lina', 'mona', null), (1, 'alert.raised', 'lina', 'mona', 'lost-1'),
    (1, 'alert.raised', 'lina', 'mona', 'late-1')`.execute(db);
}

const open = () =>
  opened.db
    .selectFrom('incidents')
    .select(['id', 'kind', 'condition', 'area', 'for_staff', 'parent_id'])
    .where('cleared_at', 'is', null)
    .orderBy('kind')
    .orderBy('raised_at')
    .execute();

test('staff have one incident of what nobody acknowledged, and parents keep the rows of their children', async () => {
  const rows = await open();
  expect(rows.map(({ kind, for_staff, parent_id }) => [kind, for_staff, parent_id])).toEqual(
    [
      ['camera_down', 1, null],
      ['stay_due', 0, 'mona'],
      ...rows
        .filter(({ kind }) => kind === 'time_up')
        .map(({ for_staff, parent_id }) => ['time_up', for_staff, parent_id]),
      ['temperature', 1, null],
    ].toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
  );
  const late = rows.filter(({ kind }) => kind === 'time_up');
  expect(
    late
      .filter(({ for_staff }) => for_staff === 0)
      .map(({ parent_id }) => parent_id)
      .toSorted(),
  ).toEqual(['mona', 'nour', 'sara']);
  const [taking, acknowledged] = late
    .filter(({ for_staff }) => for_staff === 1)
    .toSorted((a, b) => a.condition.length - b.condition.length);
  expect(taking).toMatchObject({ condition: 'time_up', parent_id: null });
  expect(acknowledged?.condition).toBe(`time_up ${acknowledged?.id}`);
  const subjects = await opened.db
    .selectFrom('incident_subjects')
    .select(['incident_id', 'condition', 'subject_id'])
    .orderBy('condition')
    .execute();
  expect(subjects.filter(({ incident_id }) => incident_id === taking?.id)).toMatchObject([
    { condition: 'time_up late-1', subject_id: 'lina' },
    { condition: 'time_up late-2', subject_id: 'omar' },
  ]);
  const reached = await opened.db
    .selectFrom('incident_audience')
    .select(['account_kind', 'account_id'])
    .where('incident_id', '=', String(taking?.id))
    .orderBy('account_id')
    .execute();
  expect(reached).toEqual(
    ['both', 'late-1', 'late-2'].map((account_id) => ({ account_kind: 'admin', account_id })),
  );
});

test('the oldest of several cameras takes the others, whatever their rooms', async () => {
  const [camera] = await open();
  expect(camera).toMatchObject({ id: 'camera-2', condition: 'camera_down', area: null });
  const ended = await opened.db
    .selectFrom('incident_timeline')
    .select(['what', 'position'])
    .where('incident_id', '=', 'camera-1')
    .orderBy('position')
    .execute();
  expect(ended.map(({ what }) => what)).toEqual(['raised', 'cleared']);
});

test('not seen is over, notifies nobody any more, and no parent finds it, not even in the events', async () => {
  const lost = await opened.db
    .selectFrom('incidents')
    .select(['cleared_at', 'parent_id'])
    .where('kind', '=', 'not_seen')
    .execute();
  expect(lost.map(({ cleared_at, parent_id }) => [cleared_at !== null, parent_id])).toEqual([
    [true, null],
    [true, null],
  ]);
  const waiting = await opened.db
    .selectFrom('incident_steps')
    .select('incident_id')
    .where('notified_at', 'is', null)
    .orderBy('incident_id')
    .execute();
  expect(waiting.map(({ incident_id }) => incident_id)).toEqual(['late-2']);
  const events = await opened.db.selectFrom('events').select(['type', 'parent_id']).orderBy('id').execute();
  expect(events.map(({ parent_id }) => parent_id)).toEqual([null, null, 'mona']);
});

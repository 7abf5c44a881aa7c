/** Photos of an older installation are files: a start reads them into rows and loses none, even when interrupted. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Child } from '@haris/contract/objects';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { tinyJpeg } from '../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { launchProgram, NO_VISION, runProgram } from '../testing/program.ts';
import type { Database } from './schema.ts';

let dataDir: string;
let database: FreshDatabase;
let config: Record<string, string>;
const open: TestApp[] = [];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'haris-photo-files-'));
  database = await freshDb();
  config = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
});
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<TestApp> {
  const app = await startTestApp({ config });
  open.push(app);
  return app;
}

async function stop(app: TestApp): Promise<void> {
  open.splice(open.indexOf(app), 1);
  await app.close();
}

const folder = () => join(dataDir, 'photos');
const idOf = (child: Child) => String(child.photo).replace('/api/photos/', '');
const aside = () => readdirSync(dataDir).filter((name) => name.startsWith('photos-migrated-'));

function writeFile(id: string, bytes: Uint8Array): void {
  mkdirSync(join(folder(), id.slice(0, 2)), { recursive: true });
  writeFileSync(join(folder(), id.slice(0, 2), id), bytes);
}

/** As an older version stored them: every body is a file, and none is a row. */
async function turnIntoFiles(db: Kysely<Database>): Promise<void> {
  for (const { photo_id, sealed } of await db.selectFrom('photo_bodies').selectAll().execute())
    writeFile(photo_id, sealed);
  await db.deleteFrom('photo_bodies').execute();
}

test('the files become rows; the folder is put aside with what belongs to nobody, and a lost one is named', async () => {
  const first = await start();
  const family = await first.makeFamily();
  const [kept, lost] = [await first.makeChild(family), await first.makeChild(family)];
  await turnIntoFiles(first.context.db);
  rmSync(join(folder(), idOf(lost).slice(0, 2), idOf(lost)));
  const stray = '00000000-0000-4000-8000-000000000000';
  writeFile(stray, Buffer.from('left behind'));
  await stop(first);

  const second = await start();
  const token = await second.staff();
  const shown = await second.ask('GET', String(kept.photo), { token });
  expect(shown.status).toBe(200);
  expect(shown.bytes.indexOf(tinyJpeg)).toBe(0);
  expect((await second.ask('GET', String(lost.photo), { token })).status).toBe(404);
  expect(second.logLines.filter((line) => line.includes(idOf(lost)))).toHaveLength(1);
  expect(existsSync(folder())).toBe(false);
  const [name] = aside();
  expect(aside()).toHaveLength(1);
  expect(second.logLines.join('\n')).toContain(name);
  const files = readdirSync(join(dataDir, String(name)), { recursive: true });
  for (const id of [idOf(kept), stray]) expect(files).toContain(join(id.slice(0, 2), id));
  await stop(second);

  // A second run moves nothing.
  const third = await start();
  expect((await third.ask('GET', String(kept.photo), { token: await third.staff() })).status).toBe(200);
  expect(aside()).toHaveLength(1);
});

test('a start that is killed in the middle loses none', async () => {
  const first = await start();
  const child = await first.makeChild(await first.makeFamily());
  const { db } = first.context;
  const body = await db.selectFrom('photo_bodies').selectAll().executeTakeFirstOrThrow();
  const owner = await db.selectFrom('photos').selectAll().executeTakeFirstOrThrow();
  await turnIntoFiles(db);
  const ids = Array.from(
    { length: 400 },
    (_, n) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
  );
  for (const id of ids) {
    await db
      .insertInto('photos')
      .values({ ...owner, id })
      .execute();
    writeFile(id, body.sealed);
  }
  // As an interrupted start leaves it: some photos are rows and still files.
  const done = ids.slice(100, 230).map((photo_id) => ({ photo_id, sealed: body.sealed }));
  await db.insertInto('photo_bodies').values(done).execute();
  await stop(first);
  const env = { ...config, ...NO_VISION, LOG_LEVEL: 'info' };
  for (let round = 0; round < 12 && existsSync(folder()); round++) {
    const program = launchProgram(env);
    // Killed after the first batch, unless everything was moved by then.
    await new Promise<void>((resolve) => {
      program.child.stderr?.on('data', () => {
        if (/photos were moved|all photos are/.test(program.stderr())) resolve();
      });
      void program.ended.then(() => resolve());
    });
    program.kill('SIGKILL');
    await program.ended;
  }
  const last = await start();
  const bodies = await last.context.db.selectFrom('photo_bodies').select('photo_id').execute();
  expect(bodies.map((row) => row.photo_id).sort()).toEqual([...ids, idOf(child)].sort());
  expect(existsSync(folder())).toBe(false);
  expect(readdirSync(join(dataDir, String(aside()[0])), { recursive: true }).length).toBeGreaterThan(400);
});

test('files that mostly belong to no row: the start refuses, and touches none of them', async () => {
  const first = await start();
  await first.makeChild(await first.makeFamily());
  await turnIntoFiles(first.context.db);
  await stop(first);
  for (let n = 0; n < 20; n++)
    writeFile(`${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`, Buffer.of(n));
  const refused = await runProgram({ ...config, ...NO_VISION });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/Haris cannot start: 20 of the 21 files in .*photos belong to no photo/);
  expect(
    readdirSync(folder(), { recursive: true, withFileTypes: true }).filter((e) => e.isFile()),
  ).toHaveLength(21);
  expect(aside()).toEqual([]);
});

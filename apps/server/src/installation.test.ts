/** Starts that are refused because data folder and database do not belong together, or the database is unusable. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDb, testDialect } from './testing/database.ts';
import { startTestApp } from './testing/harness.ts';
import { mayRun, NOBODY } from './testing/other-user.ts';
import { NO_VISION, runProgram, startProgram } from './testing/program.ts';

interface Installed {
  readonly dataDir: string;
  readonly database: FreshDatabase;
  readonly config: Record<string, string>;
}

const scratch: Installed[] = [];
let one: Installed;
beforeEach(async () => {
  one = await makePlace();
});
afterEach(async () => {
  for (const { dataDir, database } of scratch.splice(0)) {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function makePlace(): Promise<Installed> {
  const dataDir = mkdtempSync(join(tmpdir(), 'haris-installation-'));
  const database = await freshDb();
  const config = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
  scratch.push({ dataDir, database, config });
  return { dataDir, database, config };
}

/** Starts a server on it with three children; returns the addresses of their photos. */
async function fill({ config }: Installed): Promise<string[]> {
  const app = await startTestApp({ config });
  const family = await app.makeFamily();
  const photos: string[] = [];
  for (let n = 0; n < 3; n++) photos.push(String((await app.makeChild(family)).photo));
  await app.close();
  return photos;
}

async function expectPhotos({ config }: Installed, photos: readonly string[]): Promise<void> {
  const app = await startTestApp({ config });
  const token = await app.staff();
  for (const photo of photos) expect((await app.ask('GET', photo, { token })).status).toBe(200);
  await app.close();
}

/** The single line that the program prints before it exits; both streams contain nothing else. */
async function refusal(config: Record<string, string>, options: { uid?: number } = {}): Promise<string> {
  const { code, stdout, stderr } = await runProgram({ ...config, ...NO_VISION, LOG_LEVEL: 'fatal' }, options);
  expect({ code, stdout, lines: stderr.trim().split('\n').length }, stderr).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
  });
  return stderr.trim();
}

/** Moves the files of the embedded database, or configures an empty database instead. */
async function loseDatabase({ dataDir, config }: Installed): Promise<Record<string, string>> {
  if (testDialect === 'postgres')
    return { ...config, DATABASE_URL: String((await makePlace()).database.url) };
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('haris.db')))
    renameSync(join(dataDir, name), join(dataDir, `aside-${name}`));
  return config;
}

async function tablesOf(url: string | undefined): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public'");
  await client.end();
  return rows.length;
}

describe('a database that this data folder was never used with', () => {
  test('an empty one beside a master key: refused, nothing is made or lost, and the right one has its photos', async () => {
    const photos = await fill(one);
    const before = readdirSync(one.dataDir).sort();
    const config = await loseDatabase(one);
    const line = await refusal(config);
    expect(line).toMatch(/^Haris cannot start: .* is (empty|missing), but .* holds: a master key, /);
    expect(line).toContain('npm run restore');
    expect(line).toContain(join(one.dataDir, 'keys', 'master.key'));
    if (testDialect === 'postgres') {
      expect(await tablesOf(config.DATABASE_URL)).toBe(0);
      expect(readdirSync(one.dataDir).sort()).toEqual(before);
    } else {
      expect(existsSync(join(one.dataDir, 'haris.db'))).toBe(false);
      for (const name of before.filter((file) => file.startsWith('haris.db')))
        renameSync(join(one.dataDir, `aside-${name}`), join(one.dataDir, name));
    }
    await expectPhotos(one, photos);
  });

  test('an empty one beside photos that are still files: refused, and every file is there', async () => {
    for (const n of [1, 2, 3]) {
      mkdirSync(join(one.dataDir, 'photos', `0${n}`), { recursive: true });
      writeFileSync(join(one.dataDir, 'photos', `0${n}`, `0${n}`), 'sealed');
    }
    expect(await refusal(one.config)).toContain('holds: 3 photos');
    expect(readdirSync(join(one.dataDir, 'photos'), { recursive: true })).toHaveLength(6);
  });

  test('another installation’s: refused, with the same key too, and left as it is', async () => {
    const other = await makePlace();
    await fill(one);
    await fill(other);
    const mixed = { ...other.config, ...(one.database.url ? { DATABASE_URL: one.database.url } : {}) };
    if (testDialect === 'sqlite')
      writeFileSync(join(other.dataDir, 'haris.db'), readFileSync(join(one.dataDir, 'haris.db')));
    const line = await refusal(mixed);
    expect(line).toContain('belongs to another installation');
    // A copied key does not identify the installation.
    writeFileSync(
      join(other.dataDir, 'keys', 'master.key'),
      readFileSync(join(one.dataDir, 'keys', 'master.key')),
    );
    expect(await refusal(mixed)).toContain('belongs to another installation');
  });

  test('an empty one, once what the line names was moved away: a new beginning', async () => {
    await fill(one);
    const config = await loseDatabase(one);
    const line = await refusal(config);
    const named = /move these away first: (.*)\.$/.exec(line)?.[1]?.split(', ') ?? [];
    expect(named).toHaveLength(2);
    for (const file of named) renameSync(file, `${file}.old`);
    const program = await startProgram({ ...config, ...NO_VISION });
    program.kill('SIGKILL');
    await program.ended;
  });

  test('of before installations had a name: it is given one, and the folder too', async () => {
    const photos = await fill(one);
    const app = await startTestApp({ config: one.config });
    await app.context.db.deleteFrom('meta').where('key', '=', 'installation').execute();
    await app.close();
    rmSync(join(one.dataDir, 'installation.json'));
    await expectPhotos(one, photos);
    const { id } = JSON.parse(readFileSync(join(one.dataDir, 'installation.json'), 'utf8'));
    await expectPhotos(one, photos);
    expect(JSON.parse(readFileSync(join(one.dataDir, 'installation.json'), 'utf8')).id).toBe(id);
  });

  test('a first start that was killed at any step goes on', async () => {
    await fill(one);
    const app = await startTestApp({ config: one.config });
    // The key was created, but its fingerprint was not stored yet.
    await app.context.db.deleteFrom('meta').where('key', '=', 'master_key').execute();
    await app.close();
    await expectPhotos(one, []);
  });
});

test.each(['erasures.log', 'bars.log'])('a folder in the place of %s: one line', async (name) => {
  await fill(one);
  const record = join(one.dataDir, name);
  rmSync(record);
  mkdirSync(record);
  expect(await refusal(one.config)).toMatch(/in the data folder .* cannot be read \(EISDIR\)/);
  expect(await refusal(one.config)).toContain(name);
});

describe('a database that cannot be used', () => {
  test('made by a newer Haris: one line that says so', async () => {
    await fill(one);
    const app = await startTestApp({ config: one.config });
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')`.execute(
      app.context.db,
    );
    await app.close();
    expect(await refusal(one.config)).toMatch(/made or changed by a newer Haris \(it has 999-later\)/);
  });

  if (testDialect === 'sqlite') {
    const file = () => join(one.dataDir, 'haris.db');

    test.each<[string, () => void, RegExp]>([
      [
        'with a damaged header',
        () => writeFileSync(file(), Buffer.concat([Buffer.alloc(16, 7), readFileSync(file()).subarray(16)])),
        /haris\.db is damaged: its header/,
      ],
      [
        'cut off',
        () => truncateSync(file(), readFileSync(file()).length >> 1),
        /haris\.db is damaged: a part of it is missing at its end/,
      ],
      ['cut off in its first page', () => truncateSync(file(), 50), /haris\.db is damaged: its header/],
      [
        'with a damaged list of tables',
        () => {
          const bytes = readFileSync(file());
          bytes.fill(0xff, 100, 4096);
          writeFileSync(file(), bytes);
        },
        /haris\.db is damaged/,
      ],
    ])('%s: one line, and the file stays as it is', async (_what, damage, words) => {
      await fill(one);
      damage();
      const bytes = readFileSync(file());
      const line = await refusal(one.config);
      expect(line).toMatch(words);
      expect(line).toContain('npm run restore');
      expect(readFileSync(file()).equals(bytes)).toBe(true);
    });

    test('in a folder that cannot be written: one line', async ({ skip }) => {
      // No folder is read-only for the superuser.
      const isRoot = process.getuid?.() === 0;
      if (isRoot && !mayRun(NOBODY)) skip('another user may not enter the folder of the program');
      await fill(one);
      if (isRoot) {
        chownSync(one.dataDir, NOBODY, NOBODY);
        for (const entry of readdirSync(one.dataDir, { recursive: true }))
          chownSync(join(one.dataDir, String(entry)), NOBODY, NOBODY);
      }
      chmodSync(one.dataDir, 0o500);
      expect(await refusal(one.config, isRoot ? { uid: NOBODY } : {})).toMatch(/writable for this user/);
      chmodSync(one.dataDir, 0o700);
    });
  }
});

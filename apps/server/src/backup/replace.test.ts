/** `npm run restore -- FILE --replace`: the way back with one command, which deletes nothing and fails without a trace. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDb, testDialect } from '../testing/database.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { copySurvivors, swapIn } from './replace.ts';

let scratch: string;
let dataDir: string;
let database: FreshDatabase;
let env: Record<string, string>;
const backup = () => join(scratch, 'good.backup');

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'haris-replace-'));
  dataDir = join(scratch, 'data');
  database = await freshDb();
  env = { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) };
});
afterEach(async () => {
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return work(app).finally(() => app.close());
}

const restore = (words: readonly string[], more: Record<string, string> = {}) =>
  runServerProgram('restore', words, { ...env, ...more });
const asides = () =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('replaced-'))
    .sort();

/** Every file below a folder with its bytes, without SQLite's own and the lock. */
function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^haris\.(lock|db-)/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file): [string, string] => [file.slice(folder.length), readFileSync(file).toString('base64')])
      .sort(),
  );
}

const namesOf = async (app: TestApp): Promise<string[]> => {
  const { children } = await app.expect(200, 'GET', '/api/children/get-all-children?limit=200', {
    token: await app.staff(),
  });
  return children.map(({ name }) => name).sort();
};

/** Two families with a child each, and a backup of them; then one family is deleted, and the other has a second child. */
async function makeHistory(): Promise<void> {
  const { staying, leaving } = await withApp(async (app) => {
    const families: { staying: Family; leaving: Family } = {
      staying: await app.makeFamily(),
      leaving: await app.makeFamily(),
    };
    await app.makeChild(families.staying, 'Before');
    await app.makeChild(families.leaving, 'Deleted');
    return families;
  });
  expect(await runServerProgram('backup', [backup()], env)).toMatchObject({ code: 0 });
  await withApp(async (app) => {
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${leaving.id}`, { token: await app.staff() });
    await app.makeChild(staying, 'After');
    expect(await namesOf(app)).toEqual(['After', 'Before']);
  });
}

describe.skipIf(testDialect === 'postgres')('the data of a data folder', () => {
  test('goes aside, what was deleted stays deleted, and a second time on the same day has a folder of its own', async () => {
    await makeHistory();
    mkdirSync(join(dataDir, 'media'));
    writeFileSync(join(dataDir, 'media', 'room.mp4'), 'video');
    mkdirSync(join(dataDir, 'backups'), { recursive: true });
    writeFileSync(join(dataDir, 'backups', 'before-001-x.backup'), 'older');
    expect((await restore([backup()])).text).toContain('There is data already');
    const before = filesIn(dataDir);

    const first = await restore([backup(), '--replace']);
    expect(first, first.text).toMatchObject({ code: 0 });
    expect(first.text).toContain(`Restored `);
    expect(first.text).toContain(` into ${dataDir}\n`);
    expect(first.text).toContain('erased since the backup were erased again');
    expect(first.text).not.toContain('no erasures.log');
    const [aside = ''] = asides();
    expect(aside).toMatch(/^replaced-\d{4}-\d\d-\d\d$/);
    expect(first.text).toContain(`What was there before is in ${join(dataDir, aside)}.`);
    expect(statSync(join(dataDir, aside)).mode & 0o777).toBe(0o700);
    // Videos and backups are where they were; all else is aside, byte for byte.
    const moved = filesIn(join(dataDir, aside));
    for (const [name, bytes] of Object.entries(before))
      if (/^\/(media|backups)\//.test(name))
        expect(readFileSync(join(dataDir, name)).toString('base64')).toBe(bytes);
      else expect(moved[name], name).toBe(bytes);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('restoring-'))).toEqual([]);
    expect(await runServerProgram('audit-verify', [], env)).toMatchObject({ code: 0 });
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['Before']));

    expect(await restore([backup(), '--replace'])).toMatchObject({ code: 0 });
    // The day may have changed in between, but never the first folder.
    expect(asides()).toHaveLength(2);
    expect(filesIn(join(dataDir, aside))).toEqual(moved);
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['Before']));
    // What went aside is whole: a server starts on it.
    env = { DATA_DIR: join(scratch, 'old') };
    cpSync(join(dataDir, aside), env.DATA_DIR ?? '', { recursive: true });
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['After', 'Before']));
  });

  test('is as before where the rows of the backup cannot be inserted', async () => {
    await makeHistory();
    // A column that somebody added by hand: the backup has it, a new database has not.
    const by = new DatabaseSync(join(dataDir, 'haris.db'));
    by.exec("alter table children add column note text; update children set note = 'x'");
    by.close();
    const bad = join(scratch, 'bad.backup');
    expect(await runServerProgram('backup', [bad], env)).toMatchObject({ code: 0 });
    const before = filesIn(dataDir);
    const { code, text } = await restore([bad, '--replace']);
    expect(code).toBe(1);
    expect(text).toMatch(/could not be restored.*\nNothing was changed\.\n$/);
    expect(filesIn(dataDir)).toEqual(before);
    expect(readdirSync(dataDir).filter((name) => /^(restoring|replaced)-/.test(name))).toEqual([]);
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['After', 'Before']));
  });

  test('is not touched while a server runs on it, nor by a damaged file', async () => {
    await makeHistory();
    await withApp(async (app) => {
      const { code, text } = await restore([backup(), '--replace']);
      expect({ code, text }).toMatchObject({
        code: 1,
        text: expect.stringMatching(/is in use by another Haris.*\nNothing was changed/),
      });
      expect(await namesOf(app)).toEqual(['After', 'Before']);
    });
    const before = filesIn(dataDir);
    writeFileSync(join(scratch, 'cut.backup'), readFileSync(backup()).subarray(0, -9));
    expect((await restore([join(scratch, 'cut.backup'), '--replace'])).code).toBe(1);
    expect(filesIn(dataDir)).toEqual(before);
    expect(asides()).toEqual([]);
  });

  test('that has no database is refused: a restore would fill one that a server with PostgreSQL does not use', async () => {
    await makeHistory();
    for (const name of readdirSync(dataDir)) if (name.startsWith('haris.db')) rmSync(join(dataDir, name));
    const before = filesIn(dataDir);
    const { code, text } = await restore([backup(), '--replace']);
    expect({ code, text }).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /If this installation uses PostgreSQL, set DATABASE_URL.*\nNothing was changed/,
      ),
    });
    expect(filesIn(dataDir)).toEqual(before);
    // As the sentence says.
    expect(await restore([backup()])).toMatchObject({ code: 0 });
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['Before']));
  });

  test('of another installation goes aside with its key, and none of its records count', async () => {
    await makeHistory();
    const key = (await runServerProgram('backup', ['--recovery-key'], env)).text.split('\n')[0] ?? '';
    env = { DATA_DIR: join(scratch, 'other') };
    dataDir = join(scratch, 'other');
    await withApp(async (app) => void (await app.makeChild(await app.makeFamily(), 'Another')));
    const before = filesIn(dataDir);
    const { code, text } = await restore([backup(), '--replace'], { RECOVERY_KEY: key });
    expect(code, text).toBe(0);
    expect(text).toContain('no erasures.log');
    expect(filesIn(join(dataDir, asides()[0] ?? ''))).toEqual(before);
    expect(existsSync(join(dataDir, 'erasures.log'))).toBe(false);
    expect(await runServerProgram('audit-verify', [], env)).toMatchObject({ code: 0 });
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['Before', 'Deleted']));
  });
});

test.skipIf(testDialect === 'sqlite')(
  'with PostgreSQL the way back is another database: nothing is touched',
  async () => {
    await makeHistory();
    const { code, text } = await restore([backup(), '--replace']);
    expect({ code, text }).toMatchObject({
      code: 1,
      text: expect.stringMatching(/make an empty database.*\nNothing was changed/s),
    });
    await withApp(async (app) => expect(await namesOf(app)).toEqual(['After', 'Before']));
  },
);

describe('the exchange of two folders', () => {
  const write = (folder: string, files: Record<string, string>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  const old = {
    '/haris.db': 'old rows',
    '/haris.db-wal': 'old log',
    '/erasures.log': 'old erasures',
    '/keys/master.key': 'old key',
    '/outbox/1.eml': 'old mail',
    '/installation.json': 'old id',
  };
  let stage: string;
  /** As a restore has filled it. */
  const fillStage = (): void => {
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage);
    copySurvivors(dataDir, stage);
    write(stage, { 'haris.db': 'new rows', 'keys/master.key': 'new key' });
  };
  beforeEach(() => {
    stage = join(dataDir, 'restoring-1');
    write(dataDir, old);
    fillStage();
  });
  const textOf = (name: string) => readFileSync(join(dataDir, name), 'utf8');

  test('that fails in the middle puts everything back', () => {
    const before = Object.keys(old).map(textOf);
    // A file cannot take the name of a folder. It comes after the erasures, before the key and the database.
    write(stage, { zone: 'new' });
    mkdirSync(join(dataDir, 'zone'));
    expect(() => swapIn(dataDir, stage, 0)).toThrow(/EISDIR|ENOTDIR|EEXIST/);
    expect(Object.keys(old).map(textOf)).toEqual(before);
    expect(asides()).toEqual([]);
    // And at the very end: the database is missing.
    fillStage();
    rmSync(join(stage, 'haris.db'));
    expect(() => swapIn(dataDir, stage, 0)).toThrow(/ENOENT/);
    expect(Object.keys(old).map(textOf)).toEqual(before);
    expect(asides()).toEqual([]);
    fillStage();
    expect(swapIn(dataDir, stage, 0)).toBe(join(dataDir, 'replaced-1970-01-01'));
    expect(['haris.db', 'keys/master.key', 'erasures.log'].map(textOf)).toEqual([
      'new rows',
      'new key',
      'old erasures',
    ]);
    for (const [name, text] of Object.entries(old)) expect(textOf(`replaced-1970-01-01${name}`)).toBe(text);
    expect(existsSync(join(dataDir, 'haris.db-wal'))).toBe(false);
    expect(existsSync(join(dataDir, 'installation.json'))).toBe(false);
  });

  test('gives a missing key its place before anything is moved', () => {
    rmSync(join(dataDir, 'keys'), { recursive: true });
    rmSync(join(stage, 'keys'), { recursive: true });
    const changedAt = () => statSync(join(dataDir, 'haris.db'), { bigint: true }).ctimeNs;
    const before = changedAt();
    // Without the key it fails at once: a rename, even one that is undone, would show in the time.
    expect(() => swapIn(dataDir, stage, 0)).toThrow(/ENOENT/);
    expect(changedAt()).toBe(before);
    write(stage, { 'keys/master.key': 'new key' });
    swapIn(dataDir, stage, 0);
    expect(['haris.db', 'keys/master.key'].map(textOf)).toEqual(['new rows', 'new key']);
  });

  test('takes over the three files alone, also where one is a link', () => {
    write(dataDir, { 'other.log': 'of the operator' });
    renameSync(join(dataDir, 'erasures.log'), join(scratch, 'elsewhere'));
    symlinkSync(join(scratch, 'elsewhere'), join(dataDir, 'erasures.log'));
    fillStage();
    expect(existsSync(join(stage, 'other.log'))).toBe(false);
    swapIn(dataDir, stage, 0);
    expect(['erasures.log', 'other.log'].map(textOf)).toEqual(['old erasures', 'of the operator']);
  });

  test('of an empty one leaves no folder behind', () => {
    dataDir = join(scratch, 'empty');
    mkdirSync(dataDir);
    expect(swapIn(dataDir, stage, 0)).toBeNull();
    expect(textOf('haris.db')).toBe('new rows');
    expect(asides()).toEqual([]);
  });
});

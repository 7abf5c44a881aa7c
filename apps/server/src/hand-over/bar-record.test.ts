/** Adults who were barred after a backup stay barred when it is restored, and bars that were lifted stay lifted (decision 049). */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BarredAdult } from '@haris/contract/http/barred';
import { healthRoutes } from '@haris/contract/http/health';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditTrail } from '../db/audit.ts';
import { cleanOnce } from '../housekeeping.ts';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { makeSecond } from '../testing/second.ts';
import { runServerProgram } from '../testing/server-programs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-bars-'));
const databases: FreshDatabase[] = [];
const FILE = 'bars.log';
const BARRED = { name: 'Karim Adel', phone: '01598765432', note: 'Court order 4711' };

interface Place {
  readonly dataDir: string;
  readonly env: Record<string, string>;
}

async function makePlace(name: string): Promise<Place> {
  const database = await freshDb();
  databases.push(database);
  const dataDir = join(scratch, name);
  return { dataDir, env: { DATA_DIR: dataDir, ...(database.url ? { DATABASE_URL: database.url } : {}) } };
}

async function withApp<T>({ env }: Place, work: (app: TestApp, token: string) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return app
    .staff()
    .then((token) => work(app, token))
    .finally(() => app.close());
}

/** A child inside, with two collectors: one has the name of the barred adult, one has another. */
interface Case {
  readonly family: Family;
  readonly child: string;
  readonly namesake: string;
  readonly other: string;
  readonly slip: { readonly kind: 'slip'; readonly value: string };
}

async function makeCase(app: TestApp, token: string): Promise<Case> {
  const family = await app.makeFamily();
  const { _id: child } = await app.makeChild(family);
  const collect = async (name: string) =>
    (
      await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
        token,
        json: { name, relation: 'Uncle' },
      })
    ).collector._id;
  const [namesake, other] = [await collect(BARRED.name), await collect('Mona Ali')];
  const checkIn = `/api/children/checkin-child/${child}`;
  const { slipCode } = (await app.expect(200, 'POST', checkIn, { token })).child;
  return { family, child, namesake, other, slip: { kind: 'slip', value: String(slipCode) } };
}

const bar = async (app: TestApp, token: string, child: string, json: object = BARRED): Promise<string> =>
  (await app.expect(201, 'POST', `/api/children/${child}/barred`, { token, json })).barred._id;
const lift = (app: TestApp, token: string, id: string) =>
  app.expect(200, 'DELETE', `/api/barred/${id}`, { token });
const barsOf = async (app: TestApp, token: string, child: string) =>
  (await app.expect(200, 'GET', `/api/children/${child}/barred`, { token })).barred;
/** Status 200, or the code of the refusal. Staff have seen a passport. */
const checkOut = async (app: TestApp, token: string, child: string, release: object) => {
  const url = `/api/children/checkout-child/${child}`;
  const json = { ...release, document: { kind: 'passport', last: '12AB' } };
  const { status, body } = await app.ask('POST', url, { token, json });
  return status === 200 ? 200 : body.code;
};

let first: Place;
let backup: string;
let recoveryKey: string;
let later: Case;
let owners: Case;
let lifted: Case;
let both: Case;
let erased: Case;
let unknown: Case;
let ids: { readonly later: string; readonly lifted: string };

beforeAll(async () => {
  first = await makePlace('first');
  backup = join(scratch, 'before.backup');
  await withApp(first, async (app, token) => {
    later = await makeCase(app, token);
    owners = await makeCase(app, token);
    lifted = await makeCase(app, token);
    both = await makeCase(app, token);
    erased = await makeCase(app, token);
    const before = await bar(app, token, lifted.child);
    const form = { photo: fakePhoto() };
    await app.expect(200, 'PUT', `/api/barred/${before}/photo`, { token, form });
    expect((await runServerProgram('backup', [backup], app.env)).code).toBe(0);
    recoveryKey = (await runServerProgram('backup', ['--recovery-key'], app.env)).text.split('\n')[0] ?? '';

    ids = { later: await bar(app, token, later.child), lifted: before };
    await bar(app, token, owners.child, { name: owners.family.name, adultId: owners.family.id });
    await lift(app, token, before);
    await lift(app, token, await bar(app, token, both.child));
    unknown = await makeCase(app, token);
    await bar(app, token, unknown.child);
    await bar(app, token, erased.child);
    const release = { collectorId: erased.other, proof: await makeSecond(app) };
    expect(await checkOut(app, token, erased.child, release)).toBe(200);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${erased.child}`, { token });
  });
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

const linesOf = ({ dataDir }: Place) =>
  readFileSync(join(dataDir, FILE), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Restores the backup elsewhere, beside a `bars.log` of these lines; null: without the file. */
async function restoreBeside(name: string, lines: readonly string[] | null) {
  const place = await makePlace(name);
  mkdirSync(place.dataDir, { mode: 0o700 });
  copyFileSync(join(first.dataDir, 'erasures.log'), join(place.dataDir, 'erasures.log'));
  if (lines) writeFileSync(join(place.dataDir, FILE), lines.join('\n'));
  const { code, text } = await runServerProgram('restore', [backup], {
    ...place.env,
    RECOVERY_KEY: recoveryKey,
  });
  expect(code, text).toBe(0);
  return { place, text };
}

async function expectReplayed(app: TestApp, token: string): Promise<void> {
  expect(await barsOf(app, token, later.child)).toMatchObject([{ _id: ids.later, ...BARRED }]);
  expect(await barsOf(app, token, owners.child)).toMatchObject([{ adultId: owners.family.id }]);
  expect(await barsOf(app, token, lifted.child)).toEqual([]);
  expect(await barsOf(app, token, both.child)).toEqual([]);
  for (const { child } of [unknown, erased])
    expect((await app.ask('GET', `/api/children/${child}/barred`, { token })).status).toBe(404);
  const { db, vault } = app.context;
  // The photo was in the backup, and went with the lift.
  expect(await db.selectFrom('photos').select('id').where('bar_id', '=', ids.lifted).execute()).toEqual([]);
  const rows = await db.selectFrom('audit_log').selectAll().execute();
  const replayed = rows.filter(
    ({ action, details }) => action.startsWith('barred.') && details.includes('"replayed":true'),
  );
  expect(replayed.map(({ action }) => action).sort()).toEqual([
    'barred.added',
    'barred.added',
    'barred.lifted',
  ]);
  expect(await verifyAuditTrail(db, vault)).toMatchObject({ whole: true });
}

test('the file shows no name, phone or id, and has a line for each bar and each lift', () => {
  const text = readFileSync(join(first.dataDir, FILE), 'latin1');
  for (const secret of [...Object.values(BARRED), later.child, ids.later]) expect(text).not.toContain(secret);
  expect(linesOf(first)).toHaveLength(7);
});

describe('a backup of before is restored', () => {
  test('the adult who was barred since is refused again, and the slip from before proves nothing', async () => {
    const { place, text } = await restoreBeside('same', linesOf(first));
    expect(text).toContain('2 bars of adults that were entered since the backup are in force again');
    expect(text).toContain('1 bars that were lifted since the backup were lifted again');
    // The child of one was added after the backup. Its name and day, and no more, are for the operator.
    expect(text).toContain('1 bars could not be entered, because the backup does not know the child.');
    expect(text).toMatch(new RegExp(`^  ${BARRED.name}, barred on \\d{4}-\\d\\d-\\d\\d$`, 'm'));
    expect(text).not.toContain(BARRED.phone);
    expect(text).not.toContain(BARRED.note);
    expect(text).not.toContain(FILE);
    await withApp(place, async (app, token) => {
      await expectReplayed(app, token);
      const proof = await makeSecond(app);
      const { child, namesake, other, slip } = later;
      expect(await checkOut(app, token, child, { collectorId: namesake, proof })).toBe('barred_person');
      expect(await checkOut(app, token, child, { collectorId: other, proof: slip })).toBe(
        'wrong_pickup_proof',
      );
      expect(await checkOut(app, token, child, { collectorId: other, proof })).toBe(200);
      const own = { collectorId: owners.family.id, proof };
      expect(await checkOut(app, token, owners.child, own)).toBe('barred_person');
      expect(await checkOut(app, token, lifted.child, { collectorId: lifted.namesake })).toBe(200);
      const log = app.logLines.join('\n');
      expect(log).not.toContain('the database did not know it');
      expect(log).toContain('bars.log has bars of children whom the database does not know');
      expect(log).not.toContain(BARRED.name);
    });
    // A second start replays nothing, and the bar of a child that is not there stays in the file.
    await withApp(place, expectReplayed);
    expect(linesOf(place)).toEqual(linesOf(first));
  });

  test('without the file the restore says what may be missing; with the file, the next start bars and lifts', async () => {
    const { place, text } = await restoreBeside('without', null);
    expect(text).toContain('DATA_DIR has no bars.log that goes on from this backup');
    copyFileSync(join(first.dataDir, FILE), join(place.dataDir, FILE));
    await withApp(place, async (app, token) => {
      await expectReplayed(app, token);
      expect(app.logLines.join('\n')).toContain('the database did not know it');
    });
    await withApp(place, expectReplayed);
  });

  test('a line that was changed, or that this installation did not write, lifts nothing and is told', async () => {
    const elsewhere = await makePlace('elsewhere');
    await withApp(elsewhere, async (app, token) => {
      const { child } = await makeCase(app, token);
      await lift(app, token, await bar(app, token, child));
    });
    const forged = JSON.stringify({ kind: 'lifted', id: ids.later, childId: later.child, by: 'x', at: 1 });
    // The lines stand in the order of what was done: the lift of the bar from before the backup is the fourth.
    const lines = linesOf(first).map((line, n) =>
      n === 3 ? `${line.slice(0, 80)}AAAA${line.slice(84)}` : line,
    );
    const added = [...linesOf(elsewhere), `${Buffer.from(forged).toString('base64url')}.`];
    const { place, text } = await restoreBeside('changed', [...lines, ...added]);
    expect(text).toContain('4 lines of bars.log were changed');
    await withApp(place, async (app, token) => {
      const [back] = (await barsOf(app, token, lifted.child)) as unknown as BarredAdult[];
      expect(back?._id).toBe(ids.lifted);
      expect((await app.ask('GET', String(back?.photo), { token })).status).toBe(200);
      expect(await barsOf(app, token, later.child)).toMatchObject([{ _id: ids.later }]);
      expect(app.logLines.join('\n')).toContain('bars.log has lines that were changed');
      const health = await app.expect(200, 'GET', '/api/health', { token });
      const detail = expect.stringContaining('4 lines of bars.log');
      const folder = expect.objectContaining({ id: 'folder', state: 'warn', detail });
      expect(healthRoutes.getHealth.answer.parse(health).findings).toContainEqual(folder);
    });
  });

  test('a last line that a power cut broke off is passed over, and the next line is not lost with it', async () => {
    const lines = linesOf(first);
    const torn = [...lines.slice(0, -1), String(lines.at(-1)).slice(0, 60)];
    const { place, text } = await restoreBeside('torn', torn);
    expect(text).not.toContain('lines of bars.log');
    await withApp(place, async (app, token) => {
      await expectReplayed(app, token);
      await bar(app, token, both.child);
    });
    expect(linesOf(place).filter((line) => line.endsWith('.'))).toHaveLength(lines.length);
  });
});

test('what the file lacks is written by housekeeping and by the next start; the lines of an erased child are gone', async () => {
  const place = await makePlace('mirrored');
  const path = join(place.dataDir, FILE);
  await withApp(place, async (app, token) => {
    const [kept, gone] = [await makeCase(app, token), await makeCase(app, token)];
    // Nothing can be written there; the bar is entered all the same.
    rmSync(path);
    mkdirSync(path);
    await bar(app, token, kept.child);
    await lift(app, token, await bar(app, token, gone.child));
    expect(app.logLines.join('\n')).toContain('a bar could not be noted outside the database yet');
    rmSync(path, { recursive: true });
    await cleanOnce(app.context);
    // A lift alone keeps the bar from coming back, so what the bar said is not written again.
    expect(linesOf(place)).toHaveLength(2);
    appendFileSync(path, '\nhalf a li');
    const proof = await makeSecond(app);
    const over = { collectorId: gone.other, proof };
    expect(await checkOut(app, token, gone.child, over)).toBe(200);
    await app.expect(200, 'DELETE', `/api/children/delete-child/${gone.child}`, { token });
    expect(linesOf(place).filter((line) => line.trim().endsWith('.'))).toHaveLength(1);
  });
  const length = readFileSync(path).length;
  await withApp(place, async () => {});
  expect(readFileSync(path)).toHaveLength(length);
  rmSync(path);
  await withApp(place, async () => {});
  expect(linesOf(place)).toHaveLength(1);
});

test('a child who is added to a family with a bar has its copy in the file too', async () => {
  const place = await makePlace('siblings');
  await withApp(place, async (app, token) => {
    const { family, child } = await makeCase(app, token);
    await bar(app, token, child);
    expect(linesOf(place)).toHaveLength(1);
    await app.makeChild(family);
    expect(linesOf(place)).toHaveLength(2);
  });
});

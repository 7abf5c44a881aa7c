/** Leases by the database's clock: takeover, epochs, the fence, and leases that a wrong clock left behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLogger } from '@haris/runtime/log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, testDialect } from '../testing/harness.ts';
import { NO_VISION, startProgram } from '../testing/program.ts';
import {
  inTransactionUnder,
  keepLease,
  type Lease,
  LeaseLostError,
  type Leases,
  openLeases,
} from './leases.ts';
import { openDatabase } from './open.ts';

const DAY_MS = 24 * 3_600_000;
const LASTS_MS = 60_000;
let app: TestApp;
let one: Leases;
let other: Leases;
let name: string;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => {
  name = `test ${++count}`;
  one = openLeases(app.context.db, testDialect);
  other = openLeases(app.context.db, testDialect);
});
afterAll(() => app.close());

const rowOf = () =>
  app.context.db.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
const setUntil = (until: number) =>
  app.context.db.updateTable('leases').set({ until }).where('name', '=', name).execute();
async function take(leases: Leases): Promise<Lease> {
  const lease = await leases.acquire(name, LASTS_MS);
  if (!lease) throw new Error('the lease was not free');
  return lease;
}

test('one has it until it gives it back or it runs out; each taking is another epoch', async () => {
  const first = await take(one);
  expect(first.epoch).toBe(1);
  expect(await other.acquire(name, LASTS_MS)).toBeNull();
  // Not even to the holder: a server that lost track of its lease must not continue under the old epoch.
  expect(await one.acquire(name, LASTS_MS)).toBeNull();
  expect(await one.renew(first, LASTS_MS)).toBe(true);

  await one.release(first);
  expect((await rowOf()).until).toBe(0);
  const second = await take(other);
  expect(second.epoch).toBe(2);
  expect(await one.renew(first, LASTS_MS)).toBe(false);
  await one.release(first);
  expect((await rowOf()).until).toBeGreaterThan(0);

  await setUntil(Date.now() - 1);
  expect((await take(one)).epoch).toBe(3);
  expect(await other.renew(second, LASTS_MS)).toBe(false);
  // Nor does the same holder renew or release what it has now with what it had before.
  expect(await one.renew(first, LASTS_MS)).toBe(false);
  await one.release(first);
  expect((await rowOf()).until).toBeGreaterThan(0);
});

test('of many that want it at once, one gets it', async () => {
  const all = await Promise.all(
    Array.from({ length: 20 }, () => openLeases(app.context.db, testDialect).acquire(name, LASTS_MS)),
  );
  expect(all.filter((lease) => lease !== null)).toHaveLength(1);
});

test('the app’s clock says nothing: neither a day ahead nor a day behind frees a lease or holds it', async () => {
  const before = Date.now();
  await take(one);
  const after = Date.now();
  app.clock.advance(DAY_MS);
  expect(await other.acquire(name, LASTS_MS)).toBeNull();
  const takenAt = (await rowOf()).until - LASTS_MS;
  // Databases round to a millisecond or a second.
  expect(takenAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(takenAt).toBeLessThanOrEqual(after + 1_000);
});

test('an end further ahead than a lease can last is of a clock that was set back, and holds nothing', async () => {
  const stale = await take(one);
  await setUntil(Date.now() + 400 * DAY_MS);
  expect((await take(other)).epoch).toBe(stale.epoch + 1);
});

test('what was begun under a lease that is lost is rolled back', async () => {
  const { db } = app.context;
  const stale = await take(one);
  const write = (leases: Leases, lease: Lease, value: string) =>
    inTransactionUnder({ db, leases }, lease, ({ trx }) =>
      trx
        .insertInto('meta')
        .values({ key: name, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute(),
    );
  const read = () => db.selectFrom('meta').select('value').where('key', '=', name).executeTakeFirst();
  await write(one, stale, 'first');
  await setUntil(Date.now() - 1);
  // Nobody has acquired it yet: a write still comes before all writes of the next holder.
  await write(one, stale, 'second');
  const fresh = await take(other);
  await expect(write(one, stale, 'stale')).rejects.toThrow(LeaseLostError);
  await expect(read()).resolves.toEqual({ value: 'second' });
  await other.release(fresh);
  await expect(write(one, stale, 'stale')).rejects.toThrow(LeaseLostError);
  await write(other, fresh, 'third');
  await expect(read()).resolves.toEqual({ value: 'third' });
});

test('a kept lease is renewed, and taken again once it was lost', async () => {
  const kept = keepLease(one, name, LASTS_MS);
  expect(await kept.hold()).toMatchObject({ epoch: 1 });
  expect(await kept.hold()).toMatchObject({ epoch: 1 });
  await setUntil(Date.now() - 1);
  const taken = await take(other);
  expect(await kept.hold()).toBeNull();
  await other.release(taken);
  expect(await kept.hold()).toMatchObject({ epoch: 3 });
  await kept.release();
  expect((await rowOf()).until).toBe(0);
});

if (testDialect === 'sqlite')
  test('the one server of a data folder takes all leases at its start, whatever an old row says', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'haris-leases-'));
    const database = await openDatabase({
      databaseUrl: null,
      dataDir,
      log: createLogger('leases', 'fatal'),
    });
    // The lease of a server that was killed while its clock was ahead.
    const until = Date.now() + 400 * DAY_MS;
    const left = { holder: 'gone', epoch: 7, until };
    await database.db
      .insertInto('leases')
      .values([
        { name: 'incidents', ...left },
        { name: 'nobody’s now', ...left },
      ])
      .execute();
    await database.close();
    const program = await startProgram({ DATA_DIR: dataDir, ...NO_VISION });
    const file = new DatabaseSync(join(dataDir, 'haris.db'), { readOnly: true });
    try {
      const row = (name: string) => file.prepare('select * from leases where name = ?').get(name);
      expect(row('nobody’s now')).toMatchObject({ holder: 'gone', epoch: 7, until: 0 });
      await expect.poll(() => row('incidents'), { timeout: 240_000 }).toMatchObject({ epoch: 8 });
    } finally {
      file.close();
      program.kill('SIGTERM');
      expect(await program.ended).toEqual({ code: 0, signal: null });
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

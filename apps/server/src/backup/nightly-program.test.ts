/** The program that makes a nightly backup, and its servers: it hangs, is stopped, or has two that want it. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEALTH_KEPT_MS, healthRoutes } from '@haris/contract/http/health';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, testDialect } from '../testing/harness.ts';
import { type NightlyBackups, openNightlyBackups } from './nightly.ts';
import { readNightly } from './nightly-state.ts';

const HOUR = 3_600_000;
const MARK = '.haris-backups';
let folder: string;
let app: TestApp;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haris-nightly-'));
  // It is 10:00 in Cairo on 20 November.
  app = await startTestApp({ config: { TIME_ZONE: 'Africa/Cairo', BACKUP_DIR: folder } });
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One look of a server that has just been started. */
const lookOnce = (one = app) => openNightlyBackups(one.context).look();
const backups = () => readdirSync(folder).filter((name) => !name.startsWith('.haris-'));
const failures = (one = app) =>
  one.logLines.filter((line) => line.includes('the nightly backup was not made'));

/** Makes the mark a pipe: the program hangs at it, as at a share that hangs, until the result is closed. */
async function hangProgram(): Promise<{ looking: Promise<void>; nightly: NightlyBackups; pipe: number }> {
  const mark = join(folder, MARK);
  execFileSync('mkfifo', [mark]);
  const nightly = openNightlyBackups(app.context);
  const looking = nightly.look();
  let pipe = -1;
  const isRead = () => {
    try {
      // Refused until somebody reads.
      pipe = openSync(mark, constants.O_WRONLY | constants.O_NONBLOCK);
      return true;
    } catch {
      return false;
    }
  };
  await expect.poll(isRead, { timeout: 240_000 }).toBe(true);
  return { looking, nightly, pipe };
}

test('after hours in which the share hung it is not tried again at once', async () => {
  const { looking, pipe } = await hangProgram();
  app.clock.advance(3 * HOUR);
  writeFileSync(pipe, 'somebody else');
  closeSync(pipe);
  await looking;
  expect(failures()).toHaveLength(1);
  expect(await readNightly(app.context.db)).toMatchObject({ failedAt: app.clock.now() });
});

test('a stop ends the backup that is being made, which the next start makes', async () => {
  const { looking, nightly, pipe } = await hangProgram();
  await nightly.stop();
  // A program that still ran would go on here.
  closeSync(pipe);
  await looking;
  expect(failures()).toEqual([]);
  expect(backups().filter((name) => name.endsWith('.backup'))).toEqual([]);
  expect(await readNightly(app.context.db)).not.toMatchObject({ failedAt: expect.any(Number) });
  rmSync(join(folder, MARK));
  await lookOnce();
  expect(backups()).toEqual(['haris-2026-11-20-100000.backup']);
});

test('while it is being made, the health page says how far it is, and not after the server ended it', async () => {
  const backupLine = async () => {
    const { findings } = healthRoutes.getHealth.answer.parse(
      await app.expect(200, 'GET', '/api/health', { token: await app.staff() }),
    );
    return findings.find(({ id }) => id === 'backup')?.detail;
  };
  // Nobody reads this pipe, so the program waits with all that it has to write.
  const part = join(folder, 'haris-2026-11-20-100000.backup.part');
  execFileSync('mkfifo', [part]);
  const nightly = openNightlyBackups(app.context);
  const looking = nightly.look();
  const running = async () => (await readNightly(app.context.db))?.running ?? null;
  await expect.poll(running).toMatchObject({ step: 'write', at: app.clock.now() });
  expect(await backupLine()).toMatch(/One is being made now: [1-9]\d* of [1-9]\d* rows, 0 of 0 photos\.$/);
  await nightly.stop();
  await looking;
  app.clock.advance(2 * HEALTH_KEPT_MS + 60_000);
  expect(await backupLine()).not.toContain('One is being made');
  rmSync(part);
  await lookOnce();
  expect(await readNightly(app.context.db)).toMatchObject({ madeAt: app.clock.now(), running: null });
});

test.skipIf(testDialect === 'sqlite')('of two servers one makes it', async () => {
  const second = await startTestApp({
    config: { BACKUP_DIR: folder, TIME_ZONE: 'Africa/Cairo' },
    beside: app,
  });
  try {
    await Promise.all([lookOnce(app), lookOnce(second)]);
    expect(backups()).toHaveLength(1);
    // Both would give it the same name.
    const made = [...app.logLines, ...second.logLines].filter((line) => line.includes('made and read back'));
    expect(made).toHaveLength(1);
    expect([...failures(app), ...failures(second)]).toEqual([]);
    expect(await readNightly(app.context.db)).toMatchObject({ failedAt: null });
    await lookOnce(second);
    await lookOnce(app);
    expect(backups()).toHaveLength(1);
    app.clock.advance(24 * HOUR);
    await lookOnce(second);
    await lookOnce(app);
    expect(backups()).toHaveLength(2);
  } finally {
    await second.close();
  }
});

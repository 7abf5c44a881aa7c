/** The supervisor with real engine processes: a process that hangs is replaced, and no process is left behind. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import { afterEach, expect, test } from 'vitest';
import { captureLog } from '../testing/log.ts';
import { startProgram } from '../testing/program.ts';
import { createVisionClient, STAFF } from './client.ts';
import { superviseVision, type VisionSupervisor } from './supervisor.ts';

const within = { timeout: 240_000, interval: 50 };
/** Shorter limits than in the product; an engine sends a message every two seconds. */
const LIMITS = { startMs: 60_000, silentMs: 5_000, firstPauseMs: 50 };

const running: VisionSupervisor[] = [];
afterEach(async () => {
  for (const supervisor of running.splice(0)) await supervisor.stop();
});

function start(): { supervisor: VisionSupervisor; lines: readonly string[] } {
  const { log, lines } = captureLog();
  const supervisor = superviseVision(log, 'fatal', LIMITS);
  running.push(supervisor);
  return { supervisor, lines };
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** Processes that have not ended. */
function processes(): Running[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state !== undefined && !state.startsWith('Z'))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }));
}

const groupOf = (leader: number): number[] =>
  processes()
    .filter(({ group }) => group === leader)
    .map(({ pid }) => pid);

/** An engine that has decoded a photo, with its processes: the hub, the faces process and a photo process. */
async function startBusy(): Promise<{
  supervisor: VisionSupervisor;
  lines: readonly string[];
  group: number[];
}> {
  const { supervisor, lines } = start();
  const vision = createVisionClient(supervisor.address);
  await expect.poll(() => supervisor.address(), within).not.toBeNull();
  await vision.normalize(await paintPortrait({ seed: chosenSeeds[0] }), STAFF);
  const group = groupOf(supervisor.pid() ?? 0);
  expect(group).toHaveLength(3);
  return { supervisor, lines, group };
}

test('a face engine that hangs is replaced by itself, with all its processes', async () => {
  const { supervisor, lines, group } = await startBusy();
  const hung = supervisor.pid() ?? 0;
  process.kill(hung, 'SIGSTOP');
  await expect.poll(() => groupOf(hung), within).toEqual([]);
  await expect.poll(() => supervisor.address(), within).not.toBeNull();
  expect(supervisor.pid()).not.toBe(hung);
  expect(lines.some((line) => line.includes('gives no sign of life'))).toBe(true);
  expect(processes().filter(({ pid }) => group.includes(pid))).toEqual([]);
});

test('processes that hang do not outlive a face engine that is killed', async () => {
  const { supervisor, group } = await startBusy();
  const hub = supervisor.pid() ?? 0;
  for (const pid of group) if (pid !== hub) process.kill(pid, 'SIGSTOP');
  process.kill(hub, 'SIGKILL');
  await expect.poll(() => groupOf(hub), within).toEqual([]);
});

test('a server that is killed leaves no process behind', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'haris-killed-'));
  try {
    const server = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
    const isReady = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(isReady, within).toBe(200);
    const [hub] = processes().filter(({ parent }) => parent === server.child.pid);
    const group = groupOf(hub?.group ?? 0);
    expect(group.length).toBeGreaterThanOrEqual(2);
    server.kill('SIGKILL');
    await server.ended;
    await expect.poll(() => groupOf(hub?.group ?? 0), within).toEqual([]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

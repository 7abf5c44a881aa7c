/** Tests of child processes with real ones: whatever they do, they end and are replaced. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createBackoff } from './backoff.ts';
import { type Child, type ChildEnd, type ChildOptions, startChild, superviseChild } from './child.ts';

const program = join(import.meta.dirname, 'testing/child-program.ts');
const within = { timeout: 240_000, interval: 20 };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function start(options: Partial<ChildOptions> = {}) {
  const messages: unknown[] = [];
  const ends: ChildEnd[] = [];
  let silences = 0;
  const child = startChild(
    { program, ...options },
    {
      onMessage: (message) => messages.push(message),
      onSilent: () => silences++,
      onEnd: (end) => ends.push(end),
    },
  );
  stops.push(() => child.stop());
  return { child, messages, ends, silences: () => silences };
}

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('gives a child its environment and PATH, and nothing else of its own', async () => {
  process.env.HARIS_SECRET_OF_THE_PARENT = 'x';
  try {
    const { child, messages } = start({ env: { OWN: '1' } });
    child.send({ do: 'echo' });
    await expect.poll(() => messages.length, within).toBe(2);
    const { path, env } = messages[1] as { path: boolean; env: string[] };
    expect(path).toBe(true);
    expect(env).toContain('OWN');
    expect(env).not.toContain('HARIS_SECRET_OF_THE_PARENT');
  } finally {
    delete process.env.HARIS_SECRET_OF_THE_PARENT;
  }
});

it('reports the end of a child once, with its code or signal', async () => {
  const { child, ends } = start();
  child.send({ do: 'exit' });
  await expect.poll(() => ends, within).toEqual([{ code: 3, signal: null }]);
  const killed = start();
  killed.child.kill();
  await expect.poll(() => killed.ends, within).toEqual([{ code: null, signal: 'SIGKILL' }]);
});

it('reports nothing more of a child that it was told to stop', async () => {
  const { child, messages, ends } = start();
  const { pid } = child;
  await child.stop();
  expect(isRunning(pid)).toBe(false);
  expect(messages.concat(ends)).toEqual([]);
});

it('ends a child that is silent from the start, or from a later moment on', async () => {
  const never = start({ silence: { startMs: 60_000, runMs: 200 } });
  never.child.ready();
  await expect.poll(() => never.ends.length, within).toBe(1);
  expect(never.silences()).toBe(1);
  const hanging = start({ silence: { startMs: 60_000, runMs: 500 } });
  await expect.poll(() => hanging.messages, within).toEqual(['hello']);
  hanging.child.ready();
  hanging.child.send({ do: 'hang' });
  await expect.poll(() => hanging.ends, within).toEqual([{ code: null, signal: 'SIGKILL' }]);
});

it('asks first and kills later a child that has time to end by itself', async () => {
  const polite = start({ graceMs: 60_000 });
  await expect.poll(() => polite.messages, within).toEqual(['hello']);
  polite.child.kill();
  await expect.poll(() => polite.ends, within).toEqual([{ code: null, signal: 'SIGTERM' }]);
  const deaf = start({ graceMs: 100 });
  deaf.child.send({ do: 'ignore SIGTERM' });
  await expect.poll(() => deaf.messages, within).toContain('ignoring');
  deaf.child.kill();
  await expect.poll(() => deaf.ends, within).toEqual([{ code: null, signal: 'SIGKILL' }]);
});

it('leaves none of the processes behind that a child with its own group has started', async () => {
  const { child, messages, ends } = start({ ownGroup: true });
  child.send({ do: 'start a child' });
  await expect.poll(() => messages.length, within).toBe(2);
  const { child: grandchild } = messages[1] as { child: number };
  expect(isRunning(grandchild)).toBe(true);
  process.kill(child.pid ?? 0, 'SIGKILL');
  await expect.poll(() => ends.length, within).toBe(1);
  await expect.poll(() => isRunning(grandchild), within).toBe(false);
});

it('restarts a child with growing pauses, until it is stopped', async () => {
  const started: Child[] = [];
  const pauses: number[] = [];
  const supervisor = superviseChild(
    { program, backoff: createBackoff({ firstMs: 1, longestMs: 4 }) },
    {
      onStart: (child) => started.push(child),
      onMessage: (_message, child) => child.send({ do: 'exit' }),
      onEnd(_end, againInMs) {
        expect(supervisor.child).toBeNull();
        pauses.push(againInMs);
      },
    },
  );
  stops.push(() => supervisor.stop());
  await expect.poll(() => pauses.slice(0, 4), within).toEqual([1, 2, 4, 4]);
  await supervisor.stop();
  const count = started.length;
  expect(count).toBeGreaterThanOrEqual(4);
  expect(new Set(started.map(({ pid }) => pid)).size).toBe(count);
  expect(started.some(({ pid }) => isRunning(pid))).toBe(false);
});

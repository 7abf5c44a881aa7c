/** Tests of stopping by signals, in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';

const lifecycle = new URL('./lifecycle.ts', import.meta.url).href;

// A program that a failed test leaves behind never stops, and would keep Vitest from ending.
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Runs a program whose `stop` never finishes. */
function run(forceAfterMs: number) {
  const script = `
    const { stopOnSignals } = await import(${JSON.stringify(lifecycle)});
    const say = (line) => process.stdout.write(line);
    const log = { info: () => say('stopping '), error() {} };
    stopOnSignals({ log, stop: () => new Promise(() => {}), withinMs: 120_000, forceAfterMs: ${forceAfterMs} });
    setInterval(() => {}, 1_000);
    say('ready ');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return { child, said: () => said, ended: once(child, 'exit') };
}

test('a second signal right after the first changes nothing; one that comes clearly later ends the program', async () => {
  const patient = run(60_000);
  await expect.poll(patient.said).toContain('ready');
  patient.child.kill('SIGINT');
  await expect.poll(patient.said).toContain('stopping');
  patient.child.kill('SIGINT');
  patient.child.kill('SIGTERM');
  // Long enough for both signals to arrive: a third program starts and stops meanwhile.
  const forced = run(0);
  await expect.poll(forced.said).toContain('ready');
  forced.child.kill('SIGINT');
  await expect.poll(forced.said).toContain('stopping');
  forced.child.kill('SIGINT');
  expect(await forced.ended).toEqual([1, null]);
  expect(patient.child.exitCode).toBeNull();
  patient.child.kill('SIGKILL');
  expect(await patient.ended).toEqual([null, 'SIGKILL']);
});

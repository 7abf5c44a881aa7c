/** How far a backup is: in the terminal of the command, and nowhere else. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';
import { type Progress, showProgress, sparingly } from './progress.ts';

const progress = (step: Progress['step'], rows: number): Progress => ({
  ...{ step, rows, allRows: 5_000 },
  ...{ photos: 3, allPhotos: 40 },
});

test('the first of each step is told, and then one in a while', () => {
  const told: string[] = [];
  let now = 0;
  const tell = sparingly(
    100,
    ({ step, rows }) => told.push(`${step} ${rows}`),
    () => now,
  );
  for (const [at, step, rows] of [
    [0, 'write', 1],
    [99, 'write', 2],
    [100, 'write', 3],
    [101, 'check', 4],
    [200, 'check', 5],
    [201, 'check', 6],
  ] as const) {
    now = at;
    tell(progress(step, rows));
  }
  expect(told).toEqual(['write 1', 'write 3', 'check 4', 'check 6']);
});

test('it is one line of a terminal, which is never wider and is gone at the end', () => {
  for (const [columns, line] of [
    [80, 'Writing: 1,200 of 5,000 rows, 3 of 40 photos'],
    [20, 'Writing: 1,200 of 5'],
    // Some terminals do not say.
    [0, 'Writing: 1,200 of 5,000 rows, 3 of 40 photos'],
  ] as const) {
    let written = '';
    const { tell, end } = showProgress({
      ...{ isTTY: true, columns },
      write(text) {
        written += text;
      },
    });
    tell(progress('write', 1_200));
    expect(written).toBe(`\r\u001b[K${line}`);
    end();
    expect(written).toBe(`\r\u001b[K${line}\r\u001b[K`);
  }
});

let app: TestApp;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haris-progress-'));
  app = await startTestApp();
  await app.makeChild(await app.makeFamily());
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command in a terminal of its own; returns what that shows. */
async function backUpInTerminal(file: string): Promise<string> {
  const program = fileURLToPath(new URL('./backup.ts', import.meta.url));
  const words = [process.execPath, program, file].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', words, '/dev/null'], {
    env: { PATH: process.env.PATH, ...app.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  expect(await new Promise((resolve) => child.once('close', resolve)), shown).toBe(0);
  return shown;
}

test('the command shows it in a terminal, and not where its output is read by a program', async () => {
  const shown = await backUpInTerminal(join(folder, 'one.backup'));
  expect(shown).toMatch(/Writing: [\d,]+ of [\d,]+ rows, 0 of 1 photos/);
  expect(shown).toMatch(/Reading it back: [\d,]+ of [\d,]+ rows/);
  expect(shown).toContain('\u001b[KBacked up ');
  expect(shown).toMatch(/Backed up \d+ rows and 1 photos to /);
  expect(existsSync(join(folder, 'one.backup'))).toBe(true);
  const { code, text } = await runServerProgram('backup', [join(folder, 'two.backup')], app.env);
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(/^Backed up \d+ rows and 1 photos to /),
  });
});

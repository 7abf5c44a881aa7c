/** Second looks: which failures they clear, and which they never do; with made-up runs and with the real runners. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pinnedNode, root, run } from './run.mjs';
import { type FileVerdict, makePlaywright, makeVitest, type Run, type Runner } from './runners.mjs';
import { makeSecondLook } from './second-look.mjs';

const well = { code: 0, timedOut: false, hung: false };
const badly = { ...well, code: 1 };
const passing = (file: string, over: Partial<FileVerdict> = {}): FileVerdict => ({
  project: '',
  file,
  passed: 2,
  skipped: 0,
  failures: [],
  ...over,
});
const failing = (file: string, over: Partial<FileVerdict> = {}): FileVerdict =>
  passing(file, { passed: 1, failures: [{ test: 'adds', cause: 'expected 1 to be 2' }], ...over });
const of = (ended: Run['ended'], files: FileVerdict[], outside: string[] = []): Run => ({
  ended,
  verdict: { files, outside },
});

/** Judges a first run; `alone` answers each second look in turn, the last one also those after it. */
async function judge(first: Run, alone: Run[] = [], options: { now?: () => number } = {}) {
  const looks: string[] = [];
  const runner: Runner = {
    name: 'vitest',
    all: async () => first,
    alone: async ({ file }) => {
      looks.push(file);
      return alone[Math.min(looks.length, alone.length) - 1] ?? of(badly, [failing(file)]);
    },
  };
  const result = await makeSecondLook(() => {}, options)(runner, first);
  return { ...result, looks };
}

describe('a run of which nothing failed', () => {
  test('is counted, without a second look', async () => {
    expect(await judge(of(well, [passing('a'), passing('b', { skipped: 1 })]))).toEqual({
      passed: 4,
      skipped: 1,
      failed: 0,
      problems: [],
      unstable: [],
      looks: [],
    });
  });

  test('and that does not exit is named, and passes', async () => {
    const result = await judge(of({ code: 137, timedOut: false, hung: true }, [passing('a')]));
    expect(result).toMatchObject({ failed: 0, passed: 2 });
    expect(result.unstable).toEqual([
      { file: 'vitest', test: '', cause: 'it did not exit after its report' },
    ]);
  });
});

describe('a file that failed', () => {
  test('and passes alone is unstable, with what failed at first', async () => {
    const result = await judge(of(badly, [passing('a'), failing('b')]), [of(well, [passing('b')])]);
    expect(result).toMatchObject({ passed: 4, failed: 0, problems: [], looks: ['b'] });
    expect(result.unstable).toEqual([{ file: 'b', test: 'adds', cause: 'expected 1 to be 2' }]);
  });

  test('and passes at the second look alone is unstable', async () => {
    const alone = [of(badly, [failing('b')]), of(well, [passing('b')])];
    expect(await judge(of(badly, [failing('b')]), alone)).toMatchObject({ failed: 0, looks: ['b', 'b'] });
  });

  test('and fails twice more is broken', async () => {
    const result = await judge(of(badly, [passing('a'), failing('b')]));
    expect(result).toMatchObject({ passed: 3, failed: 1, unstable: [], looks: ['b', 'b'] });
    expect(result.problems).toEqual(['b > adds (expected 1 to be 2)']);
  });

  test.each<[string, Run]>([
    ['is of another project', of(well, [passing('b', { project: 'server-sqlite' })])],
    ['is another one', of(well, [passing('c')])],
    ['is not alone', of(well, [passing('b'), passing('c')])],
    ['was not found', of(well, [])],
    ['skips what failed', of(well, [passing('b', { passed: 1, skipped: 1 })])],
    ['has an unhandled rejection', of(well, [passing('b')], ['lost'])],
    ['does not end in time', of({ ...badly, timedOut: true }, [passing('b')])],
    ['ends with an exit code', of(badly, [passing('b')])],
    ['makes no report', { ended: well, verdict: undefined }],
  ])('and then %s is broken', async (_what, again) => {
    expect(await judge(of(badly, [failing('b')]), [again])).toMatchObject({ failed: 1, unstable: [] });
  });

  test('has no second look once the time for all of them is over', async () => {
    let time = 0;
    const now = () => {
      time += 15 * 60_000;
      return time;
    };
    const result = await judge(of(badly, [failing('a'), failing('b')]), [], { now });
    expect(result).toMatchObject({ failed: 2, looks: ['a', 'a'] });
  });
});

describe('what no second look can clear', () => {
  test.each<[string, Run, string]>([
    [
      'an unhandled rejection',
      of(badly, [passing('a'), failing('b')], ['lost']),
      'vitest failed outside of a test: lost',
    ],
    ['a time limit', of({ ...badly, timedOut: true }, [failing('b')]), 'vitest did not end in time'],
    ['no report', { ended: badly, verdict: undefined }, 'vitest made no report (exit code 1)'],
    ['no test', of(well, []), 'vitest found no test to run'],
    [
      'an exit code without a failed test',
      of(badly, [passing('a')]),
      'vitest failed outside of a test (exit code 1), see above',
    ],
  ])('%s', async (_what, first, problem) => {
    const result = await judge(first, [of(well, [passing('b')])]);
    expect(result.failed).toBeGreaterThan(0);
    expect(result.problems[0]).toBe(problem);
    expect(result.looks).toEqual([]);
  });

  test('more than ten files, in one runner or in both together', async () => {
    const files = (count: number) => Array.from({ length: count }, (_, n) => failing(`f${n}`));
    const alone = async ({ file }: FileVerdict) => of(well, [passing(file)]);
    const runner = { name: 'vitest', all: async () => of(well, []), alone };
    const one = makeSecondLook(() => {});
    expect(await one(runner, of(badly, files(11)))).toMatchObject({ failed: 11, unstable: [] });
    const both = makeSecondLook(() => {});
    expect(await both(runner, of(badly, files(10)))).toMatchObject({ failed: 0 });
    expect(await both(runner, of(badly, files(1)))).toMatchObject({ failed: 1 });
  });
});

/** In this folder, because the planted tests import the runners. */
let folder: string;
beforeAll(() => {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  folder = mkdtempSync(join(root, 'test-results', 'planted-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plants tests in a folder of their own; runs all of them, and again what failed. */
async function runPlanted(
  make: typeof makeVitest | typeof makePlaywright,
  files: Record<string, string>,
  { exitMs = 60_000 } = {},
) {
  const place = mkdtempSync(join(folder, 'tests-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  const said: string[] = [];
  const runner = make({
    folder: place,
    reports: place,
    runProgram: async (program, args, { env, ...options }) => {
      const { output, ...ended } = await run(pinnedNode, [program, ...args], {
        ...options,
        cwd: place,
        stdio: 'pipe',
        exitMs,
        // Not the variables of the Vitest that runs this test.
        env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', ...env },
      });
      said.push(output);
      return ended;
    },
  });
  const result = await makeSecondLook((line) => said.push(line))(runner, await runner.all(120_000));
  return { ...result, said: said.join('\n') };
}

/** Source of an expression that is true only in the first process that asks. */
const isFirstTime = (name: string) =>
  `(() => { const fs = require('node:fs'); const note = __dirname + '/${name}.seen';
    if (fs.existsSync(note)) return false; fs.writeFileSync(note, ''); return true; })()`;

describe('planted tests of Vitest', () => {
  const config = `export default { test: { projects: [
    { test: { name: 'one', include: ['**/*.test.mjs'], exclude: ['two-*'] } },
    { test: { name: 'two', include: ['two-*.test.mjs', 'same.test.mjs'], env: { PLANTED: 'two' } } },
  ] } };`;
  const head = `import { createRequire } from 'node:module';
    import { beforeAll, expect, test } from 'vitest';
    const require = createRequire(import.meta.url); const __dirname = import.meta.dirname;`;
  const vitest = (files: Record<string, string>, options = {}) =>
    runPlanted(
      makeVitest,
      {
        'vitest.config.mjs': config,
        ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${head}\n${text}`])),
      },
      options,
    );
  const good = `test('adds', () => expect(1 + 1).toBe(2)); test.skip('waits', () => {});`;

  test('unstable ones pass and are named with project and cause; broken ones fail', async () => {
    const result = await vitest({
      'good.test.mjs': good,
      'unstable.test.mjs': `test('counts', () => expect(${isFirstTime('unstable')}).toBe(false));`,
      'hook.test.mjs': `beforeAll(() => { if (${isFirstTime('hook')}) throw new Error('no database'); });\n${good}`,
      'same.test.mjs': `test('sorts', () => expect(process.env.PLANTED === 'two' && ${isFirstTime('same')}).toBe(false));`,
      'broken.test.mjs': `test('breaks', () => expect(1).toBe(2)); test('adds', () => {});`,
    });
    expect(result.unstable).toEqual(
      expect.arrayContaining([
        { file: '|one| hook.test.mjs', test: '', cause: 'no database' },
        {
          file: '|one| unstable.test.mjs',
          test: 'counts',
          cause: 'expected true to be false // Object.is equality',
        },
        {
          file: '|two| same.test.mjs',
          test: 'sorts',
          cause: 'expected true to be false // Object.is equality',
        },
      ]),
    );
    expect(result.unstable).toHaveLength(3);
    expect(result.problems).toEqual([
      '|one| broken.test.mjs > breaks (expected 1 to be 2 // Object.is equality)',
    ]);
    // good 1, unstable 1, hook 1, same 2, and the other test of broken.
    expect(result).toMatchObject({ passed: 6, failed: 1 });
  });

  test.each([
    ['a file that cannot be loaded', `import './nowhere.mjs';\n${good}`, /nowhere/],
    ['a file without a test', '', /No test suite found/],
    ['a killed worker', `test('dies', () => process.kill(process.pid, 'SIGKILL'));`, /outside of a test/],
    [
      'an unhandled rejection',
      `${good}\ntest('loses', () => void Promise.reject(new Error('lost')));`,
      /lost/,
    ],
  ])('%s fails at once', async (_what, text, problem) => {
    const result = await vitest({ 'good.test.mjs': good, 'planted.test.mjs': text });
    expect(result.failed, result.said).toBeGreaterThan(0);
    expect(result.problems.join('\n')).toMatch(problem);
    expect(result.unstable).toEqual([]);
    expect(result.said).not.toContain('again, alone');
  });

  test('no test at all fails', async () => {
    expect((await vitest({})).failed).toBeGreaterThan(0);
  });

  test('a runner that does not exit after its report is ended and named', async () => {
    // The reporter after ours keeps the process, as a test's program has been seen to.
    const keeper = `setInterval(() => {}, 1000); process.exit = () => {};`;
    const result = await vitest(
      { 'good.test.mjs': good, 'vitest.config.mjs': `${keeper}\n${config}` },
      { exitMs: 3_000 },
    );
    expect(result, result.said).toMatchObject({ passed: 1, failed: 0 });
    expect(result.unstable).toEqual([
      { file: 'vitest', test: '', cause: 'it did not exit after its report' },
    ]);
  });
});

describe('planted tests of Playwright', () => {
  const config = `export default { testDir: 'e2e', outputDir: 'results/e2e', retries: 0, reporter: [['list'], ['json', { outputFile: 'results/e2e.json' }]] };`;
  const head = `const { expect, test } = require('@playwright/test');`;
  const playwright = (files: Record<string, string>) =>
    runPlanted(makePlaywright, {
      'playwright.config.ts': config,
      'e2e/shared.cjs': `${head}
        exports.plant = () => test('shares', () => expect(${isFirstTime('shared')}).toBe(false));`,
      ...Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`e2e/${name}.spec.cjs`, `${head}\n${text}`]),
      ),
    });
  const good = `test('adds', () => expect(1 + 1).toBe(2)); test.skip('waits', () => {});`;

  test('unstable ones pass and are named; broken ones fail, with those of their group that had no turn', async () => {
    const result = await playwright({
      good,
      unstable: `test.describe('a group', () => { test('counts', () => expect(${isFirstTime('unstable')}).toBe(false)); });`,
      elsewhere: `require('./shared.cjs').plant();`,
      broken: `test.describe.configure({ mode: 'serial' });
        test('breaks', () => { throw new Error('shut'); }); test('comes after it', () => {});`,
    });
    expect(result.unstable).toHaveLength(2);
    const cause = expect.stringContaining('toBe');
    expect(result.unstable).toEqual(
      expect.arrayContaining([
        { file: 'unstable.spec.cjs', test: 'a group > counts', cause },
        { file: 'elsewhere.spec.cjs', test: 'shares', cause },
      ]),
    );
    expect(result.problems).toEqual([
      'broken.spec.cjs > breaks (Error: shut)',
      'broken.spec.cjs > comes after it (it was not run)',
    ]);
    expect(result).toMatchObject({ passed: 3, failed: 2, skipped: 1 });
  });

  test.each([
    ['a killed worker', `test('dies', () => process.kill(process.pid, 'SIGKILL'));`, /unexpectedly/],
    ['a file that cannot be loaded', `require('./nowhere.cjs');`, /nowhere/],
  ])('%s fails at once', async (_what, text, problem) => {
    const result = await playwright({ good, planted: text });
    expect(result.failed, result.said).toBeGreaterThan(0);
    expect(result.problems.join('\n')).toMatch(problem);
    expect(result.unstable).toEqual([]);
    expect(result.said).not.toContain('again, alone');
  });

  test('no test at all fails', async () => {
    expect((await playwright({})).failed).toBeGreaterThan(0);
  });
});

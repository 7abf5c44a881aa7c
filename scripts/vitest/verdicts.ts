/**
 * Vitest reporter that writes a verdict on each test file, as `scripts/runners.mjs` reads it. Vitest's JSON has neither the
 * project of a file, which on two databases is two files of one name, nor the errors outside of a test.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { describeCause, type Failure, type FileVerdict, type Verdict } from '../runners.mjs';

type Cause = Parameters<typeof describeCause>[0];

const describe = (cause: Cause | undefined): string => (cause ? describeCause(cause) : 'no reason given');

function failuresOf(module: TestModule): Failure[] {
  const tests = [...module.children.allTests('failed')].map((test) => ({
    test: test.fullName,
    cause: describe(test.result().errors?.[0]),
  }));
  // A hook of the file or of a `describe`.
  const hooks = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return [...tests, ...hooks.map((cause) => ({ test: '', cause: describe(cause) }))];
}

function judge(module: TestModule): FileVerdict {
  const tests = [...module.children.allTests()];
  const count = (state: string) => tests.filter((test) => test.result().state === state).length;
  return {
    project: module.project.name,
    file: module.relativeModuleId,
    passed: count('passed'),
    skipped: count('skipped'),
    failures: failuresOf(module),
  };
}

/** Writes to the file that HARIS_VERDICTS names. */
export default class VerdictsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Cause[], reason: string): void {
    const path = process.env.HARIS_VERDICTS;
    // A run that was interrupted says nothing of the files that had no turn.
    if (path === undefined || reason === 'interrupted') return;
    // A file without a single test could not be loaded: that is no matter of the crowd around it.
    const isLoaded = (module: TestModule) => module.children.size > 0 || module.state() === 'skipped';
    const unloaded = modules.filter((module) => !isLoaded(module));
    const verdict: Verdict = {
      files: modules.filter(isLoaded).map(judge),
      outside: [
        ...unhandled.map(describe),
        ...unloaded.map((module) => `${module.relativeModuleId}: ${describe(module.errors()[0])}`),
      ],
    };
    writeFileSync(path, JSON.stringify(verdict));
  }
}

/** Vitest reporter that repeats all failures in a file, so that the end of a long log says what failed. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { describeFailure } from '../test-reports.mjs';

interface Cause {
  /** Test file in whose worker an error outside of a test was thrown; set by Vitest. */
  VITEST_TEST_PATH?: string | undefined;
  name?: string | undefined;
  message?: string | undefined;
  stack?: string | undefined;
  cause?: unknown;
}

/** The error's first stack lines, of our own code. */
const linesOfStack = 2;

function textOf({ name, message = '', stack = '', cause }: Cause): string {
  const at = stack
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at ') && !line.includes('/node_modules/'))
    .slice(0, linesOfStack);
  const deeper = typeof cause === 'object' && cause !== null ? [`caused by ${textOf(cause)}`] : [];
  return [`${name}: ${message}`, ...deeper, ...at].join('\n');
}

function describeModule(module: TestModule): string[] {
  const name = `${module.project.name}: ${module.relativeModuleId}`;
  const tests = [...module.children.allTests('failed')].map((test) =>
    describeFailure(`${name} > ${test.fullName}`, (test.result().errors ?? []).map(textOf)),
  );
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((cause) => describeFailure(`${name} > ${suite.fullName}`, [textOf(cause)])),
  );
  const own = module.errors().map((cause) => describeFailure(name, [textOf(cause)]));
  return [...tests, ...suites, ...own];
}

/** Writes to the file that HARIS_TEST_FAILURES names; without this variable it does nothing. */
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Cause[]): void {
    const path = process.env.HARIS_TEST_FAILURES;
    if (path === undefined) return;
    const outside = unhandled.map((cause) =>
      describeFailure(`outside of a test, in ${cause.VITEST_TEST_PATH ?? 'Vitest itself'}`, [textOf(cause)]),
    );
    writeFileSync(path, [...modules.flatMap(describeModule), ...outside].join('\n'));
  }
}

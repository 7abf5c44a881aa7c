import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPlaywrightFailures } from './test-reports.mjs';

const folder = mkdtempSync(join(tmpdir(), 'haris-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function failuresOf(errors: object[]): string[] {
  const failed = { title: 'opens', ok: false, tests: [{ results: [{ duration: 1, errors }] }] };
  const passed = { title: 'closes', ok: true, tests: [{ results: [{ duration: 1, errors: [] }] }] };
  const inner = { title: 'a gate', file: 'gate.spec.ts', specs: [passed, failed] };
  const suites = [{ title: 'gate.spec.ts', file: 'gate.spec.ts', suites: [inner], specs: [] }];
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify({ suites, errors: [{ message: 'no browser' }] }));
  return readPlaywrightFailures(path);
}

const longError = {
  message: `\u001b[31mError\u001b[39m: shut\n\n${'line\n'.repeat(60)}`,
  location: { file: join(process.cwd(), 'e2e/gate.spec.ts'), line: 7 },
};

describe('failures of browser tests', () => {
  test('are told with the name, the first lines without colours, and the place', () => {
    const [text = '', outside] = failuresOf([longError]);
    const lines = text.split('\n');
    expect(lines[0]).toBe('e2e > gate.spec.ts > a gate > opens');
    expect(lines[1]).toBe('  Error: shut');
    expect(lines.at(-1)).toContain('at e2e/gate.spec.ts:7');
    expect(lines).toHaveLength(26);
    expect(outside).toBe('e2e: outside of a test\n  no browser');
  });

  test('share the lines if there are several in one test, and say how many are left out', () => {
    const lines = (failuresOf(Array(7).fill(longError))[0] ?? '').split('\n');
    expect(lines.filter((line) => line.includes('Error: shut'))).toHaveLength(5);
    expect(lines.at(-1)).toBe('  and 2 more errors, see above');
    expect(lines.length).toBeLessThan(30);
  });

  test('are none without a report', () => {
    expect(readPlaywrightFailures(join(folder, 'none.json'))).toEqual([]);
  });
});

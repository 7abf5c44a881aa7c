// Looks again at test files that failed: each by itself, with one worker and nothing beside it. A file that then passes
// is unstable: it counts as passed and is named. A file that fails again is broken.

/** A change that breaks more files than this is broken. */
const MOST_UNSTABLE = 10;
const LOOKS = 2;
const minuteMs = 60_000;
const fileMs = 10 * minuteMs;
/** All second looks of a run together. */
const allMs = 20 * minuteMs;

/**
 * @typedef {import('./runners.mjs').FileVerdict} FileVerdict
 * @typedef {import('./runners.mjs').Run} Run
 * A test that failed at first, and passed when its file was run alone. `cause`: what failed at first.
 * @typedef {{ file: string, test: string, cause: string }} Unstable
 * @typedef {{ passed: number, skipped: number, failed: number, problems: string[], unstable: Unstable[] }} Result
 */

/** @param {FileVerdict} file */
function nameOf({ project, file }) {
  return project === '' ? file : `|${project}| ${file}`;
}

/** @param {FileVerdict} file */
function describe(file) {
  return file.failures.map(({ test, cause }) => `${nameOf(file)}${test && ` > ${test}`} (${cause})`);
}

/**
 * What no file alone can clear: a crash, an unhandled rejection, a file that cannot be loaded, nothing to run.
 * @param {string} name of the runner
 * @param {Run} run
 * @returns {string[]}
 */
function findHopeless(name, { ended, verdict }) {
  if (verdict === undefined) return [`${name} made no report (exit code ${ended.code})`];
  const problems = verdict.outside.map((cause) => `${name} failed outside of a test: ${cause}`);
  const broken = verdict.files.filter(({ failures }) => failures.length > 0);
  if (ended.timedOut) problems.push(`${name} did not end in time`);
  if (ended.code !== 0 && !ended.hung && broken.length + problems.length === 0)
    problems.push(`${name} failed outside of a test (exit code ${ended.code}), see above`);
  if (verdict.files.every(({ passed, failures }) => passed + failures.length === 0))
    problems.push(`${name} found no test to run`);
  return problems;
}

/**
 * Whether the file, run alone, has passed: all of it, as a test that is skipped when alone has not passed.
 * @param {FileVerdict} first
 * @param {Run} run
 */
function hasPassed(first, { ended, verdict }) {
  const [same, ...others] = verdict?.files ?? [];
  return (
    (ended.code === 0 || ended.hung) &&
    !ended.timedOut &&
    verdict?.outside.length === 0 &&
    others.length === 0 &&
    same?.file === first.file &&
    same.project === first.project &&
    same.failures.length === 0 &&
    same.passed > 0 &&
    same.passed >= first.passed + first.failures.filter(({ test }) => test !== '').length
  );
}

/**
 * Makes the judge of one run of all tests, whose runners share the time for second looks.
 * @param {(line: string) => void} say
 * @param {{ now?: () => number }} [options] `now`: milliseconds
 */
export function makeSecondLook(say, { now = Date.now } = {}) {
  let spentMs = 0;
  let unstableFiles = 0;

  /** @param {import('./runners.mjs').Runner} runner @param {FileVerdict} file */
  async function passesAlone(runner, file) {
    for (let look = 1; look <= LOOKS; look++) {
      if (spentMs >= allMs) {
        say(`${runner.name}: no time is left for another look at ${nameOf(file)}`);
        return undefined;
      }
      const from = now();
      say(`\n${runner.name}: ${nameOf(file)} again, alone (${look} of ${LOOKS}) ...`);
      const run = await runner.alone(file, Math.min(fileMs, allMs - spentMs));
      spentMs += now() - from;
      if (hasPassed(file, run)) return run.verdict?.files[0];
    }
    return undefined;
  }

  /**
   * Counts a run, after a second look at the files that failed.
   * @param {import('./runners.mjs').Runner} runner
   * @param {Run} first
   * @returns {Promise<Result>}
   */
  return async function judge(runner, first) {
    const files = first.verdict?.files ?? [];
    const broken = files.filter(({ failures }) => failures.length > 0);
    const hopeless = findHopeless(runner.name, first);
    const tooMany = unstableFiles + broken.length > MOST_UNSTABLE;
    if (tooMany)
      say(
        `${runner.name}: ${broken.length} files failed. At most ${MOST_UNSTABLE} of a run are looked at again.`,
      );
    /** @type {Result} */
    const result = {
      passed: files.reduce((sum, { passed }) => sum + passed, 0),
      skipped: files.reduce((sum, { skipped }) => sum + skipped, 0),
      failed: hopeless.length,
      problems: [...hopeless],
      unstable: [],
    };
    // Its report is complete and tells who failed; what keeps the program from ending is still a defect.
    if (first.ended.hung)
      result.unstable.push({ file: runner.name, test: '', cause: 'it did not exit after its report' });
    for (const file of broken) {
      const alone = hopeless.length > 0 || tooMany ? undefined : await passesAlone(runner, file);
      if (alone === undefined) {
        result.failed += file.failures.length;
        result.problems.push(...describe(file));
        continue;
      }
      unstableFiles++;
      result.passed += alone.passed - file.passed;
      result.skipped += alone.skipped - file.skipped;
      result.unstable.push(...file.failures.map((failure) => ({ file: nameOf(file), ...failure })));
    }
    return result;
  };
}

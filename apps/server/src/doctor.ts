/**
 * `npm run doctor`: one screen of what is right with this installation and what is not, each line with what to do. Reads
 * only, whether the server runs or not. `--json` prints the list of findings instead. Exit status: 0 if nothing is
 * `bad`, 1 otherwise, 2 for wrong arguments.
 */
import { ConfigError } from '@haris/runtime/config';
import { type Config, loadConfig } from './config.ts';
import { examine } from './features/doctor/examine.ts';
import { type Finding, tell } from './features/doctor/judgement.ts';
import { openSurroundings } from './features/doctor/open-surroundings.ts';
import { reportOf } from './features/doctor/report.ts';
import { say } from './features/doctor/sentence.ts';
import { VERSION } from './version.ts';

/** Time of all checks, which run at once; longer than any connection may take. Milliseconds. */
const CHECK_WITHIN_MS = 25_000;
const BAD = 1;
const MISUSED = 2;

const OPTIONS = ['--json', '--demo'];

async function examineInstallation(config: Config): Promise<Finding[]> {
  const surroundings = openSurroundings(config);
  const findings = await examine(surroundings, CHECK_WITHIN_MS);
  // A database that does not answer may never close; the program ends anyway.
  void surroundings.close().catch(() => {});
  return findings;
}

async function findAll(demo: boolean): Promise<Finding[]> {
  let config: Config;
  try {
    config = loadConfig(process.env, { demo, base: process.cwd() });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Without settings it is not known where to look.
    return [
      { id: 'version', state: 'ok', detail: say('plain', { text: VERSION }) },
      {
        id: 'settings',
        state: 'bad',
        detail: say('plain', { text: error.message }),
        todo: say('correctSetting'),
      },
    ];
  }
  return examineInstallation(config);
}

const words = process.argv.slice(2);
if (words.some((word) => !OPTIONS.includes(word))) {
  process.stderr.write('Usage: npm run doctor [-- --json]\n');
  process.exitCode = MISUSED;
} else {
  // English, whoever reads it: it names settings and commands, and is sent to who helps.
  const findings = (await findAll(words.includes('--demo'))).map((finding) => tell(finding, 'en'));
  const text = words.includes('--json') ? `${JSON.stringify(findings, null, 2)}\n` : reportOf(findings);
  const code = findings.some(({ state }) => state === 'bad') ? BAD : 0;
  process.stdout.write(text, () => process.exit(code));
}

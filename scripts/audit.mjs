// Reports known vulnerabilities of the production packages, from npm's advisories, and fails for high or critical
// ones. If the registry is unreachable or has no advisories, it says so and passes, because the checks must work
// offline.
import { run } from './run.mjs';

/** Accepted advisories: id, with the reason and the date of the decision. */
const accepted = /** @type {Readonly<Record<string, string>>} */ ({});

const { output, timedOut } = await run('npm', ['audit', '--omit=dev', '--json'], {
  stdio: 'pipe',
  timeoutMs: 60_000,
});

/**
 * npm's report, or undefined if the output is not one. Warnings may surround the JSON.
 * @returns {{ vulnerabilities: Record<string, { severity: string, via: (string | { source: number, title: string, url: string })[] }> } | undefined}
 */
function readReport() {
  try {
    const report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
    return typeof report.vulnerabilities === 'object' ? report : undefined;
  } catch {
    return undefined;
  }
}

const report = readReport();
if (!report) {
  process.stdout.write(
    `audit: skipped, the registry ${timedOut ? 'did not answer in time' : 'gave no advisories'}\n`,
  );
} else {
  const serious = Object.entries(report.vulnerabilities).flatMap(([name, { severity, via }]) =>
    severity === 'high' || severity === 'critical'
      ? via.flatMap((cause) =>
          typeof cause === 'string' || String(cause.source) in accepted
            ? []
            : [`${name}: ${severity}: ${cause.title} (${cause.url}, id ${cause.source})`],
        )
      : [],
  );
  for (const line of serious) process.stdout.write(`${line}\n`);
  process.exitCode = serious.length > 0 ? 1 : 0;
}

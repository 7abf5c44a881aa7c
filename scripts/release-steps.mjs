// What a release changes and what it asks for, as functions of texts: `release.mjs` reads and writes the files.

const pattern = /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/;

/** @param {string} version */
function partsOf(version) {
  if (!pattern.test(version))
    throw new Error(`${version} is no version: three numbers such as 1.2.3 are needed.`);
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return { major, minor, patch };
}

/**
 * The version that a release gets.
 * @param {string | undefined} wanted `major`, `minor`, `patch`, or a version
 * @param {string} current
 * @returns {string}
 * @throws Error if it is no version, or not above the current one
 */
export function nextVersion(wanted, current) {
  const { major, minor, patch } = partsOf(current);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (wanted === undefined) throw new Error('Say which version: npm run release -- major|minor|patch|X.Y.Z');
  const next = partsOf(wanted);
  if ((next.major - major || next.minor - minor || next.patch - patch) <= 0)
    throw new Error(`${wanted} is not above ${current}.`);
  return wanted;
}

const heading = '## [Unreleased]\n';

/**
 * The text below "Unreleased", up to the next version.
 * @param {string} changelog
 * @returns {string} empty if there is no such heading
 */
export function unreleased(changelog) {
  const at = changelog.indexOf(`\n${heading}`);
  if (at < 0) return '';
  const rest = changelog.slice(at + 1 + heading.length);
  const end = rest.search(/^## /m);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** The first words of each version's section, so that nobody has to search for what concerns them. */
export const NOTE = '**What an operator has to do:** ';

/**
 * The sections that do not begin with what an operator has to do. One that says nothing at all, as "Unreleased" after a
 * release, needs no such note.
 * @param {string} changelog
 * @returns {string[]} versions, such as `0.2.0` or `Unreleased`
 */
export function sectionsWithoutNote(changelog) {
  return [...changelog.matchAll(/^## \[([^\]]+)\].*\n((?:(?!## ).*\n?)*)/gm)]
    .map(([, version = '', text = '']) => ({ version, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith(NOTE))
    .map(({ version }) => version);
}

/**
 * Moves what is below "Unreleased" below the new version; "Unreleased" stays, empty.
 * @param {string} changelog
 * @param {string} version
 * @param {string} day such as 2026-11-26
 */
export function releaseChangelog(changelog, version, day) {
  return changelog.replace(`\n${heading}`, `\n${heading}\n## [${version}] – ${day}\n`);
}

/**
 * Sets the version of package.json.
 * @param {string} text
 * @param {string} version
 */
export function setManifestVersion(text, version) {
  return `${JSON.stringify({ ...JSON.parse(text), version }, null, 2)}\n`;
}

/**
 * Sets the version of package-lock.json, which has that of the root twice.
 * @param {string} text
 * @param {string} version
 */
export function setLockVersion(text, version) {
  const lock = JSON.parse(text);
  lock.version = version;
  lock.packages[''].version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/**
 * Why the repository cannot be released as it is.
 * @param {{ status: string, branch: string, tags: string[], changelog: string, version: string }} state `status` as
 *   `git status --porcelain` prints it
 * @returns {string[]} empty if it can
 */
export function findProblems({ status, branch, tags, changelog, version }) {
  const problems = [];
  if (status.trim() !== '') problems.push(`There are changes without a commit:\n${status.trimEnd()}`);
  if (branch !== 'main')
    problems.push(`This is ${branch === '' ? 'no branch' : `the branch ${branch}`}, not main.`);
  if (tags.includes(`v${version}`)) problems.push(`The tag v${version} exists already.`);
  if (!/^- /m.test(unreleased(changelog)))
    problems.push('CHANGELOG.md has no entries below "Unreleased": nobody would know what changes.');
  else if (sectionsWithoutNote(changelog).includes('Unreleased'))
    problems.push(`CHANGELOG.md does not begin "Unreleased" with "${NOTE.trim()}" and what that is.`);
  if (changelog.includes(`\n## [${version}]`))
    problems.push(`CHANGELOG.md has a version ${version} already.`);
  return problems;
}

// Fails for a production package whose licence is not known to fit Haris's own (AGPL-3.0-or-later). Works offline: reads
// the lock file, which has the packages of all platforms, and package.json of those that are installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Licences whose works may be part of one under AGPL-3.0; for fonts, that may be delivered beside it. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);

/**
 * What packages say wrongly or not at all: the licence, and the reason why it is the one that counts. An entry that no
 * package needs fails the check.
 * @type {readonly { name: RegExp, licence: string, reason: string }[]}
 */
export const EXCEPTIONS = [
  {
    name: /^@shinyoshiaki\/jspack$/,
    licence: 'BSD-3-Clause',
    reason: 'Says none in package.json; the file LICENSE in it is that text.',
  },
  {
    name: /^@seydx\/node-av-(linux|darwin|win32)-/,
    licence: 'GPL-3.0-or-later',
    reason:
      'Says MIT, which is its wrapper; FFmpeg in it is built with --enable-gpl --enable-version3. GPL-3.0 fits AGPL-3.0. It also has the ' +
      'AAC encoder of Fraunhofer: see "Passing a package on" in docs/operating.md.',
  },
];

/**
 * Whether an SPDX expression leaves a choice of allowed licences. `WITH` and anything unknown is not allowed.
 * @param {string} expression
 * @returns {boolean}
 */
export function isAllowed(expression) {
  const words = expression
    .replaceAll(/([()])/g, ' $1 ')
    .split(' ')
    .filter(Boolean);
  let at = 0;
  let isWhole = true;
  /** @returns {boolean} */
  function either() {
    let is = both();
    while (words[at] === 'OR') {
      at++;
      const next = both();
      is = is || next;
    }
    return is;
  }
  /** @returns {boolean} */
  function both() {
    let is = one();
    while (words[at] === 'AND') {
      at++;
      const next = one();
      is = is && next;
    }
    return is;
  }
  /** @returns {boolean} */
  function one() {
    const word = words[at++];
    if (word === '(') {
      const is = either();
      isWhole &&= words[at++] === ')';
      return is;
    }
    isWhole &&= word !== undefined && /^[\w.+-]+$/.test(word) && !['AND', 'OR', 'WITH'].includes(word);
    return word !== undefined && ALLOWED.has(word);
  }
  const is = either();
  return is && isWhole && at === words.length;
}

/**
 * What is wrong, a line each.
 * @param {Readonly<Record<string, { license?: string, dev?: boolean, link?: boolean }>>} packages of the lock file
 * @param {(path: string) => unknown} installed the licence in package.json of an installed package; undefined if there is none
 * @returns {string[]}
 */
export function findLicences(packages, installed) {
  const used = new Set();
  const wrong = Object.entries(packages).flatMap(([path, { license, dev, link }]) => {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    // Without a name it is one of ours.
    if (name === undefined || dev || link) return [];
    const exception = EXCEPTIONS.find((one) => one.name.test(name));
    if (exception) {
      used.add(exception);
      return [];
    }
    const said = new Set([license, installed(path)].filter((one) => one !== undefined));
    if (said.size === 0) return [`${name}: says no licence`];
    return [...said]
      .filter((one) => typeof one !== 'string' || !isAllowed(one))
      .map(
        (one) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)} is not an allowed licence`,
      );
  });
  const unused = EXCEPTIONS.filter((one) => !used.has(one)).map(({ name }) => `no package needs ${name}`);
  return [...wrong, ...unused];
}

if (process.argv[1] === import.meta.filename) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const wrong = findLicences(packages, (path) => {
    const file = join(root, path, 'package.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined;
  });
  for (const line of wrong) process.stdout.write(`licences: ${line}\n`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

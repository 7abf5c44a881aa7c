// Finds dead references in comments and docs: links, files, decisions, and sections of the contract and of the
// specification's coverage.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './run.mjs';

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  // A deleted file is listed until its deletion is staged.
  .filter((path) => path !== '' && !path.startsWith('apps/web/public/') && existsSync(join(root, path)));
const known = new Set(files);
const folders = new Set(
  files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))),
);

/** Numbers of the `## n.` headings. @param {string} path */
const sectionsOf = (path) => new Set([...read(path).matchAll(/^## (\d+)\b/gm)].map(([, number]) => number));
const contract = sectionsOf('docs/contract.md');
const specification = sectionsOf('docs/spec-coverage.md');
const decisions = new Set(files.flatMap((path) => /^docs\/decisions\/(\d{3})-/.exec(path)?.[1] ?? []));

/** GitHub's anchor of a heading. @param {string} heading */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * The text of comments with everything else blanked out, so that line numbers stay the same. A string that contains
 * `//` counts as a comment, which does no harm here.
 * @param {string} text
 */
const commentsOf = (text) => {
  const found = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:\w'"`/])\/\/[^\n]*/g)];
  let at = 0;
  let comments = '';
  for (const match of found) {
    comments += text.slice(at, match.index).replace(/[^\n]/g, '');
    comments += match[0];
    at = match.index + match[0].length;
  }
  return comments;
};

/**
 * Whether a path in a comment refers to one of our files: a full path, one relative to the file, or the end of
 * exactly one path.
 */
/** @param {string} reference @param {string} from */
function exists(reference, from) {
  const plain = reference.replace(/^\.\//, '');
  const beside = normalize(join(dirname(from), reference));
  if (known.has(plain) || known.has(beside) || folders.has(plain)) return true;
  return files.some((path) => path.endsWith(`/${plain}`));
}

/** @type {string[]} */
const problems = [];

/** @param {string} path @param {string} text @param {RegExp} pattern @param {(match: RegExpMatchArray) => string | undefined} judge */
function find(path, text, pattern, judge) {
  for (const match of text.matchAll(pattern)) {
    const problem = judge(match);
    if (problem) problems.push(`${path}:${text.slice(0, match.index).split('\n').length}: ${problem}`);
  }
}

/** Checks citations in comments and docs. @param {string} path @param {string} text */
function checkCitations(path, text) {
  find(path, text, /\bdecisions? (\d{3})\b/gi, ([, number = '']) =>
    decisions.has(number) ? undefined : `there is no decision ${number}`,
  );
  find(path, text, /\bcontract §\s?(\d+)/gi, ([, number = '']) =>
    contract.has(number) ? undefined : `docs/contract.md has no section ${number}`,
  );
  find(path, text, /\bspec(?:ification)? §\s?(\d+)/gi, ([, number = '']) =>
    specification.has(number) ? undefined : `docs/spec-coverage.md has no section ${number}`,
  );
}

/** Generated, downloaded and installed paths that comments may name. */
const MADE = /^(\.cache|dist|data|test-results|node_modules|screens)\b|^(?:https?:)?\/\/|\*|\$\{|<|…/;

for (const path of files) {
  if (/\.(ts|tsx|mjs|js|css)$/.test(path)) {
    const comments = commentsOf(read(path));
    checkCitations(path, comments);
    find(
      path,
      comments,
      /(?<![\w@./:-])((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|css|md|json))\b/g,
      ([, reference = '']) =>
        MADE.test(reference) || exists(reference, path) ? undefined : `there is no ${reference}`,
    );
  } else if (path.endsWith('.md')) {
    const text = read(path);
    checkCitations(path, text);
    find(path, text, /\]\(([^)\s]+)\)/g, ([, link = '']) => {
      const [target = '', anchor] = link.split('#');
      if (/^[a-z]+:/.test(target)) return undefined;
      const linked = target === '' ? path : normalize(join(dirname(path), target));
      if (!known.has(linked) && !folders.has(linked)) return `the link ${link} leads nowhere`;
      if (anchor === undefined || !linked.endsWith('.md')) return undefined;
      const anchors = [...read(linked).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      return anchors.includes(anchor) ? undefined : `the link ${link} leads to no heading`;
    });
    find(
      path,
      text,
      /`((?:apps|packages|docs|scripts|e2e|bench|deploy)\/[\w./-]+)`/g,
      ([, reference = '']) =>
        MADE.test(reference) || exists(reference.replace(/\/$/, ''), path)
          ? undefined
          : `there is no ${reference}`,
    );
  }
}

for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

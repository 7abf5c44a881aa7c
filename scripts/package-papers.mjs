// Copies the papers of the package. Only those that git knows: a folder of the checkout may also hold a `.env` or a log.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {string[]} papers files and folders of the checkout
 * @param {{ from: string, to: string }} folders the checkout, and the folder to fill
 * @throws Error if it is not a checkout of git, or if git knows nothing of one of the papers
 */
export function copyPapers(papers, { from, to }) {
  const { status, stdout, stderr, error } = spawnSync('git', ['ls-files', '-z', '--', ...papers], {
    cwd: from,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  if (status !== 0)
    throw new Error(
      `The package is made from a checkout, where git says what belongs to it. ${error?.message ?? stderr.trim()}`,
    );
  const files = stdout.split('\0').filter((path) => path !== '');
  for (const paper of papers)
    if (!files.some((path) => path === paper || path.startsWith(`${paper}/`)))
      throw new Error(`The package is made from a checkout, and git knows no ${paper} in ${from}.`);
  for (const path of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
}

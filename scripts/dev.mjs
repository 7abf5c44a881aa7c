// Server and web app for development: both reload on save, one Ctrl-C stops both.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { endGroups, endGroupsOnSignal, pinnedNode, root, start } from './run.mjs';

const webUrl = 'http://localhost:5173';

endGroupsOnSignal();
try {
  await prepare({ web: false });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

const children = [
  start(
    pinnedNode,
    ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts', ...process.argv.slice(2)],
    {
      // Links in mails lead to the page that reloads.
      env: { ...process.env, PUBLIC_URL: process.env.PUBLIC_URL ?? webUrl },
    },
  ),
];
if (existsSync(join(root, 'apps/web/index.html'))) {
  children.push(
    start(
      pinnedNode,
      [
        join(root, 'node_modules/vite/bin/vite.js'),
        '--port',
        '5173',
        '--strictPort',
        '--clearScreen',
        'false',
      ],
      {
        cwd: join(root, 'apps/web'),
      },
    ),
  );
  process.stdout.write(`The page that reloads on save: ${webUrl}\n`);
}
for (const child of children) {
  child.once('error', (error) => process.stderr.write(`${error.message}\n`));
  child.once('close', async (code) => {
    await endGroups();
    process.exit(code ?? 1);
  });
}

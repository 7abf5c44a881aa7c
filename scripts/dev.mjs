// Runs server, face engine and web app for development. Each reloads when its own files change; one Ctrl-C stops them
// all.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { endGroups, endGroupsOnSignal, pinnedNode, root, start } from './run.mjs';

const webUrl = 'http://localhost:5173';
/** Debuggers (chrome://inspect) attach to this port; the face engine uses the next one. */
const inspectPort = 9229;
const watch = ['--watch', '--watch-preserve-output'];

/** Finds a free TCP port. */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

endGroupsOnSignal();
try {
  await prepare({ web: false });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

// The face engine runs beside the server, not as its child, so that a change to the server does not restart it, which
// takes some seconds.
const engine = process.env.VISION_URL
  ? undefined
  : { port: await findFreePort(), token: randomBytes(32).toString('base64url') };
const env = {
  ...process.env,
  NODE_ENV: 'development',
  // Links in mails lead to the development page.
  PUBLIC_URL: process.env.PUBLIC_URL ?? webUrl,
  ...(engine ? { VISION_URL: `http://127.0.0.1:${engine.port}`, VISION_TOKEN: engine.token } : {}),
};
const children = [
  start(
    pinnedNode,
    [...watch, `--inspect=127.0.0.1:${inspectPort}`, 'apps/server/src/main.ts', ...process.argv.slice(2)],
    { env },
  ),
];
if (engine) {
  const engineEnv = {
    ...env,
    VISION_HOST: '127.0.0.1',
    VISION_PORT: String(engine.port),
    VISION_TOKEN: engine.token,
  };
  children.push(
    start(
      pinnedNode,
      [
        ...watch,
        // The engine forks its processes as separate programs, which it does not import.
        '--watch-path=apps/vision/src',
        '--watch-path=packages',
        `--inspect=127.0.0.1:${inspectPort + 1}`,
        'apps/vision/src/main.ts',
      ],
      { env: engineEnv },
    ),
  );
}
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

// Builds the container image with Docker, Podman or Buildah, starts it, waits until it is ready, and stops it; exits
// with 0 if all of this succeeds. `npm run container -- --base IMAGE` builds on a different Debian image than the
// Dockerfile's.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root, start } from './run.mjs';

const image = 'haris:local';
const readyWithinMs = 120_000;

const { values } = parseArgs({ options: { base: { type: 'string' }, engine: { type: 'string' } } });

/** @param {string} engine */
function works(engine) {
  return spawnSync(engine, ['info'], { stdio: 'ignore' }).status === 0;
}

/** @param {string} command @param {string[]} args */
function runOrFail(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`);
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** @param {number} port */
async function isReady(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/**
 * Starts a container in the foreground, so that its output is visible and SIGTERM reaches it.
 * @param {string} engine
 * @param {number} port
 */
function startContainer(engine, port) {
  if (engine !== 'buildah')
    return start(engine, ['run', '--rm', '--init', '--publish', `127.0.0.1:${port}:3000`, image]);
  // Fallback for places where a container cannot run in full, such as inside another one: the image's files and user,
  // but the host's network.
  const name = spawnSync('buildah', ['from', image], { encoding: 'utf8' }).stdout.trim();
  const env = ['--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1', '--env', 'MQTT_PORT=0'];
  const program = ['node_modules/.bin/node', 'apps/server/src/main.ts'];
  return start('buildah', [
    'run',
    '--isolation',
    'chroot',
    '--network',
    'host',
    ...env,
    name,
    '--',
    ...program,
  ]);
}

/**
 * The innermost process below another one: Buildah kills the program on SIGTERM, so the program gets it directly.
 * @param {number} pid
 * @returns {number}
 */
function lastDescendant(pid) {
  // A child stands in the list of the thread that started it.
  const [child] = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const isProgram = readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('node_modules/.bin/node');
  return child && !isProgram ? lastDescendant(Number(child)) : pid;
}

const engine = values.engine ?? ['docker', 'podman', 'buildah'].find(works);
if (!engine) {
  process.stderr.write('No container engine works here: Docker, Podman or Buildah is needed.\n');
  process.exit(2);
}
const base = values.base ? ['--build-arg', `BASE=${values.base}`] : [];
const build = engine === 'buildah' ? ['bud', '--isolation', 'chroot', '--network', 'host'] : ['build'];
runOrFail(engine, [...build, ...base, '--tag', image, '.']);

const port = await findFreePort();
const container = startContainer(engine, port);
const ended = new Promise((resolve) => container.once('close', (code, signal) => resolve(code ?? signal)));
const startedAt = Date.now();
while (!(await isReady(port))) {
  if (Date.now() - startedAt > readyWithinMs || container.exitCode !== null) {
    process.stderr.write('The container did not become ready.\n');
    process.kill(-Number(container.pid), 'SIGKILL');
    process.exit(1);
  }
  await sleep(500);
}
process.stdout.write(`Ready after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s with ${engine}.\n`);
process.kill(engine === 'buildah' ? lastDescendant(Number(container.pid)) : Number(container.pid), 'SIGTERM');
const end = await ended;
process.stdout.write(`Stopped: ${end}.\n`);
process.exitCode = end === 0 || end === 'SIGTERM' || end === 143 ? 0 : 1;

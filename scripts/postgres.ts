/**
 * Starts a temporary PostgreSQL from Debian's packages for tests and benches. It ends with the process that started
 * it, even after a crash, and leaves nothing behind.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const readyWithinMs = 60_000;
const portTries = 3;

/**
 * Keeps PostgreSQL running while its stdin, a pipe from this process, is open. The pipe closes when this process
 * stops or dies, even by SIGKILL. The guard has its own session, so that Ctrl-C in a terminal does not reach it
 * before it has cleaned up.
 */
const guard = `
  "$1"/postgres -D "$2/data" >"$2/log" 2>&1 </dev/null &
  server=$!
  read -r _
  kill -QUIT $server
  wait $server
  rm -rf "$2"
`;

interface Postgres {
  /** Connects to the database `postgres` as a superuser; create your own databases beside it. */
  readonly url: string;
  /** Stops it and removes its files; a second call does nothing. */
  stop(): Promise<void>;
}

/** The program folder of the newest installed PostgreSQL server. */
function getBinFolder(): string {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base) : [];
  const newest = versions
    .filter((version) => existsSync(join(base, version, 'bin/postgres')))
    .sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  return join(base, newest, 'bin');
}

/** PostgreSQL refuses to run as root; in that case it runs as the user created by Debian's package. */
function getUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Waits until the server has written "ready" into its pid file; returns its log if it failed instead. */
async function findProblem(folder: string, child: ChildProcess): Promise<string | undefined> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline && child.exitCode === null) {
    if (/^ready\s*$/m.test(readText(join(folder, 'data/postmaster.pid')))) return undefined;
    const log = readText(join(folder, 'log'));
    if (/FATAL:|PANIC:|not found|cannot execute/.test(log)) return log;
    await sleep(50);
  }
  return `${readText(join(folder, 'log'))}\nnot ready after ${readyWithinMs / 1000} s`;
}

async function stopGuard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await ended;
}

/** Creates a cluster in a temporary folder, owned by the user that will run it. */
function makeCluster(bin: string, user: { uid?: number; gid?: number }, password: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'haris-postgres-'));
  try {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) {
      for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
    }
    const args = ['--pgdata', join(folder, 'data'), '--username=haris', '--auth=scram-sha-256'];
    args.push('--pwfile', passwordFile, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync');
    execFileSync(join(bin, 'initdb'), args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Starts an empty cluster on a free loopback port, with a Unix socket in its own folder. It does not wait for the
 * disk (fsync is off), so do not measure durability on it.
 * @throws Error with the server's log
 */
export async function startPostgres(): Promise<Postgres> {
  const bin = getBinFolder();
  const user = getUser();
  const password = randomBytes(16).toString('hex');
  for (let attempt = 1; ; attempt++) {
    const folder = makeCluster(bin, user, password);
    const port = await findFreePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      max_connections: 200,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // The temporary folder may be in memory.
      max_wal_size: '128MB',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(folder, 'data/postgresql.auto.conf'), lines.join(''));
    const child = spawn('/bin/sh', ['-c', guard, 'haris-postgres', bin, folder], {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const problem = await findProblem(folder, child);
    if (problem === undefined) {
      // A caller that forgets to stop it can still exit.
      child.unref();
      if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function')
        child.stdin.unref();
      return {
        url: `postgres://haris:${password}@127.0.0.1:${port}/postgres`,
        stop: () => stopGuard(child),
      };
    }
    await stopGuard(child);
    // Another process took the port after it was found free.
    if (attempt === portTries || !problem.includes('Address already in use')) {
      throw new Error(`PostgreSQL did not start:\n${problem}`);
    }
  }
}

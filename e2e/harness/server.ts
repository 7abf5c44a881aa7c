/** Runs Haris for tests: the real program on a free port, with a data folder that is removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_VISION } from '../../apps/server/src/testing/program.ts';

const program = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url));
const READY = /Haris is ready at http:\/\/\S+:(\d+)/;
/** Only ends a hanging start: a busy machine has needed half a minute. */
const READY_WITHIN_MS = 120_000;
/** Only ends a program that hangs. `npm run bench:stop` measures the contract's ten seconds. */
const STOP_WITHIN_MS = 120_000;
const ENGINE_WITHIN_MS = 120_000;

export interface Credentials {
  email: string;
  password: string;
}

export interface HarisServer {
  /** The first administrator. */
  readonly admin: Credentials;
  readonly dataDir: string;
  /** As in mails, without a trailing slash; the same after every start. */
  url(): string;
  start(more?: Readonly<Record<string, string>>): Promise<void>;
  /** SIGTERM; rejects unless the program exits by itself, with 0. */
  stop(): Promise<void>;
  /** SIGKILL, without any clean-up. */
  kill(): Promise<void>;
  /** Resolves once the face engine answers. */
  engineReady(): Promise<void>;
  /** SIGKILL to the face engine. Its replacement stays stopped until the returned function is called. */
  killEngine(): Promise<() => void>;
  /** stderr of the program since the first start. */
  log(): string;
  /** Stops the program if it runs, and removes the folder. */
  remove(): Promise<void>;
}

/** The line with which a first start prints the password of the first administrator. */
const PRINTED = /The first administrator is (\S+) with the password (\S+)/;

/**
 * Creates a server in a fresh folder, without starting it. With `isPrinted` it makes the first administrator by itself,
 * as at somebody's first start; `admin` is right after that start. With `isDemo` it is the demo, which has its own folder.
 * Without `hasEngine` the face engine would be another machine, which is not there: it takes as long to start as the server.
 */
export async function createServer({
  isPrinted = false,
  isDemo = false,
  hasEngine = true,
} = {}): Promise<HarisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'haris-e2e-'));
  const dataDir = isDemo ? `${folder}-demo` : folder;
  const admin: Credentials = { email: 'director@haris.example', password: 'lighthouse-9' };
  let child: ChildProcess | null = null;
  let port = 0;
  let log = '';

  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const mine = spawn(process.execPath, [program, ...(isDemo ? ['--demo'] : [])], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...settingsOfRun(process.env),
        PORT: String(port),
        MQTT_PORT: '0',
        DATA_DIR: folder,
        ...(isPrinted ? {} : { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }),
        LOG_LEVEL: 'warn',
        ...(hasEngine ? {} : NO_VISION),
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A session of its own, as each browser has: the kernel gives every session the same share of the processor, and all
      // servers together would have that of one browser.
      detached: true,
    });
    child = mine;
    mine.stderr.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
    port = await new Promise<number>((resolve, reject) => {
      let said = '';
      const fail = (what: string) => reject(new Error(`The server ${what}:\n${said}${log}`));
      const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS);
      mine.once('exit', (code) => fail(`ended with ${code}`));
      mine.once('error', reject);
      mine.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
        const printed = PRINTED.exec(said);
        if (printed !== null) [, admin.email = '', admin.password = ''] = printed;
        const found = READY.exec(said);
        if (found === null) return;
        clearTimeout(timer);
        mine.removeAllListeners('exit');
        resolve(Number(found[1]));
      });
    });
  }

  /** Sends a signal and waits for the exit; `isOwn`: without a second signal. Null if the program is not running. */
  async function end(signal: NodeJS.Signals): Promise<{ code: number | null; isOwn: boolean } | null> {
    const mine = child;
    child = null;
    if (mine === null) return null;
    if (mine.exitCode !== null || mine.signalCode !== null) return { code: mine.exitCode, isOwn: true };
    const ended = new Promise<number | null>((resolve) => mine.once('exit', resolve));
    mine.kill(signal);
    let isOwn = true;
    const timer = setTimeout(() => {
      isOwn = false;
      mine.kill('SIGKILL');
    }, STOP_WITHIN_MS);
    const code = await ended;
    clearTimeout(timer);
    return { code, isOwn };
  }

  async function stop(): Promise<void> {
    const ended = await end('SIGTERM');
    if (ended === null || (ended.isOwn && ended.code === 0)) return;
    throw new Error(
      `The server did not stop well (exit code ${ended.code}, by itself: ${ended.isOwn}):\n${log}`,
    );
  }

  const url = () => `http://localhost:${port}`;
  return {
    admin,
    dataDir,
    url,
    start,
    stop,
    async kill() {
      await end('SIGKILL');
    },
    async engineReady() {
      if (!hasEngine) throw new Error('This file asked for no face engine: test.use({ hasEngine: false })');
      const until = Date.now() + ENGINE_WITHIN_MS;
      for (;;) {
        const answer = await fetch(`${url()}/readyz`);
        if (answer.ok) return;
        if (Date.now() > until)
          throw new Error(`The face engine did not start: ${await answer.text()}\n${log}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async killEngine() {
      const [pid, ...others] = enginesOf(child?.pid);
      if (pid === undefined || others.length > 0) throw new Error('The face engine is not one process');
      process.kill(pid, 'SIGKILL');
      const until = Date.now() + ENGINE_WITHIN_MS;
      for (;;) {
        const next = enginesOf(child?.pid).find((other) => other !== pid);
        if (next !== undefined) {
          process.kill(next, 'SIGSTOP');
          return () => process.kill(next, 'SIGCONT');
        }
        if (Date.now() > until) throw new Error(`The face engine was not started again:\n${log}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    log: () => log,
    async remove() {
      try {
        await stop();
      } finally {
        for (const own of new Set([folder, dataDir])) await rm(own, { recursive: true, force: true });
      }
    },
  };
}

/** Settings of a whole test run: the mark of its processes, and Node's compile cache. */
function settingsOfRun({ HARIS_TEST_RUN, NODE_COMPILE_CACHE }: NodeJS.ProcessEnv): Record<string, string> {
  return {
    ...(HARIS_TEST_RUN === undefined ? {} : { HARIS_TEST_RUN }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  };
}

/**
 * Children that already run the face engine. A child that was forked but has not yet executed another program has its
 * parent's command line. Stopping it would also stop the parent, which waits for it.
 */
function enginesOf(pid: number | undefined): number[] {
  return childrenOf(pid).filter((one) => {
    try {
      return readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('apps/vision/');
    } catch {
      return false; // The process has ended.
    }
  });
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

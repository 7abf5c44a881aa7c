/** Runs the vision process beside the server: starts it, notices when it dies or hangs, starts it again with growing pauses. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@haris/runtime/log';
import { startWatchdog } from '@haris/runtime/watchdog';
import { z } from 'zod';
import { makeServerId, type VisionAddress } from './address.ts';

export interface VisionSupervisor {
  /** Null while the process is down or starting. */
  address(): VisionAddress | null;
  /** Process id while it runs, for tests that kill it. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived this long was well: the next pause is the first one again. */
const WELL_AFTER_MS = 30_000;
/** A process that is not ready by then is ended. */
const START_WITHIN_MS = 60_000;
/** It gives a sign of life every two seconds. */
const HUNG_AFTER_MS = 10_000;
/** A process that was asked to end is killed after this time. Milliseconds. */
const END_WITHIN_MS = 2_000;

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number().int().positive() }),
  z.object({ type: z.literal('beat') }),
]);

const program = fileURLToPath(new URL('../../../vision/src/main.ts', import.meta.url));

/** Signals the process and all processes that it started, if any still runs. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts the process at once. The child gets its token by environment and dies with this process (IPC channel). */
export function superviseVision(log: Logger, logLevel = 'info'): VisionSupervisor {
  const token = randomBytes(32).toString('base64url');
  const server = makeServerId();
  let child: ChildProcess | null = null;
  let port: number | null = null;
  let stopping = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = Date.now();
    const mine = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        // Node's own setting: where it keeps what it has compiled, for a quicker start.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        VISION_HOST: '127.0.0.1',
        VISION_PORT: '0',
        VISION_TOKEN: token,
        LOG_LEVEL: logLevel,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // A group of its own, which can be ended whole.
      detached: true,
    });
    child = mine;
    let hard: NodeJS.Timeout | undefined;
    const onHung = (): void => {
      log.error({ pid: mine.pid }, 'the face engine gives no sign of life');
      port = null;
      signalGroup(mine, 'SIGTERM');
      hard = setTimeout(() => signalGroup(mine, 'SIGKILL'), END_WITHIN_MS);
    };
    let watchdog = startWatchdog(START_WITHIN_MS, onHung);
    mine.on('message', (message) => {
      const note = messageSchema.safeParse(message);
      if (!note.success || child !== mine) return;
      watchdog.heard();
      if (note.data.type !== 'ready') return;
      watchdog.stop();
      watchdog = startWatchdog(HUNG_AFTER_MS, onHung);
      port = note.data.port;
      log.info({ pid: mine.pid, ms: Date.now() - startedAt }, 'the face engine is ready');
    });
    let ended = false;
    const onEnd = (code: number | null, signal: string | null): void => {
      if (ended) return;
      ended = true;
      watchdog.stop();
      clearTimeout(hard);
      // Processes that it started and that outlived it.
      signalGroup(mine, 'SIGKILL');
      if (child === mine) {
        child = null;
        port = null;
      }
      if (stopping) return;
      if (Date.now() - startedAt > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      log.warn({ code, signal, againInMs: pauseMs }, 'the face engine ended');
      timer = setTimeout(start, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    };
    mine.on('exit', onEnd);
    mine.on('error', () => onEnd(null, null));
  }
  start();

  return {
    address: () => (port === null ? null : { url: `http://127.0.0.1:${port}`, token, server, ca: null }),
    pid: () => child?.pid,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      const mine = child;
      if (!mine || mine.exitCode !== null || mine.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => mine.once('exit', () => resolve()));
      mine.kill('SIGTERM');
      const hard = setTimeout(() => signalGroup(mine, 'SIGKILL'), END_WITHIN_MS);
      await gone;
      clearTimeout(hard);
    },
  };
}

/** Supervises the face engine beside the server: starts it, and restarts it with a back-off when it dies or hangs. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createBackoff } from '@haris/runtime/backoff';
import { type Supervisor, superviseChild } from '@haris/runtime/child';
import type { Logger } from '@haris/runtime/log';
import { z } from 'zod';
import { makeServerId, type VisionAddress } from './address.ts';

export interface VisionSupervisor {
  /** Null while the process is down or starting. */
  address(): VisionAddress | null;
  /** Process id while it runs, for tests that kill it. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** Milliseconds. */
export interface SupervisorLimits {
  /** Time within which a started process must be ready, or it is ended. */
  readonly startMs: number;
  /** Longest silence; a healthy process sends a message every two seconds. */
  readonly silentMs: number;
  /** First pause before a restart. */
  readonly firstPauseMs: number;
}

const LIMITS: SupervisorLimits = { startMs: 60_000, silentMs: 10_000, firstPauseMs: 250 };
const LONGEST_PAUSE_MS = 30_000;
/** Uptime after which the back-off is reset. Milliseconds. */
const WELL_AFTER_MS = 30_000;
/** Time after which a process that does not end on request is killed. Milliseconds. */
const END_WITHIN_MS = 2_000;

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number().int().positive() }),
  z.object({ type: z.literal('beat') }),
]);

const program = fileURLToPath(new URL('../../../vision/src/main.ts', import.meta.url));

/** Starts the process at once. It gets its bearer token in the environment, and ends with this process (IPC channel). */
export function superviseVision(
  log: Logger,
  logLevel = 'info',
  { startMs, silentMs, firstPauseMs }: SupervisorLimits = LIMITS,
): VisionSupervisor {
  const token = randomBytes(32).toString('base64url');
  const server = makeServerId();
  const backoff = createBackoff({
    firstMs: firstPauseMs,
    longestMs: LONGEST_PAUSE_MS,
    resetAfterMs: WELL_AFTER_MS,
  });
  let port: number | null = null;
  let startedAt = 0;
  const supervisor: Supervisor = superviseChild(
    {
      program,
      env: {
        HOME: process.env.HOME,
        // Folder of Node's compile cache, for a faster start.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        VISION_HOST: '127.0.0.1',
        VISION_PORT: '0',
        VISION_TOKEN: token,
        LOG_LEVEL: logLevel,
      },
      ownGroup: true,
      silence: { startMs, runMs: silentMs },
      graceMs: END_WITHIN_MS,
      backoff,
    },
    {
      onStart() {
        startedAt = performance.now();
      },
      onMessage(message, child) {
        const note = messageSchema.safeParse(message);
        if (!note.success) return;
        if (port !== null) backoff.works();
        if (note.data.type !== 'ready') return;
        child.ready();
        backoff.works();
        port = note.data.port;
        log.info(
          { pid: child.pid, ms: Math.round(performance.now() - startedAt) },
          'the face engine is ready',
        );
      },
      onSilent({ pid }) {
        log.error({ pid }, 'the face engine gives no sign of life');
        port = null;
      },
      onEnd({ code, signal }, againInMs) {
        port = null;
        log.warn({ code, signal, againInMs }, 'the face engine ended');
      },
    },
  );

  return {
    address: () => (port === null ? null : { url: `http://127.0.0.1:${port}`, token, server, ca: null }),
    pid: () => supervisor.child?.pid,
    stop: () => supervisor.stop(),
  };
}

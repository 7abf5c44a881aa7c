/**
 * Child processes that run a Node program and talk over IPC: starts one, watches it, ends it with everything it
 * started, and restarts it with a back-off. Passes messages on unread.
 */
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import type { Backoff } from './backoff.ts';
import { startWatchdog } from './watchdog.ts';

export interface ChildOptions {
  /** File of the program. */
  readonly program: string;
  /** Environment of the process, in addition to PATH; it inherits no other variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Encoding of the messages: `advanced` (structured clone) for messages that contain bytes. */
  readonly serialization?: 'json' | 'advanced';
  /** Makes the process the leader of its own group, so that no process that it starts outlives it. */
  readonly ownGroup?: boolean;
  /**
   * Longest silence before and after {@link Child.ready}, in milliseconds; a longer silence ends the process.
   * Any message ends a silence.
   */
  readonly silence?: { readonly startMs: number; readonly runMs: number };
  /** Time between SIGTERM and SIGKILL, in milliseconds. 0, the default: SIGKILL at once. */
  readonly graceMs?: number;
}

/** How a process ended; both are null if it could not be started. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildEvents {
  onMessage(message: unknown): void;
  /** Called when the process is being ended because it was silent for too long. */
  onSilent?(): void;
  /** Called once. */
  onEnd(end: ChildEnd): void;
}

export interface Child {
  readonly pid: number | undefined;
  /** Drops the message if the process has ended or is ending. */
  send(message: Serializable): void;
  /** Reports that its start is complete: from now on `silence.runMs` applies. */
  ready(): void;
  /** Ends the process because of a failure: `onEnd` follows. */
  kill(): void;
  /** Ends the process on purpose: no callback follows. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts the process. It gets no stdin and stdout; it shares this process's stderr. */
export function startChild(options: ChildOptions, events: ChildEvents): Child {
  const { program, env, serialization = 'json', ownGroup = false, silence, graceMs = 0 } = options;
  const child = fork(program, {
    env: { PATH: process.env.PATH, ...env },
    execArgv: [],
    serialization,
    detached: ownGroup,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let hasEnded = false;
  let isStopped = false;
  let force: NodeJS.Timeout | undefined;
  const gone = Promise.withResolvers<void>();

  function end(): void {
    if (hasEnded || force !== undefined) return;
    if (graceMs === 0) {
      forceEnd(child, ownGroup);
      return;
    }
    child.kill('SIGTERM');
    force = setTimeout(() => forceEnd(child, ownGroup), graceMs);
  }

  const onSilent = (): void => {
    if (!isStopped) events.onSilent?.();
    end();
  };
  let watchdog = silence && startWatchdog(silence.startMs, onSilent);
  child.on('message', (message: unknown) => {
    watchdog?.heard();
    if (!hasEnded && !isStopped) events.onMessage(message);
  });
  const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (hasEnded) return;
    hasEnded = true;
    watchdog?.stop();
    clearTimeout(force);
    // Processes that the child started may have outlived it.
    forceEnd(child, ownGroup);
    gone.resolve();
    if (!isStopped) events.onEnd({ code, signal });
  };
  child.on('exit', onEnd);
  child.on('error', () => onEnd(null, null));

  return {
    get pid() {
      return child.pid;
    },
    send(message) {
      if (child.connected) child.send(message, () => {});
    },
    ready() {
      if (!silence || hasEnded) return;
      watchdog?.stop();
      watchdog = startWatchdog(silence.runMs, onSilent);
    },
    kill: end,
    stop() {
      isStopped = true;
      watchdog?.stop();
      end();
      return gone.promise;
    },
  };
}

/** Kills the process unless it has ended, with its group if it leads one. */
function forceEnd(child: ChildProcess, hasGroup: boolean): void {
  if (child.pid === undefined) return;
  if (!hasGroup) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface SupervisorOptions extends ChildOptions {
  /** Pauses between restarts; the owner reports when the process works. */
  readonly backoff: Backoff;
}

export interface SupervisorEvents {
  /** Called after each start; the first time within the call of {@link superviseChild}. */
  onStart?(child: Child): void;
  onMessage(message: unknown, child: Child): void;
  onSilent?(child: Child): void;
  /** Called when the process has ended; it restarts after `againInMs`. */
  onEnd(end: ChildEnd, againInMs: number): void;
}

export interface Supervisor {
  /** Null between the end of one process and the start of the next. */
  readonly child: Child | null;
  /** Ends the process for good: no callback follows. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts the process at once, and restarts it whenever it ends. */
export function superviseChild(options: SupervisorOptions, events: SupervisorEvents): Supervisor {
  let child: Child | null = null;
  let restart: NodeJS.Timeout | undefined;

  function start(): void {
    const mine = startChild(options, {
      onMessage: (message) => events.onMessage(message, mine),
      onSilent: () => events.onSilent?.(mine),
      onEnd(end) {
        child = null;
        const againInMs = options.backoff.next();
        restart = setTimeout(start, againInMs);
        events.onEnd(end, againInMs);
      },
    });
    child = mine;
    events.onStart?.(mine);
  }

  start();
  return {
    get child() {
      return child;
    },
    async stop() {
      clearTimeout(restart);
      await child?.stop();
    },
  };
}

/** Checks the embedded database's file for damage in a separate process, so that no request waits. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@haris/runtime/log';

/** `unknown`: not checked yet, or a database server, which has its own checks. */
export type IntegrityState = 'unknown' | 'whole' | 'damaged';

export interface Integrity {
  /** The result of the last check. */
  state(): IntegrityState;
  /** Checks the file; one check at a time. Resolves with the result, never rejects. */
  check(): Promise<IntegrityState>;
  /** Aborts a running check. */
  stop(): void;
}

const program = fileURLToPath(new URL('./integrity-check.ts', import.meta.url));

/** `file`: the embedded database; null for PostgreSQL. */
export function watchIntegrity(file: string | null, log: Logger): Integrity {
  let state: IntegrityState = 'unknown';
  let checking: Promise<void> | null = null;
  let child: ChildProcess | null = null;
  let stopped = false;

  async function look(path: string): Promise<void> {
    const running = spawn(process.execPath, [program, path], {
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child = running;
    let said = '';
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await new Promise<void>((resolve) => {
      running.once('error', () => resolve());
      running.once('close', () => resolve());
    });
    child = null;
    const found = said.trim();
    if (found === 'whole') state = found;
    else if (found === 'damaged') {
      state = found;
      log.error('the database is damaged: restore the last backup (npm run restore)');
    } else if (!stopped) log.warn('whether the database is whole could not be found out');
  }

  return {
    state: () => state,
    async check() {
      if (file === null || stopped) return state;
      checking ??= look(file).finally(() => {
        checking = null;
      });
      await checking;
      return state;
    },
    stop() {
      stopped = true;
      child?.kill('SIGKILL');
    },
  };
}

/** Structured log of a program: one JSON object per line on stderr; stdout is for people. */
import { destination, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/**
 * A logger that writes `{level, time (ISO), program, …}` lines to file descriptor 2. Callers pass only ids, counts
 * and codes: never a name, mail, token, photo, encoding or URL with a query.
 */
export function createLogger(program: string, level: string): Logger {
  const output = destination({ fd: 2, sync: true, maxLength: WAITING_MAX });
  // If the log's disk is full, the line is lost; the program continues.
  output.on('error', () => {});
  return pino(
    {
      level,
      base: { program },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: skipRepeated() },
    },
    output,
  );
}

/** Most bytes that are buffered while the log cannot be written; later lines are dropped. */
const WAITING_MAX = 1024 ** 2;
/** A repeated failure of a background job is logged once within this time. Milliseconds. */
const REPEATED_MS = 10_000;

/**
 * Work that is retried every second fails every second while a disk is full or a database is down. The log must not
 * fill the disk as well, so repeated lines are skipped; the next line gives their number. Lines about a request are
 * always kept.
 */
function skipRepeated(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const written = new Map<string, { at: number; leftOut: number }>();
  return function write(args, method) {
    const [fields, message] = args as unknown as [unknown, unknown];
    const failure = fields as { failure?: string; code?: string; requestId?: string } | null;
    if (typeof failure !== 'object' || !failure?.failure || failure.requestId)
      return method.apply(this, args);
    const key = `${message} ${failure.failure} ${failure.code}`;
    const now = performance.now();
    const before = written.get(key);
    if (before && now - before.at < REPEATED_MS) {
      before.leftOut++;
      return;
    }
    written.set(key, { at: now, leftOut: 0 });
    const again = before?.leftOut ? { ...failure, leftOut: before.leftOut } : failure;
    method.apply(this, [again, message] as unknown as typeof args);
  };
}

/** Set by `npm run dev`. There is no real data in development, and a stack without its message is of little use. */
const isDevelopment = process.env.NODE_ENV === 'development';

/**
 * The parts of a failure that may be logged: its class, code and stack frames. The message is left out, because a
 * database or parser may quote user input in it; in development it is included.
 */
export function describeFailure(error: unknown): {
  failure: string;
  code?: string;
  reason?: string;
  frames?: string[];
} {
  if (!(error instanceof Error)) return { failure: typeof error };
  const reason = isDevelopment ? { reason: error.message } : {};
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
  return { failure: error.name, ...code, ...reason, frames };
}

/** The structured log of a program: one JSON object per line on stderr; stdout is left to people. */
import { destination, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/**
 * A logger that writes `{level, time (ISO), program, …}` lines to file descriptor 2.
 * Callers give ids, counts and codes only: never a name, mail, token, photo, encoding or URL with a query.
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

/** Most bytes that wait while the log cannot be written; later lines are dropped. */
const WAITING_MAX = 1024 ** 2;
/** The same failure of a background job is written once in this time. Milliseconds. */
const REPEATED_MS = 10_000;

/**
 * Work that is tried again each second fails each second while a disk is full or a database is away: the log must not
 * fill the disk too. The next line that is written says how many were left out. Lines about a request are all kept.
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

/**
 * What of a failure may stand in a log: its class, code and the stack's frames, but not its message, since a database's
 * or parser's message can quote what a person typed.
 */
export function describeFailure(error: unknown): { failure: string; code?: string; frames?: string[] } {
  if (!(error instanceof Error)) return { failure: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
    .map((line) => line.trim());
  return { failure: error.name, ...code, frames };
}

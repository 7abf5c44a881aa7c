/** The structured log of a program: one JSON object per line on stderr; stdout is left to people. */
import { destination, type Logger, pino } from 'pino';

export type { Logger };

/**
 * A logger that writes `{level, time (ISO), program, …}` lines to file descriptor 2.
 * Callers give ids, counts and codes only: never a name, mail, token, photo, encoding or URL with a query.
 */
export function createLogger(program: string, level: string): Logger {
  return pino(
    {
      level,
      base: { program },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ fd: 2, sync: true }),
  );
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

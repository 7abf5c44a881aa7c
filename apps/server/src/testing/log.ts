/** A log that stores its lines in memory. */
import type { Logger } from '@haris/runtime/log';

export interface CapturedLog {
  readonly log: Logger;
  /** One JSON object per line. */
  readonly lines: string[];
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
type Level = (typeof LEVELS)[number];

export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const make = (bindings: object, lowest: Level): object => {
    const isLevelEnabled = (level: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(lowest);
    const at =
      (level: Level) =>
      (first: unknown, message?: unknown): void => {
        if (!isLevelEnabled(level)) return;
        const fields = typeof first === 'object' && first !== null ? first : { message: first };
        lines.push(
          JSON.stringify({ level, ...bindings, ...serializable(fields), ...(message ? { message } : {}) }),
        );
      };
    return {
      level: lowest,
      isLevelEnabled,
      child: (more: object, options: { level?: Level } = {}) =>
        make({ ...bindings, ...more }, options.level ?? lowest),
      silent: () => {},
      ...Object.fromEntries(LEVELS.map((level) => [level, at(level)])),
    };
  };
  return { log: make({}, 'trace') as Logger, lines };
}

/** Serializes errors like pino, so that tests see their whole content. */
function serializable(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields instanceof Error ? { err: fields } : fields).map(([name, value]) => [
      name,
      value instanceof Error ? { message: value.message, stack: value.stack } : value,
    ]),
  );
}

/** How far a backup is: for the terminal of the command, and for the server that waits for the nightly one. */
import { z } from 'zod';

/** `check`: it is read back. All counts are of the whole backup. */
export const progressSchema = z.object({
  step: z.enum(['write', 'check']),
  rows: z.number(),
  allRows: z.number(),
  photos: z.number(),
  allPhotos: z.number(),
});
export type Progress = z.infer<typeof progressSchema>;
export type TellProgress = (progress: Progress) => void;

/**
 * Passes on the first progress of each step, and then at most one in `everyMs`. `uptime`: milliseconds of a monotonic clock.
 */
export function sparingly(
  everyMs: number,
  tell: TellProgress,
  uptime: () => number = () => performance.now(),
): TellProgress {
  let last: { readonly step: Progress['step']; readonly at: number } | null = null;
  return (progress) => {
    const at = uptime();
    if (last !== null && last.step === progress.step && at - last.at < everyMs) return;
    last = { step: progress.step, at };
    tell(progress);
  };
}

const STEPS = { write: 'Writing', check: 'Reading it back' } as const;
/** Often enough to look alive. Milliseconds. */
const SHOWN_EVERY_MS = 100;
/** Where a terminal does not say how wide it is. */
const COLUMNS = 80;

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows progress in one line of a terminal, which `end` removes. Writes nothing to a file or a pipe. */
export function showProgress(terminal: Terminal): { tell: TellProgress; end(): void } {
  if (!terminal.isTTY) return { tell: () => {}, end: () => {} };
  const number = new Intl.NumberFormat('en');
  const of = (some: number, all: number, what: string): string =>
    `${number.format(some)} of ${number.format(all)} ${what}`;
  const clear = '\r\u001b[K';
  return {
    tell: sparingly(SHOWN_EVERY_MS, ({ step, rows, allRows, photos, allPhotos }) => {
      const line = `${STEPS[step]}: ${of(rows, allRows, 'rows')}, ${of(photos, allPhotos, 'photos')}`;
      // A line that wraps would not be removed.
      terminal.write(clear + line.slice(0, (terminal.columns || COLUMNS) - 1));
    }),
    end: () => void terminal.write(clear),
  };
}

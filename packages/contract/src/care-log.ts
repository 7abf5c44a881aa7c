/** The care log of a child: what can be entered, how entries are corrected, and what follows for a child asleep (decision 052). */
import * as z from 'zod/mini';
import { CARE_LINE_MAX } from './care-card.ts';
import { freeTextSchema } from './fields.ts';

/** Longest account of an accident and of the first aid. Characters. */
export const CARE_LOG_TEXT_MAX = 1000;
/** Minutes between two checks of a sleeping child: fewest, most, and what one press begins with. */
export const SLEEP_MINUTES_MIN = 5;
export const SLEEP_MINUTES_MAX = 60;
export const SLEEP_MINUTES_USUAL = 10;
/** Oldest entry that can be made later; a correction keeps the time of what it corrects. Days. */
export const CARE_LOG_DAYS_BACK = 7;
/** How far the clock of a desk may be ahead of the server's. Milliseconds. */
export const CARE_LOG_AHEAD_MS = 60_000;
/** Largest drawn signature: units of its box, and characters of its path. */
export const SIGNATURE_WIDTH = 600;
export const SIGNATURE_HEIGHT = 200;
export const SIGNATURE_MAX = 12_000;

export const NAPPIES = ['wet', 'soiled', 'both', 'dry'] as const;
export const EATEN = ['all', 'some', 'none'] as const;

const MISSING = 'Please fill this in';
const CHOOSE = 'Please choose one';
const line = freeTextSchema(CARE_LINE_MAX);
const neededLine = freeTextSchema(CARE_LINE_MAX, MISSING);
const neededText = freeTextSchema(CARE_LOG_TEXT_MAX, MISSING);
const minutesProblem = `Enter whole minutes from ${SLEEP_MINUTES_MIN} to ${SLEEP_MINUTES_MAX}`;

/** What happened, as somebody sends it and as it is kept. Empty texts stand for what nobody has entered. */
export const careEntrySchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('accident'),
      what: neededText,
      /** Where on the body, in words. */
      where: neededLine,
      firstAid: neededText,
      /** Who saw it; empty: nobody. */
      seenBy: line,
    }),
    z.object({
      kind: z.literal('medicine'),
      /** A medicine of the care card that the family permitted. */
      name: neededLine,
      dose: neededLine,
      /** Empty: whoever made the entry. */
      givenBy: line,
      witnessedBy: line,
    }),
    z.object({
      kind: z.literal('sleep_start'),
      everyMinutes: z
        .int(minutesProblem)
        .check(z.gte(SLEEP_MINUTES_MIN, minutesProblem), z.lte(SLEEP_MINUTES_MAX, minutesProblem)),
    }),
    z.object({ kind: z.literal('sleep_check'), note: line }),
    z.object({ kind: z.literal('sleep_end'), note: line }),
    z.object({ kind: z.literal('nappy'), nappy: z.enum(NAPPIES, { error: CHOOSE }), note: line }),
    z.object({ kind: z.literal('meal'), eaten: z.enum(EATEN, { error: CHOOSE }), note: line }),
    /** Only as a correction: the entry was a mistake. */
    z.object({ kind: z.literal('withdrawn'), reason: neededLine }),
  ])
  .register(z.globalRegistry, { id: 'CareLogContent' });
export type CareEntryContent = z.infer<typeof careEntrySchema>;
export type CareEntryKind = CareEntryContent['kind'];

/** Kinds for which the family signs. */
export const asksSignature = (kind: CareEntryKind): boolean => kind === 'accident' || kind === 'medicine';

const SIGNATURE_PROBLEM = 'This signature cannot be read. Please sign again.';
const POINT = String.raw`\d{1,3} \d{1,3}`;
const PATH = new RegExp(`^M${POINT}(?: L${POINT})+(?: M${POINT}(?: L${POINT})+)*$`);

/** Whether each point of a path lies in the box of a signature. Pure. */
function isInBox(path: string): boolean {
  const numbers = path.match(/\d+/g)?.map(Number) ?? [];
  return numbers.every((value, index) => value <= (index % 2 === 0 ? SIGNATURE_WIDTH : SIGNATURE_HEIGHT));
}

/** Strokes as SVG path data: only `M` and `L` with whole numbers, so that it can be drawn without danger. */
const signaturePathSchema = z.string(SIGNATURE_PROBLEM).check(
  z.maxLength(SIGNATURE_MAX, 'This signature has too many strokes. Please sign again.'),
  z.refine((path) => path.length > SIGNATURE_MAX || (PATH.test(path) && isInBox(path)), {
    error: SIGNATURE_PROBLEM,
  }),
);

/** How a guardian acknowledges an entry: drawn with a finger, or the name typed. */
export const signatureSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('drawn'), path: signaturePathSchema }),
    z.object({ kind: z.literal('typed'), name: neededLine }),
  ])
  .register(z.globalRegistry, { id: 'CareLogSignature' });
export type CareSignature = z.infer<typeof signatureSchema>;

/** What a child asleep follows from. `at`: milliseconds since 1970. */
export interface SleepEntry {
  readonly at: number;
  readonly content: CareEntryContent | null;
}

export interface Sleep {
  readonly since: number;
  readonly checkedAt: number;
  readonly everyMinutes: number;
  /** When the next check is due. */
  readonly dueAt: number;
}

/**
 * The sleep that goes on after these entries of one stay; null: the child is awake. Entries that were corrected must not be
 * among them. Of entries of the same moment, an earlier one of the list comes first. Pure.
 */
export function sleepAfter(entries: readonly SleepEntry[]): Sleep | null {
  let sleep: Omit<Sleep, 'dueAt'> | null = null;
  for (const { at, content } of entries.toSorted((a, b) => a.at - b.at)) {
    if (content?.kind === 'sleep_start')
      sleep = { since: at, checkedAt: at, everyMinutes: content.everyMinutes };
    if (content?.kind === 'sleep_check' && sleep) sleep = { ...sleep, checkedAt: at };
    if (content?.kind === 'sleep_end') sleep = null;
  }
  return sleep && { ...sleep, dueAt: sleep.checkedAt + sleep.everyMinutes * 60_000 };
}

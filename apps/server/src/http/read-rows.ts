/**
 * Counts the different rows of personal data that a session reads, and asks for a proof beyond what a desk reads (decision
 * 025). Knows no call: the route names its rows.
 */
import { ROWS_WINDOW_MS, ROWS_WITHOUT_PROOF } from '@haris/contract/constants';
import type { Route } from '@haris/contract/http/route';
import type { Actor, DeskDevice, KioskDevice, Visitor } from '../actor.ts';
import type { Context } from '../context.ts';
import { isProved, requireProof } from './proof.ts';

/** Sessions and rows of each that this server remembers; beyond, the one used longest ago is forgotten and counts anew. */
const SESSIONS_MAX = 200;
const ROWS_MAX = 5_000;

interface Reading {
  /** Rows that the session has read, in the order of their last use: a screen that reloads reads nothing new. */
  readonly known: Set<string>;
  /** The proof after which `fresh` counts, and when that began. Milliseconds since 1970. */
  provedAt: number;
  since: number;
  /** Rows read without a fresh proof that were not known before. */
  fresh: number;
}

/** By session. In memory: whoever restarts the server has more than a session, and a second server at most doubles the number. */
const readings = new Map<string, Reading>();

function fieldOf(row: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null)?.[name], row);
}

/** What tells the rows of an answer apart. Pure. */
function rowsOf({ rows = {} }: Route, answer: unknown): string[] {
  return Object.entries(rows).flatMap(([list, fields]) => {
    const found = fieldOf(answer, list);
    if (!Array.isArray(found)) throw new Error(`the answer has no list ${list}`);
    return found.map((row) => fields.map((path) => String(fieldOf(row, path))).join(' '));
  });
}

function remember({ known }: Reading, rows: readonly string[]): void {
  for (const row of rows) {
    known.delete(row);
    known.add(row);
  }
  for (const oldest of known) {
    if (known.size <= ROWS_MAX) break;
    known.delete(oldest);
  }
}

/** The reading of a session, as the one used last. */
function takeReading({ session, provedAt }: Actor, now: number): Reading {
  const kept = readings.get(session) ?? { known: new Set(), provedAt, since: now, fresh: 0 };
  readings.delete(session);
  readings.set(session, kept);
  for (const oldest of readings.keys()) {
    if (readings.size <= SESSIONS_MAX) break;
    readings.delete(oldest);
  }
  const isOver = now - kept.since >= ROWS_WINDOW_MS || now < kept.since;
  if (isOver || kept.provedAt !== provedAt) Object.assign(kept, { provedAt, since: now, fresh: 0 });
  return kept;
}

/** Counts the rows of an answer before it is sent. Throws `proof_required` instead of sending too many. */
export async function countRows(
  context: Context,
  route: Route,
  actor: Actor | Visitor | KioskDevice | DeskDevice,
  answer: unknown,
): Promise<void> {
  if (route.rows === undefined || actor.kind !== 'admin') return;
  const rows = rowsOf(route, answer);
  const reading = takeReading(actor, context.clock.now());
  if (!isProved(context, actor)) {
    const fresh = reading.fresh + rows.filter((row) => !reading.known.has(row)).length;
    if (fresh > ROWS_WITHOUT_PROOF) await requireProof(context, actor);
    reading.fresh = fresh;
  }
  remember(reading, rows);
}

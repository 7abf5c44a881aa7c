/**
 * Attempts to hand a child to a barred adult, releases that a guardian did not expect (decision 049), and releases told later that would be
 * refused now (decision 055).
 */
import type { Context } from '../../../context.ts';
import { findDoubtfulSince } from '../../../db/desk-entries.ts';
import { findLastAcknowledgements, findOpenIncidents } from '../../../db/incidents.ts';
import { findRefusalsSince, findUnexpectedSince, type Happened, type Refused } from '../../../db/releases.ts';
import type { Detector } from '../detection.ts';

const KINDS = ['barred_person', 'unexpected_release', 'doubtful_release'] as const;

/** What nobody has seen by then raises no new incident: nobody needs to act at once any more. Milliseconds. */
const LOOKS_BACK_MS = 24 * 3_600_000;

/** Each lasts until staff have acknowledged it, however long; a later attempt, or word of another guardian, for the same stay is a new incident. */
export function detectHandOver({ db }: Pick<Context, 'db'>): Detector {
  return async (now) => {
    const since = now - LOOKS_BACK_MS;
    const opened = await findOpenIncidents(db, KINDS);
    const waiting = opened.filter((row) => row.acknowledged_at === null);
    // What came after the acknowledgement would join the incident that ends now, and nobody would hear of it: the next look opens its own.
    const ending = new Set(
      opened.filter((row) => row.acknowledged_at !== null).map(({ condition }) => condition),
    );
    const waitingFor = new Set(waiting.map(({ condition }) => condition));
    // An incident opens within the time that is looked back, so this finds what every open one is about.
    const from = Math.min(since, ...waiting.map((row) => row.raised_at - LOOKS_BACK_MS));
    const happened = [
      ...(await findRefusalsSince(db, from)).map((row) => conditionOf('barred_person', row)),
      ...(await findUnexpectedSince(db, from)).map((row) => conditionOf('unexpected_release', row)),
      ...(await findDoubtfulSince(db, from)).map((row) => conditionOf('doubtful_release', row)),
    ].filter(({ at, condition }) => at >= since || waitingFor.has(condition));
    const answered = await findLastAcknowledgements(db, [
      ...new Set(happened.map(({ condition }) => condition)),
    ]);
    const open = new Map(
      happened
        .filter(({ condition, at }) => !ending.has(condition) && at > (answered.get(condition) ?? 0))
        .map((one) => [one.condition, one]),
    );
    return {
      kinds: KINDS,
      findings: [...open.values()].map(({ kind, condition, child_id, by }) => ({
        kind,
        condition,
        subject: { kind: 'child', id: child_id },
        ...(by === null ? {} : { by }),
      })),
    };
  };
}

function conditionOf(kind: (typeof KINDS)[number], row: Happened | Refused) {
  const by =
    'by_id' in row && row.by_id !== null && row.by_name !== null
      ? { id: row.by_id, name: row.by_name }
      : null;
  return { kind, condition: `${kind} ${row.stay_id}`, child_id: row.child_id, at: row.at, by };
}

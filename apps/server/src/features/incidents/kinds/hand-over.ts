/** Attempts to hand a child to a barred adult, and releases that a guardian did not expect (decision 049). */
import type { Context } from '../../../context.ts';
import { findLastAcknowledgements } from '../../../db/incidents.ts';
import { findRefusalsSince, findUnexpectedSince } from '../../../db/releases.ts';
import type { Detector } from '../detection.ts';

/** Later than this, nobody needs to act at once any more. Milliseconds. */
const LOOKS_BACK_MS = 24 * 3_600_000;

/** Each lasts until staff have acknowledged it; a later attempt for the same stay is a new incident. */
export function detectHandOver({ db }: Pick<Context, 'db'>): Detector {
  return async (now) => {
    const since = now - LOOKS_BACK_MS;
    const refusals = await findRefusalsSince(db, since);
    const unexpected = await findUnexpectedSince(db, since);
    const happened = [
      ...refusals.map((row) => ({ kind: 'barred_person' as const, ...row })),
      ...unexpected.map((row) => ({ kind: 'unexpected_release' as const, ...row })),
    ].map((one) => ({ ...one, condition: `${one.kind} ${one.stay_id}` }));
    const answered = await findLastAcknowledgements(db, [
      ...new Set(happened.map(({ condition }) => condition)),
    ]);
    const open = new Map(
      happened
        .filter(({ condition, at }) => at > (answered.get(condition) ?? 0))
        .map((one) => [one.condition, one]),
    );
    return {
      kinds: ['barred_person', 'unexpected_release'],
      findings: [...open.values()].map(({ kind, condition, child_id }) => ({
        kind,
        condition,
        subject: { kind: 'child', id: child_id },
      })),
    };
  };
}

/** Emits a `sensor.state` event when the overall truth of a sensor changes, so that open pages reload the list. */

import type { Truth } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { lockEventOrder } from '../../db/events.ts';
import { inTransaction } from '../../db/transaction.ts';
import { acrossFacilities, inFacility } from '../../facility.ts';
import type { SensorRegistry } from './sensor-registry.ts';
import { overallTruth } from './truth.ts';

/** Changes within this time share one event, because a power cut changes many sensors together. Milliseconds. */
const ANNOUNCE_AFTER_MS = 100;

/** Start it before the registry is filled: a sensor's first state is not a change. Returns a function that stops it. */
export function startStateAnnouncer(
  { db, clock, log, events }: Pick<Context, 'db' | 'clock' | 'log' | 'events'>,
  registry: SensorRegistry,
): () => void {
  const truths = new Map<string, Truth>();
  /** Facilities of the sensors that have changed since the last event. */
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function announce(): Promise<void> {
    const facilities = [...changed];
    changed.clear();
    await inTransaction(db, async (tx) => {
      await lockEventOrder(tx);
      for (const facility of facilities)
        await inFacility(facility, () => events.append(tx, { type: 'sensor.state' }));
    });
  }

  function announceSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      acrossFacilities(announce).catch((error: unknown) =>
        log.warn(describeFailure(error), 'the state of sensors could not be announced'),
      );
    }, ANNOUNCE_AFTER_MS);
  }

  const stopListening = registry.onView((id, view, facility) => {
    if (!view) {
      truths.delete(id);
      return;
    }
    const before = truths.get(id);
    const truth = overallTruth(view.state, clock.now());
    truths.set(id, truth);
    if (before === undefined || before === truth) return;
    changed.add(facility);
    announceSoon();
  });

  return () => {
    stopListening();
    clearTimeout(timer);
  };
}

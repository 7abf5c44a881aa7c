/**
 * The incident engine: judges readings as they arrive, looks at all other sources periodically, and passes on due steps.
 */
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { keepLease, LeaseLostError } from '../../db/leases.ts';
import { watchAir } from './kinds/air.ts';
import { openLook } from './look.ts';
import { openStepQueue } from './notify.ts';
import type { IncidentSources } from './sources.ts';

const SWEEP_EVERY_MS = 1_000;
const LEASE = 'incidents';
/** Another server takes over this long after the sweeping server has died. Milliseconds. */
const LEASE_MS = 10_000;

export interface IncidentEngine {
  /** Judges the readings that have arrived, looks at all other sources once, and passes on due steps. */
  sweep(): Promise<void>;
  /** Passes on due steps in the background. */
  notifySoon(): void;
  /** Starts periodic sweeps. */
  start(): void;
  stop(): Promise<void>;
}

export function openIncidents(context: Context, sources: IncidentSources): IncidentEngine {
  const lease = keepLease(context.leases, LEASE, LEASE_MS);
  const { look, stop: stopLook } = openLook(context, sources);
  const steps = openStepQueue(context, sources.receiveStep);
  const air = watchAir(context, steps.kick);
  const stopReadings = sources.onReading(air.take);

  async function sweep(): Promise<void> {
    await air.settled();
    const now = context.clock.now();
    // Only one server looks, because a source that is down for this one may be live for another.
    const held = await lease.hold();
    if (held)
      await look(now, held).catch((error: unknown) => {
        if (!(error instanceof LeaseLostError)) throw error;
        context.log.warn('another server looks for incidents now');
      });
    await steps.settled();
  }

  let sweeping: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  return {
    sweep,
    notifySoon: steps.kick,
    start() {
      timer = setInterval(() => {
        sweeping ??= sweep()
          .catch((error: unknown) => context.log.error(describeFailure(error), 'a sweep of incidents failed'))
          .finally(() => {
            sweeping = null;
          });
      }, SWEEP_EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      stopReadings();
      stopLook();
      await sweeping;
      await air.stop();
      await steps.stop();
      await lease.release().catch((error: unknown) => {
        // The lease expires on its own.
        context.log.warn(describeFailure(error), 'a lease could not be given back');
      });
    },
  };
}

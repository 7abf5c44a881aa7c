/** The incident engine: takes readings as they arrive, looks at everything else by the clock, and tells what is due. */
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { findOpenIncidents } from '../../db/incidents.ts';
import { keepLease, type Lease, LeaseLostError } from '../../db/leases.ts';
import { reconcile } from './detection.ts';
import { escalate } from './episodes.ts';
import { watchAir } from './kinds/air.ts';
import { detectBroker } from './kinds/broker.ts';
import { detectCameras } from './kinds/cameras.ts';
import { detectCapacity } from './kinds/capacity.ts';
import { detectBackup, detectDamage, detectDisk } from './kinds/machine.ts';
import { detectPresence } from './kinds/presence.ts';
import { detectSensors, endForRemovedSensors } from './kinds/sensors.ts';
import { detectStays } from './kinds/stays.ts';
import { detectUnknownPersons } from './kinds/unknown-person.ts';
import type { IncidentSources } from './sources.ts';
import { tellSteps } from './telling.ts';

const SWEEP_EVERY_MS = 1_000;
const LEASE = 'incidents';
/** When the server that sweeps is gone, another one does after this. Milliseconds. */
const LEASE_MS = 10_000;

export interface IncidentEngine {
  /** Judges what was taken, looks at everything once, and tells what is due. */
  sweep(): Promise<void>;
  /** Tells what is due, soon. */
  tellSoon(): void;
  /** Sweeps by the clock from now on. */
  start(): void;
  stop(): Promise<void>;
}

export function openIncidents(context: Context, sources: IncidentSources): IncidentEngine {
  const lease = keepLease(context.leases, LEASE, LEASE_MS);
  const persons = detectUnknownPersons(context);
  const detectors = {
    sensors: detectSensors(context, sources.sensors),
    stays: detectStays(context),
    presence: detectPresence(context),
    cameras: detectCameras(context),
    broker: detectBroker(context),
    persons: persons.detect,
    capacity: detectCapacity(context),
    disk: detectDisk(sources.disk),
    database: detectDamage(context),
    backup: detectBackup(context),
  };
  const air = watchAir(context, tellSoon);
  const stopReadings = sources.onReading(air.take);

  let telling: Promise<void> = Promise.resolve();
  let isToTell = false;
  function tellSoon(): void {
    if (isToTell) return;
    isToTell = true;
    telling = telling
      .then(() => {
        isToTell = false;
        return tellSteps(context, sources.receiveStep);
      })
      .catch((error: unknown) =>
        context.log.error(describeFailure(error), 'steps of incidents could not be told'),
      );
  }

  /** One part that fails keeps no other from being looked at; without the lease there is nothing to look at any more. */
  async function attempt(part: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      context.log.error({ part, ...describeFailure(error) }, 'a look for incidents failed');
    }
  }

  async function lookAtAll(now: number, held: Lease): Promise<void> {
    for (const [part, detect] of Object.entries(detectors))
      await attempt(part, async () => {
        const detection = await detect(now);
        if (detection) await reconcile(context, detection, held);
      });
    await attempt('removed sensors', () => endForRemovedSensors(context, held));
    await attempt('ladders', async () => {
      for (const incident of await findOpenIncidents(context.db))
        if (incident.acknowledged_at === null) await escalate(context, incident, held);
    });
  }

  async function sweep(): Promise<void> {
    await air.settled();
    const now = context.clock.now();
    // What is down here may be live for another server: one of them looks.
    const held = await lease.hold();
    if (held)
      await lookAtAll(now, held).catch((error: unknown) => {
        if (!(error instanceof LeaseLostError)) throw error;
        context.log.warn('another server looks for incidents now');
      });
    tellSoon();
    await telling;
  }

  let sweeping: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  return {
    sweep,
    tellSoon,
    start() {
      timer = setInterval(() => {
        sweeping ??= attempt('sweep', sweep).finally(() => {
          sweeping = null;
        });
      }, SWEEP_EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      stopReadings();
      persons.stop();
      await sweeping;
      await air.stop();
      await telling;
      await lease.release().catch((error: unknown) => {
        // The lease expires by itself.
        context.log.warn(describeFailure(error), 'a lease could not be given back');
      });
    },
  };
}

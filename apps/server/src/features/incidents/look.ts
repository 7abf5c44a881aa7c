/** One look at all sources of incidents that are not readings, and at the ladders of open incidents. */
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { findOpenIncidents } from '../../db/incidents.ts';
import { type Lease, LeaseLostError } from '../../db/leases.ts';
import { MAIN_FACILITY } from '../../facility.ts';
import { type Detector, reconcile } from './detection.ts';
import { findDueChildren, missDueChild } from './head-counts.ts';
import { detectMissingChildren } from './kinds/bookings.ts';
import { detectBroker } from './kinds/broker.ts';
import { detectCameras } from './kinds/cameras.ts';
import { detectCapacity } from './kinds/capacity.ts';
import { detectAccidents, detectOverdueSleep } from './kinds/care-log.ts';
import { detectDeskConflicts } from './kinds/desk-conflicts.ts';
import { detectHandOver } from './kinds/hand-over.ts';
import { detectBackup, detectDamage, detectDisk, detectFailedBackup } from './kinds/machine.ts';
import { detectPresence } from './kinds/presence.ts';
import { detectRooms } from './kinds/rooms.ts';
import { detectSensors, endForRemovedSensors } from './kinds/sensors.ts';
import { detectStays } from './kinds/stays.ts';
import { detectUnknownPersons } from './kinds/unknown-person.ts';
import { escalate } from './lifecycle.ts';
import type { IncidentSources } from './sources.ts';

export interface Look {
  /** Looks once, under the lease. Throws LeaseLostError. */
  look(now: number, held: Lease): Promise<void>;
  stop(): void;
}

/** Detectors of one facility. Conditions of the whole installation are detected for the main facility only. */
function openDetectors(context: Context, sources: IncidentSources, facility: string) {
  const persons = detectUnknownPersons(context);
  const sensors = () => sources.sensors().filter((sensor) => sensor.facility === facility);
  const own: Readonly<Record<string, Detector>> = {
    sensors: detectSensors(context, sensors),
    stays: detectStays(context),
    bookings: detectMissingChildren(context),
    presence: detectPresence(context),
    cameras: detectCameras(context),
    persons: persons.detect,
    capacity: detectCapacity(context),
    rooms: detectRooms(context),
    handOver: detectHandOver(context),
    deskConflicts: detectDeskConflicts(context),
    sleep: detectOverdueSleep(context),
    accidents: detectAccidents(context),
  };
  const shared: Readonly<Record<string, Detector>> = {
    broker: detectBroker(context),
    disk: detectDisk(sources.disk),
    database: detectDamage(context),
    backup: detectBackup(context),
    failedBackup: detectFailedBackup(context),
  };
  return { detectors: facility === MAIN_FACILITY ? { ...own, ...shared } : own, stop: persons.stop };
}

export function openLook(context: Context, sources: IncidentSources): Look {
  const opened = new Map<string, ReturnType<typeof openDetectors>>();

  function detectorsAt(facility: string): Readonly<Record<string, Detector>> {
    const known = opened.get(facility) ?? openDetectors(context, sources, facility);
    opened.set(facility, known);
    return known.detectors;
  }
  // From the start, because it listens to the cameras between two looks.
  detectorsAt(MAIN_FACILITY);

  /** Runs one part; its failure does not stop the others. Losing the lease stops all of them. */
  async function attempt(part: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      context.log.error({ part, ...describeFailure(error) }, 'a look for incidents failed');
    }
  }

  async function lookAt(facility: string, now: number, held: Lease): Promise<void> {
    for (const [part, detect] of Object.entries(detectorsAt(facility)))
      await attempt(part, async () => {
        const detection = await detect(now);
        if (detection) await reconcile(context, detection, held);
      });
    await attempt('head counts', async () => {
      // Not a detection: nothing but the word of staff ends the danger.
      for (const child of await findDueChildren(context, now))
        await attempt('head counts', () => missDueChild(context, child, held));
    });
    await attempt('removed sensors', () => endForRemovedSensors(context, held));
    await attempt('ladders', async () => {
      for (const incident of await findOpenIncidents(context.db))
        if (incident.acknowledged_at === null) await escalate(context, incident, held);
    });
  }

  return {
    look: (now, held) => atEachFacility(context.db, (facility) => lookAt(facility, now, held)),
    stop() {
      for (const { stop } of opened.values()) stop();
    },
  };
}

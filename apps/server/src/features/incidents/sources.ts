/** Interfaces through which incidents use other parts of the server; the app connects them. */
import type { Quantity, Truth } from '@haris/contract/live/readings';
import type { DiskSpace } from '../../data-folder.ts';
import type { IncidentStepReceiver } from '../../incident-step.ts';

/** An accepted reading, with the trust state of each value after it. */
export interface SensorReading {
  readonly sensorId: string;
  readonly facility: string;
  readonly area: string;
  readonly reading: { readonly [Q in Quantity]?: number | undefined };
  readonly at: number;
  readonly truth: Readonly<Record<Quantity, Truth>>;
}

/** The current state of a sensor on this server. */
export interface SensorLife {
  readonly id: string;
  readonly facility: string;
  readonly area: string;
  readonly truth: Truth;
  /** The time between two readings. Milliseconds. */
  readonly periodMs: number;
}

export interface IncidentSources {
  readonly onReading: (listener: (reading: SensorReading) => void) => () => void;
  readonly sensors: () => readonly SensorLife[];
  /** Space on the disk of the data folder. */
  readonly disk: () => Promise<DiskSpace>;
  /** Accepts due steps and notifies people. */
  readonly receiveStep: IncidentStepReceiver;
}

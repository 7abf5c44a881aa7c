/** What the incidents are told by the other parts of the server; the app puts the two together. */
import type { Quantity, Truth } from '@haris/contract/live/readings';
import type { IncidentStepReceiver } from '../../incident-step.ts';

/** A reading that was accepted, with how far each value may be believed after it. */
export interface SensorReading {
  readonly sensorId: string;
  readonly area: string;
  readonly reading: { readonly [Q in Quantity]?: number | undefined };
  readonly at: number;
  readonly truth: Readonly<Record<Quantity, Truth>>;
}

/** A sensor as this server knows it now. */
export interface SensorLife {
  readonly id: string;
  readonly area: string;
  readonly truth: Truth;
  /** Between two readings. Milliseconds. */
  readonly periodMs: number;
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface IncidentSources {
  readonly onReading: (listener: (reading: SensorReading) => void) => () => void;
  readonly sensors: () => readonly SensorLife[];
  /** Of the disk of the data folder. */
  readonly disk: () => Promise<DiskSpace>;
  /** Takes the steps that are due; where there is nobody, they are told to nobody. */
  readonly receiveStep: IncidentStepReceiver;
}

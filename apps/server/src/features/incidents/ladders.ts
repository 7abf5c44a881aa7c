/** Who is told of an incident, and who next when nobody takes it on: a ladder per kind. Pure. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { IncidentStep } from '../../incident-step.ts';

/**
 * `parent`: the child's; `parents_inside`: every parent with a child inside; `desk`: staff who are signed in; `staff`: all
 * staff; `administrators`: who set Haris up.
 */
export type Audience = 'parent' | 'parents_inside' | 'desk' | 'staff' | 'administrators';

export interface LadderStep {
  /** After the incident was raised. Milliseconds. */
  readonly afterMs: number;
  readonly audience: readonly Audience[];
}

interface Ladder {
  readonly severity: IncidentStep['severity'];
  /** The first is told at once. */
  readonly steps: readonly [LadderStep, ...LadderStep[]];
}

const MINUTE_MS = 60_000;

function after(minutes: number, ...audience: Audience[]): LadderStep {
  return { afterMs: minutes * MINUTE_MS, audience };
}

const danger = {
  severity: 'safety',
  steps: [after(0, 'desk', 'parents_inside'), after(2, 'staff'), after(5, 'administrators')],
} as const satisfies Ladder;
const search = {
  severity: 'safety',
  steps: [after(0, 'desk'), after(2, 'staff'), after(5, 'administrators')],
} as const satisfies Ladder;
const device = {
  severity: 'operation',
  steps: [after(0, 'desk'), after(15, 'staff')],
} as const satisfies Ladder;

export const LADDERS: Readonly<Record<IncidentKind, Ladder>> = {
  temperature: danger,
  air: danger,
  not_seen: search,
  unknown_person: search,
  evacuation: {
    severity: 'safety',
    steps: [after(0, 'staff', 'parents_inside'), after(2, 'administrators')],
  },
  stay_due: { severity: 'care', steps: [after(0, 'parent', 'desk')] },
  time_up: {
    severity: 'care',
    steps: [after(0, 'parent', 'desk'), after(5, 'staff'), after(15, 'administrators')],
  },
  seen_outside: { severity: 'care', steps: [after(0, 'desk'), after(5, 'staff')] },
  capacity: { severity: 'care', steps: [after(0, 'desk'), after(5, 'staff')] },
  sensor_offline: device,
  camera_down: device,
  broker_down: device,
  disk: { severity: 'operation', steps: [after(0, 'administrators'), after(60, 'staff')] },
  database: { severity: 'operation', steps: [after(0, 'administrators'), after(15, 'staff')] },
  backup: { severity: 'operation', steps: [after(0, 'administrators')] },
};

export interface LadderState {
  readonly kind: IncidentKind;
  readonly raisedAt: number;
  readonly acknowledgedAt: number | null;
  readonly clearedAt: number | null;
}

/**
 * The numbers of the steps that are due at `now`, in their order, told or not. What was taken on or is over goes no
 * further; that it was raised is told in any case.
 */
export function dueSteps({ kind, raisedAt, acknowledgedAt, clearedAt }: LadderState, now: number): number[] {
  const isOpen = acknowledgedAt === null && clearedAt === null;
  return LADDERS[kind].steps.flatMap(({ afterMs }, step) =>
    step === 0 || (isOpen && raisedAt + afterMs <= now) ? [step] : [],
  );
}

/** Escalation ladders, one per kind: the people whom each step notifies while nobody acknowledges the incident. Pure. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { IncidentRow } from '../../db/schema.ts';

/**
 * `parent`: the child's parent; `parents_inside`: all parents with a child inside; `desk`: signed-in staff; `staff`: all
 * staff; `administrators`: staff members with that role.
 */
export type Audience = 'parent' | 'parents_inside' | 'desk' | 'staff' | 'administrators';

export interface LadderStep {
  /** Time since the incident was opened. Milliseconds. */
  readonly afterMs: number;
  readonly audience: readonly Audience[];
}

/** The first step is due at once. */
type Ladder = readonly [LadderStep, ...LadderStep[]];

const MINUTE_MS = 60_000;

function after(minutes: number, ...audience: Audience[]): LadderStep {
  return { afterMs: minutes * MINUTE_MS, audience };
}

const danger: Ladder = [after(0, 'desk', 'parents_inside'), after(2, 'staff'), after(5, 'administrators')];
const search: Ladder = [after(0, 'desk'), after(2, 'staff'), after(5, 'administrators')];
const care: Ladder = [after(0, 'desk'), after(5, 'staff')];
/** Also of what can wait until somebody has time. */
const device: Ladder = [after(0, 'desk'), after(15, 'staff')];
/** Of a row that is only for a parent. */
const reminder: Ladder = [after(0, 'parent')];

export const LADDERS: Readonly<Record<IncidentKind, Ladder>> = {
  temperature: danger,
  air: danger,
  not_seen: search,
  unknown_person: search,
  evacuation: [after(0, 'staff', 'parents_inside'), after(2, 'administrators')],
  stay_due: reminder,
  time_up: [after(0, 'desk'), after(5, 'staff'), after(15, 'administrators')],
  barred_person: search,
  // Everybody searches from the first moment, and is told again while nobody has answered.
  missing_child: [after(0, 'staff', 'administrators'), after(2, 'staff', 'administrators')],
  unexpected_release: search,
  doubtful_release: search,
  desk_conflict: device,
  seen_outside: care,
  capacity: care,
  room_over_capacity: care,
  room_understaffed: care,
  sleep_check_overdue: search,
  accident: reminder,
  expected_not_here: [after(0, 'desk'), after(15, 'staff')],
  sensor_offline: device,
  camera_down: device,
  broker_down: device,
  disk: [after(0, 'administrators'), after(60, 'staff')],
  database: [after(0, 'administrators'), after(15, 'staff')],
  backup: [after(0, 'administrators')],
  backup_failed: [after(0, 'administrators')],
};

export function ladderOf({ kind, for_staff }: Pick<IncidentRow, 'kind' | 'for_staff'>): Ladder {
  return for_staff === 0 ? reminder : LADDERS[kind];
}

export interface LadderState {
  readonly ladder: Ladder;
  readonly raisedAt: number;
  readonly acknowledgedAt: number | null;
  readonly clearedAt: number | null;
}

/**
 * The numbers of all steps that are due at `now`, in order, including those already passed on. An acknowledged or ended
 * incident does not escalate further; its first step is always due.
 */
export function dueSteps(
  { ladder, raisedAt, acknowledgedAt, clearedAt }: LadderState,
  now: number,
): number[] {
  const isOpen = acknowledgedAt === null && clearedAt === null;
  return ladder.flatMap(({ afterMs }, step) =>
    step === 0 || (isOpen && raisedAt + afterMs <= now) ? [step] : [],
  );
}

/** Whether a step of an open incident that nobody has acknowledged is still to come. */
export function hasStepsLeft(
  { ladder, raisedAt, acknowledgedAt, clearedAt }: LadderState,
  now: number,
): boolean {
  const isOpen = acknowledgedAt === null && clearedAt === null;
  return isOpen && ladder.some(({ afterMs }) => raisedAt + afterMs > now);
}

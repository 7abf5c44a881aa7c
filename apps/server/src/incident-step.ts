/** What the incidents tell whoever brings it to people: one step of one incident's ladder. Knows neither side. */
import type { IncidentKind, IncidentSeverity } from '@haris/contract/incident-kinds';
import type { AccountKind } from '@haris/contract/roles';

/** A text of the catalogue with what stands in it. */
export interface StepText {
  /** `incident.<kind>.title`, `incident.<kind>.body`. */
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/**
 * A step that is due now. It is told after its commit, at least once, again after a crash, perhaps by several servers:
 * `id` is the same each time.
 */
export interface IncidentStep {
  /** `<incidentId>:<step>:<phase>`. */
  readonly id: string;
  readonly incidentId: string;
  readonly kind: IncidentKind;
  /** 0 when raised, 1 for the first escalation; of `cleared` the last step that was reached. */
  readonly step: number;
  readonly phase: 'raised' | 'escalated' | 'cleared';
  readonly severity: IncidentSeverity;
  /** Whom this step reaches; of `cleared` everybody whom a step has reached. Each account once. */
  readonly audience: readonly { readonly kind: AccountKind; readonly id: string }[];
  /** When the step was due. Milliseconds since 1970. */
  readonly at: number;
  readonly title: StepText;
  readonly body: StepText;
}
/** Takes a step; it counts as told once this resolves, and comes again after it rejects. */
export type IncidentStepReceiver = (step: IncidentStep) => Promise<void>;

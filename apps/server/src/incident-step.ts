/** One step of an incident's ladder, as incidents pass it to notifications. Knows neither side. */
import type { IncidentKind, IncidentSeverity } from '@haris/contract/incident-kinds';
import type { AccountKind } from '@haris/contract/roles';

/** A text of the catalogue with its values. */
export interface StepText {
  /** `incident.<kind>.title`, `incident.<kind>.body`. */
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/**
 * A step that is due now. It is passed on after its commit, at least once: after a crash again, perhaps by several
 * servers. `id` is the same each time.
 */
export interface IncidentStep {
  /** `<incidentId>:<step>:<phase>`. */
  readonly id: string;
  readonly incidentId: string;
  readonly kind: IncidentKind;
  /** 0 when raised, 1 for the first escalation; for `cleared`, the last step that was reached. */
  readonly step: number;
  readonly phase: 'raised' | 'escalated' | 'cleared';
  readonly severity: IncidentSeverity;
  /** The accounts that this step notifies, each once; for `cleared`, those of all steps that were reached. */
  readonly audience: readonly { readonly kind: AccountKind; readonly id: string }[];
  /** When the step was due. Milliseconds since 1970. */
  readonly at: number;
  readonly title: StepText;
  readonly body: StepText;
}
/** Accepts a step. The step counts as passed on once this resolves, and is retried if it rejects. */
export type IncidentStepReceiver = (step: IncidentStep) => Promise<void>;

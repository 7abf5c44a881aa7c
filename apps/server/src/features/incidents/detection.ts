/** Brings the open incidents of some kinds in line with what is the case now. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { Context } from '../../context.ts';
import { findOpenIncidents } from '../../db/incidents.ts';
import { inTransactionUnder, type Lease } from '../../db/leases.ts';
import type { IncidentRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { clearIn, type Finding, raiseIn } from './episodes.ts';

/** What a look at some kinds has found. */
export interface Detection {
  readonly kinds: readonly IncidentKind[];
  readonly findings: readonly Finding[];
  /** Episodes that do not begin, but go on where they have begun. */
  readonly goingOn?: ReadonlySet<string>;
}

/** Looks now; null: it cannot be said at the moment, and everything stays as it is. */
export type Detector = (now: number) => Promise<Detection | null>;

/** An episode of these kinds is over only when it was not found again for this long. Milliseconds. */
const CALM_MS: Partial<Record<IncidentKind, number>> = {
  capacity: 60_000,
  camera_down: 10_000,
  broker_down: 10_000,
  unknown_person: 60_000,
};

/** Raises what is new, ends what is over, under the lease of whoever looks. Throws LeaseLostError. */
export async function reconcile(context: Context, detection: Detection, lease: Lease): Promise<void> {
  const write = (work: (tx: Tx) => Promise<unknown>) => inTransactionUnder(context, lease, work);
  const open = new Map(
    (await findOpenIncidents(context.db, detection.kinds)).map((row) => [row.episode, row]),
  );
  const found = new Set<string>();
  for (const finding of detection.findings) {
    found.add(finding.episode);
    const row = open.get(finding.episode);
    if (!row) await write((tx) => raiseIn(context, tx, finding));
    else if (row.calm_since !== null) await write((tx) => setCalm(tx, row, null));
  }
  for (const row of open.values()) {
    if (found.has(row.episode) || detection.goingOn?.has(row.episode)) continue;
    const now = context.clock.now();
    const calmMs = CALM_MS[row.kind] ?? 0;
    if (now - (row.calm_since ?? now) < calmMs) {
      // Noted before the clock was set back: it begins anew.
      if (row.calm_since === null || row.calm_since > now) await write((tx) => setCalm(tx, row, now));
      continue;
    }
    await write((tx) => clearIn(context, tx, row.id));
  }
}

async function setCalm({ trx }: Tx, { id }: IncidentRow, since: number | null): Promise<void> {
  await trx.updateTable('incidents').set({ calm_since: since }).where('id', '=', id).execute();
}

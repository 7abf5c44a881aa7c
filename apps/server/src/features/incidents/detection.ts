/** Brings the open incidents of some kinds in line with what is the case now. */
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { Context } from '../../context.ts';
import { findOpenIncidents } from '../../db/incidents.ts';
import type { IncidentRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
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
  unknown_person: 60_000,
};

/** Raises what is new, ends what is over. */
export async function reconcile(context: Context, detection: Detection): Promise<void> {
  const open = new Map(
    (await findOpenIncidents(context.db, detection.kinds)).map((row) => [row.episode, row]),
  );
  const found = new Set<string>();
  for (const finding of detection.findings) {
    found.add(finding.episode);
    const row = open.get(finding.episode);
    if (!row) await inTransaction(context.db, (tx) => raiseIn(context, tx, finding));
    else if (row.calm_since !== null) await setCalm(context, row, null);
  }
  for (const row of open.values()) {
    if (found.has(row.episode) || detection.goingOn?.has(row.episode)) continue;
    const now = context.clock.now();
    const calmMs = CALM_MS[row.kind] ?? 0;
    if (now - (row.calm_since ?? now) < calmMs) {
      if (row.calm_since === null) await setCalm(context, row, now);
      continue;
    }
    await inTransaction(context.db, (tx) => clearIn(context, tx, row.id));
  }
}

async function setCalm({ db }: Context, { id }: IncidentRow, since: number | null): Promise<void> {
  await db.updateTable('incidents').set({ calm_since: since }).where('id', '=', id).execute();
}

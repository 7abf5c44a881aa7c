/** Rows of absences. Only queries, no rules. */
import { ABSENCE_REASONS, type AbsenceReason, type AbsentDays } from '@haris/contract/bookings';
import type { AccountKind } from '@haris/contract/roles';
import type { Kysely, Transaction } from 'kysely';
import type { Vault } from '../vault/vault.ts';
import type { DayRange } from './bookings.ts';
import type { Database } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

/** An absence of a child at one facility. Days are local dates, both included. */
export interface AbsenceView extends AbsentDays {
  readonly id: string;
  readonly childId: string;
  readonly facility: string;
  readonly reason: AbsenceReason;
  readonly note: string | null;
  readonly reporterKind: AccountKind;
  /** Milliseconds since 1970. */
  readonly reportedAt: number;
}

export interface NewAbsence extends AbsentDays {
  readonly id: string;
  readonly childId: string;
  readonly reason: AbsenceReason;
  readonly note: string | null;
  readonly reporterKind: AccountKind;
  readonly reportedBy: string;
  readonly reportedAt: number;
}

const labelOf = (id: string) => `absence ${id}`;

/** Adds an absence at each of these facilities, with one id. */
export async function addAbsence(
  trx: Transaction<Database>,
  vault: Vault,
  absence: NewAbsence,
  facilities: readonly string[],
): Promise<void> {
  const { id, childId, reason, note } = absence;
  await trx
    .insertInto('absences')
    .values(
      facilities.map((facility) => ({
        id,
        facility_id: facility,
        child_id: childId,
        from_day: absence.from,
        to_day: absence.to,
        sealed: vault.seal(labelOf(id), Buffer.from(JSON.stringify({ reason, note }))),
        reporter_kind: absence.reporterKind,
        reported_by: absence.reportedBy,
        reported_at: absence.reportedAt,
      })),
    )
    .execute();
}

/** Reason and note; one that cannot be read is `other` without a note. */
function readSealed(vault: Vault, id: string, sealed: Uint8Array): Pick<AbsenceView, 'reason' | 'note'> {
  try {
    const { reason, note } = JSON.parse(vault.open(labelOf(id), sealed).toString('utf8'));
    if (ABSENCE_REASONS.includes(reason)) return { reason, note: typeof note === 'string' ? note : null };
  } catch {
    // Sealed with another key, as after a restore without it. That the child is absent is still true.
  }
  return { reason: 'other', note: null };
}

/** Absences at a facility that overlap the range, by child, in the order of their reports. `childIds`: only of these children. */
export async function findAbsences(
  db: Reader,
  vault: Vault,
  facility: string,
  { from, to }: DayRange,
  childIds?: readonly string[],
): Promise<Map<string, AbsenceView[]>> {
  if (childIds?.length === 0) return new Map();
  const rows = db
    .selectFrom('absences')
    .selectAll()
    .where('facility_id', '=', facility)
    .where('to_day', '>=', from)
    .where('from_day', '<=', to);
  const found = await (childIds ? rows.where('child_id', 'in', childIds) : rows)
    .orderBy('reported_at')
    .orderBy('id')
    .execute();
  return Map.groupBy(
    found.map((row) => ({
      id: row.id,
      childId: row.child_id,
      facility: row.facility_id,
      from: row.from_day,
      to: row.to_day,
      reporterKind: row.reporter_kind,
      reportedAt: row.reported_at,
      ...readSealed(vault, row.id, row.sealed),
    })),
    ({ childId }) => childId,
  );
}

/** Deletes an absence of a child at these facilities; returns those where it was. */
export async function dropAbsence(
  trx: Transaction<Database>,
  childId: string,
  id: string,
  facilities: readonly string[],
): Promise<{ readonly facility: string; readonly from: string; readonly to: string }[]> {
  if (facilities.length === 0) return [];
  const rows = await trx
    .deleteFrom('absences')
    .where('id', '=', id)
    .where('facility_id', 'in', facilities)
    .where('child_id', '=', childId)
    .returning(['facility_id', 'from_day', 'to_day'])
    .execute();
  return rows.map(({ facility_id, from_day, to_day }) => ({
    facility: facility_id,
    from: from_day,
    to: to_day,
  }));
}

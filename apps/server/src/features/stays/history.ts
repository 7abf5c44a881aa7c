/** The history of one child's stays, with the time booked first and each extension. */
import type { PastStay } from '@haris/contract/http/stays';
import type { Actor } from '../../actor.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { type ChildStayRow, findStaysOfChild } from '../../db/attendance.ts';
import { findActorName } from '../../db/audit.ts';
import type { PagePosition } from '../../db/paging.ts';
import { recordReading } from '../../db/read-audit.ts';
import type { StayExtensionRow } from '../../db/schema.ts';
import { findExtensionsOf } from '../../db/stay-extensions.ts';

type NamedExtension = StayExtensionRow & { readonly by_name: string | null };

/** A page of a child's stays, newest first. The first page is recorded in the audit log. */
export async function listStays(
  context: Context,
  actor: Actor,
  childId: string,
  position: PagePosition,
): Promise<{ stays: PastStay[]; total: number; nextCursor: string | null }> {
  const { rows, total, nextCursor } = await findStaysOfChild(context.db, childId, position);
  if (position.cursor === undefined)
    await recordReading(context, actor, {
      action: 'attendance.read',
      subject: { kind: 'child', id: childId },
    });
  const extensions = Map.groupBy(
    await findExtensionsOf(
      context.db,
      rows.map(({ id }) => id),
    ),
    ({ stay_id }) => stay_id,
  );
  const stays = await Promise.all(rows.map((row) => presentStay(context, row, extensions.get(row.id) ?? [])));
  return { stays, total, nextCursor };
}

async function presentStay(
  context: Context,
  row: ChildStayRow,
  extensions: readonly NamedExtension[],
): Promise<PastStay> {
  const nameOf = async (id: string | null, name: string | null) =>
    id === null ? null : (name ?? (await findActorName(context.db, id)));
  return {
    _id: row.id,
    entryTime: toMoment(row.entry_time),
    exitTime: row.exit_time === null ? null : toMoment(row.exit_time),
    booked: extensions[0]?.duration_before ?? row.duration,
    duration: row.duration,
    isVoid: row.voided_at !== null,
    checkedInBy: await nameOf(row.checked_in_by, row.in_name),
    checkedOutBy: await nameOf(row.checked_out_by, row.out_name),
    extensions: await Promise.all(
      extensions.map(async (one) => ({
        minutes: one.duration_after - one.duration_before,
        at: toMoment(one.extended_at),
        by: await nameOf(one.extended_by, one.by_name),
      })),
    ),
  };
}

/** Both sides of conflicts: what a desk tablet told later, and what Haris has; read for many at once (decision 055). */
import { WITHOUT_TICKET } from '@haris/contract/http/desk-conflicts';
import type { Context } from '../../context.ts';
import { findChildKeys } from '../../db/data-keys.ts';
import {
  type DeskConflictRow,
  findReleasesOf,
  findStaysAbout,
  findToldStays,
  type ToldStay,
} from '../../db/desk-conflicts.ts';
import type { ReleaseRow, StayRow } from '../../db/schema.ts';
import { acrossFacilities, currentFacility } from '../../facility.ts';
import type { DataKey } from '../../vault/vault.ts';
import { type EntryDetails, openDetails } from './entry-details.ts';

/** How much earlier or later than in Haris a child can have come for it to be the same visit. Milliseconds. */
const SAME_VISIT_MS = 12 * 3_600_000;

type CameIn = Extract<EntryDetails, { durationInMinutes: number }>;
type Left = Extract<EntryDetails, { collectorId: string }>;

/** What "take" does: a stay begins, or its begin is moved; it ends, or its end is replaced. */
export type Plan =
  | { readonly kind: 'begin'; readonly details: CameIn }
  | { readonly kind: 'move'; readonly stay: StayRow }
  | { readonly kind: 'end' | 'replace'; readonly stay: StayRow; readonly details: Left };

/** A conflict with both sides. */
export interface Sides {
  readonly row: DeskConflictRow;
  /** The key of the child; undefined if there is no such child. */
  readonly key: DataKey | undefined;
  readonly details: EntryDetails | null;
  /** The stay that it is about, here; null: there is none. */
  readonly stay: StayRow | null;
  /** Who took the child at the end of that stay. */
  readonly release: ReleaseRow | null;
  /** Null: it can only be kept as Haris has it. */
  readonly plan: Plan | null;
  /** Changes with either side, and once it is settled. */
  readonly revision: string;
}

/** Whether the ticket was valid, so that somebody answers for the entry. */
export function hasWriter({ staff_id, reason }: DeskConflictRow): boolean {
  return staff_id !== null && !WITHOUT_TICKET.some((one) => one === reason);
}

type Reader = Context['db'];

/** Both sides of some conflicts, in their order, with a fixed number of queries. */
export async function readSides(
  context: Pick<Context, 'vault' | 'log'>,
  db: Reader,
  rows: readonly DeskConflictRow[],
): Promise<Sides[]> {
  if (rows.length === 0) return [];
  const { vault } = context;
  const childIds = [...new Set(rows.map(({ child_id }) => child_id))];
  const entryCodes = [...new Set(rows.map(({ entry_code }) => entry_code))];
  const told = await findToldStays(db, entryCodes);
  const stayIds = [...new Set([...rows, ...told].flatMap(({ stay_id }) => stay_id ?? []))];
  const since = Math.min(...rows.map(({ happened_at }) => happened_at));
  // At any facility: a child is at one place at a time.
  const found = await acrossFacilities(() => findStaysAbout(db, { childIds, since, stayIds, entryCodes }));
  const byChild = Map.groupBy(found, ({ child_id }) => child_id);
  const about = rows.map((row) => {
    const stays = byChild.get(row.child_id) ?? [];
    return { row, stays, stay: stayOf(row, stays, told) };
  });
  const aboutIds = [...new Set(about.flatMap(({ stay }) => stay?.id ?? []))];
  const releases = new Map((await findReleasesOf(db, aboutIds)).map((row) => [row.stay_id, row]));
  const keys = await findChildKeys(db, vault, childIds);
  return about.map(({ row, stays, stay }) => {
    const key = keys.get(row.child_id);
    const details = openDetails(context, key, row);
    const release = (stay && releases.get(stay.id)) ?? null;
    const plan = planOf(row, details, stays, stay);
    return { row, key, details, stay, release, plan, revision: revisionOf(vault, row, stay, release, plan) };
  });
}

/** A stay of a child that goes on at a moment or later. */
const isOver = ({ voided_at, exit_time }: StayRow, at: number) =>
  voided_at === null && (exit_time === null || exit_time > at);
const byBegin = (one: StayRow, other: StayRow) => one.entry_time - other.entry_time;

/** The stay here that a conflict is about. */
function stayOf(row: DeskConflictRow, stays: readonly StayRow[], told: readonly ToldStay[]): StayRow | null {
  const here = stays.filter(({ facility_id }) => facility_id === currentFacility());
  const named = here.find(({ id }) => id === row.stay_id);
  if (named) return named;
  const over = here.filter((stay) => isOver(stay, row.happened_at)).sort(byBegin);
  if (row.kind === 'check_in') return over[0] ?? null;
  const toldId = told.find(
    (one) =>
      one.desk_id === row.desk_id && one.child_id === row.child_id && one.entry_code === row.entry_code,
  )?.stay_id;
  return (
    here.find(({ unique_entry_id, id }) => unique_entry_id === row.entry_code || id === toldId) ??
    // Nobody knows the stay that the tablet names: the child can only have left from the one that it was in.
    over.find(({ entry_time }) => entry_time <= row.happened_at) ??
    null
  );
}

function planOf(
  row: DeskConflictRow,
  details: EntryDetails | null,
  stays: readonly StayRow[],
  stay: StayRow | null,
): Plan | null {
  // What has had its effect is as the desk wrote it already.
  if (row.settled_at !== null || row.took_effect === 1 || !details) return null;
  const at = row.happened_at;
  if (!('collectorId' in details)) {
    const first = stays.filter((one) => isOver(one, at)).sort(byBegin)[0];
    if (!first) return { kind: 'begin', details };
    const isSameVisit = first.id === stay?.id && Math.abs(first.entry_time - at) <= SAME_VISIT_MS;
    return isSameVisit ? { kind: 'move', stay: first } : null;
  }
  if (!stay || stay.voided_at !== null || at < stay.entry_time) return null;
  // Nobody leaves from one visit during the next.
  const isWithinNext = stays.some(
    (one) =>
      one.id !== stay.id &&
      one.voided_at === null &&
      one.entry_time >= stay.entry_time &&
      one.entry_time < at,
  );
  if (isWithinNext) return null;
  return { kind: stay.exit_time === null ? 'end' : 'replace', stay, details };
}

function revisionOf(
  vault: Context['vault'],
  row: DeskConflictRow,
  stay: StayRow | null,
  release: ReleaseRow | null,
  plan: Plan | null,
): string {
  const now = [
    [row.id, row.settled_at],
    stay && [stay.id, stay.entry_time, stay.exit_time, stay.voided_at, stay.checked_out_by],
    release && [release.adult_id, release.at, release.proof, release.released_by],
    plan?.kind ?? null,
  ];
  return vault.mac('desk conflict', JSON.stringify(now));
}

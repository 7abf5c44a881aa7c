/** Pages of incidents for staff and for parents, and the incidents that match a filter of staff. */
import { type Kysely, sql, type Transaction } from 'kysely';
import { isFirstGuardianOf, isKnownTo } from './guardians/conditions.ts';
import { findPage, newestFirst, type Page, type PagePosition } from './paging.ts';
import type { Database, IncidentRow } from './schema.ts';

type Reader = Kysely<Database> | Transaction<Database>;

export interface IncidentsFilter extends PagePosition {
  readonly onlyOpen: boolean;
  /** Only these kinds. */
  readonly kinds?: readonly IncidentRow['kind'][] | undefined;
  /** Only incidents of this area, or with a subject in it. */
  readonly area?: string | undefined;
  /**
   * Only incidents not for staff: of `kindsOfGuardian` about children whose guardian this parent is, since then, and of
   * `kindsOfFirst` about those whose first guardian; and open ones of `kindsInside` at the facilities where a child is
   * `inside`. Without it, only incidents for staff.
   */
  readonly parent?: {
    readonly id: string;
    readonly kindsOfGuardian: readonly IncidentRow['kind'][];
    readonly kindsOfFirst: readonly IncidentRow['kind'][];
    readonly kindsInside: readonly IncidentRow['kind'][];
    readonly inside: readonly string[];
  };
}

function selectMatching(db: Reader, { kinds, area }: Pick<IncidentsFilter, 'kinds' | 'area'>) {
  let matching = db.selectFrom('incidents');
  // An empty list of kinds matches nothing.
  if (kinds)
    matching = matching.where((eb) => (kinds.length === 0 ? eb.lit(false) : eb('kind', 'in', kinds)));
  if (area !== undefined)
    matching = matching.where((eb) =>
      eb.or([
        eb('area', '=', area),
        eb(
          'id',
          'in',
          eb.selectFrom('incident_subjects').select('incident_id').where('incident_subjects.area', '=', area),
        ),
      ]),
    );
  return matching;
}

/** Ids of open incidents for staff that nobody has acknowledged, in the order in which they are locked. */
export async function findUnacknowledgedIds(
  db: Reader,
  filter: Pick<IncidentsFilter, 'kinds' | 'area'>,
): Promise<string[]> {
  const rows = await selectMatching(db, filter)
    .select('id')
    .where('for_staff', '=', 1)
    .where('cleared_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** A page of incidents, newest first. */
export async function findIncidentsPage(db: Reader, filter: IncidentsFilter): Promise<Page<IncidentRow>> {
  let matching = selectMatching(db, filter);
  if (filter.onlyOpen) matching = matching.where('cleared_at', 'is', null);
  const { parent } = filter;
  if (!parent) matching = matching.where('for_staff', '=', 1);
  else
    matching = matching.where((eb) =>
      eb.or([
        eb.and([
          eb('for_staff', '=', 0),
          eb('kind', 'in', parent.kindsOfGuardian),
          isKnownTo(parent.id, 'incidents.subject_id', 'incidents.raised_at'),
        ]),
        eb.and([
          eb('for_staff', '=', 0),
          eb('kind', 'in', parent.kindsOfFirst),
          isFirstGuardianOf(parent.id, 'incidents.subject_id'),
        ]),
        // Nobody is a guardian of a child that was deleted; the account that it had keeps its past.
        eb.and([
          eb('parent_id', '=', parent.id),
          eb('kind', 'in', [...parent.kindsOfGuardian, ...parent.kindsOfFirst]),
          sql<boolean>`not exists (select 1 from children where children.id = incidents.subject_id)`,
        ]),
        // The parent's own scope may be all facilities, so the query names those that concern the parent.
        ...(parent.inside.length > 0
          ? [
              eb.and([
                eb('cleared_at', 'is', null),
                eb('kind', 'in', parent.kindsInside),
                eb('facility_id', 'in', parent.inside),
              ]),
            ]
          : []),
      ]),
    );
  return findPage(matching, (found) => found.selectAll(), newestFirst('incidents', 'raised_at'), filter);
}

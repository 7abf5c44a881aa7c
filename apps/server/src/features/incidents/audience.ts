/** The people whom a step of an incident notifies. */
import type { Context } from '../../context.ts';
import { findGuardiansOf } from '../../db/guardians/of-child.ts';
import {
  addReachedPeople,
  findReachedPeople,
  findSignedInStaffIds,
  findStaffIds,
  type Person,
} from '../../db/incident-people.ts';
import type { IncidentRow, IncidentStepRow } from '../../db/schema.ts';
import { findParentIdsInside } from '../../db/stays.ts';
import { type Audience, ladderOf } from './ladders.ts';
import { isForGuardians } from './policy.ts';

/**
 * The people of a step, each once; for the end of an incident, everybody whom one of its steps has reached. Records that
 * the incident has reached them.
 */
export async function findAudience(
  context: Context,
  incident: IncidentRow,
  { phase, step }: Pick<IncidentStepRow, 'phase' | 'step'>,
): Promise<Person[]> {
  const { db } = context;
  if (phase === 'cleared') return endsQuietly(incident) ? [] : findReachedPeople(db, incident.id);
  const people = new Map<string, Person>();
  for (const audience of ladderOf(incident)[step]?.audience ?? ['staff'])
    for (const person of await findPeople(context, incident, audience))
      people.set(`${person.kind} ${person.id}`, person);
  const reached = [...people.values()];
  await addReachedPeople(db, incident.id, reached);
  return reached;
}

/**
 * "Is the child coming?" and "please read about an accident" are one notification each: their end is the family's own answer,
 * the child at the door, or staff's correction (decisions 051 and 052). An overdue sleep check also ends when a newer
 * alert follows, and nobody may read then that the child was checked.
 */
function endsQuietly({ kind, for_staff }: IncidentRow): boolean {
  if (kind === 'sleep_check_overdue') return true;
  return (kind === 'expected_not_here' || kind === 'accident') && for_staff === 0;
}

async function findPeople(
  { db, clock }: Context,
  incident: IncidentRow,
  audience: Audience,
): Promise<Person[]> {
  switch (audience) {
    case 'parent': {
      const guardians = incident.subject_id === null ? [] : await findGuardiansOf(db, incident.subject_id);
      return guardians
        .filter(({ isFirst }) => isFirst || isForGuardians(incident.kind))
        .map(({ parentId }) => ({ kind: 'parent', id: parentId }));
    }
    case 'parents_inside':
      return (await findParentIdsInside(db, incident.facility_id)).map((id) => ({ kind: 'parent', id }));
    case 'desk':
      return orAllStaff(db, await findSignedInStaffIds(db, clock.now()));
    case 'staff':
      return orAllStaff(db, []);
    case 'administrators':
      return orAllStaff(db, await findStaffIds(db, 'installation.operate'));
  }
}

/** These staff members, or all who see incidents if there are none, because an incident must reach somebody. */
async function orAllStaff(db: Context['db'], ids: readonly string[]): Promise<Person[]> {
  const found = ids.length > 0 ? ids : await findStaffIds(db, 'incidents.view');
  return found.map((id) => ({ kind: 'admin', id }));
}

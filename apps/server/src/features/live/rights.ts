/** Decides who may watch which children and cameras, from the state of the database at one moment. */
import { sockets } from '@haris/contract/live/sockets';
import type { Permission } from '@haris/contract/permissions';
import { subjectKey } from '@haris/contract/subject';
import type { VisionView } from '@haris/contract/vision-live';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import { type ChildView, findChildNames, findChildrenByIds, findGuardedChildren } from '../../db/children.ts';
import type { CameraRow } from '../../db/schema.ts';
import { sessionKey } from '../../db/sessions.ts';
import { inFacility } from '../../facility.ts';
import { findStillAdmitted } from '../../http/openings.ts';
import { may } from '../../policy.ts';
import { findAdultNames } from '../../vision/adults.ts';
import type { Named } from './picture-encoder.ts';
import type { EndReason } from './sink.ts';

/** Maximum number of children in a family's view, set by the protocol of the engine. */
const FAMILY_MAX = 20;

const NO_PERMISSIONS: ReadonlySet<Permission> = new Set();

export interface Subject {
  readonly kind: 'child' | 'camera';
  readonly id: string;
}

/** An actor who watches a subject. */
export interface Viewing {
  readonly actor: Actor;
  readonly subject: Subject;
}

/** People to name, by subject id: those who are known at a facility, by its id. */
export type People = ReadonlyMap<string, ReadonlyMap<string, Named>>;

export interface Facts {
  /** The valid sessions by `sessionKey`, with the current permissions of their staff member. */
  readonly sessions: ReadonlyMap<string, ReadonlySet<Permission>>;
  readonly children: ReadonlyMap<string, ChildView>;
  /** Children inside, by each guardian who may watch them. */
  readonly insideOf: ReadonlyMap<string, readonly ChildView[]>;
  readonly cameras: readonly CameraRow[];
  /** People to name in the pictures of staff; null if no staff watch. */
  readonly people: People | null;
}

/** Reads the facts for all viewings. Rejects if the database fails. */
export async function findFacts(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  all: readonly Viewing[],
): Promise<Facts> {
  const { db } = context;
  const childIds = all.filter(({ subject }) => subject.kind === 'child').map(({ subject }) => subject.id);
  const parentIds = all.filter(({ actor }) => actor.kind === 'parent').map(({ actor }) => actor.id);
  const sessions = await findStillAdmitted(
    context,
    sockets.liveSocket,
    all.map(({ actor }) => actor),
  );
  const children = await findChildrenByIds(db, [...new Set(childIds)]);
  const guarded = await findGuardedChildren(db, [...new Set(parentIds)]);
  const inside = guarded.filter((child) => child.unique_entry_id !== null);
  return {
    sessions,
    children: new Map(children.map((child) => [child.id, child])),
    insideOf: new Map(
      [...new Set(parentIds)].map((id) => {
        const parent = { kind: 'parent', id, permissions: NO_PERMISSIONS } as const;
        return [id, inside.filter(({ guardians }) => may(parent, 'live.watch', guardians))];
      }),
    ),
    cameras: await findCameras(db),
    people: await findPeople(db, all),
  };
}

/** A picture names nobody who is unknown at the facility of its camera, even if the engine believes to see them. */
async function findPeople(db: Context['db'], all: readonly Viewing[]): Promise<People | null> {
  const staff = all.filter(({ actor }) => actor.kind === 'admin');
  if (staff.length === 0) return null;
  const found = new Map<string, ReadonlyMap<string, Named>>();
  for (const facility of new Set(staff.flatMap(({ actor }) => actor.facility ?? [])))
    found.set(facility, await inFacility(facility, () => findPeopleHere(db)));
  return found;
}

async function findPeopleHere(db: Context['db']): Promise<ReadonlyMap<string, Named>> {
  const children = await findChildNames(db);
  return new Map<string, Named>([
    ...[...children].map(
      ([id, name]) => [subjectKey({ kind: 'child', id }), { name, kind: 'child' }] as const,
    ),
    ...(await findAdultNames(db)),
  ]);
}

/** Why the viewing must end; null if it may continue. Pure. */
export function findEnd({ actor: opener, subject }: Viewing, facts: Facts): EndReason | null {
  const permissions = facts.sessions.get(sessionKey(opener));
  if (!permissions) return 'signed_out';
  // A role may have changed since the video was opened.
  const actor = { ...opener, permissions };
  if (subject.kind === 'camera')
    return may(actor, 'live.watch') &&
      facts.cameras.some(({ id, facility_id }) => id === subject.id && isAt(actor, facility_id))
      ? null
      : 'no_right';
  const child = facts.children.get(subject.id);
  if (!child || !may(actor, 'live.watch', child.guardians)) return 'no_right';
  return child.unique_entry_id === null || !isAt(actor, child.stay_facility_id) ? 'checked_out' : null;
}

/** Whether something at a facility may be shown: staff see only their own facility. Pure. */
function isAt({ kind, facility }: Actor, where: string | null): boolean {
  return kind === 'parent' || facility === where;
}

/** View of a camera that the actor may see. Pure. */
export function viewOf({ actor }: Viewing, facts: Facts): VisionView {
  if (facts.sessions.get(sessionKey(actor))?.has('live.watch')) return { kind: 'whole' };
  const family = facts.insideOf.get(actor.id) ?? [];
  return { kind: 'only', childIds: family.map((child) => child.id).slice(0, FAMILY_MAX) };
}

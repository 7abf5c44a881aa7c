/** Who may look on at what, as the database says it at one moment. */
import type { VisionView } from '@haris/contract/vision-live';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findCameras } from '../../db/cameras.ts';
import { type ChildView, findChildrenByIds, findChildrenOf } from '../../db/children.ts';
import type { CameraRow } from '../../db/schema.ts';
import { findLiveSessions } from '../../db/sessions.ts';
import { mayWatchCamera, mayWatchChild } from '../../http/policy.ts';
import { findAdultNames } from '../../vision/adults.ts';
import type { Named } from './feeds.ts';
import type { EndReason } from './sink.ts';

/** Children of one family in one picture, as the wire allows. */
const FAMILY_MOST = 20;

export interface Subject {
  readonly kind: 'child' | 'camera';
  readonly id: string;
}

/** Who looks on at whom. */
export interface Looking {
  readonly actor: Actor;
  readonly subject: Subject;
}

export interface Facts {
  readonly sessions: ReadonlySet<string>;
  readonly children: ReadonlyMap<string, ChildView>;
  /** Children inside, by parent. */
  readonly insideOf: ReadonlyMap<string, readonly ChildView[]>;
  readonly cameras: readonly CameraRow[];
  /** Everybody whom staff's pictures may name, by what the face engine calls them; null where no staff look on. */
  readonly people: ReadonlyMap<string, Named> | null;
}

/** Rejects when the database does not answer. */
export async function findFacts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  all: readonly Looking[],
): Promise<Facts> {
  const childIds = all.filter(({ subject }) => subject.kind === 'child').map(({ subject }) => subject.id);
  const parentIds = all.filter(({ actor }) => actor.kind === 'parent').map(({ actor }) => actor.id);
  const sessionHashes = all.map(({ actor }) => actor.session);
  const sessions = await findLiveSessions(db, [...new Set(sessionHashes)], clock.now());
  const children = await findChildrenByIds(db, [...new Set(childIds)]);
  const families = await findChildrenOf(db, [...new Set(parentIds)]);
  return {
    sessions,
    children: new Map(children.map((child) => [child.id, child])),
    insideOf: Map.groupBy(
      families.filter((child) => child.unique_entry_id !== null),
      (child) => child.parent_id,
    ),
    cameras: await findCameras(db),
    people: all.some(({ actor }) => actor.kind === 'admin') ? await findPeople(db) : null,
  };
}

async function findPeople(db: Context['db']): Promise<ReadonlyMap<string, Named>> {
  const children = await db.selectFrom('children').select(['id', 'name']).execute();
  return new Map<string, Named>([
    ...children.map(({ id, name }) => [id, { name, kind: 'child' }] as const),
    ...(await findAdultNames(db)),
  ]);
}

/** Why the look must end by these facts, or null. Pure. */
export function findEnd({ actor, subject }: Looking, facts: Facts): EndReason | null {
  if (!facts.sessions.has(actor.session)) return 'signed_out';
  if (subject.kind === 'camera')
    return mayWatchCamera(actor) && facts.cameras.some((camera) => camera.id === subject.id)
      ? null
      : 'no_right';
  const child = facts.children.get(subject.id);
  if (!child || !mayWatchChild(actor, child)) return 'no_right';
  return child.unique_entry_id === null ? 'checked_out' : null;
}

/** What of a camera somebody may see by these facts. Pure. */
export function viewOf({ actor }: Looking, facts: Facts): VisionView {
  if (actor.kind === 'admin') return { kind: 'whole', behindZones: false };
  const family = facts.insideOf.get(actor.id) ?? [];
  return { kind: 'only', childIds: family.map((child) => child.id).slice(0, FAMILY_MOST) };
}

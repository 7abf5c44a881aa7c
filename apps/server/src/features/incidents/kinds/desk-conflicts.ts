/** What desk tablets told later and does not fit, until staff have settled it (decision 055). */
import type { Context } from '../../../context.ts';
import { type ChildInConflict, findChildrenInConflict } from '../../../db/desk-conflicts.ts';
import { findOpenSubjects } from '../../../db/incident-subjects.ts';
import { findOpenIncidents } from '../../../db/incidents.ts';
import type { Detector } from '../detection.ts';
import type { Finding } from '../lifecycle.ts';

const KINDS = ['desk_conflict'] as const;

/** Ids that no child here has are one subject together, so that nobody can fill the alert with them. */
const UNKNOWN = 'unknown';

/** A subject of an open alert. */
interface Covered {
  readonly condition: string;
  /** Of a child, or {@link UNKNOWN}. */
  readonly key: string;
  /** Conflicts told until then were there when it was raised. Milliseconds since 1970. */
  readonly upTo: number;
  readonly isAcknowledged: boolean;
}

/**
 * The children about whom conflicts are open. An alert that nobody has acknowledged covers what comes later too; what comes after one
 * that was acknowledged is told again.
 */
export function detectDeskConflicts({ db }: Pick<Context, 'db'>): Detector {
  return async () => {
    const covered = Map.groupBy(await findCovered(db), ({ key }) => key);
    const children = await findChildrenInConflict(db);
    const unknown = together(children.filter(({ isKnown }) => !isKnown));
    const subjects = [...children.filter(({ isKnown }) => isKnown), ...(unknown ? [unknown] : [])];
    const findings = subjects.flatMap((child): Finding[] => {
      const key = child.isKnown ? child.childId : UNKNOWN;
      const subject = { kind: 'child', id: child.childId } as const;
      const conditions = conditionsOf(key, child, covered.get(key) ?? []);
      return conditions.map((condition) => ({ kind: 'desk_conflict', condition, subject }));
    });
    return { kinds: KINDS, findings };
  };
}

async function findCovered(db: Context['db']): Promise<Covered[]> {
  const open = await findOpenIncidents(db, KINDS);
  const acknowledged = new Set(
    open.filter(({ acknowledged_at }) => acknowledged_at !== null).map(({ id }) => id),
  );
  return (await findOpenSubjects(db, KINDS)).map(({ condition, incident_id }) => {
    const [, key = '', upTo = ''] = condition.split(' ');
    return { condition, key, upTo: Number(upTo), isAcknowledged: acknowledged.has(incident_id) };
  });
}

function together(children: readonly ChildInConflict[]): ChildInConflict | undefined {
  const [first] = children.toSorted((one, other) => one.oldestAt - other.oldestAt);
  return first && { ...first, newestAt: Math.max(...children.map(({ newestAt }) => newestAt)) };
}

function conditionsOf(key: string, child: ChildInConflict, covered: readonly Covered[]): string[] {
  const { oldestAt, newestAt } = child;
  const holding = covered.filter(({ isAcknowledged, upTo }) => !isAcknowledged || oldestAt <= upTo);
  const isTold = holding.some(({ isAcknowledged, upTo }) => !isAcknowledged || newestAt <= upTo);
  const conditions = holding.map(({ condition }) => condition);
  return isTold ? conditions : [...conditions, `desk_conflict ${key} ${newestAt}`];
}

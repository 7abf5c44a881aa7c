/** Paths of screens that other screens link to (spec §2). */
import type { AccountKind } from '@haris/contract/roles';

/** Login, in admin mode for staff. */
export function loginPath(kind: AccountKind): string {
  return kind === 'admin' ? '/login?isAdmin=true' : '/login';
}

/** Home screen of each kind of account. */
export function homePath(kind: AccountKind): string {
  return kind === 'admin' ? '/adminDashboard' : '/profile';
}

const PARENT_ONLY = /^\/(profile|liveFeed)\b/;
const STAFF_ONLY =
  /^\/(adminDashboard|viewEmployees|roles|facilities|visitors|importFamilies|cameras|rooms|headCounts|deskConflicts|kiosks|auditLog|sensors|settings|alarmSettings|incidents|checkFace|reports)\b/;

/**
 * Target after signing in: the path that a guard or an ended session stored in `location.state.from`, if it is our own
 * and this kind of account may see it; else home.
 */
export function pathAfterLogin(state: unknown, kind: AccountKind): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  if (typeof from !== 'string' || !/^\/(?!\/)/.test(from)) return homePath(kind);
  const isForeign = (kind === 'admin' ? PARENT_ONLY : STAFF_ONLY).test(from);
  return isForeign ? homePath(kind) : from;
}

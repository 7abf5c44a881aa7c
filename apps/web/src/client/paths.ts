/** Paths of the screens that others point to (spec §2). */
import type { AccountKind } from '@haris/contract/roles';

/** Login, in admin mode for staff. */
export function loginPath(kind: AccountKind): string {
  return kind === 'admin' ? '/login?isAdmin=true' : '/login';
}

/** Where each kind of account lands after signing in. */
export function homePath(kind: AccountKind): string {
  return kind === 'admin' ? '/adminDashboard' : '/profile';
}

const PARENT_ONLY = /^\/(profile|liveFeed)\b/;
const STAFF_ONLY =
  /^\/(adminDashboard|viewEmployees|checkFace|reports|importFamilies|auditLog|sensors|cameras|incidents|alarmSettings)\b/;

/**
 * Where this kind of account goes after signing in: back to what a guard or an ended session kept in
 * `location.state.from`, if it is a path of ours that this kind may see; else home.
 */
export function pathAfterLogin(state: unknown, kind: AccountKind): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  if (typeof from !== 'string' || !/^\/(?!\/)/.test(from)) return homePath(kind);
  const isForeign = (kind === 'admin' ? PARENT_ONLY : STAFF_ONLY).test(from);
  return isForeign ? homePath(kind) : from;
}

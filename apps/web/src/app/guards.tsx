/** Guards of screens (spec §2, §6): everybody else is redirected to the matching login. */
import type { Permission } from '@haris/contract/permissions';
import { Outlet, useLocation, useMatches, useSearchParams } from 'react-router';
import { useMay } from '../session/may.ts';
import { loginPath } from '../session/paths.ts';
import { useSession } from '../session/session.tsx';
import { isWorkingStaff } from '../session/working-staff.ts';
import { Redirect } from '../ui/redirect.tsx';
import { AddFactor } from './add-factor.ts';
import { NoAccess } from './no-access.ts';
import { OwnPassword } from './own-password.ts';

/**
 * Redirects to the login of a session that has just ended, else to `to`; signing in leads back here. After a sign-out
 * it redirects home, because the router draws a lazy home later than the session ends, despite `flushSync`.
 */
function Away({ to }: { to: string }) {
  const { pathname, search } = useLocation();
  const { endedKind, hasSignedOut } = useSession();
  if (hasSignedOut) return <Redirect to="/" replace />;
  const target = endedKind === null ? to : loginPath(endedKind);
  return <Redirect to={target} state={{ from: pathname + search }} replace />;
}

/** Redirects everybody but parents to /login. */
export function ParentOnly() {
  const { parent } = useSession();
  return parent.isAuthenticated ? <Outlet /> : <Away to={loginPath('parent')} />;
}

/**
 * Shows the screen, except to staff who still have the password that somebody else set: that person knows it. The
 * server accepts such a session, and the audit log names who set the password. Staff who must have a second factor set
 * it up first: until then the server answers nothing else.
 */
function OwnScreen() {
  const { admin } = useSession();
  if (admin.identity?.mustAddFactor === true) return <AddFactor />;
  return admin.identity !== null && admin.identity.setUpBy !== null ? <OwnPassword /> : <Outlet />;
}

/** The `handle` of a route that staff may open only with all these permissions. */
export function needs(...permissions: readonly Permission[]) {
  return { needs: permissions };
}

const NOTHING: readonly Permission[] = [];

/**
 * Whether the signed-in person's role does not include the current screen. False for staff who still set up their
 * account.
 */
function useIsLacking(): boolean {
  const { admin } = useSession();
  const may = useMay();
  const handle: unknown = useMatches().at(-1)?.handle;
  const needed =
    typeof handle === 'object' && handle !== null && 'needs' in handle
      ? (handle.needs as readonly Permission[])
      : NOTHING;
  return isWorkingStaff(admin.identity) && !needed.every(may);
}

/**
 * Redirects everybody but staff to the warning before the admin login. Shows a message if the person's role does not
 * include the screen.
 */
export function StaffOnly() {
  const { admin } = useSession();
  const isLacking = useIsLacking();
  if (!admin.isAuthenticated) return <Away to="/adminPreLogin" />;
  return isLacking ? <NoAccess /> : <OwnScreen />;
}

/** Admits every signed-in account of either kind. */
export function SignedIn() {
  const { parent, admin } = useSession();
  return parent.isAuthenticated || admin.isAuthenticated ? <OwnScreen /> : <Away to={loginPath('parent')} />;
}

/** Guard of Add Child: admits parents for their own account, and staff for the parent named in the query. */
export function ParentOrStaffForParent() {
  const { parent, admin } = useSession();
  const [query] = useSearchParams();
  const forParent = query.get('parentId');
  const isLacking = useIsLacking();
  if (parent.isAuthenticated) return <Outlet />;
  if (admin.isAuthenticated && isLacking) return <NoAccess />;
  if (admin.isAuthenticated) return forParent ? <OwnScreen /> : <Redirect to="/adminDashboard" replace />;
  return <Away to={forParent ? '/adminPreLogin' : loginPath('parent')} />;
}

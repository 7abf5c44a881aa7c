/** Who may see a screen (spec §2, §6): everyone else is sent to the login of the kind that may. */
import { Outlet, useLocation, useSearchParams } from 'react-router';
import { loginPath } from '../client/paths.ts';
import { useSession } from '../client/session.tsx';
import { Redirect } from '../ui/redirect.tsx';
import { OwnPassword } from './own-password.ts';

/**
 * Away from here: to the login of a session that has just ended, else to `to`; and back here after signing in.
 * After signing out: home. The router draws a lazy home later than the session ends, whatever `flushSync` says.
 */
function Away({ to }: { to: string }) {
  const { pathname, search } = useLocation();
  const { endedKind, hasSignedOut } = useSession();
  if (hasSignedOut) return <Redirect to="/" replace />;
  const target = endedKind === null ? to : loginPath(endedKind);
  return <Redirect to={target} state={{ from: pathname + search }} replace />;
}

/** Not signed in as a parent: to /login. */
export function ParentOnly() {
  const { parent } = useSession();
  return parent.isAuthenticated ? <Outlet /> : <Away to={loginPath('parent')} />;
}

/**
 * The screen, for staff only once their password is their own: whoever made the account knows the first one. The server
 * lets such a session work, and says in the audit log whose password it is.
 */
function OwnScreen() {
  const { admin } = useSession();
  return admin.identity !== null && admin.identity.setUpBy !== null ? <OwnPassword /> : <Outlet />;
}

/** Not signed in as staff: to the warning before the admin login. */
export function StaffOnly() {
  const { admin } = useSession();
  return admin.isAuthenticated ? <OwnScreen /> : <Away to="/adminPreLogin" />;
}

/** Whoever is signed in, as either kind. */
export function SignedIn() {
  const { parent, admin } = useSession();
  return parent.isAuthenticated || admin.isAuthenticated ? <OwnScreen /> : <Away to={loginPath('parent')} />;
}

/** Add Child: a parent for the own account, or staff for the parent that the query names. */
export function ParentOrStaffForParent() {
  const { parent, admin } = useSession();
  const [query] = useSearchParams();
  const forParent = query.get('parentId');
  if (parent.isAuthenticated) return <Outlet />;
  if (admin.isAuthenticated) return forParent ? <OwnScreen /> : <Redirect to="/adminDashboard" replace />;
  return <Away to={forParent ? '/adminPreLogin' : loginPath('parent')} />;
}

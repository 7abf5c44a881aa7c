/**
 * Permissions of the signed-in staff member (decision 042). The server decides; the page only hides what it would
 * refuse.
 */
import type { Permission } from '@haris/contract/permissions';
import { useCallback } from 'react';
import { useSession } from './session.tsx';

export type May = (permission: Permission) => boolean;

/** False for everything while nobody is known, and for parents. Stable while the permissions are the same. */
export function useMay(): May {
  const permissions = useSession().admin.identity?.permissions;
  return useCallback((permission) => permissions?.includes(permission) ?? false, [permissions]);
}

/** Register Entry finds the family first, so it needs both. */
export function useMayRegisterEntry(): boolean {
  const may = useMay();
  return may('children.check_in') && may('families.view');
}

/**
 * Like {@link useMay}, but for data that parents also get about their own family: true while no staff member is signed
 * in.
 */
export function useSees(permission: Permission): boolean {
  const may = useMay();
  return !useSession().admin.isAuthenticated || may(permission);
}

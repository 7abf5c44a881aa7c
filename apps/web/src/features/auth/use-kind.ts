/** Admin mode of the sign-in screens: `?isAdmin=true` (spec §2). */
import type { AccountKind } from '@haris/contract/roles';
import { useSearchParams } from 'react-router';

export function useKind(): AccountKind {
  const [query] = useSearchParams();
  return query.get('isAdmin') === 'true' ? 'admin' : 'parent';
}

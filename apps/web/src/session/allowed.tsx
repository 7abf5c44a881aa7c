/** Shows a part of the page only to staff with its permission. */
import type { Permission } from '@haris/contract/permissions';
import type { ReactNode } from 'react';
import { useMay } from './may.ts';

export interface AllowedProps {
  to: Permission;
  children: ReactNode;
}

/** For single parts. A long list asks {@link useMay} once and passes the answer on, because a session changes often. */
export function Allowed({ to, children }: AllowedProps) {
  return useMay()(to) ? children : null;
}

/** Addresses for phones: this page's address if other devices can open it, then those that the server knows. */
import type { Setup } from '@haris/contract/http/setup';
import { useMemo } from 'react';
import { isOnThisMachineOnly } from './queries.ts';

/** Best first; empty if no phone can connect. */
export function useAddressesForPhones(setup: Setup | undefined): string[] {
  const known = setup?.reach.addresses;
  return useMemo(() => {
    const named = (known ?? []).map(({ url }) => url);
    const secure = (known ?? []).filter((address) => address.secure).map(({ url }) => url);
    const own = isOnThisMachineOnly() ? [] : [location.origin];
    return [...new Set([...secure, ...own, ...named])];
  }, [known]);
}

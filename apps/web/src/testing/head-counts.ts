/** A head count for page tests, as in the contract. */
import type { CountedChild, HeadCount } from '@haris/contract/http/head-counts';

/** A child who is awaited. */
export function countedChild(more: Partial<CountedChild> & { readonly name: string }): CountedChild {
  return {
    childId: `child-${more.name.toLowerCase()}`,
    photo: null,
    state: 'open',
    isAdded: false,
    room: 'Garden',
    by: null,
    at: null,
    incidentId: null,
    isFound: false,
    lastSeen: null,
    ...more,
  };
}

/** From the garden to the bees, begun now. */
export function headCount(more: Partial<HeadCount> = {}): HeadCount {
  const now = Date.now();
  return {
    _id: 'count-1',
    from: { _id: 'garden', name: 'Garden' },
    to: { _id: 'bees', name: 'Bees' },
    state: 'open',
    startedAt: new Date(now).toISOString(),
    startedBy: { _id: 'admin-salma', name: 'Salma Adel' },
    alertsAt: new Date(now + 110_000).toISOString(),
    endedAt: null,
    endedBy: null,
    children: [],
    ...more,
  };
}

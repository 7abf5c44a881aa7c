/** Photos are blobs in memory: what the query cache lets go is given back here. Knows no call. */
import type { QueryClient } from '@tanstack/react-query';
import { keys } from './query-client.ts';

/** Gives the memory of photos back when the cache drops or replaces them. Call once per client. */
export function revokeDroppedPhotos(client: QueryClient): void {
  const urls = new Map<string, string>();
  client.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== keys.photo || (type !== 'removed' && type !== 'updated')) return;
    const held = urls.get(query.queryHash);
    const current: unknown = type === 'removed' ? undefined : query.state.data;
    if (held === current) return;
    if (held !== undefined) URL.revokeObjectURL(held);
    if (typeof current === 'string') urls.set(query.queryHash, current);
    else urls.delete(query.queryHash);
  });
}

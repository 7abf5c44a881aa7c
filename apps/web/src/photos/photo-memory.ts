/** Revokes the object URLs of photos that the query cache has dropped. */
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../calls/query-client.ts';

/** Revokes photos when the cache drops or replaces them. Call once per client. Returns a function that stops this. */
export function revokeDroppedPhotos(client: QueryClient): () => void {
  const urls = new Map<string, string>();
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== keys.photo || (type !== 'removed' && type !== 'updated')) return;
    const held = urls.get(query.queryHash);
    const current: unknown = type === 'removed' ? undefined : query.state.data;
    if (held === current) return;
    if (held !== undefined) URL.revokeObjectURL(held);
    if (typeof current === 'string') urls.set(query.queryHash, current);
    else urls.delete(query.queryHash);
  });
}

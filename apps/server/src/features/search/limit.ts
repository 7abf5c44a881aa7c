/** Limits the searches of one account, so that a runaway page does not take the server's time. Per server, in memory. */
import { SEARCHES_AT_ONCE, SEARCHES_PER_SECOND } from '@haris/contract/http/search';
import { AppError } from '../../app-error.ts';
import { createTokenBucket } from '../../token-bucket.ts';

/** Maximum number of remembered accounts; the least recent one is forgotten first. */
const ACCOUNTS = 1000;

/** Returns a function that counts one search of an account. It throws `too_many_attempts`. */
export function createSearchLimit(): (accountId: string) => void {
  const buckets = new Map<string, (now: number) => boolean>();
  return (accountId) => {
    const bucket = buckets.get(accountId) ?? createTokenBucket(SEARCHES_AT_ONCE, SEARCHES_PER_SECOND);
    buckets.delete(accountId);
    buckets.set(accountId, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > ACCOUNTS && oldest !== undefined) buckets.delete(oldest);
    if (!bucket(performance.now())) throw new AppError('too_many_attempts', { retryAfter: 1 });
  };
}

/** How this desk acts on one child: safe to press twice, shown at once when the server has said yes. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import type { Child } from '@haris/contract/objects';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../client/api-error.ts';
import { keys } from '../../client/query-client.ts';
import { type AttemptOutcome, createAttemptKeys } from './attempt-keys.ts';
import { withChildInFamilies, withChildInside } from './children-cache.ts';
import { type Families, familiesKey, insideKey } from './queries.ts';

/** One for the page, not per button: a row that is drawn anew must not forget the attempt that is open. */
const attempts = createAttemptKeys();

/** Puts news of a child into every list on screen. */
export function showChild(client: QueryClient, child: Child): void {
  client.setQueryData<readonly Child[]>(insideKey, (inside) => inside && withChildInside(inside, child));
  client.setQueriesData<Families>({ queryKey: familiesKey }, (families) =>
    families === undefined
      ? undefined
      : {
          ...families,
          pages: families.pages.map((page) => ({
            ...page,
            parents: withChildInFamilies(page.parents, child),
          })),
        },
  );
  // What is being read at this moment may be older than the news and would overwrite it.
  if (client.isFetching({ queryKey: familiesKey }) > 0) {
    void client.invalidateQueries({ queryKey: familiesKey });
  }
}

/** Without an answer (or with one that says "in a moment") nobody knows whether it was done: the retry needs the same key. */
function outcomeOf(error: unknown): AttemptOutcome {
  return error instanceof ApiError && error.status > 0 && error.status < 500 ? 'answered' : 'unknown';
}

/** Sends what is done to one child with the key of its attempt, and shows what came of it. Throws the `ApiError`. */
export async function attempt(
  client: QueryClient,
  subject: string,
  send: (headers: Record<string, string>) => Promise<{ child: Child }>,
): Promise<Child> {
  try {
    const { child } = await send({ [IDEMPOTENCY_KEY_HEADER]: attempts.keyFor(subject) });
    attempts.settle(subject, 'answered');
    showChild(client, child);
    return child;
  } catch (error) {
    attempts.settle(subject, outcomeOf(error));
    throw error;
  } finally {
    // A reading that was under way may be older than what was just done; another desk may have been quicker.
    void client.invalidateQueries({ queryKey: [keys.children] });
  }
}

/** Calls of this desk about one child: safe to repeat, and shown in the lists as soon as the server confirms them. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import type { Child } from '@haris/contract/objects';
import type { QueryClient } from '@tanstack/react-query';
import { createAttemptKeys, outcomeOf } from '../../../calls/attempt-keys.ts';
import { keys } from '../../../calls/query-client.ts';
import { showChild } from '../lists/show-child.ts';

/** Shared by the page, because a button that renders again must not lose the key of an open attempt. */
const attempts = createAttemptKeys();

/** Sends an action on one child with its attempt's key, and updates the lists. Throws the `ApiError`. */
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
    // Refetches: a response in flight may be older than this action, and another desk may have acted.
    void client.invalidateQueries({ queryKey: [keys.children] });
  }
}

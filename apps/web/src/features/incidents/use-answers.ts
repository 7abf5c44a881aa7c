/**
 * What was acknowledged on this device: it closes here at once, and is told to the server as soon as that can be reached.
 * An alarm must not hold a screen because the line is down.
 */
import type { Incident } from '@haris/contract/http/incidents';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { showFailure } from '../../client/failure.ts';
import { keys } from '../../client/query-client.ts';
import { acknowledge } from './api.ts';

/**
 * `isTold`: whether the server hears of it; parents close what they see and take nothing on. `knownAt`: when `open` was
 * read last, also if it had not changed.
 */
export function useAnswers(open: readonly Incident[], knownAt: number, isTold: boolean) {
  const client = useQueryClient();
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const sending = useRef(new Set<string>());

  const tell = useCallback(
    async (id: string) => {
      if (sending.current.has(id)) return;
      sending.current.add(id);
      try {
        await acknowledge(id);
      } catch (error) {
        // What the network lost is sent again with the next answer of the list; what the server refused is shown.
        if (!(error instanceof ApiError && error.isNetworkError)) {
          setAnswered((known) => new Set([...known].filter((one) => one !== id)));
          showFailure(error);
        }
      } finally {
        sending.current.delete(id);
        void client.invalidateQueries({ queryKey: [keys.incidents] });
      }
    },
    [client],
  );

  const answer = useCallback(
    (id: string) => {
      setAnswered((known) => new Set(known).add(id));
      if (isTold) void tell(id);
    },
    [isTold, tell],
  );

  // The list came, so there is a connection again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: that it came is the trigger, whatever stands in it
  useEffect(() => {
    if (!isTold) return;
    for (const { _id, acknowledgedAt } of open)
      if (acknowledgedAt === null && answered.has(_id)) void tell(_id);
  }, [knownAt, open, answered, isTold, tell]);

  return { answered, answer };
}

/** Shows what another desk did with a child as soon as it is known, without waiting for the lists to be read again. */
import type { HarisEvent } from '@haris/contract/live/events';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveEvents } from '../../client/live-provider.tsx';
import { showChild } from './stay-attempts.ts';

export function useLiveChildren(): void {
  const client = useQueryClient();
  useLiveEvents(
    useCallback(
      ({ child }: HarisEvent) => {
        if (child !== null) showChild(client, child);
      },
      [client],
    ),
  );
}

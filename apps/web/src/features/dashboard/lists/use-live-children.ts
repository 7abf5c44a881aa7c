/** Applies changes made at another desk to the lists at once, without refetching them. */
import type { HarisEvent } from '@haris/contract/live/events';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveEvents } from '../../../live/live-provider.tsx';
import { showChild } from './show-child.ts';

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

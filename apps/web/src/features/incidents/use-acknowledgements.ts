/**
 * Sends this device's acknowledgements to the server as soon as the connection allows. The dialogs have closed already,
 * because a lost connection must not keep them open.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { keys } from '../../calls/query-client.ts';
import { acknowledge } from './api.ts';
import type { ShownIncident } from './shown-incident.ts';

export interface Acknowledgements {
  /** Ids of incidents acknowledged on this device. */
  answered: ReadonlySet<string>;
  /** The server's list; `readAt` is the time of its last successful fetch, which changes even if the list does not. */
  open: readonly ShownIncident[];
  readAt: number;
  /** False for parents and for staff who may not acknowledge: nothing is sent. */
  isTold: boolean;
  onRefused: (incidentId: string) => void;
}

export function useAcknowledgements({ answered, open, readAt, isTold, onRefused }: Acknowledgements): void {
  const client = useQueryClient();
  const sending = useRef(new Set<string>());
  /** Ids sent at least once; those that failed on the network are sent again after the next fetch of the list. */
  const tried = useRef(new Set<string>());

  const send = useEffectEvent(async (id: string) => {
    if (!isTold || sending.current.has(id)) return;
    sending.current.add(id);
    tried.current.add(id);
    try {
      await acknowledge(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.isNetworkError)) {
        tried.current.delete(id);
        onRefused(id);
        showFailure(error);
      }
    } finally {
      sending.current.delete(id);
      void client.invalidateQueries({ queryKey: [keys.incidents] });
    }
  });

  useEffect(() => {
    for (const id of answered) if (!tried.current.has(id)) void send(id);
  }, [answered]);

  const sendAgain = useEffectEvent(() => {
    for (const { _id, acknowledgedAt } of open)
      if (acknowledgedAt === null && answered.has(_id)) void send(_id);
  });
  // A new list means that the connection is back.
  useEffect(() => {
    if (readAt > 0) sendAgain();
  }, [readAt]);
}

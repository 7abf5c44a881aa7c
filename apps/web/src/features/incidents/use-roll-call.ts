/** The roll call with the ticks of this device: at once on the screen, on the server as soon as there is a connection. */
import { type Evacuation, incidentRoutes } from '@haris/contract/http/incidents';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { serverNow } from '../../client/server-clock.ts';
import { evacuationKey } from './api.ts';
import {
  addTick,
  deviceName,
  dropSent,
  queuedEvacuations,
  readQueue,
  type Tick,
  type TickState,
} from './ticks.ts';

const TRY_AGAIN_MS = 5_000;

function sendTicks(id: string, ticks: readonly Tick[]) {
  const device = deviceName(localStorage, navigator.userAgent);
  return call(incidentRoutes.sendEvacuationTicks, { params: { id }, body: { device, ticks: [...ticks] } });
}

/** The network lost it: it is tried again. Everything else would be refused each time. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && (error.isNetworkError || error.status >= 500);
}

/** Ticks of evacuations that ended while this device had no connection. */
async function sendForgotten(currentId: string | undefined): Promise<void> {
  for (const id of queuedEvacuations(localStorage)) {
    if (id === currentId) continue;
    const ticks = readQueue(localStorage, id);
    try {
      await sendTicks(id, ticks);
    } catch (error) {
      if (isLost(error) || (error instanceof ApiError && error.status === 401)) continue;
    }
    dropSent(localStorage, id, ticks, ticks);
  }
}

export function useRollCall(evacuation: Evacuation | null) {
  const client = useQueryClient();
  const id = evacuation?._id;
  const [queue, setQueue] = useState<readonly Tick[]>([]);
  const isSending = useRef(false);

  useEffect(() => {
    setQueue(id === undefined ? [] : readQueue(localStorage, id));
    void sendForgotten(id);
  }, [id]);

  const tick = useCallback(
    (childId: string, state: TickState) => {
      if (id === undefined) return;
      const at = new Date(serverNow()).toISOString();
      setQueue((known) => addTick(localStorage, id, known, { childId, state, at }));
    },
    [id],
  );

  useEffect(() => {
    if (id === undefined || queue.length === 0) return;
    const send = async () => {
      if (isSending.current) return;
      isSending.current = true;
      try {
        const answer = await sendTicks(id, queue);
        client.setQueryData(evacuationKey, (known: { evacuation: Evacuation | null } | undefined) =>
          known?.evacuation?._id === id ? answer : known,
        );
        setQueue((known) => dropSent(localStorage, id, known, queue));
      } catch (error) {
        if (!isLost(error)) showFailure(error);
      } finally {
        isSending.current = false;
      }
    };
    void send();
    const again = () => void send();
    const timer = setInterval(again, TRY_AGAIN_MS);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [id, queue, client]);

  return { queue, tick };
}

/** The roll call with this device's ticks: shown at once, and sent when the connection allows. */
import { type Evacuation, incidentRoutes } from '@haris/contract/http/incidents';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../calls/api-error.ts';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { serverNow } from '../../../calls/server-clock.ts';
import { evacuationKey } from '../api.ts';
import type { RollEntry } from './roll-list.ts';
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

/** Whether the request failed for a reason that may pass: no network, or a 5xx response. */
function isLost(error: unknown): boolean {
  return error instanceof ApiError && (error.isNetworkError || error.status >= 500);
}

/** For so long ticks wait that the server does not know. Milliseconds. */
const ELSEWHERE_MS = 24 * 3_600_000;

/** Whether the ticks may be of another facility: they wait until this device works there again. */
function mayBeElsewhere(error: unknown, ticks: readonly Tick[]): boolean {
  if (!(error instanceof ApiError) || error.status !== 404) return false;
  return ticks.some(({ at }) => serverNow() - Date.parse(at) < ELSEWHERE_MS);
}

/** Sends the remaining ticks of other evacuations, which may have ended while this device was offline. */
async function sendForgotten(currentId: string | undefined): Promise<void> {
  for (const id of queuedEvacuations(localStorage)) {
    if (id === currentId) continue;
    const ticks = readQueue(localStorage, id);
    try {
      await sendTicks(id, ticks);
    } catch (error) {
      if (isLost(error) || (error instanceof ApiError && error.status === 401)) continue;
      if (mayBeElsewhere(error, ticks)) continue;
      // Another run may have told and dropped them meanwhile.
      if (readQueue(localStorage, id).length > 0) showFailure(error);
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
    ({ kind, id: subjectId }: Pick<RollEntry, 'kind' | 'id'>, state: TickState) => {
      if (id === undefined) return;
      const subject = kind === 'child' ? { childId: subjectId } : { personId: subjectId };
      const at = new Date(serverNow()).toISOString();
      setQueue((known) => addTick(localStorage, id, known, { ...subject, state, at }));
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
        if (isLost(error)) return;
        showFailure(error);
        // This person's role has changed, so the server would refuse these marks for ever.
        if (error instanceof ApiError && error.code === 'forbidden')
          setQueue((known) => dropSent(localStorage, id, known, queue));
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

/** Joins the event stream to the queries: what changed on the server is fetched again here. */
import type { EventType, HarisEvent, Status } from '@haris/contract/live/events';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { LiveHandlers, LiveState } from './live.ts';
import { keys, refetchStale } from './query-client.ts';
import { useSession } from './session.tsx';

const LiveContext = createContext<LiveState>('off');
const StatusContext = createContext<Status | null>(null);
const listeners = new Set<(event: HarisEvent) => void>();

/** State of the event stream; `reconnecting` is shown by the shell. */
export function useLiveState(): LiveState {
  return useContext(LiveContext);
}

/** What the server says of itself; null while nothing is known to be wrong. */
export function useServerStatus(): Status | null {
  return useContext(StatusContext);
}

/** Calls back with each event, for what is more than fetching again (an announcement, say). */
export function useLiveEvents(listener: (event: HarisEvent) => void): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}

const STAY_EVENTS: ReadonlySet<EventType> = new Set([
  'child.checked_in',
  'child.checked_out',
  'child.check_in_undone',
  'child.checkout_undone',
  'child.time_up',
]);

/** Which query keys an event makes stale. */
function staleKeys(type: EventType): readonly string[] {
  // Whoever shows families puts the event's child into them (useLiveEvents): five hundred are not read again for it.
  // Who is inside decides what a parent is told, and who is on the roll of an evacuation.
  if (STAY_EVENTS.has(type)) return [keys.children, keys.session, keys.incidents];
  // Where a child was seen stands in the lists of children only, and is said every half minute.
  if (type === 'child.seen') return [keys.children];
  if (type.startsWith('camera.')) return [keys.cameras];
  if (type.startsWith('child.')) return [keys.children, keys.parents, keys.session];
  // What was decided about what a family gave.
  if (type.startsWith('parent.') || type.startsWith('proposal.'))
    return [keys.parents, keys.children, keys.session];
  if (type.startsWith('admin.')) return [keys.admins];
  if (type.startsWith('sensor.')) return [keys.sensors];
  if (type.startsWith('alert.') || type.startsWith('evacuation.')) return [keys.incidents];
  return [keys.settings];
}

/** The stream and its schemas are a chunk of their own, for those who are signed in. Answers the way to stop. */
function startLive(handlers: LiveHandlers): () => void {
  let stop: (() => void) | null = null;
  let isStopped = false;
  const load = async () => {
    const live = await loadAgain(
      () => import('./live.ts'),
      () => isStopped,
    );
    if (live !== null && !isStopped) stop = live.startLive(handlers);
  };
  void load();
  return () => {
    isStopped = true;
    stop?.();
  };
}

/** How long to wait before a chunk that could not be fetched is asked for again, in milliseconds. */
const LOAD_PAUSE_MS = 5000;

/** Asks for a chunk until it comes; null once nobody wants it any more. */
async function loadAgain<T>(load: () => Promise<T>, isUnwanted: () => boolean): Promise<T | null> {
  for (;;) {
    if (isUnwanted()) return null;
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
    }
  }
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const session = useSession();
  const account = session.admin.identity?._id ?? session.parent.identity?._id ?? null;
  const [state, setState] = useState<LiveState>('off');
  const [status, setStatus] = useState<Status | null>(null);
  useEffect(() => {
    if (account === null) return;
    return startLive({
      onState: setState,
      onStatus: setStatus,
      onEvent: (event) => {
        void refetchStale(client, staleKeys(event.type));
        // Families that nobody shows now are read again when somebody does.
        if (STAY_EVENTS.has(event.type)) {
          void client.invalidateQueries({ queryKey: [keys.parents], refetchType: 'none' });
        }
        for (const listener of listeners) listener(event);
      },
      onResume: () =>
        void refetchStale(client, [
          keys.children,
          keys.parents,
          keys.admins,
          keys.settings,
          keys.sensors,
          keys.cameras,
          keys.incidents,
          keys.session,
        ]),
    });
  }, [account, client]);
  return (
    <LiveContext value={account === null ? 'off' : state}>
      <StatusContext value={account === null ? null : status}>{children}</StatusContext>
    </LiveContext>
  );
}

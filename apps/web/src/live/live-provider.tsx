/** Connects the event stream to the queries: each event marks the affected queries stale. */
import type { EventType, HarisEvent, Status } from '@haris/contract/live/events';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { keys, refetchStale } from '../calls/query-client.ts';
import { useSession } from '../session/session.tsx';
import { loadAgain } from '../ui/load-again.ts';
import type { LiveHandlers, LiveState } from './live.ts';

const LiveContext = createContext<LiveState>('off');
const StatusContext = createContext<Status | null>(null);
const listeners = new Set<(event: HarisEvent) => void>();

/** State of the event stream; the shell shows `reconnecting`. */
export function useLiveState(): LiveState {
  return useContext(LiveContext);
}

/** Problems that the server reports about itself; null without any. */
export function useServerStatus(): Status | null {
  return useContext(StatusContext);
}

/** Calls back with each event, for effects other than a refetch (for example an announcement). */
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
  'child.stay_extended',
  'child.stay_extension_undone',
  'child.time_up',
]);

/** Query keys that an event makes stale. */
function staleKeys(type: EventType): readonly string[] {
  // The dashboard patches the event's child into its families (useLiveEvents) instead of reading five hundred again.
  // Incidents depend on the children inside: their visibility to parents, and the roll call of an evacuation.
  if (STAY_EVENTS.has(type))
    return [
      keys.children,
      keys.session,
      keys.incidents,
      keys.kiosks,
      keys.rooms,
      keys.collectors,
      keys.releases,
      keys.bookings,
      keys.careLog,
      keys.headCounts,
    ];
  // A pick-up belongs to the stay, which families do not show.
  if (type.startsWith('child.on_my_way')) return [keys.children, keys.session];
  if (type === 'booking.changed') return [keys.bookings, keys.incidents];
  // Only lists of children show where a child was seen; the event comes every half minute.
  if (type === 'child.seen') return [keys.children, keys.headCounts];
  if (type === 'child.moved')
    return [keys.children, keys.session, keys.incidents, keys.rooms, keys.headCounts];
  if (type === 'room.updated')
    return [keys.rooms, keys.children, keys.session, keys.incidents, keys.headCounts];
  if (type.startsWith('head_count.')) return [keys.headCounts];
  // The roll call marks the children concerned.
  if (type === 'desk.entries') return [keys.deskConflicts, keys.incidents];
  if (type === 'child.care_card_updated') return [keys.care];
  if (type === 'care_log.changed') return [keys.careLog];
  if (type.startsWith('camera.')) return [keys.cameras];
  if (type.startsWith('kiosk.')) return [keys.kiosks];
  // Who may pick up a child, who must not, and that a release was not expected.
  if (type === 'child.updated')
    return [
      keys.children,
      keys.parents,
      keys.session,
      keys.care,
      keys.collectors,
      keys.barred,
      keys.releases,
    ];
  // What the household sees of the child begins or ends, also what another one named; and another one may be the first now.
  if (type === 'guardian.changed')
    return [
      keys.guardians,
      keys.children,
      keys.parents,
      keys.session,
      keys.collectors,
      keys.releases,
      keys.bookings,
      keys.careLog,
      keys.care,
      // Whether the desk is asked who takes a child that waits at a kiosk.
      keys.kiosks,
    ];
  // A child may have become known here with its card.
  if (type.startsWith('child.'))
    return [keys.children, keys.parents, keys.session, keys.care, keys.headCounts];
  // Decisions on proposals of a family.
  if (type.startsWith('parent.') || type.startsWith('proposal.'))
    return [keys.parents, keys.children, keys.session, keys.guardians];
  if (type.startsWith('approval.')) return [keys.approvals];
  // Roles decide what the page shows.
  if (type === 'admin.updated') return [keys.admins, keys.session];
  if (type.startsWith('admin.')) return [keys.admins];
  if (type.startsWith('sensor.')) return [keys.sensors];
  // Somebody is asked whether a child comes.
  if (type.startsWith('alert.')) return [keys.incidents, keys.bookings, keys.headCounts];
  if (type.startsWith('evacuation.')) return [keys.incidents];
  if (type.startsWith('visitor.')) return [keys.visitors, keys.incidents];
  // The configuration holds what every page needs of the settings, and the signs whether slips name allergies.
  return [keys.settings, keys.config, keys.bookings, keys.care];
}

/**
 * Marks keys stale, with one read of a key at a time: events during a read cause one more read after it. If each event
 * started a read, it would cancel the one before, and during a burst of events the page would get no data.
 */
function createRefetcher(client: QueryClient): (stale: readonly string[]) => void {
  const reading = new Map<string, { again: boolean }>();
  async function readInTurn(key: string): Promise<void> {
    const turn = { again: true };
    reading.set(key, turn);
    while (turn.again) {
      turn.again = false;
      await refetchStale(client, [key]);
    }
    reading.delete(key);
  }
  return (stale) => {
    for (const key of stale) {
      const turn = reading.get(key);
      if (turn === undefined) void readInTurn(key);
      else turn.again = true;
    }
  };
}

/**
 * Loads the stream and its schemas, a separate chunk, once somebody is signed in. Returns a function that stops the
 * stream.
 */
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

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const session = useSession();
  const { identity } = session.admin;
  // Before a required second factor is set up, the server refuses the stream.
  const staff = identity?.mustAddFactor === true ? null : identity;
  const account = staff?._id ?? session.parent.identity?._id ?? null;
  const [state, setState] = useState<LiveState>('off');
  const [status, setStatus] = useState<Status | null>(null);
  useEffect(() => {
    if (account === null) return;
    const refetch = createRefetcher(client);
    return startLive({
      onState: setState,
      onStatus: setStatus,
      onEvent: (event) => {
        refetch(staleKeys(event.type));
        // Families that are not mounted are read again when they mount.
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
          keys.visitors,
          keys.kiosks,
          keys.approvals,
          keys.rooms,
          keys.headCounts,
          keys.deskConflicts,
          keys.collectors,
          keys.guardians,
          keys.barred,
          keys.releases,
          keys.bookings,
          keys.care,
          keys.careLog,
          keys.session,
          keys.config,
        ]),
    });
  }, [account, client]);
  return (
    <LiveContext value={account === null ? 'off' : state}>
      <StatusContext value={account === null ? null : status}>{children}</StatusContext>
    </LiveContext>
  );
}

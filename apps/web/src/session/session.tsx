/** The session: both identities of spec §4, fetched with the stored token; sign-in and sign-out. */
import type { Language } from '@haris/contract/fields';
import type { Admin, Parent } from '@haris/contract/objects';
import type { AccountKind } from '@haris/contract/roles';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { takeChoiceOf } from '../calls/facility-choice.ts';
import { keys } from '../calls/query-client.ts';
import { networkError } from '../calls/request.ts';
import { getTokenState, listenForDeadToken, setToken, subscribeToken } from '../calls/token-store.ts';
import { startCalls } from '../start/start-data.ts';
import { isDeskTablet } from './at-desk.ts';
import { forgetRegistration } from './registration.ts';

/** Client auth state of spec §3: one record for the parent and one for the admin. */
export interface AuthRecord<T> {
  identity: T | null;
  isLoading: boolean;
  isAuthenticated: boolean;
}

export interface Session {
  parent: AuthRecord<Parent>;
  admin: AuthRecord<Admin>;
  /** True until one identity is known or both requests have ended. */
  isLoading: boolean;
  /** Kind of the session that ended from outside; null after the next sign-in. Guards redirect to that kind's login. */
  endedKind: AccountKind | null;
  /** True if this session ended by signing out here. */
  hasSignedOut: boolean;
  /** Error from fetching the identities; the token is kept and nobody is signed out. */
  problem: unknown;
  retry: () => void;
}

/** Called when the session ends from outside: the server rejected the token, or another tab signed out. */
export type SessionEnd = (kind: AccountKind, reason: 'expired' | 'elsewhere') => void;

const SessionContext = createContext<Session | null>(null);

/** The session of the page. Use only below {@link SessionProvider}. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionProvider');
  return session;
}

/** The signed-in parent. Use only on screens behind the parent guard. */
export function useParent(): Parent {
  const { identity } = useSession().parent;
  if (identity === null) throw new Error('useParent needs a signed-in parent');
  return identity;
}

function sessionKey(kind: AccountKind, generation: number) {
  return [keys.session, kind, generation] as const;
}

/** Loads the calls, which are a separate chunk; a chunk that fails to load counts as a failed connection. */
async function loadIdentity(): Promise<typeof import('./identity.ts')> {
  try {
    await startCalls();
    return await import('./identity.ts');
  } catch {
    throw networkError('FETCH_ERROR', 0);
  }
}
// Fetched in parallel with the screen's own code.
if (getTokenState().token !== null) loadIdentity().catch(() => {});

const adminQuery = (generation: number) => ({
  queryKey: sessionKey('admin', generation),
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await loadIdentity()).fetchAdmin(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

const parentQuery = (generation: number) => ({
  queryKey: sessionKey('parent', generation),
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await loadIdentity()).fetchParent(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

function recordOf<T>(identity: T | null | undefined, isLoading: boolean): AuthRecord<T> {
  return { identity: identity ?? null, isLoading, isAuthenticated: identity != null };
}

export function SessionProvider({ onEnd, children }: { onEnd: SessionEnd; children: ReactNode }) {
  const client = useQueryClient();
  const { token, generation } = useSyncExternalStore(subscribeToken, getTokenState);
  const enabled = token !== null;
  const admin = useQuery({ ...adminQuery(generation), enabled });
  const parent = useQuery({ ...parentQuery(generation), enabled });
  useEndedSessions(client, onEnd);

  // A token belongs to one account, so one identity is enough.
  const known = admin.data != null || parent.data != null;
  const isLoading = enabled && !known && (admin.isFetching || parent.isFetching);
  const problem = enabled && !known && !isLoading ? (admin.error ?? parent.error) : null;
  // Keep the same object while a known identity is refetched, because hundreds of rows depend on it.
  const session = useMemo<Session>(
    () => ({
      admin: recordOf(enabled ? admin.data : null, isLoading),
      parent: recordOf(enabled ? parent.data : null, isLoading),
      isLoading,
      endedKind: lastEnd?.generation === generation ? lastEnd.kind : null,
      hasSignedOut: signedOutGeneration === generation,
      problem,
      retry: () => void client.refetchQueries({ queryKey: [keys.session] }),
    }),
    [client, enabled, generation, admin.data, parent.data, isLoading, problem],
  );

  // Both identities were refused: the token is dead and is not sent again.
  const refused = enabled && admin.data === null && parent.data === null;
  useEffect(() => {
    if (refused) endSession(client);
  }, [refused, client]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Calls `onEnd` once when a session ends for another reason than a sign-out in this tab. */
function useEndedSessions(client: QueryClient, onEnd: SessionEnd): void {
  useEffect(() => {
    listenForDeadToken((deadToken) => {
      const current = getTokenState();
      // A late response for an older token must not end the newer session.
      if (current.token !== deadToken || isSigningOut) return;
      const kind = signedInKind(client, current.generation);
      endSession(client, kind);
      if (kind !== null) onEnd(kind, 'expired');
    });
    let previous = getTokenState();
    const stop = subscribeToken(() => {
      const current = getTokenState();
      const kind = signedInKind(client, previous.generation);
      previous = current;
      if (isEndedHere || current.token !== null || kind === null) return;
      endSession(client, kind);
      onEnd(kind, 'elsewhere');
    });
    return () => {
      listenForDeadToken(() => {});
      stop();
    };
  }, [client, onEnd]);
}

function signedInKind(client: QueryClient, generation: number): AccountKind | null {
  if (client.getQueryData(sessionKey('admin', generation)) != null) return 'admin';
  if (client.getQueryData(sessionKey('parent', generation)) != null) return 'parent';
  return null;
}

/** Stores the chosen language with the signed-in account. Throws {@link ApiError}. */
export async function keepAccountLanguage(client: QueryClient, language: Language): Promise<void> {
  const { generation } = getTokenState();
  const kind = signedInKind(client, generation);
  if (kind === null) return;
  await (await loadIdentity()).saveLanguage(language);
  client.setQueryData<Admin | Parent | null>(
    sessionKey(kind, generation),
    (identity) => identity && { ...identity, language },
  );
}

let isEndedHere = false;

let lastEnd: { kind: AccountKind; generation: number } | null = null;

/**
 * Removes the token and all data fetched with it, without a message or navigation. `kind` is set if the session ended
 * from outside; guards use it.
 */
function endSession(client: QueryClient, kind: AccountKind | null = null): void {
  const { token, generation } = getTokenState();
  lastEnd = kind === null ? null : { kind, generation: token === null ? generation : generation + 1 };
  isEndedHere = true;
  takeChoiceOf(null);
  setToken(null);
  isEndedHere = false;
  // The next person at this device must not see this account's data.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.config });
}

/** Response of the login calls: the token and the signed-in account. */
export type SignedIn = { token: string; admin: Admin } | { token: string; parent: Parent };

/** Stores the token of a login; both identities are known at once. */
export function startSession(client: QueryClient, signedIn: SignedIn): void {
  const generation = getTokenState().generation + (getTokenState().token === signedIn.token ? 0 : 1);
  // The page of a link that signs in goes on showing what the link did.
  const stays: readonly unknown[] = [keys.config, keys.verification];
  client.removeQueries({ predicate: ({ queryKey }) => !stays.includes(queryKey[0]) });
  if ('parent' in signedIn) forgetRegistration();
  const admin = 'admin' in signedIn ? signedIn.admin : null;
  const chosen = takeChoiceOf(admin?._id ?? null);
  // The answer has the permissions at the first facility; those at another one are fetched.
  if (chosen === null || chosen === admin?.work?.facilityId)
    client.setQueryData(sessionKey('admin', generation), admin);
  client.setQueryData(sessionKey('parent', generation), 'parent' in signedIn ? signedIn.parent : null);
  setToken(signedIn.token, !isDeskTablet());
  // Visitors get the name and zone of the organisation's first facility.
  if (admin?.work !== undefined || admin === null) void client.invalidateQueries({ queryKey: [keys.config] });
}

let isSigningOut = false;
/** Token generation that began with a sign-out. */
let signedOutGeneration: number | null = null;

/**
 * Signs out: the server invalidates the token, and it is removed here even if the server cannot be reached. `leave`
 * navigates to a public screen before the session ends, so that no guard redirects first.
 */
export async function signOut(client: QueryClient, leave: () => void | Promise<void>): Promise<void> {
  if (isSigningOut) return;
  isSigningOut = true;
  try {
    await loadIdentity()
      .then(({ logout }) => logout())
      .catch(() => {});
    await leave();
    signedOutGeneration = getTokenState().generation + 1;
    endSession(client);
  } finally {
    isSigningOut = false;
  }
}

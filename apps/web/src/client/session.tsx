/** Who is signed in: both identities of spec §4, fetched with the kept token, and the ways in and out. */
import type { Language } from '@haris/contract/fields';
import type { Admin, Parent } from '@haris/contract/objects';
import type { AccountKind } from '@haris/contract/roles';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { keys } from './query-client.ts';
import { networkError } from './request.ts';
import { startData } from './start-data.ts';
import { getTokenState, listenForDeadToken, setToken, subscribeToken } from './token-store.ts';

/** Client auth state of spec §3: one record for the parent and one for the admin. */
export interface AuthRecord<T> {
  identity: T | null;
  isLoading: boolean;
  isAuthenticated: boolean;
}

export interface Session {
  parent: AuthRecord<Parent>;
  admin: AuthRecord<Admin>;
  /** True until both identities are known to be there or not. */
  isLoading: boolean;
  /** Whose session ended from outside just now; null again once somebody has signed in. Guards send to that login. */
  endedKind: AccountKind | null;
  /** The session ended here by signing out. */
  hasSignedOut: boolean;
  /** Why it could not be found out; the token is kept, nobody is signed out by it. */
  problem: unknown;
  retry: () => void;
}

/** The session ended from outside: the token died on the server, or another tab signed out. */
export type SessionEnd = (kind: AccountKind, reason: 'expired' | 'elsewhere') => void;

const SessionContext = createContext<Session | null>(null);

/** The session of the page. Below {@link SessionProvider} only. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionProvider');
  return session;
}

/** The signed-in parent. On screens behind the parent guard only. */
export function useParent(): Parent {
  const { identity } = useSession().parent;
  if (identity === null) throw new Error('useParent needs a signed-in parent');
  return identity;
}

function sessionKey(kind: AccountKind, generation: number) {
  return [keys.session, kind, generation] as const;
}

/** The calls are a chunk of their own; one that cannot be fetched is a connection that failed. */
async function loadIdentity(): Promise<typeof import('./identity.ts')> {
  try {
    await startData();
    return await import('./identity.ts');
  } catch {
    throw networkError('FETCH_ERROR', 0);
  }
}
// Fetched beside the screen's own code and not after it.
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

  const session = useMemo<Session>(() => {
    // A token belongs to one account: once one identity is there, the other's fate does not matter.
    const known = admin.data != null || parent.data != null;
    const isLoading = enabled && !known && (admin.isFetching || parent.isFetching);
    const failed = enabled && !known && !isLoading ? (admin.error ?? parent.error) : null;
    return {
      admin: recordOf(enabled ? admin.data : null, isLoading),
      parent: recordOf(enabled ? parent.data : null, isLoading),
      isLoading,
      endedKind: lastEnd?.generation === generation ? lastEnd.kind : null,
      hasSignedOut: signedOutGeneration === generation,
      problem: failed,
      retry: () => void client.refetchQueries({ queryKey: [keys.session] }),
    };
  }, [
    client,
    enabled,
    generation,
    admin.data,
    admin.isFetching,
    admin.error,
    parent.data,
    parent.isFetching,
    parent.error,
  ]);

  // Neither identity wants this token: it is dead and is not sent again.
  const refused = enabled && admin.data === null && parent.data === null;
  useEffect(() => {
    if (refused) endSession(client);
  }, [refused, client]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Tells `onEnd` once when a session that was there is gone through no wish of this tab. */
function useEndedSessions(client: QueryClient, onEnd: SessionEnd): void {
  useEffect(() => {
    listenForDeadToken((deadToken) => {
      const current = getTokenState();
      // A late answer to an older token must not end the session that followed it.
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

/** Whoever is signed in has chosen this language; it is kept with the account. Throws {@link ApiError}. */
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
 * Removes the token and everything that was fetched with it. Says nothing and goes nowhere; `kind` is kept for the
 * guards where the session ended from outside.
 */
function endSession(client: QueryClient, kind: AccountKind | null = null): void {
  const { token, generation } = getTokenState();
  lastEnd = kind === null ? null : { kind, generation: token === null ? generation : generation + 1 };
  isEndedHere = true;
  setToken(null);
  isEndedHere = false;
  // The next person at this device must not find the last one's data.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.config });
}

/** Who signed in, as the login calls answer. */
export type SignedIn = { token: string; admin: Admin } | { token: string; parent: Parent };

/** Keeps the token of a login; both identities are known at once. */
export function startSession(client: QueryClient, signedIn: SignedIn): void {
  const generation = getTokenState().generation + (getTokenState().token === signedIn.token ? 0 : 1);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.config });
  client.setQueryData(sessionKey('admin', generation), 'admin' in signedIn ? signedIn.admin : null);
  client.setQueryData(sessionKey('parent', generation), 'parent' in signedIn ? signedIn.parent : null);
  setToken(signedIn.token);
}

let isSigningOut = false;
/** The generation that began with a sign-out. */
let signedOutGeneration: number | null = null;

/**
 * Signs out: the token dies on the server and is removed here, also when the server cannot be reached.
 * `leave` moves to a screen that needs no session before the session is gone, so that no guard gets in the way.
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

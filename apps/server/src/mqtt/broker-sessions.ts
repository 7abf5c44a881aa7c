/** Account and rate limit of each connection to the embedded broker. */
import { timingSafeEqual } from 'node:crypto';
import type { Client } from 'aedes';
import { createTokenBucket } from '../token-bucket.ts';
import type { BrokerRole } from './topics.ts';

/** Messages that one account may publish at once, and per second afterwards; more are dropped and counted. */
const PUBLISH_BURST = 200;
const PUBLISH_PER_SECOND = 50;
/** More than one, because a device may reconnect before the broker detects that its old connection is dead. */
const CONNECTIONS_PER_ACCOUNT = 4;
/** How long a session outlives its connection: the client's last will is published after the disconnect. Milliseconds. */
const KEPT_AFTER_DISCONNECT_MS = 1_000;
const USERNAME_MAX_LENGTH = 100;

export interface BrokerAccount {
  readonly passwordMac: string;
  readonly role: BrokerRole;
}

export interface AccountSource {
  /** The account of a username. */
  readonly findAccount: (username: string) => Promise<BrokerAccount | undefined>;
  /** Keyed hash of a password, as accounts store it. */
  readonly macOf: (password: string) => string;
}

export interface BrokerSession {
  readonly username: string;
  readonly role: BrokerRole;
  /** Whether one more message is within the rate limit. `now`: milliseconds of a clock that only goes forward. */
  readonly admit: (now: number) => boolean;
}

export interface BrokerSessions {
  /** Undefined for the broker itself and for a client that is not signed in. */
  of(client: Client | null): BrokerSession | undefined;
  /** Resolves with false for an unknown account or a wrong password. */
  signIn(client: Client, username: string, password: string): Promise<boolean>;
  /** Removes the session of a disconnected client after its last will. */
  release(client: Client): void;
  /** Closes all connections of an account; its last will is not published. */
  disconnect(username: string): void;
}

function isSameMac(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function createBrokerSessions({ findAccount, macOf }: AccountSource): BrokerSessions {
  const sessions = new Map<Client, BrokerSession>();

  /** Closes the account's oldest connections beyond its limit. */
  function makeRoom(username: string): void {
    const open = [...sessions].filter(([client, session]) => session.username === username && !client.closed);
    for (const [oldest] of open.slice(0, Math.max(0, open.length + 1 - CONNECTIONS_PER_ACCOUNT)))
      oldest.close();
  }

  return {
    of: (client) => (client ? sessions.get(client) : undefined),
    async signIn(client, username, password) {
      if (username === '' || username.length > USERNAME_MAX_LENGTH || username.includes('\0')) return false;
      const account = await findAccount(username);
      if (!account || client.closed || !isSameMac(macOf(password), account.passwordMac)) return false;
      makeRoom(username);
      sessions.set(client, {
        username,
        role: account.role,
        admit: createTokenBucket(PUBLISH_BURST, PUBLISH_PER_SECOND),
      });
      return true;
    },
    release(client) {
      setTimeout(() => sessions.delete(client), KEPT_AFTER_DISCONNECT_MS).unref();
    },
    disconnect(username) {
      for (const [client, session] of sessions)
        if (session.username === username) {
          // Without a session, the broker drops the client's last will.
          sessions.delete(client);
          client.close();
        }
    },
  };
}

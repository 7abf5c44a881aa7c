/** The embedded broker: accounts of the database, topics fenced per account, nothing kept on disk. */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { Aedes, type AuthenticateError, type Client } from 'aedes';
import { createBucket, guardConnection } from './limits.ts';
import type { BrokerAddress, MqttLink, MqttListener } from './link.ts';
import { type BrokerRole, isAvailabilityTopic, mayPublish, maySubscribe } from './topics.ts';

/** Readings that one account may send at once, and then a second; what is beyond is dropped and counted. */
const PUBLISH_BURST = 200;
const PUBLISH_PER_SECOND = 50;
/** A device that was cut off comes back before its old connection is noticed to be dead. */
const CONNECTIONS_PER_ACCOUNT = 4;
const CONNECTIONS_MAX = 2_000;
/** A connection that does not say who it is in time is closed. Milliseconds. */
const CONNECT_WITHIN_MS = 10_000;
/** What nobody may publish or subscribe to; messages that are not allowed are sent there. */
const NOWHERE = '$nowhere';

export interface BrokerAccount {
  readonly passwordMac: string;
  readonly role: BrokerRole;
}

export interface EmbeddedOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly log: Logger;
  /** The account of a username. */
  readonly findAccount: (username: string) => Promise<BrokerAccount | undefined>;
  /** Keyed hash of a password, as accounts hold it. */
  readonly macOf: (password: string) => string;
}

interface Session {
  readonly username: string;
  readonly role: BrokerRole;
  readonly admit: (now: number) => boolean;
}

/** Starts the broker. Rejects with what the system says when the port cannot be had. */
export async function startEmbeddedBroker(options: EmbeddedOptions): Promise<MqttLink> {
  const { log, tls } = options;
  const sessions = new Map<Client, Session>();
  const listeners = new Set<MqttListener>();

  const broker = new Aedes({
    connectTimeout: CONNECT_WITHIN_MS,
    maxTopicLevels: 10,
    maxClientsIdLength: 300,
    // One device must not end another's connection by using its name, nor leave a session behind.
    preConnect(_client, packet, done) {
      // A client without an id is given one of its own (MQTT 3.1.1 §3.1.3.1).
      packet.clientId = `${packet.username ?? ''}/${packet.clientId || randomUUID()}`;
      packet.clean = true;
      done(null, true);
    },
    authenticate(client, username, password, done) {
      admit(client, username ?? '', password?.toString('utf8') ?? '').then(
        (admitted) => (admitted ? done(null, true) : done(refusal(), false)),
        (error: unknown) => {
          log.warn(describeFailure(error), 'a device could not be checked');
          done(refusal(), false);
        },
      );
    },
    authorizePublish(client, packet, done) {
      const session = client && sessions.get(client);
      const isAllowed = session !== null && session !== undefined && mayPublish(session.role, packet.topic);
      const isOverflow = isAllowed && !session.admit(performance.now());
      if (isOverflow) for (const listener of listeners) listener.onOverflow(session.username);
      if (!isAllowed || isOverflow) {
        // Dropped, not refused: MQTT 3.1.1 knows no refusal but to hang up, and firmware has much to say.
        packet.topic = NOWHERE;
        packet.payload = '';
        packet.retain = false;
      }
      if (!isAvailabilityTopic(packet.topic)) packet.retain = false;
      done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      const session = sessions.get(client);
      done(null, session && maySubscribe(session.role, subscription.topic) ? subscription : null);
    },
  });

  async function admit(client: Client, username: string, password: string): Promise<boolean> {
    if (username === '' || username.length > 100 || username.includes('\0')) return false;
    const account = await options.findAccount(username);
    if (!account || client.closed) return false;
    const [given, wanted] = [options.macOf(password), account.passwordMac].map((mac) => Buffer.from(mac));
    if (!given || !wanted || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false;
    const others = [...sessions].filter(([one, session]) => session.username === username && !one.closed);
    for (const [oldest] of others.slice(0, Math.max(0, others.length + 1 - CONNECTIONS_PER_ACCOUNT)))
      oldest.close();
    sessions.set(client, {
      username,
      role: account.role,
      admit: createBucket(PUBLISH_BURST, PUBLISH_PER_SECOND),
    });
    return true;
  }

  broker.on('publish', (packet, client) => {
    const session = client && sessions.get(client);
    if (!session || packet.topic === NOWHERE) return;
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    for (const listener of listeners)
      listener.onMessage({ topic: packet.topic, payload, retained: false, username: session.username });
  });
  // The last will comes after the end of the connection: who sent it must be known until then.
  broker.on('clientDisconnect', (client) => setTimeout(() => sessions.delete(client), 1_000).unref());
  broker.on(
    'error' as 'closed',
    ((error: unknown) => log.error(describeFailure(error), 'the broker failed')) as () => void,
  );
  await broker.listen();

  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    broker.handle(guardConnection(socket));
  };
  const server: Server = tls
    ? createTlsServer({ cert: tls.cert, key: tls.key }, accept)
    : createTcpServer(accept);
  server.maxConnections = CONNECTIONS_MAX;
  try {
    await listen(server, options.port, options.host);
  } catch (error) {
    await new Promise<void>((resolve) => broker.close(resolve));
    throw error;
  }
  server.on('error', (error) => log.error(describeFailure(error), 'the broker’s port failed'));
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  let isClosed = false;

  return {
    state: () => (isClosed ? 'down' : 'ok'),
    address: (): BrokerAddress => ({
      host: null,
      port,
      tls: tls !== null,
      embedded: true,
      certificate: tls?.cert ?? null,
    }),
    publish(topic, payload, { retain }) {
      if (isClosed) return;
      broker.publish({ cmd: 'publish', topic, payload, retain, qos: 0, dup: false }, (error) => {
        if (error) log.warn(describeFailure(error), 'a message could not be published');
      });
    },
    listen(listener) {
      listeners.add(listener);
      listener.onUp();
      return () => listeners.delete(listener);
    },
    disconnect(username) {
      for (const [client, session] of sessions)
        if (session.username === username) {
          // Its will must not speak for an account that is gone.
          sessions.delete(client);
          client.close();
        }
    },
    async close() {
      isClosed = true;
      listeners.clear();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => broker.close(resolve));
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

function refusal(): AuthenticateError {
  // 4: bad username or password (MQTT 3.1.1 §3.2.2.3). The same for every reason.
  return Object.assign(new Error('refused'), { returnCode: 4 });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The embedded broker: signs in devices by their accounts, confines each to its topics, and stores nothing on disk. */
import { randomUUID } from 'node:crypto';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { Aedes, type AedesOptions, type AuthenticateError, type Client, type PublishPacket } from 'aedes';
import { openBrokerPort, type PortOptions } from './broker-port.ts';
import { type AccountSource, type BrokerSessions, createBrokerSessions } from './broker-sessions.ts';
import { guardConnection } from './limits.ts';
import type { MqttLink, MqttListener } from './link.ts';
import { isAvailabilityTopic, mayPublish, mayReceive, maySubscribe } from './topics.ts';

/** Time within which a connection must sign in, or it is closed. Milliseconds. */
const CONNECT_WITHIN_MS = 10_000;
/** Forbidden messages are redirected to this topic, which nobody may subscribe to. */
const NOWHERE = '$nowhere';

export interface EmbeddedOptions extends AccountSource, Omit<PortOptions, 'onConnection'> {}

type Fences = Required<
  Pick<
    AedesOptions,
    'preConnect' | 'authenticate' | 'authorizePublish' | 'authorizeSubscribe' | 'authorizeForward'
  >
>;

/** The hooks that decide who connects and what a client may publish and subscribe to. */
function createFences(sessions: BrokerSessions, log: Logger, onOverflow: (username: string) => void): Fences {
  return {
    // A device must not end another device's connection by using its client id, and must not leave a session behind.
    preConnect(_client, packet, done) {
      // A client without an id gets one (MQTT 3.1.1 §3.1.3.1).
      packet.clientId = `${packet.username ?? ''}/${packet.clientId || randomUUID()}`;
      packet.clean = true;
      done(null, true);
    },
    authenticate(client, username, password, done) {
      sessions.signIn(client, username ?? '', password?.toString('utf8') ?? '').then(
        (isSignedIn) => (isSignedIn ? done(null, true) : done(refusal(), false)),
        (error: unknown) => {
          log.warn(describeFailure(error), 'a device could not be checked');
          done(refusal(), false);
        },
      );
    },
    authorizePublish(client, packet, done) {
      const session = sessions.of(client);
      if (!session || !mayPublish(session.role, packet.topic)) drop(packet);
      else if (!session.admit(performance.now())) {
        onOverflow(session.username);
        drop(packet);
      }
      if (!isAvailabilityTopic(packet.topic)) packet.retain = false;
      done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      const session = sessions.of(client);
      done(null, session && maySubscribe(session.role, subscription.topic) ? subscription : null);
    },
    authorizeForward(client, packet) {
      const session = sessions.of(client);
      return session && mayReceive(session.role, packet.topic) ? packet : null;
    },
  };
}

/** Drops a message silently: in MQTT 3.1.1 a refusal ends the connection, and firmware publishes many other messages. */
function drop(packet: PublishPacket): void {
  packet.topic = NOWHERE;
  packet.payload = '';
  packet.retain = false;
}

/** Refusal that does not reveal the reason. Return code 4: bad username or password (MQTT 3.1.1 §3.2.2.3). */
function refusal(): AuthenticateError {
  return Object.assign(new Error('refused'), { returnCode: 4 });
}

/** Starts the broker. Rejects with the system's error if the port cannot be opened. */
export async function startEmbeddedBroker(options: EmbeddedOptions): Promise<MqttLink> {
  const { log, tls } = options;
  const listeners = new Set<MqttListener>();
  const sessions = createBrokerSessions(options);
  const broker = new Aedes({
    connectTimeout: CONNECT_WITHIN_MS,
    maxTopicLevels: 10,
    maxClientsIdLength: 300,
    ...createFences(sessions, log, (username) => {
      for (const listener of listeners) listener.onOverflow(username);
    }),
  });
  broker.on('publish', (packet, client) => {
    const session = sessions.of(client);
    if (!session || packet.topic === NOWHERE) return;
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    for (const listener of listeners)
      listener.onMessage({ topic: packet.topic, payload, retained: false, username: session.username });
  });
  broker.on('clientDisconnect', sessions.release);
  broker.on(
    'error' as 'closed',
    ((error: unknown) => log.error(describeFailure(error), 'the broker failed')) as () => void,
  );
  const signedIn = new WeakMap<Client, () => void>();
  broker.on('clientReady', (client) => signedIn.get(client)?.());
  await broker.listen();
  const stopBroker = (): Promise<void> => new Promise((resolve) => broker.close(resolve));

  const port = await openBrokerPort({
    ...options,
    onConnection: (socket, done) => {
      signedIn.set(broker.handle(guardConnection(socket)), done);
    },
  }).catch(async (error: unknown) => {
    await stopBroker();
    throw error;
  });
  let isClosed = false;

  return {
    state: () => (isClosed ? 'down' : 'ok'),
    address: () => ({
      host: null,
      port: port.port,
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
    disconnect: sessions.disconnect,
    async close() {
      isClosed = true;
      listeners.clear();
      const portClosed = port.close();
      await stopBroker();
      port.destroyConnections();
      await portClosed;
    },
  };
}

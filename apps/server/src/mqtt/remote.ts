/** Connects to another broker, and reconnects automatically. */
import { randomBytes } from 'node:crypto';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { connect } from 'mqtt';
import type { BrokerAddress, MqttLink, MqttListener } from './link.ts';
import { AVAILABILITY_FILTERS, READING_FILTERS, SERVER_STATUS_TOPIC } from './topics.ts';

const RECONNECT_MS = 2_000;
const CONNECT_WITHIN_MS = 10_000;
const KEEP_ALIVE_S = 15;
/** Larger payloads are ignored. Bytes. */
const MAX_PAYLOAD_BYTES = 16 * 1024;

/** Return codes of a broker that does not support MQTT 5: of MQTT 3.1.1 and of MQTT 5. */
const OTHER_VERSION = [1, 0x84];

/**
 * Connects in the background. `url`: `mqtt://` or `mqtts://` with user and password. Servers with the same `group` share the
 * readings: the broker sends each to one of them (shared subscriptions of MQTT 5), so that it is stored and judged once. A
 * broker without shared subscriptions sends all readings to every server.
 */
export function connectBroker(url: string, group: string, log: Logger): MqttLink {
  const listeners = new Set<MqttListener>();
  const address = new URL(url);
  const client = connect(url, {
    clientId: `haris-server-${randomBytes(6).toString('hex')}`,
    clean: true,
    protocolVersion: 5,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    keepalive: KEEP_ALIVE_S,
    queueQoSZero: false,
    will: { topic: SERVER_STATUS_TOPIC, payload: Buffer.from('offline'), qos: 1, retain: true },
  });
  let isUp = false;
  const publishOnline = () => client.publish(SERVER_STATUS_TOPIC, 'online', { retain: true, qos: 1 });
  client.on('connect', ({ properties }) => {
    const isShared =
      client.options.protocolVersion === 5 && properties?.sharedSubscriptionAvailable !== false;
    const readings = isShared
      ? READING_FILTERS.map((filter) => `$share/${group}/${filter}`)
      : READING_FILTERS;
    if (!isShared) log.warn('the broker shares no subscriptions: give MQTT_URL to one server only');
    const filters = [...readings, ...AVAILABILITY_FILTERS, SERVER_STATUS_TOPIC];
    client.subscribe(filters, { qos: 1 }, (error) => {
      if (error) {
        log.error(describeFailure(error), 'the broker refused the subscription');
        return;
      }
      isUp = true;
      log.info('the broker is there');
      publishOnline();
      for (const listener of listeners) listener.onUp();
    });
  });
  client.on('close', () => {
    if (isUp) log.warn({ retryMs: RECONNECT_MS }, 'the broker was lost');
    isUp = false;
  });
  client.on('error', (error) => {
    log.warn(describeFailure(error), 'the broker cannot be reached');
    if ('code' in error && OTHER_VERSION.includes(Number(error.code))) client.options.protocolVersion = 4;
  });
  client.on('message', (topic, payload, packet) => {
    if (payload.length > MAX_PAYLOAD_BYTES) return;
    if (topic === SERVER_STATUS_TOPIC) {
      // Another server has stopped or lost its connection; this one is still online.
      if (payload.toString() !== 'online' && isUp) publishOnline();
      return;
    }
    for (const listener of listeners)
      listener.onMessage({ topic, payload, retained: packet.retain, username: null });
  });
  const isTls = address.protocol === 'mqtts:';
  return {
    state: () => (isUp ? 'ok' : 'down'),
    address: (): BrokerAddress => ({
      host: address.hostname.replace(/^\[|\]$/g, ''),
      port: Number(address.port || (isTls ? 8883 : 1883)),
      tls: isTls,
      embedded: false,
      certificate: null,
    }),
    publish(topic, payload, { retain }) {
      if (isUp) client.publish(topic, payload, { retain, qos: 0 });
    },
    listen(listener) {
      listeners.add(listener);
      if (isUp) listener.onUp();
      return () => listeners.delete(listener);
    },
    disconnect() {},
    async close() {
      listeners.clear();
      if (isUp) {
        isUp = false;
        // A clean disconnect does not publish the last will.
        client.publish(SERVER_STATUS_TOPIC, 'offline', { retain: true, qos: 0 });
        await client.endAsync();
      } else await client.endAsync(true);
    },
  };
}

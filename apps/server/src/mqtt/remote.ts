/** Another broker, by its address: one connection that comes back by itself. */
import { randomBytes } from 'node:crypto';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { connect } from 'mqtt';
import type { BrokerAddress, MqttLink, MqttListener } from './link.ts';
import { DEVICE_FILTERS, SERVER_STATUS_TOPIC } from './topics.ts';

const RECONNECT_MS = 2_000;
const CONNECT_WITHIN_MS = 10_000;
const KEEP_ALIVE_S = 15;
/** Nothing larger is looked at. Bytes. */
const MAX_PAYLOAD_BYTES = 16 * 1024;

/** Connects in the background; `mqtt://` or `mqtts://` with user and password in the address. */
export function connectBroker(url: string, log: Logger): MqttLink {
  const listeners = new Set<MqttListener>();
  const address = new URL(url);
  const client = connect(url, {
    clientId: `haris-server-${randomBytes(6).toString('hex')}`,
    clean: true,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    keepalive: KEEP_ALIVE_S,
    queueQoSZero: false,
    will: { topic: SERVER_STATUS_TOPIC, payload: Buffer.from('offline'), qos: 1, retain: true },
  });
  let isUp = false;
  client.on('connect', () => {
    client.subscribe(DEVICE_FILTERS, { qos: 1 }, (error) => {
      if (error) {
        log.error(describeFailure(error), 'the broker refused the subscription');
        return;
      }
      isUp = true;
      log.info('the broker is there');
      client.publish(SERVER_STATUS_TOPIC, 'online', { retain: true, qos: 1 });
      for (const listener of listeners) listener.onUp();
    });
  });
  client.on('close', () => {
    if (isUp) log.warn({ retryMs: RECONNECT_MS }, 'the broker was lost');
    isUp = false;
  });
  client.on('error', (error) => log.warn(describeFailure(error), 'the broker cannot be reached'));
  client.on('message', (topic, payload, packet) => {
    if (payload.length > MAX_PAYLOAD_BYTES) return;
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
        // A clean goodbye says no last will.
        client.publish(SERVER_STATUS_TOPIC, 'offline', { retain: true, qos: 0 });
        await client.endAsync();
      } else await client.endAsync(true);
    },
  };
}

/** Starts the embedded broker, connects to another broker, or does neither, depending on the settings. */
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { MqttSettings } from '../config.ts';
import { type EmbeddedOptions, startEmbeddedBroker } from './embedded.ts';
import { type MqttLink, type MqttListener, MqttStartError, noLink } from './link.ts';
import { connectBroker } from './remote.ts';

/** Interval for retrying a default port that another program uses. Milliseconds. */
const RETRY_MS = 30_000;

/** `group`: the same for all servers of an installation. Rejects with {@link MqttStartError} if a setting does not work. */
export async function openMqtt(
  settings: MqttSettings,
  parts: Pick<EmbeddedOptions, 'findAccount' | 'macOf'> & { readonly log: Logger; readonly group: string },
): Promise<MqttLink> {
  if (settings.url !== null) return connectBroker(settings.url, parts.group, parts.log);
  if (settings.port === 0) return noLink;
  const start = (port: number) => startEmbeddedBroker({ ...settings, ...parts, port });
  try {
    return await start(settings.port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (settings.takesAnyPort && code === 'EADDRINUSE') return start(0);
    if (code === 'EADDRINUSE' && !settings.portIsChosen) {
      parts.log.warn(
        { port: settings.port },
        'MQTT_PORT is in use by another program: sensors cannot connect until it is free. Set another MQTT_PORT, 0 for no broker, or MQTT_URL to use that program if it is a broker.',
      );
      return startLater(() => start(settings.port), parts.log);
    }
    throw new MqttStartError(inPlainWords(code, error));
  }
}

function inPlainWords(code: string, error: unknown): string {
  if (code === 'EADDRINUSE')
    return 'MQTT_PORT is in use by another program. Set another MQTT_PORT, 0 for no broker, or MQTT_URL to use that program if it is a broker.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'MQTT_HOST is not an address of this machine.';
  if (code === 'EACCES') return 'MQTT_PORT may not be used by this user.';
  throw error;
}

/** Starts without a broker, and opens the broker once the port is free. */
function startLater(start: () => Promise<MqttLink>, log: Logger): MqttLink {
  let link = noLink;
  let isClosed = false;
  let trying: Promise<void> = Promise.resolve();
  const waiting = new Map<MqttListener, () => void>();
  const timer = setInterval(() => {
    trying = trying.then(async () => {
      if (isClosed || link !== noLink) return;
      try {
        link = await start();
      } catch (error) {
        log.debug(describeFailure(error), 'MQTT_PORT is still in use');
        return;
      }
      clearInterval(timer);
      for (const listener of waiting.keys()) waiting.set(listener, link.listen(listener));
    });
  }, RETRY_MS);
  timer.unref();
  return {
    state: () => link.state(),
    address: () => link.address(),
    publish: (...message) => link.publish(...message),
    listen(listener) {
      waiting.set(listener, link.listen(listener));
      return () => {
        waiting.get(listener)?.();
        waiting.delete(listener);
      };
    },
    disconnect: (username) => link.disconnect(username),
    async close() {
      isClosed = true;
      clearInterval(timer);
      await trying;
      await link.close();
    },
  };
}

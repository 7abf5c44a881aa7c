/**
 * The sensors of this server: opens the registry, the intake of readings, the writer and the follower, and connects them to
 * MQTT, to the clock and to the other servers. Other features use it through {@link Environment}.
 */
import type { ReadingMessage } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import type { Reading } from './decoders/decoded.ts';
import { startFollower } from './follower.ts';
import { type AcceptedReading, createIntake } from './intake.ts';
import { readingMessageOf } from './reading-message.ts';
import { createSensorRegistry, type SensorView, type ViewListener } from './sensor-registry.ts';
import { startStateAnnouncer } from './state-announcer.ts';
import { createReadingWriter } from './writer.ts';

/** Interval between checks for stale values. Milliseconds. */
const TICK_MS = 1_000;
/** Delay before reloading the sensors after a change, which another server may have made. Milliseconds. */
const RELOAD_AFTER_MS = 200;

export interface Environment {
  find(id: string): SensorView | undefined;
  all(): SensorView[];
  /** Message for clients of `/ws`; null before the first reading. */
  messageOf(view: SensorView): ReadingMessage | null;
  /** Accepts a reading received by HTTP whose values are within their ranges; resolves once it is stored. */
  accept(id: string, reading: Reading & { readonly id?: string | undefined }): Promise<void>;
  /** Calls back with each accepted reading, before it is stored. Returns a function that removes the listener. */
  onReading(listener: (accepted: AcceptedReading) => void): () => void;
  /** Calls back when a sensor has changed or was deleted. Returns a function that removes the listener. */
  onView(listener: ViewListener): () => void;
  /** Reloads the sensors from the database. Rejects if the database fails. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** Loads the sensors and starts receiving their messages. Rejects if the database fails. */
export async function openEnvironment(context: Context): Promise<Environment> {
  const { clock, log, mqtt } = context;
  const registry = createSensorRegistry(context);
  const writer = createReadingWriter(context);
  const intake = createIntake({ clock, registry, writer });
  const stopAnnouncing = startStateAnnouncer(context, registry);
  await registry.reload();

  let reloadTimer: NodeJS.Timeout | undefined;
  const stopWaking = context.wakeup.listen(() => {
    reloadTimer ??= setTimeout(() => {
      reloadTimer = undefined;
      registry
        .reload()
        .catch((error: unknown) => log.warn(describeFailure(error), 'sensors could not be read'));
    }, RELOAD_AFTER_MS);
  });
  const stopMqtt = mqtt.listen({ onMessage: intake.onMessage, onOverflow: intake.onOverflow, onUp() {} });
  const ticker = setInterval(registry.notifyOfTime, TICK_MS);
  ticker.unref();
  const follower = startFollower(context, registry);

  return {
    find: registry.find,
    all: registry.all,
    messageOf: (view) => readingMessageOf(view, clock.now()),
    async accept(id, { id: key, ...reading }) {
      const sensor = registry.find(id);
      if (!sensor) return;
      intake.accept(sensor, reading, key ?? null);
      await writer.flush();
    },
    onReading: intake.onReading,
    onView: registry.onView,
    reload: registry.reload,
    async stop() {
      clearInterval(ticker);
      clearTimeout(reloadTimer);
      stopAnnouncing();
      stopWaking();
      stopMqtt();
      await registry.settled();
      await follower.stop();
      await writer.stop();
    },
  };
}

/** A broker that cannot be reached: none of its sensors is heard, although they may be fine. */
import type { Context } from '../../../context.ts';
import type { Detector } from '../detection.ts';

/** A broker that restarts, or a short network failure, is over by then. Milliseconds. */
const DOWN_AFTER_MS = 30_000;

export function detectBroker({ mqtt }: Pick<Context, 'mqtt'>): Detector {
  let downSince: number | null = null;
  return async (now) => {
    if (mqtt.state() !== 'down') downSince = null;
    else downSince ??= now;
    const isDown = downSince !== null && now - downSince >= DOWN_AFTER_MS;
    return {
      kinds: ['broker_down'],
      findings: isDown ? [{ kind: 'broker_down', episode: 'broker_down' }] : [],
      goingOn: new Set(downSince === null ? [] : ['broker_down']),
    };
  };
}

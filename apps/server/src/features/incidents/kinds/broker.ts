/** A broker that cannot be reached: its sensors may work, but their readings do not arrive. */
import type { Context } from '../../../context.ts';
import type { Detector } from '../detection.ts';

/** Delay before the broker counts as down: longer than its restart or a short network failure. Milliseconds. */
const DOWN_AFTER_MS = 30_000;

export function detectBroker({ mqtt }: Pick<Context, 'mqtt'>): Detector {
  let downSince: number | null = null;
  return async (now) => {
    if (mqtt.state() !== 'down') downSince = null;
    else downSince ??= now;
    const isDown = downSince !== null && now - downSince >= DOWN_AFTER_MS;
    return {
      kinds: ['broker_down'],
      findings: isDown ? [{ kind: 'broker_down', condition: 'broker_down' }] : [],
      goingOn: new Set(downSince === null ? [] : ['broker_down']),
    };
  };
}

import type { ReadingMessage } from '@haris/contract/live/readings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { airByArea, latestExpiry } from './air.ts';

const START = Date.parse('2026-03-10T09:00:00.000Z');
const moment = fc.integer({ min: 0, max: 20 }).map((ms) => START + ms);
const freshUntil = fc.option(moment.map((ms) => new Date(ms).toISOString()));

function reading(area: string, until: (string | null)[]): ReadingMessage {
  const [temperature = null, humidity = null, mq2 = null] = until;
  return {
    sensorId: `s-${area}-${temperature}-${humidity}-${mq2}`,
    area,
    temperature: 21,
    humidity: 40,
    mq2: 120,
    truth: { temperature: 'live', humidity: 'live', mq2: 'stuck' },
    freshUntil: { temperature, humidity, mq2 },
    at: new Date(START).toISOString(),
  };
}

const readings = fc.array(
  fc
    .tuple(fc.constantFrom('Playroom', 'Kitchen'), fc.tuple(freshUntil, freshUntil, freshUntil))
    .map(([area, until]) => reading(area, until)),
  { maxLength: 4 },
);

describe('latestExpiry', () => {
  it('is a moment at which the air is what it is now', () => {
    fc.assert(
      fc.property(readings, moment, (messages, now) => {
        const expiry = latestExpiry(messages, now);
        expect(expiry).toBeLessThanOrEqual(now);
        expect(airByArea(messages, expiry)).toEqual(airByArea(messages, now));
      }),
    );
  });

  it('moves when a value becomes stale, a millisecond after its last fresh moment', () => {
    const messages = [reading('Playroom', [new Date(START + 5).toISOString()])];
    expect(latestExpiry(messages, START + 5)).toBe(0);
    expect(latestExpiry(messages, START + 6)).toBe(START + 6);
    expect(latestExpiry(messages, START + 900)).toBe(START + 6);
  });
});

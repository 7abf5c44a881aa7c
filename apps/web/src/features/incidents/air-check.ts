/**
 * The page's own check of the air (spec §4): the second line behind the server, which works on what `/ws` says when the
 * stream of events is down. Pure; knows no call and no React.
 */
import {
  AIR_ALERT_FROM,
  AIR_CHECK_MS,
  TEMPERATURE_ALERT_FROM,
  TEMPERATURE_CHECK_MS,
} from '@haris/contract/constants';
import type { Quantity, ReadingMessage } from '@haris/contract/live/readings';

export type AirKind = 'temperature' | 'air';

interface AirCheck {
  readonly quantity: Quantity;
  /** From this value on there is an alert. */
  readonly from: number;
  readonly everyMs: number;
  /** An acknowledged episode is over this far below: noise around the limit is one alert, not forty. */
  readonly margin: number;
}

export const AIR_CHECKS: Readonly<Record<AirKind, AirCheck>> = {
  temperature: {
    quantity: 'temperature',
    from: TEMPERATURE_ALERT_FROM,
    everyMs: TEMPERATURE_CHECK_MS,
    margin: 1,
  },
  air: { quantity: 'mq2', from: AIR_ALERT_FROM, everyMs: AIR_CHECK_MS, margin: 50 },
};

/** One episode in one area, from the first value over the limit until it is acknowledged and over. */
export interface AirAlarm {
  readonly kind: AirKind;
  readonly area: string;
  /** The highest current value of the area. */
  readonly value: number;
  /** Epoch milliseconds of the server's clock at which the page found it. */
  readonly since: number;
  readonly isAcknowledged: boolean;
  /** The air is back below the limit. */
  readonly isOver: boolean;
}

/** By {@link alarmKey}. */
export type AirAlarms = ReadonlyMap<string, AirAlarm>;

export function alarmKey(kind: string, area: string): string {
  return `${kind}/${area}`;
}

/**
 * The highest value per area that still counts at `now`. A gas sensor that heats up and a value that does not change
 * count too: an alarm too many is the lesser evil. What is stale says nothing, neither danger nor its end.
 */
function highestByArea(
  quantity: Quantity,
  readings: Iterable<ReadingMessage>,
  now: number,
): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { area, [quantity]: value, truth, freshUntil } of readings) {
    const until = freshUntil[quantity];
    const isPast = truth[quantity] === 'stale' || truth[quantity] === 'offline';
    if (value === null || isPast || (until !== null && now > Date.parse(until))) continue;
    highest.set(area, Math.max(value, highest.get(area) ?? value));
  }
  return highest;
}

/** What one check makes of the alarms; the same object when nothing has changed. */
export function checkAir(
  alarms: AirAlarms,
  kind: AirKind,
  readings: Iterable<ReadingMessage>,
  now: number,
): AirAlarms {
  const { quantity, from, margin } = AIR_CHECKS[kind];
  const next = new Map(alarms);
  let isChanged = false;
  for (const [area, value] of highestByArea(quantity, readings, now)) {
    const key = alarmKey(kind, area);
    const known = next.get(key);
    const isOver = value < from;
    if (known === undefined) {
      if (isOver) continue;
      next.set(key, { kind, area, value, since: now, isAcknowledged: false, isOver });
    } else if (known.isAcknowledged && value < from - margin) {
      next.delete(key);
    } else if (known.value !== value || known.isOver !== isOver) {
      next.set(key, { ...known, value, isOver });
    } else continue;
    isChanged = true;
  }
  return isChanged ? next : alarms;
}

/** Closes this one and no other. */
export function acknowledgeAir(alarms: AirAlarms, key: string): AirAlarms {
  const known = alarms.get(key);
  if (known === undefined || known.isAcknowledged) return alarms;
  return new Map(alarms).set(key, { ...known, isAcknowledged: true });
}

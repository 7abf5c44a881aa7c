import { DEFAULT_ALARMS } from '@haris/contract/alarms';
import type { ReadingMessage } from '@haris/contract/live/readings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AirAlarms,
  type AirKind,
  alarmKey,
  acknowledgeAir as closeAt,
  type LimitOf,
  checkAir as lookAt,
} from './air-check.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const NONE: AirAlarms = new Map();

const usual: LimitOf = (kind) => DEFAULT_ALARMS[kind];
const checkAir = (alarms: AirAlarms, kind: AirKind, readings: Iterable<ReadingMessage>, now: number) =>
  lookAt(alarms, kind, readings, now, usual);
const acknowledgeAir = (alarms: AirAlarms, key: string) => closeAt(alarms, key, NOW);

function reading(values: Partial<ReadingMessage>): ReadingMessage {
  const later = new Date(NOW + 60_000).toISOString();
  return {
    temperature: null,
    humidity: null,
    mq2: null,
    at: new Date(NOW).toISOString(),
    area: 'Playroom',
    sensorId: 's1',
    truth: { temperature: 'live', humidity: 'live', mq2: 'live' },
    freshUntil: { temperature: later, humidity: later, mq2: later },
    ...values,
  };
}

const hot = (temperature: number) => [reading({ temperature })];
const keysOf = (alarms: AirAlarms) => [...alarms.keys()];

describe('the check of the air', () => {
  it('raises from 40 degrees and from 1000 on, and not below', () => {
    expect(keysOf(checkAir(NONE, 'temperature', hot(39.9), NOW))).toEqual([]);
    expect(keysOf(checkAir(NONE, 'temperature', hot(40), NOW))).toEqual(['temperature/Playroom']);
    expect(keysOf(checkAir(NONE, 'air', [reading({ mq2: 999 })], NOW))).toEqual([]);
    expect(keysOf(checkAir(NONE, 'air', [reading({ mq2: 1000 })], NOW))).toEqual(['air/Playroom']);
  });

  it('looks at its own quantity only, and acknowledging one leaves the other', () => {
    const both = [reading({ temperature: 41, mq2: 1200 })];
    let alarms = checkAir(NONE, 'temperature', both, NOW);
    expect(keysOf(alarms)).toEqual(['temperature/Playroom']);
    alarms = checkAir(alarms, 'air', both, NOW);
    alarms = acknowledgeAir(alarms, alarmKey('air', 'Playroom'));
    expect([...alarms.values()].map(({ kind, acknowledgedAt }) => [kind, acknowledgedAt])).toEqual([
      ['temperature', null],
      ['air', NOW],
    ]);
  });

  it('goes by the highest of several sensors of an area', () => {
    const two = [reading({ temperature: 45 }), reading({ temperature: 21, sensorId: 's2' })];
    for (const readings of [two, two.toReversed()])
      expect(checkAir(NONE, 'temperature', readings, NOW).get('temperature/Playroom')?.value).toBe(45);
  });

  it('a stale value neither raises nor ends anything', () => {
    const old = [
      reading({ temperature: 50, truth: { temperature: 'stale', humidity: 'live', mq2: 'live' } }),
    ];
    expect(checkAir(NONE, 'temperature', old, NOW)).toBe(NONE);
    expect(checkAir(NONE, 'temperature', hot(50), NOW + 61_000)).toBe(NONE);
    const raised = acknowledgeAir(checkAir(NONE, 'temperature', hot(50), NOW), 'temperature/Playroom');
    expect(checkAir(raised, 'temperature', hot(20), NOW + 61_000)).toBe(raised);
  });

  it('an alarm that nobody acknowledged stays when the air is good again', () => {
    const raised = checkAir(NONE, 'temperature', hot(41), NOW);
    const over = checkAir(raised, 'temperature', hot(21), NOW);
    expect(over.get('temperature/Playroom')).toMatchObject({
      isOver: true,
      acknowledgedAt: null,
      since: NOW,
    });
  });

  it('noise around the limit is one episode', () => {
    const noise = fc.array(fc.double({ min: 39.01, max: 41, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(noise, (values) => {
        let alarms = acknowledgeAir(checkAir(NONE, 'temperature', hot(40), NOW), 'temperature/Playroom');
        for (const value of values) alarms = checkAir(alarms, 'temperature', hot(value), NOW);
        expect(alarms.get('temperature/Playroom')?.acknowledgedAt).toBe(NOW);
      }),
    );
  });

  it('after it was acknowledged and over, the next one is a new one', () => {
    let alarms = acknowledgeAir(checkAir(NONE, 'temperature', hot(41), NOW), 'temperature/Playroom');
    alarms = checkAir(alarms, 'temperature', hot(38), NOW);
    expect(keysOf(alarms)).toEqual([]);
    alarms = checkAir(alarms, 'temperature', hot(42), NOW);
    expect(alarms.get('temperature/Playroom')?.acknowledgedAt).toBeNull();
  });

  it('goes by the limit of the area, and tells nobody before the delay is over', () => {
    const kitchen: LimitOf = () => ({ from: 45, hysteresis: 1, delaySeconds: 10, clearSeconds: 60 });
    expect(lookAt(NONE, 'temperature', hot(44), NOW, kitchen)).toBe(NONE);
    let alarms = lookAt(NONE, 'temperature', hot(45), NOW, kitchen);
    expect(alarms.get('temperature/Playroom')).toMatchObject({ isRaised: false, limit: 45 });
    alarms = lookAt(alarms, 'temperature', hot(44), NOW + 8_000, kitchen);
    expect(keysOf(alarms)).toEqual([]);
    alarms = lookAt(alarms, 'temperature', hot(45), NOW, kitchen);
    alarms = lookAt(alarms, 'temperature', hot(45), NOW + 10_000, kitchen);
    expect(alarms.get('temperature/Playroom')?.isRaised).toBe(true);
  });
});

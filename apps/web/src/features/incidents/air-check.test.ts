import { DEFAULT_ALARMS } from '@haris/contract/alarms';
import type { ReadingMessage } from '@haris/contract/live/readings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AirIncidents,
  type AirKind,
  airKey,
  acknowledgeAir as closeAt,
  type LimitOf,
  checkAir as lookAt,
} from './air-check.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const NONE: AirIncidents = new Map();

const usual: LimitOf = (kind) => DEFAULT_ALARMS[kind];
const checkAir = (incidents: AirIncidents, kind: AirKind, readings: Iterable<ReadingMessage>, now: number) =>
  lookAt(incidents, kind, readings, now, usual);
const acknowledgeAir = (incidents: AirIncidents, key: string) => closeAt(incidents, key, NOW);

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
const keysOf = (incidents: AirIncidents) => [...incidents.keys()];

describe('the check of the air', () => {
  it('raises from 40 degrees and from 1000 on, and not below', () => {
    expect(keysOf(checkAir(NONE, 'temperature', hot(39.9), NOW))).toEqual([]);
    expect(keysOf(checkAir(NONE, 'temperature', hot(40), NOW))).toEqual(['temperature/Playroom']);
    expect(keysOf(checkAir(NONE, 'air', [reading({ mq2: 999 })], NOW))).toEqual([]);
    expect(keysOf(checkAir(NONE, 'air', [reading({ mq2: 1000 })], NOW))).toEqual(['air/Playroom']);
  });

  it('looks at its own quantity only, and acknowledging one leaves the other', () => {
    const both = [reading({ temperature: 41, mq2: 1200 })];
    let incidents = checkAir(NONE, 'temperature', both, NOW);
    expect(keysOf(incidents)).toEqual(['temperature/Playroom']);
    incidents = checkAir(incidents, 'air', both, NOW);
    incidents = acknowledgeAir(incidents, airKey('air', 'Playroom'));
    expect([...incidents.values()].map(({ kind, acknowledgedAt }) => [kind, acknowledgedAt])).toEqual([
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

  it('an incident that nobody acknowledged stays when the air is good again', () => {
    const raised = checkAir(NONE, 'temperature', hot(41), NOW);
    const over = checkAir(raised, 'temperature', hot(21), NOW);
    expect(over.get('temperature/Playroom')).toMatchObject({
      isOver: true,
      acknowledgedAt: null,
      since: NOW,
    });
  });

  it('noise around the limit is one incident', () => {
    const noise = fc.array(fc.double({ min: 39.01, max: 41, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(noise, (values) => {
        let incidents = acknowledgeAir(checkAir(NONE, 'temperature', hot(40), NOW), 'temperature/Playroom');
        for (const value of values) incidents = checkAir(incidents, 'temperature', hot(value), NOW);
        expect(incidents.get('temperature/Playroom')?.acknowledgedAt).toBe(NOW);
      }),
    );
  });

  it('after it was acknowledged and over, the next one is a new one', () => {
    let incidents = acknowledgeAir(checkAir(NONE, 'temperature', hot(41), NOW), 'temperature/Playroom');
    incidents = checkAir(incidents, 'temperature', hot(38), NOW);
    expect(keysOf(incidents)).toEqual([]);
    incidents = checkAir(incidents, 'temperature', hot(42), NOW);
    expect(incidents.get('temperature/Playroom')?.acknowledgedAt).toBeNull();
  });

  it('goes by the limit of the area, and tells nobody before the delay is over', () => {
    const kitchen: LimitOf = () => ({ from: 45, hysteresis: 1, delaySeconds: 10, clearSeconds: 60 });
    expect(lookAt(NONE, 'temperature', hot(44), NOW, kitchen)).toBe(NONE);
    let incidents = lookAt(NONE, 'temperature', hot(45), NOW, kitchen);
    expect(incidents.get('temperature/Playroom')).toMatchObject({ isRaised: false, limit: 45 });
    incidents = lookAt(incidents, 'temperature', hot(44), NOW + 8_000, kitchen);
    expect(keysOf(incidents)).toEqual([]);
    incidents = lookAt(incidents, 'temperature', hot(45), NOW, kitchen);
    incidents = lookAt(incidents, 'temperature', hot(45), NOW + 10_000, kitchen);
    expect(incidents.get('temperature/Playroom')?.isRaised).toBe(true);
  });
});

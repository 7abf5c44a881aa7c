/** Presents sensors and Home Assistant accounts as API objects, field by field, so that no secret or hash gets out. */
import type { HomeAssistantAccount, Sensor } from '@haris/contract/http/sensors';
import { QUANTITIES, type Quantity } from '@haris/contract/live/readings';
import { toMoment } from '../../clock.ts';
import type { HomeAssistantAccountRow } from '../../db/schema.ts';
import type { SensorView } from './sensor-registry.ts';
import { freshUntil, overallTruth, periodOf, truthOf } from './truth.ts';

function momentOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : toMoment(ms);
}

export function presentSensor({ row, state, refused }: SensorView, now: number): Sensor {
  const describe = (quantity: Quantity) => ({
    value: state.values[quantity]?.value ?? null,
    truth: truthOf(state, quantity, now),
    at: momentOf(state.values[quantity]?.at),
    freshUntil: momentOf(freshUntil(state, quantity)),
  });
  const received = QUANTITIES.filter((quantity) => state.values[quantity]);
  const period = Math.max(
    ...(received.length > 0 ? received : QUANTITIES).map((one) => periodOf(state, one)),
  );
  return {
    _id: row.id,
    name: row.name,
    area: row.area,
    kind: row.kind,
    demo: row.demo === 1,
    username: row.username,
    topic: row.topic,
    state: overallTruth(state, now),
    temperature: describe('temperature'),
    humidity: describe('humidity'),
    mq2: describe('mq2'),
    period: row.period,
    periodInForce: Math.round(period / 100) / 10,
    refused: {
      count: refused.count,
      lastAt: momentOf(refused.last?.at),
      lastReason: refused.last?.reason ?? null,
    },
    createdAt: toMoment(row.created_at),
  };
}

export function presentHomeAssistantAccount(row: HomeAssistantAccountRow): HomeAssistantAccount {
  return {
    _id: row.id,
    name: row.name,
    username: row.username,
    createdAt: toMoment(row.created_at),
    madeBy: row.made_by,
  };
}

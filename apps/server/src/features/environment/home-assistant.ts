/**
 * Publishes the sensors and the number of children inside to a Home Assistant on the same broker, by MQTT discovery
 * (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery). A value that is not current is published as unknown.
 */

import { isCurrent, QUANTITIES, type Quantity, STALE_AFTER_PERIODS } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { atEachFacility, findFacilityNames } from '../../db/facilities.ts';
import { countChildrenInside } from '../../db/stays.ts';
import { acrossFacilities, MAIN_FACILITY } from '../../facility.ts';
import { DISCOVERY_ROOT, discoveryName, SERVER_STATUS_TOPIC, serverTopic } from '../../mqtt/topics.ts';
import type { Environment } from './environment.ts';
import type { SensorView } from './sensor-registry.ts';
import { periodOf } from './truth.ts';

/** Delay before recounting the children after a change. Milliseconds. */
const COUNT_AFTER_MS = 300;

const ENTITIES: Readonly<Record<Quantity, Readonly<Record<string, unknown>>>> = {
  temperature: { name: 'Temperature', device_class: 'temperature', unit_of_measurement: '°C' },
  humidity: { name: 'Humidity', device_class: 'humidity', unit_of_measurement: '%' },
  mq2: { name: 'Air quality', icon: 'mdi:air-filter' },
};

function stateTopic(facility: string, id: string): string {
  return serverTopic(facility, `sensors/${id}/state`);
}

function configTopic(facility: string, id: string, quantity: Quantity): string {
  return `${DISCOVERY_ROOT}/sensor/${discoveryName(facility, id)}/${quantity}/config`;
}

/** Fields that all announcements share. */
const COMMON = {
  state_class: 'measurement',
  availability_topic: SERVER_STATUS_TOPIC,
  origin: { name: 'Haris' },
};

/** Announcement of one quantity of a sensor. Pure. */
function discoveryOf({ row, state }: SensorView, quantity: Quantity): Record<string, unknown> {
  return {
    ...COMMON,
    ...ENTITIES[quantity],
    unique_id: `haris_${row.id}_${quantity}`,
    state_topic: stateTopic(row.facility_id, row.id),
    value_template: `{{ value_json.${quantity} }}`,
    // Home Assistant drops a value that is not refreshed, for example because this server stopped.
    // Rounded up to half minutes, because a learnt period changes a little with each reading.
    expire_after: Math.ceil((STALE_AFTER_PERIODS * periodOf(state, quantity)) / 30_000) * 30,
    device: {
      identifiers: [`haris_${row.id}`],
      name: row.name,
      suggested_area: row.area,
      manufacturer: 'Haris',
    },
  };
}

/** Starts publishing. Returns a function that stops publishing. */
export function announceToHomeAssistant(context: Context, environment: Environment): () => void {
  const { mqtt, db, log } = context;
  if (context.config.mqtt.url === null && context.config.mqtt.port === 0) return () => {};
  /** Last payload by topic; an equal payload is not published again. */
  const published = new Map<string, string>();

  function publish(topic: string, payload: string): void {
    if (mqtt.state() !== 'ok' || published.get(topic) === payload) return;
    published.set(topic, payload);
    mqtt.publish(topic, payload, { retain: true });
  }

  function publishSensor(view: SensorView): void {
    const message = environment.messageOf(view);
    if (!message) return;
    const { id, facility_id: facility } = view.row;
    for (const quantity of QUANTITIES)
      if (message[quantity] !== null)
        publish(configTopic(facility, id, quantity), JSON.stringify(discoveryOf(view, quantity)));
    const value = (quantity: Quantity) => (isCurrent(message.truth[quantity]) ? message[quantity] : null);
    publish(
      stateTopic(facility, id),
      // With the time, an equal reading is a new payload too, which restarts Home Assistant's count of `expire_after`.
      JSON.stringify({
        temperature: value('temperature'),
        humidity: value('humidity'),
        mq2: value('mq2'),
        at: message.at,
      }),
    );
  }

  function forget(id: string, facility: string): void {
    const configs = QUANTITIES.map((quantity) => configTopic(facility, id, quantity));
    for (const topic of [...configs, stateTopic(facility, id)])
      if (published.delete(topic)) mqtt.publish(topic, '', { retain: true });
  }

  async function publishChildren(facility: string): Promise<void> {
    const inside = await countChildrenInside(db);
    const name = facility === MAIN_FACILITY ? null : (await findFacilityNames(db)).get(facility);
    const device = discoveryName(facility, 'facility');
    const topic = serverTopic(facility, 'children-inside');
    publish(
      `${DISCOVERY_ROOT}/sensor/${device}/children_inside/config`,
      JSON.stringify({
        ...COMMON,
        name: 'Children inside',
        icon: 'mdi:account-child',
        unique_id: discoveryName(facility, 'children_inside'),
        state_topic: topic,
        device: { identifiers: [device], name: name ?? 'Haris', manufacturer: 'Haris' },
      }),
    );
    publish(topic, String(inside));
  }

  async function publishAllChildren(): Promise<void> {
    if (mqtt.state() === 'ok') await atEachFacility(db, publishChildren);
  }

  let timer: NodeJS.Timeout | undefined;
  function publishChildrenSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      acrossFacilities(publishAllChildren).catch((error: unknown) =>
        log.warn(describeFailure(error), 'children could not be counted'),
      );
    }, COUNT_AFTER_MS);
  }

  const stops = [
    environment.onView((id, view, facility) => (view ? publishSensor(view) : forget(id, facility))),
    context.wakeup.listen(publishChildrenSoon),
    mqtt.listen({
      onMessage() {},
      onOverflow() {},
      onUp() {
        // The broker may have lost all retained messages.
        published.clear();
        mqtt.publish(SERVER_STATUS_TOPIC, 'online', { retain: true });
        for (const view of environment.all()) publishSensor(view);
        publishChildrenSoon();
      },
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

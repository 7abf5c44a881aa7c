/**
 * Tells a Home Assistant on the same broker of our sensors and of the number of children inside, by MQTT discovery
 * (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery). What may not be believed now is told as unknown.
 */
import { isCurrent, QUANTITIES, type Quantity, STALE_AFTER_PERIODS } from '@haris/contract/live/readings';
import { describeFailure } from '@haris/runtime/log';
import type { Context } from '../../context.ts';
import { DISCOVERY_ROOT, SERVER_ROOT, SERVER_STATUS_TOPIC } from '../../mqtt/topics.ts';
import type { Environment, SensorView } from './environment.ts';
import { periodOf } from './truth.ts';

const CHILDREN_TOPIC = `${SERVER_ROOT}/children-inside`;
/** After something has happened at the desk, the children are counted this soon. Milliseconds. */
const COUNT_AFTER_MS = 300;

const ENTITIES: Readonly<Record<Quantity, Readonly<Record<string, unknown>>>> = {
  temperature: { name: 'Temperature', device_class: 'temperature', unit_of_measurement: '°C' },
  humidity: { name: 'Humidity', device_class: 'humidity', unit_of_measurement: '%' },
  mq2: { name: 'Air quality', icon: 'mdi:air-filter' },
};

function stateTopic(id: string): string {
  return `${SERVER_ROOT}/sensors/${id}/state`;
}

function configTopic(id: string, quantity: Quantity): string {
  return `${DISCOVERY_ROOT}/sensor/haris_${id}/${quantity}/config`;
}

/** What every announcement has: who says it, and when it is not there. */
const COMMON = {
  state_class: 'measurement',
  availability_topic: SERVER_STATUS_TOPIC,
  origin: { name: 'Haris' },
};

/** What is announced of a quantity of a sensor. Pure. */
function discoveryOf({ row, state }: SensorView, quantity: Quantity): Record<string, unknown> {
  return {
    ...COMMON,
    ...ENTITIES[quantity],
    unique_id: `haris_${row.id}_${quantity}`,
    state_topic: stateTopic(row.id),
    value_template: `{{ value_json.${quantity} }}`,
    // Home Assistant itself forgets a value of which it hears no more, should this server be gone.
    // In whole half minutes: a period that is learnt is never quite the same.
    expire_after: Math.ceil((STALE_AFTER_PERIODS * periodOf(state, quantity)) / 30_000) * 30,
    device: {
      identifiers: [`haris_${row.id}`],
      name: row.name,
      suggested_area: row.area,
      manufacturer: 'Haris',
    },
  };
}

/** Starts telling; answers how to stop. */
export function announceToHomeAssistant(context: Context, environment: Environment): () => void {
  const { mqtt, db, log } = context;
  if (context.config.mqtt.url === null && context.config.mqtt.port === 0) return () => {};
  /** What was published last, per topic; nothing is said twice. */
  const published = new Map<string, string>();

  function publish(topic: string, payload: string): void {
    if (mqtt.state() !== 'ok' || published.get(topic) === payload) return;
    published.set(topic, payload);
    mqtt.publish(topic, payload, { retain: true });
  }

  function tell(view: SensorView): void {
    const message = environment.messageOf(view);
    if (!message) return;
    for (const quantity of QUANTITIES)
      if (message[quantity] !== null)
        publish(configTopic(view.row.id, quantity), JSON.stringify(discoveryOf(view, quantity)));
    const value = (quantity: Quantity) => (isCurrent(message.truth[quantity]) ? message[quantity] : null);
    publish(
      stateTopic(view.row.id),
      // With the moment, so that an equal reading is news as well: Home Assistant counts from it.
      JSON.stringify({
        temperature: value('temperature'),
        humidity: value('humidity'),
        mq2: value('mq2'),
        at: message.at,
      }),
    );
  }

  function forget(id: string): void {
    for (const topic of [...QUANTITIES.map((quantity) => configTopic(id, quantity)), stateTopic(id)])
      if (published.delete(topic)) mqtt.publish(topic, '', { retain: true });
  }

  async function tellChildren(): Promise<void> {
    if (mqtt.state() !== 'ok') return;
    const { inside } = await db
      .selectFrom('stays')
      .select((eb) => eb.fn.countAll<number>().as('inside'))
      .where('exit_time', 'is', null)
      .executeTakeFirstOrThrow();
    publish(
      `${DISCOVERY_ROOT}/sensor/haris_facility/children_inside/config`,
      JSON.stringify({
        ...COMMON,
        name: 'Children inside',
        icon: 'mdi:account-child',
        unique_id: 'haris_children_inside',
        state_topic: CHILDREN_TOPIC,
        device: { identifiers: ['haris_facility'], name: 'Haris', manufacturer: 'Haris' },
      }),
    );
    publish(CHILDREN_TOPIC, String(inside));
  }

  let timer: NodeJS.Timeout | undefined;
  function tellChildrenSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      tellChildren().catch((error: unknown) =>
        log.warn(describeFailure(error), 'children could not be counted'),
      );
    }, COUNT_AFTER_MS);
  }

  const stops = [
    environment.onView((id, view) => (view ? tell(view) : forget(id))),
    context.wakeup.listen(tellChildrenSoon),
    mqtt.listen({
      onMessage() {},
      onOverflow() {},
      onUp() {
        // The broker may have forgotten everything.
        published.clear();
        mqtt.publish(SERVER_STATUS_TOPIC, 'online', { retain: true });
        for (const view of environment.all()) tell(view);
        tellChildrenSoon();
      },
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/** Topics: where devices and the server publish, and who may do what. Pure. */
import type { SensorKind } from '@haris/contract/http/sensors';

/** Devices of the kinds `haris` and `esphome`: `haris/{area}/{device}/…`. */
const DEVICE_ROOT = 'haris';
/** What the server tells others, Home Assistant above all. */
export const SERVER_ROOT = 'haris-server';
/** Home Assistant looks for announcements below it. */
export const DISCOVERY_ROOT = 'homeassistant';
/** Said by the server on a broker that is not its own, and by its last will. */
export const SERVER_STATUS_TOPIC = `${SERVER_ROOT}/status`;

/** What devices have to say of the air, for the subscription on a broker that is not ours. Servers share it. */
export const READING_FILTERS = [
  `${DEVICE_ROOT}/+/+/state`,
  `${DEVICE_ROOT}/+/+/sensor/+/state`,
  'tele/+/SENSOR',
];
/** What devices and their last wills have to say of themselves: for every server, since the broker keeps it. */
export const AVAILABILITY_FILTERS = [
  `${DEVICE_ROOT}/+/+/availability`,
  `${DEVICE_ROOT}/+/+/status`,
  'tele/+/LWT',
];

/** Who is connected: a device with its own topics, or a Home Assistant that reads. */
export type BrokerRole =
  | { readonly kind: 'device'; readonly deviceKind: SensorKind; readonly topic: string }
  | { readonly kind: 'home_assistant' };

/** A text as one level of a topic: letters and digits of any script, nothing that MQTT or a shell takes for its own. */
export function toTopicLevel(text: string): string {
  const level = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...level].slice(0, 40).join('') || 'area';
}

/** The topic of a new device (contract §4); a Tasmota has one level only. */
export function deviceTopic(kind: SensorKind, area: string, username: string): string {
  return kind === 'tasmota' ? username : `${DEVICE_ROOT}/${toTopicLevel(area)}/${username}`;
}

/** Whether an account may publish to a topic: devices to their own, nobody else at all. */
export function mayPublish(role: BrokerRole, topic: string): boolean {
  if (role.kind !== 'device') return false;
  if (role.deviceKind === 'tasmota')
    return [`tele/${role.topic}/`, `stat/${role.topic}/`].some((own) => topic.startsWith(own));
  if (!topic.startsWith(`${role.topic}/`)) return false;
  const rest = topic.slice(role.topic.length + 1);
  if (rest === 'availability') return true;
  return role.deviceKind === 'haris'
    ? rest === 'state'
    : rest === 'status' || /^sensor\/[^/]+\/state$/.test(rest);
}

/** Whether an account may subscribe to a filter, which matches nothing outside its first levels. */
export function maySubscribe(role: BrokerRole, filter: string): boolean {
  if (role.kind === 'home_assistant')
    return [DISCOVERY_ROOT, SERVER_ROOT].some((root) => filter.startsWith(`${root}/`));
  if (role.deviceKind === 'tasmota') return filter.startsWith(`cmnd/${role.topic}/`);
  return filter.startsWith(`${role.topic}/`) && filter.endsWith('/command');
}

/** Whether the broker keeps what a device wants kept: its availability only, which is one topic and short. */
export function isAvailabilityTopic(topic: string): boolean {
  return /\/(availability|status|LWT)$/.test(topic);
}

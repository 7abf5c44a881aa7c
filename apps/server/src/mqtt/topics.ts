/** MQTT topics: where devices and the server publish, and who may publish and subscribe to what. Pure. */
import type { SensorKind } from '@haris/contract/http/sensors';
import { MAIN_FACILITY } from '../facility.ts';

/** Devices of the kinds `haris` and `esphome`: `haris/{area}/{device}/…`. */
const DEVICE_ROOT = 'haris';
/** The server publishes below it, mostly for Home Assistant. */
const SERVER_ROOT = 'haris-server';
/** Home Assistant expects discovery messages below it. */
export const DISCOVERY_ROOT = 'homeassistant';
/** Topic of the server's `online`, and of `offline` by its last will; used only on another broker. */
export const SERVER_STATUS_TOPIC = `${SERVER_ROOT}/status`;

/** Readings of devices: filters of the shared subscription on another broker. */
export const READING_FILTERS = [
  `${DEVICE_ROOT}/+/+/state`,
  `${DEVICE_ROOT}/+/+/sensor/+/state`,
  'tele/+/SENSOR',
];
/** Availability of devices: filters that every server subscribes to, because the broker retains these messages. */
export const AVAILABILITY_FILTERS = [
  `${DEVICE_ROOT}/+/+/availability`,
  `${DEVICE_ROOT}/+/+/status`,
  'tele/+/LWT',
];

/** Role of an account on the broker: a device with its own topics, or a Home Assistant that only reads. */
export type BrokerRole =
  | { readonly kind: 'device'; readonly deviceKind: SensorKind; readonly topic: string }
  | { readonly kind: 'home_assistant'; readonly facility: string };

/** Turns a text into one level of a topic: letters and digits of any script, without special characters of MQTT or a shell. */
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

/** Whether an account may publish to a topic. Devices may publish to their firmware's topics below their own topic. */
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

/** A topic of the server about a facility. Those of the main one are as before there were several. */
export function serverTopic(facility: string, rest: string): string {
  return facility === MAIN_FACILITY ? `${SERVER_ROOT}/${rest}` : `${SERVER_ROOT}/at/${facility}/${rest}`;
}

/** The name of a thing of a facility in discovery messages: no id has an underscore. */
export function discoveryName(facility: string, thing: string): string {
  return facility === MAIN_FACILITY ? `haris_${thing}` : `haris_at_${facility}_${thing}`;
}

/**
 * Whether an account may receive a message. Home Assistant subscribes with wildcards, so this filters out messages of
 * other facilities.
 */
export function mayReceive(role: BrokerRole, topic: string): boolean {
  if (role.kind !== 'home_assistant' || topic === SERVER_STATUS_TOPIC) return true;
  const [root, at, name = ''] = topic.split('/');
  const elsewhere =
    root === SERVER_ROOT ? (at === 'at' ? name : undefined) : /^haris_at_([^_]+)_/.exec(name)?.[1];
  return (elsewhere ?? MAIN_FACILITY) === role.facility;
}

/** Whether an account may subscribe to a filter. A filter matches only topics that begin with its first levels. */
export function maySubscribe(role: BrokerRole, filter: string): boolean {
  if (role.kind === 'home_assistant')
    return [DISCOVERY_ROOT, SERVER_ROOT].some((root) => filter.startsWith(`${root}/`));
  if (role.deviceKind === 'tasmota') return filter.startsWith(`cmnd/${role.topic}/`);
  return filter.startsWith(`${role.topic}/`) && filter.endsWith('/command');
}

/** Whether the broker retains messages to this topic of a device. It retains availability only, one short message each. */
export function isAvailabilityTopic(topic: string): boolean {
  return /\/(availability|status|LWT)$/.test(topic);
}

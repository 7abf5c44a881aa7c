/** The configuration for an ESP32, read back as ESPHome reads it. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildEsphomeYaml } from './esphome-yaml.ts';

const device = {
  name: 'Playroom: "the # one"\nesphome: {name: evil}',
  username: 'haris-1a2b3c4d5e',
  password: 'p-a_ssword',
  topic: 'haris/غرفة-١/haris-1a2b3c4d5e',
  broker: { host: 'haris.example.org', port: 1883, tls: false, certificate: null },
};
const secrets = { tag: '!secret', resolve: (name: string) => `secret ${name}` };
const read = (text: string) => parse(text, { customTags: [secrets] });

test('has the broker, the account, the topics and both sensors, and nothing that a name could add', () => {
  const read1 = read(buildEsphomeYaml(device));
  expect(Object.keys(read1)).toEqual(['esphome', 'esp32', 'logger', 'ota', 'wifi', 'mqtt', 'sensor']);
  expect(read1.esphome).toEqual({ name: device.username, friendly_name: device.name });
  expect(read1.wifi).toEqual({ ssid: 'secret wifi_ssid', password: 'secret wifi_password' });
  expect(read1.mqtt).toMatchObject({
    broker: 'haris.example.org',
    port: 1883,
    username: device.username,
    password: device.password,
    topic_prefix: device.topic,
    discovery: false,
    log_topic: null,
    birth_message: { topic: `${device.topic}/availability`, payload: 'online', retain: true },
    will_message: { topic: `${device.topic}/availability`, payload: 'offline', retain: true },
  });
  expect(read1.mqtt).not.toHaveProperty('certificate_authority');
  expect(read1.sensor.map((sensor: { platform: string }) => sensor.platform)).toEqual(['dht', 'adc']);
  expect(read1.sensor[0]).toMatchObject({ model: 'DHT22', temperature: { name: 'Temperature' } });
});

test('host names of ESP32s: at most 31 small letters, digits and dashes', () => {
  expect(read(buildEsphomeYaml(device)).esphome.name).toMatch(/^[a-z0-9-]{1,31}$/);
});

test('with TLS has the last certificate of the chain', () => {
  const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
  const broker = { ...device.broker, tls: true, port: 8883, certificate: `${pem('AAAA')}\n${pem('BBBB')}\n` };
  expect(read(buildEsphomeYaml({ ...device, broker })).mqtt).toMatchObject({
    port: 8883,
    certificate_authority: `${pem('BBBB')}\n`,
  });
});

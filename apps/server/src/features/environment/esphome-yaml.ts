/** Builds the ESPHome configuration of one device: an ESP32 with a DHT22 and an MQ-2. Pure. */
import { Document, Scalar } from 'yaml';
import type { BrokerAddress } from '../../mqtt/link.ts';

export interface EsphomeDevice {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  readonly broker: Pick<BrokerAddress, 'port' | 'tls' | 'certificate'> & { readonly host: string };
}

/** Reference to a value in ESPHome's secrets.yaml. */
function secret(name: string): Scalar {
  const scalar = new Scalar(name);
  scalar.tag = '!secret';
  return scalar;
}

/** Last certificate of a chain: a device without a trust store verifies the chain against it. */
function lastCertificate(pem: string): string | null {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)?.at(-1) ?? null;
}

export function buildEsphomeYaml({ name, username, password, topic, broker }: EsphomeDevice): string {
  const availability = (payload: string) => ({
    topic: `${topic}/availability`,
    payload,
    qos: 1,
    retain: true,
  });
  const authority = broker.certificate === null ? null : lastCertificate(broker.certificate);
  const document = new Document({
    esphome: { name: username, friendly_name: name },
    esp32: { board: 'esp32dev', framework: { type: 'esp-idf' } },
    logger: { level: 'INFO' },
    ota: [{ platform: 'esphome' }],
    wifi: { ssid: secret('wifi_ssid'), password: secret('wifi_password') },
    mqtt: {
      broker: broker.host,
      port: broker.port,
      username,
      password,
      client_id: username,
      topic_prefix: topic,
      ...(broker.tls && authority !== null ? { certificate_authority: `${authority}\n` } : {}),
      // The device's account may publish readings and availability only.
      discovery: false,
      discover_ip: false,
      log_topic: null,
      clean_session: true,
      keepalive: '15s',
      birth_message: availability('online'),
      shutdown_message: availability('offline'),
      will_message: availability('offline'),
    },
    sensor: [
      {
        platform: 'dht',
        model: 'DHT22',
        pin: 'GPIO4',
        update_interval: '15s',
        temperature: { name: 'Temperature', accuracy_decimals: 1 },
        humidity: { name: 'Humidity', accuracy_decimals: 1 },
      },
      {
        platform: 'adc',
        name: 'MQ2',
        pin: 'GPIO34',
        raw: true,
        attenuation: '12db',
        update_interval: '5s',
        accuracy_decimals: 0,
        // The ESP32 measures with 12 bits; Haris expects 10, like most boards.
        filters: [{ multiply: 0.25 }],
      },
    ],
  });
  document.commentBefore = [
    ` ${name}: ESP32 with a DHT22 (GPIO4) and an MQ-2 (analog output by a voltage divider to GPIO34).`,
    ' Put wifi_ssid and wifi_password into secrets.yaml, then run: esphome run <this file>',
    ' The MQ-2 heats up for three minutes after each start; for days when it is new.',
  ]
    .map((line) => line.replace(/[\r\n]+/g, ' '))
    .join('\n');
  return document.toString({ lineWidth: 0 });
}

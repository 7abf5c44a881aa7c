/** Many MQTT devices in one process, which publish at a steady rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';

export interface DeviceAccount {
  readonly username: string;
  readonly password: string;
  /** Topic of the device's readings. */
  readonly topic: string;
}

export interface Devices {
  /** Publishes JSON once (QoS 1) as the device with this index; resolves when the broker has acknowledged it. */
  publish(index: number, payload: object): Promise<void>;
  /**
   * All devices publish in turn, together `perSecond` evenly spaced readings for `seconds`. Resolves with the number of
   * acknowledged readings, once the broker has responded to all of them.
   */
  publishSteadily(perSecond: number, seconds: number): Promise<number>;
  end(): Promise<void>;
}

/** Connects all devices. Rejects if the broker refuses one. */
export async function connectDevices(port: number, accounts: readonly DeviceAccount[]): Promise<Devices> {
  const clients: MqttClient[] = [];
  for (const { username, password } of accounts)
    clients.push(
      await connectAsync(`mqtt://127.0.0.1:${port}`, {
        clientId: username,
        username,
        password,
        reconnectPeriod: 0,
      }),
    );

  async function publish(index: number, payload: object): Promise<void> {
    await clients[index]?.publishAsync(accounts[index]?.topic ?? '', JSON.stringify(payload), { qos: 1 });
  }

  return {
    publish,
    async publishSteadily(perSecond, seconds) {
      let taken = 0;
      const waiting: Promise<void>[] = [];
      const started = performance.now();
      for (let sent = 0; sent < perSecond * seconds; sent++) {
        const ahead = started + (sent / perSecond) * 1_000 - performance.now();
        if (ahead > 1) await sleep(ahead);
        const reading = { temperature: 20 + (sent % 100) / 10, humidity: 40, mq2: 120 };
        waiting.push(publish(sent % accounts.length, reading).then(() => void taken++));
      }
      await Promise.allSettled(waiting);
      return taken;
    },
    async end() {
      await Promise.all(clients.map((client) => client.endAsync()));
    },
  };
}

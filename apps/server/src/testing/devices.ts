/** Many MQTT devices in one process, which publish at a steady rate. Knows no test runner. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';

export interface DeviceAccount {
  readonly username: string;
  readonly password: string;
  /** Where it publishes its readings. */
  readonly topic: string;
}

export interface Devices {
  /** Publishes JSON as the device of this index, once (QoS 1); resolves when the broker has taken it. */
  publish(index: number, payload: object): Promise<void>;
  /**
   * All take turns: `perSecond` readings in all, evenly, for so many seconds. Resolves with how many the broker has
   * taken, once none is under way.
   */
  publishSteadily(perSecond: number, seconds: number): Promise<number>;
  end(): Promise<void>;
}

/** Connects all of them. Rejects when the broker lets one of them not in. */
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

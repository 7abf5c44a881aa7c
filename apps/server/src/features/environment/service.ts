/** Adds, changes and removes sensors and the accounts of Home Assistants. Secrets are told once and stored as keyed hashes. */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type createSensorBodySchema,
  HOME_ASSISTANT_ACCOUNTS_MAX,
  SENSORS_MAX,
  type SensorKind,
} from '@haris/contract/http/sensors';
import type { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { HomeAssistantAccountRow, SensorRow } from '../../db/schema.ts';
import { countSensors, findHomeAssistantAccounts, sensorSearchColumns } from '../../db/sensors.ts';
import { inTransaction } from '../../db/transaction.ts';
import { deviceTopic } from '../../mqtt/topics.ts';
import { randomToken } from '../../vault/vault.ts';
import { buildEsphomeYaml } from './esphome-yaml.ts';

type NewSensor = z.output<typeof createSensorBodySchema>;

/** What a device needs, in plain text: for the answer to staff only. */
export interface SensorSecrets {
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  readonly deviceKey: string;
  readonly broker: ReturnType<typeof brokerForDevices>;
  readonly esphomeYaml?: string;
}

/** How devices reach the broker: where it has no address of its own, by the name that people know Haris by. */
export function brokerForDevices({ mqtt, publicUrl }: Pick<Context, 'mqtt' | 'publicUrl'>) {
  const address = mqtt.address();
  if (!address) return null;
  const { port, tls, embedded } = address;
  return { host: address.host ?? new URL(publicUrl()).hostname.replace(/^\[|\]$/g, ''), port, tls, embedded };
}

function newSecrets(context: Context) {
  const [password, deviceKey] = [randomToken(), randomToken()];
  return {
    password,
    deviceKey,
    stored: {
      password_mac: context.vault.mac('mqtt password', password),
      device_key_mac: deviceKeyMac(context, deviceKey),
    },
  };
}

/** Keyed hash of a device key. */
export function deviceKeyMac({ vault }: Pick<Context, 'vault'>, deviceKey: string): string {
  return vault.mac('device key', deviceKey);
}

function presentSecrets(
  context: Context,
  row: SensorRow,
  { password, deviceKey }: { password: string; deviceKey: string },
): SensorSecrets {
  const { username, topic, kind, name } = row;
  const broker = brokerForDevices(context);
  // Without a broker there is nothing that an ESPHome could speak to.
  const yaml =
    kind === 'esphome' && broker
      ? {
          esphomeYaml: buildEsphomeYaml({
            name,
            username,
            password,
            topic,
            broker: { ...broker, certificate: context.mqtt.address()?.certificate ?? null },
          }),
        }
      : {};
  // A device of ours publishes to one topic; the others are given the prefix that their firmware asks for.
  return {
    username,
    password,
    topic: kind === 'haris' ? `${topic}/state` : topic,
    deviceKey,
    broker,
    ...yaml,
  };
}

/** Adds a sensor. `demo`: it is simulated. Throws 409 `too_many_sensors`. */
export async function createSensor(
  context: Context,
  actor: Actor | null,
  input: { name: string; area: string; kind: SensorKind; period?: NewSensor['period'] },
  { demo = false } = {},
): Promise<{ row: SensorRow; secrets: SensorSecrets }> {
  // Short enough for a host name, which ESPHome makes of it.
  const username = `haris-${randomBytes(5).toString('hex')}`;
  const secrets = newSecrets(context);
  const row: SensorRow = {
    id: randomUUID(),
    name: input.name,
    area: input.area,
    kind: input.kind,
    demo: demo ? 1 : 0,
    username,
    topic: deviceTopic(input.kind, input.area, username),
    ...secrets.stored,
    period: input.period ?? null,
    refused_count: 0,
    refused_at: null,
    refused_reason: null,
    ...sensorSearchColumns(input.name, input.area),
    created_at: context.clock.now(),
  };
  await inTransaction(context.db, async (tx) => {
    if ((await countSensors(tx.trx)) >= SENSORS_MAX) throw new AppError('too_many_sensors');
    await tx.trx.insertInto('sensors').values(row).execute();
    await context.audit.append(tx, {
      actor,
      action: 'sensor.created',
      subject: { kind: 'sensor', id: row.id },
      details: { kind: row.kind, demo },
    });
    await context.events.append(tx, { type: 'sensor.created' });
  });
  return { row, secrets: presentSecrets(context, row, secrets) };
}

/** Changes name, area or period; the topic stays, since the device knows it. Throws 404. */
export async function updateSensor(
  context: Context,
  actor: Actor,
  id: string,
  change: { [Field in 'name' | 'area' | 'period']?: NewSensor[Field] | undefined },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const before = await takeSensor(tx.trx, id);
    const name = change.name ?? before.name;
    const area = change.area ?? before.area;
    const period = change.period === undefined ? before.period : change.period;
    await tx.trx
      .updateTable('sensors')
      .set({ name, area, period, ...sensorSearchColumns(name, area) })
      .where('id', '=', id)
      .execute();
    await context.audit.append(tx, {
      actor,
      action: 'sensor.updated',
      subject: { kind: 'sensor', id },
      details: { name: change.name !== undefined, area: change.area !== undefined, period: change.period },
    });
    await context.events.append(tx, { type: 'sensor.updated' });
  });
}

type Trx = Parameters<Parameters<typeof inTransaction>[1]>[0]['trx'];

/** Takes the row for this transaction, on both databases. Throws 404. */
async function takeSensor(trx: Trx, id: string): Promise<SensorRow> {
  const row = await trx
    .updateTable('sensors')
    .set((eb) => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** New password and key; whoever uses the old ones is cut off. Throws 404. */
export async function renewSecrets(
  context: Context,
  actor: Actor | null,
  id: string,
): Promise<SensorSecrets> {
  const secrets = newSecrets(context);
  const row = await inTransaction(context.db, async (tx) => {
    const before = await takeSensor(tx.trx, id);
    await tx.trx.updateTable('sensors').set(secrets.stored).where('id', '=', id).execute();
    await context.audit.append(tx, {
      actor,
      action: 'sensor.secrets_renewed',
      subject: { kind: 'sensor', id },
    });
    await context.events.append(tx, { type: 'sensor.updated' });
    return before;
  });
  context.mqtt.disconnect(row.username);
  return presentSecrets(context, row, secrets);
}

/** Removes a sensor with its history; its connection ends. Throws 404. */
export async function deleteSensor(context: Context, actor: Actor, id: string): Promise<void> {
  const gone = await inTransaction(context.db, async (tx) => {
    const row = await tx.trx
      .deleteFrom('sensors')
      .where('id', '=', id)
      .returning('username')
      .executeTakeFirst();
    if (!row) throw new AppError('not_found');
    await context.audit.append(tx, { actor, action: 'sensor.deleted', subject: { kind: 'sensor', id } });
    await context.events.append(tx, { type: 'sensor.deleted' });
    return row;
  });
  context.mqtt.disconnect(gone.username);
}

/** Makes an account that may read what Haris publishes. Throws 409 `too_many_sensors`. */
export async function createHomeAssistantAccount(
  context: Context,
  actor: Actor,
  name: string,
): Promise<{ row: HomeAssistantAccountRow; password: string }> {
  const password = randomToken();
  const row: HomeAssistantAccountRow = {
    id: randomUUID(),
    name,
    username: `home-assistant-${randomBytes(4).toString('hex')}`,
    password_mac: context.vault.mac('mqtt password', password),
    created_at: context.clock.now(),
    made_by: actor.id,
  };
  await inTransaction(context.db, async (tx) => {
    if ((await findHomeAssistantAccounts(tx.trx)).length >= HOME_ASSISTANT_ACCOUNTS_MAX)
      throw new AppError('too_many_sensors');
    await tx.trx.insertInto('home_assistant_accounts').values(row).execute();
    await context.audit.append(tx, {
      actor,
      action: 'home_assistant.created',
      subject: { kind: 'home_assistant', id: row.id },
    });
  });
  return { row, password };
}

/** Throws 404. */
export async function deleteHomeAssistantAccount(context: Context, actor: Actor, id: string): Promise<void> {
  const gone = await inTransaction(context.db, async (tx) => {
    const row = await tx.trx
      .deleteFrom('home_assistant_accounts')
      .where('id', '=', id)
      .returning('username')
      .executeTakeFirst();
    if (!row) throw new AppError('not_found');
    await context.audit.append(tx, {
      actor,
      action: 'home_assistant.deleted',
      subject: { kind: 'home_assistant', id },
    });
    return row;
  });
  context.mqtt.disconnect(gone.username);
}

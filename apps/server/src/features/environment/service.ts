/** Adds, changes and deletes sensors and Home Assistant accounts. Secrets are shown once and stored as keyed hashes. */
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
import {
  deleteHomeAssistantAccountRow,
  findHomeAssistantAccounts,
  insertHomeAssistantAccount,
} from '../../db/broker-accounts.ts';
import type { HomeAssistantAccountRow, SensorRow } from '../../db/schema.ts';
import {
  countSensors,
  deleteSensorRow,
  insertSensor,
  lockSensor,
  replaceSensorSecrets,
  sensorSearchColumns,
  updateSensorRow,
} from '../../db/sensors.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { currentFacility } from '../../facility.ts';
import { requireProof } from '../../http/proof.ts';
import { deviceTopic } from '../../mqtt/topics.ts';
import { roomNameFor } from '../../rooms/areas.ts';
import { randomToken } from '../../vault/vault.ts';
import { buildEsphomeYaml } from './esphome-yaml.ts';

type NewSensor = z.output<typeof createSensorBodySchema>;

/** Settings and secrets of a device, in plain text: only for the response to staff. */
export interface SensorSecrets {
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  readonly deviceKey: string;
  readonly broker: ReturnType<typeof brokerForDevices>;
  readonly esphomeYaml?: string;
}

/** Address at which devices reach the broker. The embedded broker has the host name of the public URL. */
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
  // The ESPHome configuration contains the broker's address, so without a broker there is none.
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
  // The kind `haris` publishes to one topic; ESPHome and Tasmota are configured with a prefix.
  return {
    username,
    password,
    topic: kind === 'haris' ? `${topic}/state` : topic,
    deviceKey,
    broker,
    ...yaml,
  };
}

/** Adds a sensor. `demo` marks it as simulated. Throws 409 `too_many_sensors`. */
export async function createSensor(
  context: Context,
  actor: Actor | null,
  input: { name: string; area: string; kind: SensorKind; period?: NewSensor['period'] },
  { demo = false } = {},
): Promise<{ row: SensorRow; secrets: SensorSecrets }> {
  // Short enough for a host name, because ESPHome uses the user name as host name.
  const username = `haris-${randomBytes(5).toString('hex')}`;
  const secrets = newSecrets(context);
  const row = await inTransaction(context.db, async (tx) => {
    const area = await roomNameFor(context, tx, { actor, facility: currentFacility() }, input.area);
    const row: SensorRow = {
      id: randomUUID(),
      facility_id: currentFacility(),
      name: input.name,
      area,
      kind: input.kind,
      demo: demo ? 1 : 0,
      username,
      topic: deviceTopic(input.kind, area, username),
      ...secrets.stored,
      period: input.period ?? null,
      refused_count: 0,
      refused_at: null,
      refused_reason: null,
      ...sensorSearchColumns(input.name, area),
      created_at: context.clock.now(),
    };
    if ((await countSensors(tx.trx)) >= SENSORS_MAX) throw new AppError('too_many_sensors');
    await insertSensor(tx.trx, row);
    await context.audit.append(tx, {
      actor,
      action: 'sensor.created',
      subject: { kind: 'sensor', id: row.id },
      details: { kind: row.kind, demo },
    });
    await context.events.append(tx, { type: 'sensor.created' });
    return row;
  });
  return { row, secrets: presentSecrets(context, row, secrets) };
}

/**
 * Changes name, area or period. The topic stays, because the device is configured with it. Throws 404, `proof_required`.
 */
export async function updateSensor(
  context: Context,
  actor: Actor,
  id: string,
  change: { [Field in 'name' | 'area' | 'period']?: NewSensor[Field] | undefined },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // Lock rooms before sensors, in the same order as renaming a room does.
    const room =
      change.area === undefined
        ? undefined
        : await roomNameFor(context, tx, { actor, facility: currentFacility() }, change.area);
    const before = await getSensor(tx, id);
    const name = change.name ?? before.name;
    const area = room ?? before.area;
    const period = change.period === undefined ? before.period : change.period;
    // A sensor in another area, or one whose silence counts later, no longer warns of what it warned of.
    if (area !== before.area || period !== before.period) await requireProof(context, actor, tx.trx);
    await updateSensorRow(tx.trx, id, { name, area, period, ...sensorSearchColumns(name, area) });
    await context.audit.append(tx, {
      actor,
      action: 'sensor.updated',
      subject: { kind: 'sensor', id },
      details: { name: change.name !== undefined, area: change.area !== undefined, period: change.period },
    });
    await context.events.append(tx, { type: 'sensor.updated' });
  });
}

/** Locks the row. Throws 404. */
async function getSensor({ trx }: Tx, id: string): Promise<SensorRow> {
  const row = await lockSensor(trx, id);
  if (!row) throw new AppError('not_found');
  return row;
}

/** Replaces password and device key, and ends connections that used the old password. Throws 404. */
export async function renewSecrets(
  context: Context,
  actor: Actor | null,
  id: string,
): Promise<SensorSecrets> {
  const secrets = newSecrets(context);
  const row = await inTransaction(context.db, async (tx) => {
    const before = await getSensor(tx, id);
    await replaceSensorSecrets(tx.trx, before, secrets.stored, context.clock.now());
    await context.audit.append(tx, {
      actor,
      action: 'sensor.secrets_renewed',
      subject: { kind: 'sensor', id },
    });
    await context.events.append(tx, { type: 'sensor.updated' });
    return before;
  });
  context.mqtt.disconnect(row.username);
  await context.erasures.update();
  return presentSecrets(context, row, secrets);
}

/** Deletes a sensor with its history, and ends its connections. Throws 404. */
export async function deleteSensor(context: Context, actor: Actor, id: string): Promise<void> {
  const gone = await inTransaction(context.db, async (tx) => {
    const row = await deleteSensorRow(tx.trx, id, context.clock.now());
    if (!row) throw new AppError('not_found');
    await context.audit.append(tx, { actor, action: 'sensor.deleted', subject: { kind: 'sensor', id } });
    await context.events.append(tx, { type: 'sensor.deleted' });
    return row;
  });
  context.mqtt.disconnect(gone.username);
  await context.erasures.update();
}

/** Adds an account that may read all topics Haris publishes. Throws 409 `too_many_sensors`. */
export async function createHomeAssistantAccount(
  context: Context,
  actor: Actor,
  name: string,
): Promise<{ row: HomeAssistantAccountRow; password: string }> {
  const password = randomToken();
  const row: HomeAssistantAccountRow = {
    id: randomUUID(),
    facility_id: currentFacility(),
    name,
    username: `home-assistant-${randomBytes(4).toString('hex')}`,
    password_mac: context.vault.mac('mqtt password', password),
    created_at: context.clock.now(),
    made_by: actor.id,
  };
  await inTransaction(context.db, async (tx) => {
    if ((await findHomeAssistantAccounts(tx.trx)).length >= HOME_ASSISTANT_ACCOUNTS_MAX)
      throw new AppError('too_many_sensors');
    await insertHomeAssistantAccount(tx.trx, row);
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
    const row = await deleteHomeAssistantAccountRow(tx.trx, id, context.clock.now());
    if (!row) throw new AppError('not_found');
    await context.audit.append(tx, {
      actor,
      action: 'home_assistant.deleted',
      subject: { kind: 'home_assistant', id },
    });
    return row;
  });
  context.mqtt.disconnect(gone.username);
  await context.erasures.update();
}

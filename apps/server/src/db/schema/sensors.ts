/** Sensors, their readings, and accounts of Home Assistant. */
import type { SensorKind } from '@haris/contract/http/sensors';
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

interface SensorsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  name: string;
  area: string;
  kind: SensorKind;
  demo: Flag;
  /** The sensor's account on the broker, and its name in topics. */
  username: string;
  /** Prefix of its topics (Tasmota: the topic between the prefix and the rest). Never changes. */
  topic: string;
  /** Keyed hashes of random secrets. */
  password_mac: string;
  device_key_mac: string;
  /** Seconds between two readings, as set by staff. */
  period: number | null;
  refused_count: number;
  refused_at: number | null;
  refused_reason: string | null;
  sort_name: string;
  search_text: string;
  created_at: number;
}

interface HomeAssistantAccountsTable {
  id: string;
  /** Added to inserted rows by the facility plugin. */
  facility_id: Generated<string>;
  name: string;
  username: string;
  password_mac: string;
  created_at: number;
  /** The responsible staff member; null if it is older than this column and that person has left. */
  made_by: string | null;
}

interface SensorReadingsTable {
  sensor_id: string;
  at: number;
  /** Id that the device gave the message; null if it gave none. */
  key: string | null;
  temperature: number | null;
  humidity: number | null;
  mq2: number | null;
}

/** State of a sensor, shared by all servers of the database. */
interface SensorStatesTable {
  sensor_id: string;
  /** Time of the newest stored reading. */
  heard_at: number | null;
  online: 0 | 1 | null;
  online_at: number | null;
  /** When the device or its last will reported this. */
  said_at: number | null;
}

interface SensorMeansTable {
  sensor_id: string;
  step: 'minute' | 'hour';
  /** The first moment of the step. */
  at: number;
  temperature_count: number;
  temperature_mean: number | null;
  temperature_min: number | null;
  temperature_max: number | null;
  humidity_count: number;
  humidity_mean: number | null;
  humidity_min: number | null;
  humidity_max: number | null;
  mq2_count: number;
  mq2_mean: number | null;
  mq2_min: number | null;
  mq2_max: number | null;
}

export interface SensorTables {
  sensors: SensorsTable;
  home_assistant_accounts: HomeAssistantAccountsTable;
  sensor_readings: SensorReadingsTable;
  sensor_states: SensorStatesTable;
  sensor_means: SensorMeansTable;
}

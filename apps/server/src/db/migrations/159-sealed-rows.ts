/** A seal for each row that holds the hash of a secret (decision 053). The first start afterwards fills it in, since it needs the key. */
import type { Kysely } from 'kysely';

const TABLES = [
  'sessions',
  'one_time_tokens',
  'tickets',
  'factor_challenges',
  'oidc_attempts',
  'kiosk_devices',
  'kiosk_codes',
  'kiosk_grants',
  'camera_devices',
  'collector_passes',
];

export const sealedRows = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of TABLES) await db.schema.alterTable(table).addColumn('seal', 'text').execute();
  },
};

/** Inserts many signed-in employees into a database, for measurements. */
import { randomUUID } from 'node:crypto';
import { createLogger } from '@haris/runtime/log';
import { loadConfig } from '../config.ts';
import { writeMemberships } from '../db/memberships.ts';
import { createSession } from '../db/session-starts.ts';
import { inTransaction } from '../db/transaction.ts';
import { MAIN_FACILITY } from '../facility.ts';
import { openContext } from '../start.ts';
import { createVisionClient } from '../vision/client.ts';

/** Opens the database named by `env`, adds `count` employees, and closes it. Returns a token for each. */
export async function makeStaffSessions(
  env: Readonly<Record<string, string>>,
  count: number,
): Promise<string[]> {
  const { context, close } = await openContext({
    config: loadConfig(env, { demo: false, base: process.cwd() }),
    log: createLogger('staff', 'fatal'),
    vision: createVisionClient(() => null),
    publicUrl: () => 'http://localhost',
  });
  const tokens = await inTransaction(context.db, async ({ trx }) => {
    const made: string[] = [];
    for (let index = 0; index < count; index++) {
      const id = randomUUID();
      await trx
        .insertInto('staff')
        .values({
          id,
          name: `Employee ${index}`,
          email: `employee-${index}@haris.test`,
          password_hash: '',
          national_id_sealed: null,
          national_id_mac: null,
          email_verified: 1,
          language: 'en',
          sort_name: `employee ${index}`,
          search_text: `employee ${index}`,
          created_at: context.clock.now(),
        })
        .execute();
      await writeMemberships(trx, id, [{ facility_id: MAIN_FACILITY, role_id: 'manager' }]);
      made.push(await createSession(trx, context.vault, 'admin', id, context.clock.now()));
    }
    return made;
  });
  await close();
  return tokens;
}

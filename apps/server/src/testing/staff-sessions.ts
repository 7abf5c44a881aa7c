/** Many employees who are signed in, straight into a database: for measurements. Knows no test runner. */
import { randomUUID } from 'node:crypto';
import { createLogger } from '@haris/runtime/log';
import { loadConfig } from '../config.ts';
import { createSession } from '../db/sessions.ts';
import { inTransaction } from '../db/transaction.ts';
import { openContext } from '../start.ts';
import { createVisionClient } from '../vision/client.ts';

/** Opens the database that `env` names, adds so many employees, closes it; answers a token of each. */
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
        .insertInto('admins')
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
      made.push(await createSession(trx, 'admin', id, context.clock.now()));
    }
    return made;
  });
  await close();
  return tokens;
}

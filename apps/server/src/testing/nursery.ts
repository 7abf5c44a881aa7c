/** Inserts families with many children into a database, without photos. */

import { randomUUID } from 'node:crypto';
import { createLogger } from '@haris/runtime/log';
import { loadConfig } from '../config.ts';
import { takeDataKey } from '../db/data-keys.ts';
import { addChildToFacility } from '../db/facilities.ts';
import { insertFirstGuardian } from '../db/guardians/rows.ts';
import { createSession } from '../db/session-starts.ts';
import { inTransaction } from '../db/transaction.ts';
import { MAIN_FACILITY } from '../facility.ts';
import { ensureFirstAdministrator } from '../features/accounts/staff.ts';
import { openContext } from '../start.ts';
import { createVisionClient } from '../vision/client.ts';

/** Settings that create its first administrator. */
export const nurseryStaff = { ADMIN_EMAIL: 'desk@haris.test', ADMIN_PASSWORD: 'desk-password' };

function openNursery(env: Readonly<Record<string, string>>): ReturnType<typeof openContext> {
  return openContext({
    config: loadConfig({ ...env, ...nurseryStaff }, { demo: false, base: process.cwd() }),
    log: createLogger('nursery', 'fatal'),
    vision: createVisionClient(() => null),
    publicUrl: () => 'http://localhost',
  });
}

/** Signs every parent in without a password. Returns tokens by parent id. */
export async function signParentsIn(env: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const { context, close } = await openNursery(env);
  const parents = await context.db.selectFrom('parents').select('id').execute();
  const tokens = await inTransaction(context.db, async ({ trx }) => {
    const made = new Map<string, string>();
    for (const { id } of parents)
      made.set(id, await createSession(trx, context.vault, 'parent', id, Date.now()));
    return made;
  });
  await close();
  return tokens;
}

/** Opens the database named by `env`, fills it, and closes it. Returns the children's ids, one of each family in turn. */
export async function makeNursery(
  env: Readonly<Record<string, string>>,
  children: number,
  families = 1,
): Promise<string[]> {
  const { context, close } = await openNursery(env);
  await ensureFirstAdministrator(context);
  const parentIds = Array.from({ length: families }, () => randomUUID());
  const ids = Array.from({ length: children }, () => randomUUID());
  await inTransaction(context.db, async ({ trx }) => {
    for (const [index, id] of parentIds.entries()) {
      const number = String(index).padStart(4, '0');
      const parent = {
        id,
        name: `Parent ${number}`,
        email: `parent-${number}@family.test`,
        phone: null,
        password_hash: null,
        email_verified: 0 as const,
        pending_email: null,
        photo_id: null,
        language: 'en' as const,
        sort_name: `parent ${number}`,
        created_at: 0,
      };
      await trx.insertInto('parents').values(parent).execute();
    }
    for (const [index, id] of ids.entries()) {
      const name = `child ${String(index).padStart(5, '0')}`;
      const row = {
        id,
        parent_id: parentIds[index % families] ?? '',
        name,
        photo_id: null,
        sort_name: name,
        created_at: 0,
        version: 1,
        // As if the desk had added it.
        name_confirmed_at: 0,
        photo_confirmed_at: 0,
      };
      await trx.insertInto('children').values(row).execute();
      await addChildToFacility(trx, id, MAIN_FACILITY, 0);
      await insertFirstGuardian(trx, id, row.parent_id, 0);
      await takeDataKey(trx, context.vault, 'child', id);
    }
  });
  await close();
  return ids;
}

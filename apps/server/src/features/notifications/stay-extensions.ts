/** Notifies the guardians of a child of the new end of its stay, once the desk can no longer take the extension back. */

import { UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { EXTENSION_PREFIX } from '../../db/notification-deliveries.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { claimExtension, type ExtensionToNotify, findExtensionsToNotify } from '../../db/stay-extensions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { extensionText } from '../../notifications/texts.ts';
import { notifyGuardians, type Place, timeOfDay } from '../../notifications/to-parent.ts';

const SETTLED_AFTER_MS = (UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS) * 1000;
const MINUTE_MS = 60_000;

/** Enqueues the notifications of extensions that stand; the queue's next sweep sends them. */
export async function enqueueExtensions(context: Context): Promise<void> {
  await atEachFacility(context.db, () => enqueueExtensionsHere(context));
}

async function enqueueExtensionsHere(context: Context): Promise<void> {
  const ids = await findExtensionsToNotify(context.db, context.clock.now() - SETTLED_AFTER_MS);
  if (ids.length === 0) return;
  const place = await readSettings(context.db, context.config);
  for (const id of ids)
    await inTransaction(context.db, async ({ trx }) => {
      const extension = await claimExtension(trx, id, context.clock.now());
      if (extension) await enqueue(context, trx, id, extension, place);
    });
}

function enqueue(
  context: Context,
  trx: Transaction<Database>,
  id: string,
  { stayId, childId, parentId, childName, entryTime, duration }: ExtensionToNotify,
  place: Place,
): Promise<void> {
  return notifyGuardians(context, trx, { id: childId, parent_id: parentId }, () => ({
    about: `${EXTENSION_PREFIX}${id}`,
    step: 0,
    sequence: 0,
    phase: 'raised',
    // Parents choose the channels of news about the end of a stay by this kind.
    kind: 'stay_due',
    tag: `stay ${stayId}`,
    isUrgent: false,
    textIn: (language) =>
      extensionText(childName, timeOfDay(entryTime + duration * MINUTE_MS, language, place), language),
  }));
}

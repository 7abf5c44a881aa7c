/** Notifies a parent of the new end of a stay, once the desk can no longer take the extension back. */

import { UNDO_GRACE_SECONDS, UNDO_WINDOW_SECONDS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import { findLocale } from '@haris/contract/locales';
import type { PushPayload } from '@haris/contract/notifications';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { atEachFacility } from '../../db/facilities.ts';
import { addDelivery } from '../../db/notification-deliveries.ts';
import { accountKey, findNotificationAccounts, readPreferences } from '../../db/notification-people.ts';
import { findPushSubscriptions } from '../../db/push-devices.ts';
import type { Database } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { claimExtension, type ExtensionToNotify, findExtensionsToNotify } from '../../db/stay-extensions.ts';
import { inTransaction } from '../../db/transaction.ts';
import { decide, NOTHING_CHOSEN } from './preferences.ts';
import { channelsTo, directionOf, pageOf } from './recipients.ts';
import { extensionText } from './texts.ts';

const SETTLED_AFTER_MS = (UNDO_WINDOW_SECONDS + UNDO_GRACE_SECONDS) * 1000;
const MINUTE_MS = 60_000;
/** Parents choose the channels of news about the end of a stay by this kind. */
const KIND = 'stay_due';

/** The facility's time zone, and the region whose form of times it uses. */
interface Place {
  readonly timeZone: string;
  readonly region: string;
}

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

function payloadOf(
  { stayId, childName, entryTime, duration }: ExtensionToNotify,
  language: Language,
  place: Place,
): PushPayload {
  const end = new Intl.DateTimeFormat(findLocale(language, place.region), {
    timeStyle: 'short',
    timeZone: place.timeZone,
  }).format(entryTime + duration * MINUTE_MS);
  return {
    ...extensionText(childName, end, language),
    tag: `stay ${stayId}`,
    url: pageOf('parent'),
    kind: KIND,
    phase: 'raised',
    lang: language,
    dir: directionOf(language),
    receipt: null,
  };
}

async function enqueue(
  context: Context,
  trx: Transaction<Database>,
  id: string,
  extension: ExtensionToNotify,
  place: Place,
): Promise<void> {
  const now = context.clock.now();
  const [account] = await findNotificationAccounts(trx, [{ kind: 'parent', id: extension.parentId }]);
  if (!account) return;
  const devices = await findPushSubscriptions(trx, [account], now);
  const stored = (await readPreferences(trx, [account])).get(accountKey(account)) ?? NOTHING_CHOSEN;
  const recipient = {
    account: account.kind,
    isOnDuty: false,
    reachableBy: channelsTo(account, devices),
    stored,
  };
  const { channels, notBefore } = decide(recipient, { kind: KIND, severity: 'care', area: null }, now);
  const content = payloadOf(extension, account.language, place);
  for (const channel of channels)
    for (const target of channel === 'push' ? devices.map((device) => device.id) : [''])
      await addDelivery(
        trx,
        context.vault,
        {
          account,
          channel,
          target,
          incidentId: `extension ${id}`,
          kind: KIND,
          step: 0,
          phase: 'raised',
          content,
          notBefore,
        },
        0,
        now,
      );
}

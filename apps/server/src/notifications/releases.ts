/**
 * Notifies the guardians that a child was handed over, and that a checkout or a check-in was undone (decision 049). In the
 * transaction of the step, so that there is one for each release, whatever happens to the server afterwards.
 */
import type { Language } from '@haris/contract/fields';
import type { Context } from '../context.ts';
import { RELEASE_PREFIX } from '../db/notification-deliveries.ts';
import { readSettings } from '../db/settings.ts';
import { countUndoneCheckOuts } from '../db/stays.ts';
import type { Tx } from '../db/transaction.ts';
import { checkInUndoneText, type NotificationText, releasedText, releaseUndoneText } from './texts.ts';
import { type NotifiedChild, notifyGuardians, timeOfDay } from './to-parent.ts';

/** The child that left, with the stay that ended. */
export interface Released {
  readonly stayId: string;
  readonly childName: string;
  readonly child: NotifiedChild;
}

const common = ({ stayId }: Released) =>
  ({
    about: `${RELEASE_PREFIX}${stayId}`,
    tag: `${RELEASE_PREFIX}${stayId}`,
    kind: 'released',
    // Who has the child now is worth waking somebody for.
    isUrgent: true,
  }) as const;

/**
 * Tells who took the child to the guardians who may learn it (`readers`), and the others that the child was checked out; `adult` is null
 * if the desk named nobody. `toldLateAt`: when it happened (milliseconds since 1970), if the desk had no connection then. Call it after
 * the stay has ended.
 */
export async function notifyOfRelease(
  context: Context,
  { trx }: Tx,
  released: Released,
  adult: { readonly name: string; readonly readers: ReadonlySet<string> } | null,
  toldLateAt?: number,
): Promise<void> {
  const about = { child: released.childName, isLate: toldLateAt !== undefined };
  await raise(
    context,
    trx,
    released,
    (time, language, parentId) => {
      const name = adult?.readers.has(parentId) ? adult.name : null;
      return releasedText({ ...about, adult: name, time }, language);
    },
    toldLateAt,
  );
}

/** Takes the news of the last release back. Call it after the stay was opened again. */
export async function notifyOfUndoneRelease(
  context: Context,
  { trx }: Tx,
  released: Released,
): Promise<void> {
  const step = (await countUndoneCheckOuts(trx, released.stayId)) - 1;
  await notifyGuardians(context, trx, released.child, () => ({
    ...common(released),
    step,
    sequence: 2 * step + 1,
    phase: 'cleared',
    textIn: (language) => releaseUndoneText(released.childName, language),
  }));
}

/**
 * Tells that a check-in was undone: the guardians have seen the child inside, and a release must not hide behind it. Call it after
 * the stay was voided, which ends the news about it.
 */
export async function notifyOfUndoneCheckIn(context: Context, { trx }: Tx, undone: Released): Promise<void> {
  await raise(context, trx, undone, (time, language) =>
    checkInUndoneText({ child: undone.childName, time }, language),
  );
}

/** The newest news about this stay, with the time of the facility in its text: now, or `toldLateAt`, with the date if that was another day. */
async function raise(
  context: Context,
  trx: Tx['trx'],
  about: Released,
  textAt: (time: string, language: Language, parentId: string) => NotificationText,
  toldLateAt?: number,
): Promise<void> {
  const now = context.clock.now();
  const at = toldLateAt ?? now;
  const step = await countUndoneCheckOuts(trx, about.stayId);
  const place = await readSettings(trx, context.config);
  await notifyGuardians(context, trx, about.child, (parentId) => ({
    ...common(about),
    step,
    sequence: 2 * step,
    phase: 'raised',
    textIn: (language) => textAt(timeOfDay(at, language, place, now), language, parentId),
  }));
}

/** Finds the stay that an entry slip was printed for. */
import { ENTRY_LOOKUPS_PER_MINUTE } from '@haris/contract/constants';
import type { Entry } from '@haris/contract/http/stays';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findChild } from '../../db/children.ts';
import { findStayByEntryId } from '../../db/stays.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { presentChild } from '../../http/present.ts';

/** Counts one look-up for the account. Throws `too_many_attempts`. */
export async function admitLookup(context: Context, actor: Actor): Promise<void> {
  const limits: Limit[] = [
    {
      scope: 'entry lookup',
      key: context.vault.mac('throttle', actor.id),
      most: ENTRY_LOOKUPS_PER_MINUTE,
      windowMs: 60_000,
    },
  ];
  const now = context.clock.now();
  const retryAfter = await inTransaction(context.db, async ({ trx }) => {
    const seconds = await secondsUntilRoom(trx, limits, now);
    if (seconds === null) await countHit(trx, limits, now);
    return seconds;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
}

/** The stay with its child. Throws 404 if there is no such stay or the child was deleted. */
export async function getEntry(context: Context, actor: Actor, entryId: string): Promise<Entry> {
  const stay = await findStayByEntryId(context.db, entryId);
  const child = stay && (await findChild(context.db, stay.child_id));
  if (!stay || !child) throw new AppError('not_found');
  const state = stay.exit_time === null ? 'inside' : stay.voided_at === null ? 'left' : 'void';
  return {
    state,
    entryTime: toMoment(stay.entry_time),
    exitTime: stay.exit_time === null ? null : toMoment(stay.exit_time),
    child: presentChild(child, actor),
  };
}

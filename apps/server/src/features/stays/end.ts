/** How long a stay lasts that begins now: a period, or until an end that the facility offers. */
import { STAY_MAX_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod, StayEnd } from '@haris/contract/fields';
import { openStateAt } from '@haris/contract/open-now';
import { AppError } from '../../app-error.ts';
import { findBookedEnd, readHours } from '../../bookings.ts';
import type { Context } from '../../context.ts';
import { readSettings } from '../../db/settings.ts';
import type { Tx } from '../../db/transaction.ts';

const MINUTE_MS = 60_000;

/** What a check-in asks for: minutes, or an end. */
export type Lasting = EntryPeriod | StayEnd;

/** The words of a check-in that say how long it lasts, for its fingerprint. */
export function lastingOf(lasting: Lasting): string {
  if (typeof lasting === 'number') return `${lasting}`;
  return lasting.kind === 'until' ? `until ${lasting.at}` : lasting.kind;
}

/** Milliseconds since 1970; null if there is no such end. */
async function momentOf(
  context: Context,
  tx: Tx,
  childId: string,
  end: StayEnd,
  now: number,
): Promise<number | null> {
  switch (end.kind) {
    case 'until':
      return Date.parse(end.at);
    case 'booking':
      return findBookedEnd(context, tx, childId, now);
    case 'closing': {
      const state = openStateAt(await readHours(tx.trx, context.config), now);
      return state?.isOpen === true ? state.until : null;
    }
  }
}

/**
 * Whole minutes from `now` (milliseconds since 1970), rounded up, so that no stay ends before the wanted moment. Throws
 * `stay_end_unavailable` if the facility does not offer such an end, or has none now; `unsuitable_end` if it is not later than now
 * or more than a day away.
 */
export async function minutesOf(
  context: Context,
  tx: Tx,
  childId: string,
  lasting: Lasting,
  now: number,
): Promise<number> {
  if (typeof lasting === 'number') return lasting;
  const { stayEnds } = await readSettings(tx.trx, context.config);
  const at = stayEnds.includes(lasting.kind) ? await momentOf(context, tx, childId, lasting, now) : null;
  if (at === null || (lasting.kind !== 'until' && at <= now)) throw new AppError('stay_end_unavailable');
  const minutes = Math.ceil((at - now) / MINUTE_MS);
  if (minutes < 1 || minutes > STAY_MAX_MINUTES) throw new AppError('unsuitable_end');
  return minutes;
}

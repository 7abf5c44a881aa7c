/** Rate limits of PINs and passkeys at a desk tablet. None is per person alone: see decision 045. */
import type { DeskDevice } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { forgetHits } from '../../db/throttle.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Counted, countTry, DAY_MS, limitsOf, MINUTE_MS, QUARTER_MS } from '../../device-tries.ts';

const PERSON_SCOPE = 'desk person';

/** Failures per person and tablet, and per tablet. */
const PER_PERSON = [
  [3, MINUTE_MS],
  [5, QUARTER_MS],
  [10, DAY_MS],
] as const;
const PER_DESK = [
  [10, MINUTE_MS],
  [30, QUARTER_MS],
  [100, DAY_MS],
] as const;

function personKey({ vault }: Context, deskId: string, staffId: string): string {
  return vault.mac('throttle', `desk ${deskId} ${staffId}`);
}

/** Counts a try of a person at a tablet. Throws the errors of {@link countTry}. */
export function countStaffTry(context: Context, desk: DeskDevice, staffId: string): Promise<Counted> {
  return countTry(context, desk.id, {
    perDevice: PER_DESK,
    perPerson: limitsOf(PERSON_SCOPE, personKey(context, desk.id, staffId), PER_PERSON),
    tries: [],
  });
}

/** Clears the failures at a tablet of a person who has set a new PIN. */
export async function forgetStaffTries(
  context: Context,
  { trx }: Tx,
  deskId: string,
  staffId: string,
): Promise<void> {
  await forgetHits(trx, PERSON_SCOPE, personKey(context, deskId, staffId));
}

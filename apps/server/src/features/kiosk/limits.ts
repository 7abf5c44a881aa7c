/** Rate limits of the tries of families at a kiosk, with growing waits (decision 038). */
import type { KioskDevice } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Counted, countTry, DAY_MS, limitsOf, MINUTE_MS, QUARTER_MS } from '../../device-tries.ts';

/** Failures per digits and kiosk, failures per kiosk, and all tries per digits. */
const PER_DIGITS = [
  [3, MINUTE_MS],
  [5, QUARTER_MS],
  [10, DAY_MS],
] as const;
const PER_KIOSK = [
  [6, MINUTE_MS],
  [20, QUARTER_MS],
  [100, DAY_MS],
] as const;
const TRIES_PER_DIGITS = [[40, DAY_MS]] as const;

/** Counts a try of a family. `digits` is null for a scanned code. Throws the errors of {@link countTry}. */
export function countFamilyTry(
  context: Context,
  kiosk: KioskDevice,
  digits: string | null,
): Promise<Counted> {
  const { vault } = context;
  const here = vault.mac('throttle', `kiosk ${kiosk.id} ${digits}`);
  const anywhere = vault.mac('throttle', `digits ${digits}`);
  return countTry(context, kiosk.id, {
    perDevice: PER_KIOSK,
    perPerson: digits === null ? [] : limitsOf('kiosk digits', here, PER_DIGITS),
    tries: digits === null ? [] : limitsOf('kiosk tries', anywhere, TRIES_PER_DIGITS),
  });
}

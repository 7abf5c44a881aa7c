/** The server's clock in whole minutes, as opening times are. */
import { useAtTick } from '../countdown/use-tick.ts';

const MINUTE_MS = 60_000;
const toMinute = (now: number) => Math.floor(now / MINUTE_MS) * MINUTE_MS;

/** The start of the present minute, milliseconds since 1970; renders again when it changes. */
export function useMinute(): number {
  return useAtTick(toMinute);
}

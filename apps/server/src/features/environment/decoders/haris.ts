/** Our own devices (contract §4): `{"temperature":21.5,"humidity":40,"mq2":120}` at `…/state`. Pure. */
import { decodeAvailability } from './availability.ts';
import { type Decoded, judge, readObject } from './decoded.ts';

/** `rest` is the topic below the device's own. */
export function decodeHaris(rest: string, payload: Uint8Array): Decoded {
  if (rest === 'availability') return decodeAvailability(payload);
  if (rest !== 'state') return { kind: 'ignored' };
  const object = readObject(payload);
  return object ? judge(object) : { kind: 'refused', reason: 'unreadable' };
}

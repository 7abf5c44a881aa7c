/** The format of Haris (contract §4): `{"temperature":21.5,"humidity":40,"mq2":120}` at `…/state`, with an optional `id`. Pure. */

import { readingIdSchema } from '@haris/contract/http/sensors';
import { decodeAvailability } from './availability.ts';
import { type Decoded, judge, readObject } from './decoded.ts';

/** `rest` is the topic below the device's own. */
export function decodeHaris(rest: string, payload: Uint8Array): Decoded {
  if (rest === 'availability') return decodeAvailability(payload);
  if (rest !== 'state') return { kind: 'ignored' };
  const object = readObject(payload);
  if (!object) return { kind: 'refused', reason: 'unreadable' };
  const decoded = judge(object);
  // Ignore an invalid id, but accept the reading.
  const id = readingIdSchema.safeParse(object.id);
  return decoded.kind === 'reading' && id.success ? { ...decoded, key: id.data } : decoded;
}

/** `online` and `offline`, as Home Assistant, ESPHome (small letters) and Tasmota (a capital first) write them. Pure. */
import { type Decoded, readText } from './decoded.ts';

export function decodeAvailability(payload: Uint8Array): Decoded {
  switch (readText(payload)?.trim().toLowerCase()) {
    case 'online':
      return { kind: 'availability', online: true };
    case 'offline':
      return { kind: 'availability', online: false };
    default:
      return { kind: 'refused', reason: 'unreadable' };
  }
}

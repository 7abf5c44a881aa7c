/** Decodes `online` and `offline`, ignoring case, because Tasmota capitalizes them. Pure. */
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

/**
 * This device's pairing as a kiosk or a desk tablet, in local storage. Nothing else of a tablet is ever stored, but for the sealed list of
 * `desk-list/`, which ends with the pairing, and the sealed entries of `desk-entries/`, which stay until the server has them.
 */
import type { DeviceKind } from '@haris/contract/http/kiosk';
import * as z from 'zod/mini';
import { endDesk } from '../desk-list/kept-list.ts';

/** public/boot.js reads them too: while one is set, every address leads to its page. */
const STORAGE_KEYS = { kiosk: 'haris.kiosk', desk: 'haris.desk' } as const;
/** Keys that a device keeps when it becomes a tablet or stops being one. */
const KEPT = ['haris.language', 'haris.scheme'];

const deviceSchema = z.object({
  /** Token that only allows the calls of this kind of tablet. */
  token: z.string(),
  name: z.string(),
  /** Language that the start screen returns to. */
  language: z.enum(['en', 'ar']),
});
export type TabletPairing = z.infer<typeof deviceSchema>;

/** Null when this device is not paired or the stored value is unreadable. */
export function readPairing(kind: DeviceKind): TabletPairing | null {
  try {
    const parsed = deviceSchema.safeParse(JSON.parse(localStorage.getItem(STORAGE_KEYS[kind]) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * Stores the pairing and removes everything else, so that no data of a previous user stays on the device. Resolves once all of it is
 * gone; only entries that the server has not stay, sealed.
 */
export function keepPairing(kind: DeviceKind, pairing: TabletPairing | null): Promise<void> {
  try {
    const kept = KEPT.map((key) => [key, localStorage.getItem(key)] as const);
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of kept) if (value !== null) localStorage.setItem(key, value);
    if (pairing !== null) localStorage.setItem(STORAGE_KEYS[kind], JSON.stringify(pairing));
  } catch {
    // Without storage, the pairing lasts as long as the page.
  }
  return endDesk();
}

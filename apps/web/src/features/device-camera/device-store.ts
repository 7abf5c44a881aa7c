/** The device's camera pairing in local storage, separate from the session because nobody signs in here. */
import * as z from 'zod/mini';

const STORAGE_KEY = 'haris.device-camera';

const deviceSchema = z.object({
  /** Token that only allows sending pictures of this camera. */
  token: z.string(),
  cameraId: z.string(),
  name: z.string(),
  area: z.string(),
  /** Id of the selected lens; null for the rear lens. */
  lensId: z.nullable(z.string()),
  /** Somebody pressed Stop, so sending does not resume by itself. */
  isStopped: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** Null when this device is not paired or the stored value is unreadable. */
export function readDevice(): Device | null {
  try {
    const parsed = deviceSchema.safeParse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Without storage, the pairing lasts as long as the page. */
export function keepDevice(device: Device | null): void {
  try {
    if (device === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(device));
  } catch {
    // The copy in memory remains.
  }
}

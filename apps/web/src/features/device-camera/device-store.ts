/** What makes this device a camera, in this browser's own storage. Apart from the session: nobody signs in here. */
import { z } from 'zod';

const STORAGE_KEY = 'haris.device-camera';

const deviceSchema = z.object({
  /** Sends pictures of this camera and does nothing else. */
  token: z.string(),
  cameraId: z.string(),
  name: z.string(),
  area: z.string(),
  /** Which of the device's lenses; null for the one that looks away from the screen. */
  lensId: z.string().nullable(),
  /** Somebody pressed Stop: it does not go on by itself. */
  isStopped: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** Null where this device is no camera, and for what cannot be read. */
export function readDevice(): Device | null {
  try {
    const parsed = deviceSchema.safeParse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Where storage is forbidden it is kept as long as the page. */
export function keepDevice(device: Device | null): void {
  try {
    if (device === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(device));
  } catch {
    // The page's memory has it.
  }
}

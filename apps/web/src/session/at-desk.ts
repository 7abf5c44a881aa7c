/** Whether this device is a desk tablet. Alone, because visitors' first load contains it. */

/** Stored by tablet/paired-device.ts. */
const DESK_STORAGE_KEY = 'haris.desk';

/** The page that a desk tablet shows while nobody is signed in. */
export const DESK_PATH = '/desk';

export function isDeskTablet(): boolean {
  try {
    return localStorage.getItem(DESK_STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

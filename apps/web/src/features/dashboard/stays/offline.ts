/** Blocks actions of the desk while the device is offline. */
import { i18n } from '../../../i18n/i18n.ts';
import { notifyError } from '../../../ui/toast.ts';

/** Shows a message and returns true while offline. Nothing is sent then, so no outcome is in doubt. */
export function isRefusedOffline(): boolean {
  if (navigator.onLine) return false;
  notifyError(i18n.t('dashboard:offline.refused'), 'offline');
  return true;
}

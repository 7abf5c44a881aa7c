/** What the desk may not do while the device has no connection. */
import { i18n } from '../../i18n/i18n.ts';
import { notifyError } from '../../ui/toast.ts';

/** Without any connection nothing is sent, so that nothing is in doubt: says so and answers true. */
export function isRefusedOffline(): boolean {
  if (navigator.onLine) return false;
  notifyError(i18n.t('dashboard:offline.refused'), 'offline');
  return true;
}

/** Transient notices with the durations of spec §9. Knows no call: what failed is put in words by client/failure.ts. */
import { TOAST_BLANK_MS, TOAST_ERROR_MS, TOAST_SUCCESS_MS } from '@haris/contract/constants';
import { toast } from 'react-hot-toast';
import { wantToaster } from './toast-host.ts';

wantToaster();

/** Options of the Toaster: how long each type stays, in milliseconds. */
export const toastDurations = {
  duration: TOAST_BLANK_MS,
  success: { duration: TOAST_SUCCESS_MS, iconTheme: { primary: '#1f6f5c', secondary: '#ffffff' } },
  error: { duration: TOAST_ERROR_MS, iconTheme: { primary: '#bb4128', secondary: '#ffffff' } },
  loading: { duration: Number.POSITIVE_INFINITY },
};

/** `id` makes a second notice of the same kind replace the first. */
export function notifySuccess(text: string, id?: string): void {
  toast.success(text, id === undefined ? {} : { id });
}

export function notifyError(text: string, id?: string): void {
  toast.error(text, id === undefined ? {} : { id });
}

export function notifyBlank(text: string, id?: string): void {
  toast(text, id === undefined ? {} : { id });
}

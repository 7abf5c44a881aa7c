/** Toasts with the durations of spec §9. calls/failure.ts turns failures into sentences. */
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

/** A second toast with the same `id` replaces the first. */
export function notifySuccess(text: string, id?: string): void {
  toast.success(text, id === undefined ? {} : { id });
}

/** At most as many as are kept on the screen (spec §9). */
const MOST_ERRORS = 20;
let errors: readonly string[] = [];

export function notifyError(text: string, id?: string): void {
  errors = [...errors, toast.error(text, id === undefined ? {} : { id })].slice(-MOST_ERRORS);
}

/** Closes error toasts: what they said is no longer true. */
export function closeErrors(): void {
  for (const id of errors) toast.dismiss(id);
  errors = [];
}

/** Removes all toasts at once: they may show what one person did, and the next one stands at this device. */
export function clearToasts(): void {
  toast.remove();
}

export function notifyBlank(text: string, id?: string): void {
  toast(text, id === undefined ? {} : { id });
}

/** Turns a failed call into a sentence: the server's, or else the fixed text of the specification. */
import type { ErrorCode } from '@haris/contract/errors';
import { i18n } from '../i18n/i18n.ts';
import { notifyError } from '../ui/toast.ts';
import { ApiError } from './api-error.ts';

/**
 * Translates a sentence of the contract (field messages) to the current language; returns unknown sentences unchanged.
 * The English sentences are the keys of the `fields` namespace.
 */
export function localizeSentence(sentence: string): string {
  const found: unknown = i18n.getResource(i18n.language, 'fields', sentence, { keySeparator: '\u0000' });
  return typeof found === 'string' ? found : sentence;
}

/**
 * Returns the sentence for a failure. English uses the server's own sentence; Arabic translates that, if the contract has it as a
 * sentence (as of the first field of a validation failure), else its code. `fallback` is the spec's fixed text for calls that have one, used if the
 * server sent no sentence.
 */
export function failureText(error: unknown, fallback?: string): string {
  if (!(error instanceof ApiError)) return fallback ?? i18n.t('common:unexpectedError');
  if (error.isNetworkError && fallback !== undefined) return fallback;
  if (error.isNetworkError && i18n.exists(`errors:${error.code}`)) return i18n.t(`errors:${error.code}`);
  if (i18n.language === 'en') return error.message;
  // Also a sentence that says more than its code does.
  const said = localizeSentence(error.message);
  if (error.code === 'invalid_request' || said !== error.message) return said;
  return i18n.exists(`errors:${error.code}`) ? i18n.t(`errors:${error.code}`) : error.message;
}

/** Message of an error code in the current language, for errors found before any call. */
export function localizeCode(code: ErrorCode): string {
  return i18n.t(`errors:${code}`);
}

/**
 * Shows an error toast for a failed call (spec §7), except for an ended session, which has its own toast, and for an
 * action that the person cancelled.
 */
export function showFailure(error: unknown, fallback?: string): void {
  if (error instanceof ApiError && error.status === 401 && error.code === 'unauthenticated') return;
  if (error instanceof ApiError && error.isDeclined) return;
  notifyError(failureText(error, fallback));
}

/** Field messages of the server for `form.setErrors(...)`, in the current language. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, sentence]) => [field, localizeSentence(sentence)]),
  );
}

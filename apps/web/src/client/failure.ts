/** What a person is told when a call fails: the server's sentence, or the spec's fixed text where there is none. */
import type { ErrorCode } from '@haris/contract/errors';
import { i18n } from '../i18n/i18n.ts';
import { notifyError } from '../ui/toast.ts';
import { ApiError } from './api-error.ts';

/**
 * A sentence of the contract (field messages) in the current language; unknown ones stay as they are.
 * The English sentences are the keys of the `fields` namespace.
 */
export function localizeSentence(sentence: string): string {
  const found: unknown = i18n.getResource(i18n.language, 'fields', sentence, { keySeparator: '\u0000' });
  return typeof found === 'string' ? found : sentence;
}

/**
 * The sentence for a failure. English shows the server's own; Arabic translates by code (a validation failure by its
 * first field's sentence). `fallback` is the spec's fixed text for calls that have one, used when the server said nothing.
 */
export function failureText(error: unknown, fallback?: string): string {
  if (!(error instanceof ApiError)) return fallback ?? i18n.t('common:unexpectedError');
  if (error.isNetworkError) return fallback ?? i18n.t(`errors:${error.code}`);
  if (i18n.language === 'en') return error.message;
  if (error.code === 'invalid_request') return localizeSentence(error.message);
  return i18n.exists(`errors:${error.code}`) ? i18n.t(`errors:${error.code}`) : error.message;
}

/** The sentence of an error code in the current language, for what is found out before any call. */
export function localizeCode(code: ErrorCode): string {
  return i18n.t(`errors:${code}`);
}

/** Error toast for a failed call (spec §7). A session that ended is announced once elsewhere, so not again here. */
export function showFailure(error: unknown, fallback?: string): void {
  if (error instanceof ApiError && error.status === 401 && error.code === 'unauthenticated') return;
  notifyError(failureText(error, fallback));
}

/** Server field messages for `form.setErrors(...)`, in the current language. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, sentence]) => [field, localizeSentence(sentence)]),
  );
}

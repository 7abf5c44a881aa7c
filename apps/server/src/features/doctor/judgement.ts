/** The verdicts of the checks, and the words that they share. */
import type { Language } from '@haris/contract/fields';
import type { HealthCheck, HealthState } from '@haris/contract/http/health';
import { describeFailure } from '@haris/runtime/log';
import { type Sentence, say } from './sentence.ts';
import { NotKnownError, type ServerFacts } from './surroundings.ts';

export interface Judgement {
  readonly state: HealthState;
  readonly detail: Sentence;
  /** What to do about it. */
  readonly todo?: Sentence;
}

/** `settings`: of `npm run doctor` alone, where the settings are wrong. */
export interface Finding<Id extends string = HealthCheck | 'settings'> extends Judgement {
  readonly id: Id;
}

/** A finding in one language. */
export interface Told<Id extends string = Finding['id']> {
  readonly id: Id;
  readonly state: HealthState;
  readonly detail: string;
  readonly todo?: string;
}

export const DAY_MS = 24 * 3_600_000;
/** A certificate that ends sooner should have been renewed by now. Milliseconds. */
export const CERTIFICATE_ENDS_SOON_MS = 14 * DAY_MS;

export const ok = (detail: Sentence): Judgement => ({ state: 'ok', detail });
export const warn = (detail: Sentence, todo: Sentence): Judgement => ({ state: 'warn', detail, todo });
export const bad = (detail: Sentence, todo?: Sentence): Judgement => ({
  state: 'bad',
  detail,
  ...(todo === undefined ? {} : { todo }),
});
export const unknown = (detail: Sentence, todo?: Sentence): Judgement => ({
  state: 'unknown',
  detail,
  ...(todo === undefined ? {} : { todo }),
});

export function tell<Id extends string>(
  { id, state, detail, todo }: Finding<Id>,
  language: Language,
): Told<Id> {
  return { id, state, detail: detail[language], ...(todo === undefined ? {} : { todo: todo[language] }) };
}

/** Words for the operator that come from elsewhere, and are English. */
export const refusal = (words: string): Sentence =>
  say('refusal', { words: words.charAt(0).toUpperCase() + words.slice(1) });

/** Class and code of an unexpected error; its message may quote data. */
export function nameOf(error: unknown): string {
  const { failure, code } = describeFailure(error);
  return code === undefined ? failure : `${failure} ${code}`;
}

export const notTold = ({ state }: ServerFacts): NotKnownError =>
  new NotKnownError(state === 'haris' ? 'harisDidNotSay' : 'harisIsOff');

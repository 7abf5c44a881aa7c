/** The verdicts of the checks, and the words that they share. */
import type { HealthCheck, HealthState } from '@haris/contract/http/health';
import { describeFailure } from '@haris/runtime/log';
import { NotKnownError, type ServerFacts } from './surroundings.ts';

export interface Judgement {
  readonly state: HealthState;
  /** No secret, and no name of a person. */
  readonly detail: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** `settings`: of `npm run doctor` alone, where the settings are wrong. */
export interface Finding<Id extends string = HealthCheck | 'settings'> extends Judgement {
  readonly id: Id;
}

export const DAY_MS = 24 * 3_600_000;
/** A certificate that ends sooner should have been renewed by now. Milliseconds. */
export const CERTIFICATE_ENDS_SOON_MS = 14 * DAY_MS;

export const ok = (detail: string): Judgement => ({ state: 'ok', detail });
export const warn = (detail: string, todo: string): Judgement => ({ state: 'warn', detail, todo });
export const bad = (detail: string, todo?: string): Judgement => ({
  state: 'bad',
  detail,
  ...(todo === undefined ? {} : { todo }),
});
export const unknown = (detail: string, todo?: string): Judgement => ({
  state: 'unknown',
  detail,
  ...(todo === undefined ? {} : { todo }),
});

export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function days(ms: number): string {
  const whole = Math.floor(ms / DAY_MS);
  return whole === 1 ? '1 day' : `${whole} days`;
}

export function size(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Class and code of an unexpected error; its message may quote data. */
export function nameOf(error: unknown): string {
  const { failure, code } = describeFailure(error);
  return code === undefined ? failure : `${failure} ${code}`;
}

export const notTold = ({ state }: ServerFacts): NotKnownError =>
  new NotKnownError(state === 'haris' ? 'Haris did not say.' : 'Haris does not run here.');
export const SAME_SETTINGS =
  'Start Haris once, or give this command the settings of the server, above all DATA_DIR: set -a; . FILE; set +a';

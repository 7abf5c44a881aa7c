/** The health of the installation as this server finds it; with several servers, each tells about itself. */
import { HEALTH_KEPT_MS, type HealthCheck } from '@haris/contract/http/health';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { acrossFacilities } from '../../facility.ts';
import { examine } from './examine.ts';
import type { Finding } from './judgement.ts';
import { worstFirst } from './report.ts';
import { surroundingsOf } from './running-surroundings.ts';

/** Time of all checks, which run at once; longer than any connection may take. Milliseconds. */
const CHECK_WITHIN_MS = 15_000;

interface Health {
  /** The worst first. */
  readonly findings: Finding<HealthCheck>[];
  readonly examinedAt: string;
}

interface Examination {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly result: Promise<Health>;
  isOver: boolean;
}

/**
 * Returns a function that examines the installation. At most one examination runs at a time, and a new one begins only
 * {@link HEALTH_KEPT_MS} after the last one began, because it connects to `PUBLIC_URL`: whoever asks sooner gets the same.
 * `port`: of this server.
 */
export function openHealth(context: Context, port: () => number): () => Promise<Health> {
  let last: Examination | null = null;

  async function look(at: number): Promise<Health> {
    // All facilities, whoever asked first.
    const findings = await acrossFacilities(() => examine(surroundingsOf(context, port()), CHECK_WITHIN_MS));
    return { findings: worstFirst(findings), examinedAt: toMoment(at) };
  }

  function begin(at: number): Examination {
    const examination: Examination = { at, result: look(at), isOver: false };
    const end = (): void => {
      examination.isOver = true;
    };
    examination.result.then(end, end);
    return examination;
  }

  return () => {
    const now = context.clock.now();
    // A clock that was set back must not keep an old result.
    const isFresh = last !== null && now >= last.at && now - last.at < HEALTH_KEPT_MS;
    if (last === null || (last.isOver && !isFresh)) last = begin(now);
    return last.result;
  };
}

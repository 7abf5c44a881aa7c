/** Judges faces again while other enrolments outdate the judgement. */
import { AppError } from '../app-error.ts';

/** Real load does not reach this limit. */
const ATTEMPTS = 20;

/** The gallery, or what was to be judged, has changed since the faces were compared: {@link again} compares them anew. */
export class JudgedTooEarlyError extends Error {
  override name = 'JudgedTooEarlyError';
}

/**
 * Runs `work`, which judges faces and then saves what it has judged, until it throws no {@link JudgedTooEarlyError}. Throws its
 * other errors, and `unavailable` after 20 attempts.
 */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof JudgedTooEarlyError)) throw error;
    }
  throw new AppError('unavailable');
}

/** The one error that services throw for expected failures; the error handler turns it into the response. */
import {
  type AdultCandidate,
  type ErrorCode,
  errorCatalogue,
  type FaceCandidate,
  type FullRoom,
  type ProofMethod,
} from '@haris/contract/errors';

export interface AppErrorExtra {
  /** Replaces the catalogue's sentence. */
  readonly message?: string;
  readonly fields?: Record<string, string>;
  readonly candidates?: FaceCandidate[];
  readonly methods?: ProofMethod[];
  readonly adults?: AdultCandidate[];
  readonly room?: FullRoom;
  /** Id of the approval that waits. */
  readonly approval?: string;
  /** Whole seconds, for 429. */
  readonly retryAfter?: number;
}

export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly extra: AppErrorExtra;

  constructor(code: ErrorCode, extra: AppErrorExtra = {}) {
    super(extra.message ?? errorCatalogue[code].message);
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.extra = extra;
  }
}

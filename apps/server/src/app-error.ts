/** The one error that services throw for what is expected to happen; the error handler makes the answer. */
import {
  type AdultCandidate,
  type ErrorCode,
  errorCatalogue,
  type FaceCandidate,
  type ProofMethod,
} from '@haris/contract/errors';

export interface AppErrorExtra {
  /** Another sentence than the catalogue's. */
  readonly message?: string;
  readonly fields?: Record<string, string>;
  readonly candidates?: FaceCandidate[];
  readonly methods?: ProofMethod[];
  readonly adults?: AdultCandidate[];
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

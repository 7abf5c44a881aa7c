/** The one kind of error a call throws: what the server said, or why it could not be asked. */
import type { AdultCandidate, ErrorCode, FaceCandidate } from '@haris/contract/errors';

/** Failures before or after the server (spec §8): unreachable, no answer in time, an answer that makes no sense. */
export type NetworkErrorCode = 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR';

export interface ApiErrorDetails {
  /** HTTP status; 0 where no answer came. */
  status: number;
  code: ErrorCode | NetworkErrorCode;
  /** The server's sentence; for network failures a sentence of ours, in English. */
  message: string;
  /** Validation: field → sentence. */
  fields?: Record<string, string> | undefined;
  /** `face_already_registered`, to staff: the children it may be. */
  candidates?: FaceCandidate[] | undefined;
  /** The same, adults whom the cameras recognise. */
  adults?: AdultCandidate[] | undefined;
  /** Seconds to wait before another try, from `Retry-After`. */
  retryAfter?: number | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | NetworkErrorCode;
  readonly fields: Readonly<Record<string, string>>;
  readonly candidates: readonly FaceCandidate[];
  readonly adults: readonly AdultCandidate[];
  readonly retryAfter: number | undefined;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.candidates = details.candidates ?? [];
    this.adults = details.adults ?? [];
    this.retryAfter = details.retryAfter;
  }

  /** True where the sentence is ours and not the server's. */
  get isNetworkError(): boolean {
    return this.code === 'FETCH_ERROR' || this.code === 'TIMEOUT_ERROR' || this.code === 'PARSING_ERROR';
  }
}

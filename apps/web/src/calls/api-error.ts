/** The only error class of calls: the server's error, or the reason why no response came. */
import type { AdultCandidate, ErrorCode, FaceCandidate, ProofMethod } from '@haris/contract/errors';

/** Codes for failures without a valid response (spec §8): server unreachable, timeout, unreadable response. */
export type NetworkErrorCode = 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR';

export interface ApiErrorDetails {
  /** HTTP status; 0 without a response. */
  status: number;
  code: ErrorCode | NetworkErrorCode;
  /** The server's sentence; for network failures our own sentence in English. */
  message: string;
  /** Sentence per field, for validation errors. */
  fields?: Record<string, string> | undefined;
  /** For `face_already_registered`, to staff only: the children who may have this face. */
  candidates?: FaceCandidate[] | undefined;
  /** Same for adults whom the cameras recognise. */
  adults?: AdultCandidate[] | undefined;
  /** For `proof_required`: how this account can prove. */
  methods?: ProofMethod[] | undefined;
  /** For `approval_required`: the approval that waits. */
  approval?: string | undefined;
  /** Seconds to wait before another try, from `Retry-After`. */
  retryAfter?: number | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | NetworkErrorCode;
  readonly fields: Readonly<Record<string, string>>;
  readonly candidates: readonly FaceCandidate[];
  readonly adults: readonly AdultCandidate[];
  readonly methods: readonly ProofMethod[];
  readonly approval: string | null;
  readonly retryAfter: number | undefined;
  /** True if the person cancelled the question for a proof: nothing failed, so nothing is reported. */
  isDeclined = false;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.candidates = details.candidates ?? [];
    this.adults = details.adults ?? [];
    this.methods = details.methods ?? ['password'];
    this.approval = details.approval ?? null;
    this.retryAfter = details.retryAfter;
  }

  /** True if the sentence is our own and not the server's. */
  get isNetworkError(): boolean {
    return this.code === 'FETCH_ERROR' || this.code === 'TIMEOUT_ERROR' || this.code === 'PARSING_ERROR';
  }
}

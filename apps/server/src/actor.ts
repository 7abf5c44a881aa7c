/** Who acts: the first argument of every service call that needs to know. */

export interface Actor {
  readonly kind: 'parent' | 'admin';
  readonly id: string;
  readonly name: string;
  /** Hash of the session's token. */
  readonly session: string;
  /** When this session last proved who uses it. Milliseconds since 1970. */
  readonly provedAt: number;
  /** The member of staff who set the account's password and so could act in this name; null where it is the person's own. */
  readonly passwordSetBy: string | null;
  /** Where the request came from, for the audit log. */
  readonly origin: Origin;
}

export interface Origin {
  readonly address: string;
  readonly requestId: string;
}

/** Nobody signed in, but the request still has an origin. */
export interface Visitor {
  readonly kind: 'visitor';
  readonly origin: Origin;
}

/** The account that makes a call: the first argument of every service function that needs to know it. */
import type { Permission } from '@haris/contract/permissions';

export interface Actor {
  readonly kind: 'parent' | 'admin';
  readonly id: string;
  /**
   * The facility that the request works at (decision 048). Null for a parent whose children are not all known at one,
   * and for work on behalf of the whole organisation.
   */
  readonly facility: string | null;
  /** What a staff member may do there, as of this request (decision 042). Empty for a parent. */
  readonly permissions: ReadonlySet<Permission>;
  /** What a staff member may do at every facility. Empty for a parent. */
  readonly everywhere: ReadonlySet<Permission>;
  readonly name: string;
  /** Hash of the session's token. */
  readonly session: string;
  /** Time of this session's last proof. Milliseconds since 1970. */
  readonly provedAt: number;
  /** What the session was opened with. With `mail` it may only set up a second factor (decision 041). */
  readonly factor: 'password' | 'mail' | 'second' | 'desk';
  /** The desk tablet that the session belongs to; null elsewhere (decision 045). */
  readonly deskId: string | null;
  /**
   * The staff member who set the account's password and could therefore sign in as this person; null if the person chose
   * it.
   */
  readonly passwordSetBy: string | null;
  /** Origin of the request, for the audit log. */
  readonly origin: Origin;
}

export interface Origin {
  readonly address: string;
  readonly requestId: string;
}

/** A paired kiosk, which is a device and not a person: it may only make the calls of a kiosk. */
export interface KioskDevice {
  readonly kind: 'kiosk';
  readonly id: string;
  readonly name: string;
  /** Hash of the device's token. */
  readonly token: string;
  readonly origin: Origin;
}

/**
 * A paired desk tablet without a signed-in person: it may only show its first screen, let staff sign in, and start an
 * evacuation.
 */
export interface DeskDevice {
  readonly kind: 'desk';
  readonly id: string;
  readonly name: string;
  /** Hash of the device's token. */
  readonly token: string;
  readonly origin: Origin;
}

/** A request without a session; its origin is still known. */
export interface Visitor {
  readonly kind: 'visitor';
  readonly origin: Origin;
}

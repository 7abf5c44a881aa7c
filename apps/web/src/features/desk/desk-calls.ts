/** The calls of a desk tablet with its device's token, never with a session. */
import { deskRoutes } from '@haris/contract/http/desk';
import { staffProfileRoutes } from '@haris/contract/http/staff-profile';
import { ApiError } from '../../calls/api-error.ts';
import { type AnswerOf, call } from '../../calls/http.ts';
import { signWithPasskey } from '../../second-factor/passkeys.ts';
import { asTablet, type TabletCalls, type TabletFailure, tabletFailureOf } from '../../tablet/failure.ts';

export type Desk = AnswerOf<typeof deskRoutes.getDesk>;
export type DeskStaff = Desk['staff'][number];
export type SignedInAtDesk = AnswerOf<typeof deskRoutes.signInAtDesk>;

export interface DeskCalls extends TabletCalls {
  look: () => Promise<Desk>;
  /** The face of a listed person. */
  photo: (photoId: string) => Promise<Blob>;
  evacuate: () => Promise<{ startedAt: string }>;
  signInByPin: (staffId: string, pin: string) => Promise<SignedInAtDesk>;
  /** Throws `PasskeyCancelled` if the person closes the browser's dialog. */
  signInByPasskey: (staffId: string) => Promise<SignedInAtDesk>;
}

export function createDeskCalls(token: string): DeskCalls {
  const common = asTablet(token);
  return {
    look: () => call(deskRoutes.getDesk, common),
    photo: (id) => call(staffProfileRoutes.getDeskPhoto, { ...common, params: { id } }),
    evacuate: () => call(deskRoutes.startDeskEvacuation, common),
    signInByPin: (staffId, pin) => call(deskRoutes.signInAtDesk, { ...common, body: { staffId, pin } }),
    async signInByPasskey(staffId) {
      const { challenge, passkey } = await call(deskRoutes.beginDeskPasskey, {
        ...common,
        body: { staffId },
      });
      const answer = await signWithPasskey(passkey);
      const body = { staffId, challenge, passkey: answer };
      return call(deskRoutes.signInAtDesk, { ...common, body });
    },
    leave: (body) => call(deskRoutes.leaveDesk, { ...common, body }),
  };
}

/** Reasons of a failed sign-in that the screens distinguish; `seconds`: time until the next try in a lock-out. */
export interface DeskFailure {
  readonly why: TabletFailure | 'wrongPin' | 'signInDue';
  readonly seconds?: number | undefined;
}

export function deskFailureOf(error: unknown): DeskFailure {
  const why = tabletFailureOf(error);
  if (!(error instanceof ApiError)) return { why };
  if (error.code === 'wrong_pin') return { why: 'wrongPin' };
  if (error.code === 'oidc_sign_in_due') return { why: 'signInDue' };
  return why === 'locked' ? { why, seconds: error.retryAfter } : { why };
}

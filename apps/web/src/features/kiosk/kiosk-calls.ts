/** The calls of a kiosk with its device's token, never with a session. */
import type { EntryPeriod } from '@haris/contract/fields';
import {
  type KioskChild,
  type KioskRequestKind,
  type KioskVisit,
  kioskRoutes,
} from '@haris/contract/http/kiosk';
import { ApiError } from '../../calls/api-error.ts';
import { call } from '../../calls/http.ts';
import { asTablet, type TabletCalls, type TabletFailure, tabletFailureOf } from '../../tablet/failure.ts';

/** A family that has proven itself. In memory only. */
export interface FamilyAtKiosk {
  readonly grant: string;
  readonly children: readonly KioskChild[];
  readonly durationInMinutes: EntryPeriod;
}

export type FamilyProof = { digits: string; pin: string } | { code: string };

export interface KioskCalls extends TabletCalls {
  identify: (proof: FamilyProof) => Promise<FamilyAtKiosk>;
  ask: (request: {
    grant: string;
    kind: KioskRequestKind;
    childIds: string[];
    durationInMinutes?: EntryPeriod;
  }) => Promise<KioskVisit>;
  read: (visit: string) => Promise<KioskVisit>;
  cancel: (visit: string) => Promise<KioskVisit>;
}

export function createKioskCalls(token: string): KioskCalls {
  const common = asTablet(token);
  return {
    look: () => call(kioskRoutes.getKiosk, common),
    identify: (body) => call(kioskRoutes.identifyAtKiosk, { ...common, body }),
    ask: (body) => call(kioskRoutes.askAtKiosk, { ...common, body }),
    read: (visit) => call(kioskRoutes.getKioskVisit, { ...common, params: { visit } }),
    cancel: (visit) => call(kioskRoutes.cancelKioskVisit, { ...common, params: { visit } }),
    leave: (body) => call(kioskRoutes.leaveKiosk, { ...common, body }),
  };
}

/** Reasons why a kiosk cannot continue that the screens distinguish. `notACode`: the scanned text is not a parent's code. */
export type KioskFailure = TabletFailure | 'noMatch' | 'codeUsed' | 'notACode';

export function failureOf(error: unknown): KioskFailure {
  const failure = tabletFailureOf(error);
  if (failure !== 'refused' || !(error instanceof ApiError)) return failure;
  if (error.code === 'kiosk_no_match') return 'noMatch';
  return error.code === 'wrong_code' ? 'codeUsed' : 'refused';
}

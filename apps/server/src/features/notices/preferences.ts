/** Who is told of a step by which ways, and when: pure rules over what the person chose. */

import {
  NOTICE_WAYS,
  type NoticePreferences,
  type NoticeWay,
  PARENT_KINDS,
  SAFETY_KINDS,
  type StoredPreferences,
} from '@haris/contract/http/notices';
import type { IncidentKind, IncidentSeverity } from '@haris/contract/incident-kinds';
import { INCIDENT_KINDS } from '@haris/contract/incident-kinds';
import type { AccountKind } from '@haris/contract/roles';
import { quietUntil } from './quiet-hours.ts';

export const NOTHING_CHOSEN: StoredPreferences = { kinds: {}, quietHours: null, areas: null };

/** A mail of everything would be read by nobody: by itself it carries dangers, and what a parent has to come for. */
function usualWays(account: AccountKind, kind: IncidentKind): readonly NoticeWay[] {
  return SAFETY_KINDS.has(kind) || account === 'parent' ? NOTICE_WAYS : ['push'];
}

/** Every kind that may reach the account, with the ways in force. */
export function completePreferences(account: AccountKind, stored: StoredPreferences): NoticePreferences {
  const kinds = account === 'parent' ? PARENT_KINDS : INCIDENT_KINDS;
  return {
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, [...(stored.kinds[kind] ?? usualWays(account, kind))]]),
    ),
    quietHours: stored.quietHours,
    areas: account === 'parent' ? null : stored.areas,
    locked: account === 'parent' ? [] : kinds.filter((kind) => SAFETY_KINDS.has(kind)),
  };
}

export interface Recipient {
  readonly account: AccountKind;
  /** Staff who are signed in; parents never are. */
  readonly isOnDuty: boolean;
  /** Ways that lead to the person at all. */
  readonly reachableBy: readonly NoticeWay[];
  readonly stored: StoredPreferences;
}

export interface Occasion {
  readonly kind: IncidentKind;
  readonly severity: IncidentSeverity;
  /** Null: of no area. */
  readonly area: string | null;
}

export interface Decision {
  readonly ways: readonly NoticeWay[];
  /** Not before. Milliseconds since 1970; null: now. */
  readonly notBefore: number | null;
}

/**
 * What is a danger comes at any hour. Staff on duty get it from every area and by some way that leads to them, whatever
 * they muted; a way that they chose and that leads nowhere (no device left) is stood in for by one that does.
 */
export function decide(recipient: Recipient, occasion: Occasion, now: number): Decision {
  const { account, isOnDuty, reachableBy, stored } = recipient;
  const isDanger = occasion.severity === 'safety';
  const cannotMute = isDanger && isOnDuty;
  const elsewhere = stored.areas !== null && occasion.area !== null && !stored.areas.includes(occasion.area);
  if (account === 'admin' && elsewhere && !cannotMute) return { ways: [], notBefore: null };
  const chosen = stored.kinds[occasion.kind] ?? usualWays(account, occasion.kind);
  const open = chosen.filter((way) => reachableBy.includes(way));
  const standsIn = open.length === 0 && (cannotMute || (isDanger && chosen.length > 0));
  return {
    ways: standsIn ? [...reachableBy] : open,
    notBefore: isDanger ? null : quietUntil(stored.quietHours, now),
  };
}

/** A guardian as staff read it. Pure. */
import type { Guardian } from '@haris/contract/http/guardians';
import { toMoment } from '../../clock.ts';
import type { HeldGuardian } from '../../db/guardians/held.ts';

/** Of an account that has not accepted, nothing but the address that staff have typed: it may be somebody else's. */
export function presentGuardian(held: HeldGuardian): Guardian {
  const { parentId, email, isFirst, mayLive, mayEdit, mayCollect, mayTake, askedAt, acceptedAt } = held;
  const hasAccepted = acceptedAt !== null;
  return {
    parentId,
    name: hasAccepted ? held.name : null,
    email,
    phone: hasAccepted ? held.phone : null,
    isFirst,
    mayLive,
    mayEdit,
    mayCollect,
    mayTake,
    askedAt: toMoment(askedAt),
    acceptedAt: hasAccepted ? toMoment(acceptedAt) : null,
    isBlocked: hasAccepted && held.isBlocked,
  };
}

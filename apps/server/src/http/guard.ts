/**
 * The guards of calls: in each transaction of a call, its sender is still who it was when the call was admitted, and may do
 * what it could do then.
 */
import type { Route } from '@haris/contract/http/route';
import type { Actor, DeskDevice, KioskDevice, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findKioskByToken } from '../db/kiosks.ts';
import { holdSession, holdSessionRights } from '../db/sessions.ts';
import { type Guard, withGuard } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { keepsRights } from '../policy.ts';
import { isProofDue, requireProof } from './proof.ts';

type Trx = Parameters<Guard['check']>[0];

/** Throws unless a staff member still has the role and the rights with which the call was admitted. */
async function requireRightsStill(trx: Trx, { dialect }: Context, route: Route, actor: Actor): Promise<void> {
  if (actor.kind !== 'admin') return;
  const { facility } = actor;
  const now =
    facility === null
      ? undefined
      : await acrossFacilities(() => holdSessionRights(trx, dialect, actor, facility));
  // As for a new request: at a tablet of a facility without a role there is no session at all.
  if (!now) throw new AppError(actor.deskId === null ? 'unknown_facility' : 'unauthenticated');
  if (!keepsRights(actor, now, route.permission)) throw new AppError('forbidden');
}

function guardSession(context: Context, route: Route, actor: Actor): Guard {
  // Whatever facility the work is for: a family may be unknown there until its first child is.
  const hold = (trx: Trx) =>
    acrossFacilities(() => holdSession(trx, context, actor.session, context.clock.now()));
  return {
    async check(trx) {
      const session = await hold(trx);
      if (!session) throw new AppError('unauthenticated');
      await requireRightsStill(trx, context, route, actor);
      if (isProofDue(route.proof, actor.kind))
        await requireProof(context, { ...actor, provedAt: session.provedAt }, trx);
    },
    isThere: async (trx) => (await hold(trx)) !== undefined,
  };
}

function guardDevice({ vault }: Context, { token }: KioskDevice | DeskDevice): Guard {
  const isThere: Guard['isThere'] = async (trx) =>
    (await acrossFacilities(() => findKioskByToken(trx, vault, token))) !== undefined;
  return {
    isThere,
    async check(trx) {
      if (!(await isThere(trx))) throw new AppError('unauthenticated');
    },
  };
}

/**
 * Carries a call out. Its transactions are refused with 401 once the sender's session has ended or its device is paired no
 * more, with 404 `unknown_facility` once a staff member has no role at the facility of the call, with 403 once it has lost a
 * right there, and with `proof_required` once the proof that the route demands is too old.
 */
export async function asCaller<T>(
  context: Context,
  route: Route,
  actor: Actor | Visitor | KioskDevice | DeskDevice,
  work: () => Promise<T>,
): Promise<T> {
  if (actor.kind === 'visitor') return work();
  const isDevice = actor.kind === 'kiosk' || actor.kind === 'desk';
  return withGuard(isDevice ? guardDevice(context, actor) : guardSession(context, route, actor), work);
}

/** The guards of calls: in each transaction of a call, its sender is still who it was when the call was admitted. */
import type { Route } from '@haris/contract/http/route';
import type { Actor, DeskDevice, KioskDevice, Visitor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findKioskByToken } from '../db/kiosks.ts';
import { holdSession } from '../db/sessions.ts';
import { type Guard, withGuard } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { isProofDue, requireProof } from './proof.ts';

function guardSession(context: Context, route: Route, actor: Actor): Guard {
  // Whatever facility the work is for: a family may be unknown there until its first child is.
  const hold = (trx: Parameters<Guard['check']>[0]) =>
    acrossFacilities(() => holdSession(trx, context, actor.session, context.clock.now()));
  return {
    async check(trx) {
      const session = await hold(trx);
      if (!session) throw new AppError('unauthenticated');
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
 * more, and with `proof_required` once the proof that the route demands is too old.
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

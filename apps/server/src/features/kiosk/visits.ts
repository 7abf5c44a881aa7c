/** Requests of a family at a kiosk. They change nothing about a child: staff accept or refuse them at the desk. */

import { randomUUID } from 'node:crypto';
import { DEFAULT_ENTRY_PERIOD_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod } from '@haris/contract/fields';
import {
  KIOSK_REQUEST_MS,
  type KioskRequest,
  type KioskRequestKind,
  type KioskRequestState,
  type KioskVisit,
} from '@haris/contract/http/kiosk';
import type { Actor, KioskDevice } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findChildrenByIds, lockChild } from '../../db/children.ts';
import { lockChildrenOf } from '../../db/guardians/children-of.ts';
import { takeGrant } from '../../db/kiosk-proofs.ts';
import {
  endKioskRequests,
  findKioskRequest,
  findKioskVisit,
  findWaitingKioskRequests,
  hasRunOut,
  insertKioskRequest,
} from '../../db/kiosk-requests.ts';
import { findKiosks } from '../../db/kiosks.ts';
import type { KioskRequestRow } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { countFailures, WARN_FROM_FAILURES } from '../../device-tries.ts';
import { currentFacility } from '../../facility.ts';
import { firstNameOf } from '../../first-name.ts';
import { presentChild } from '../../http/present.ts';
import { emitWithdrawn, withdrawRequests } from '../../kiosk-requests.ts';
import { announcePickup } from '../../pickups.ts';
import { hashToken } from '../../vault/vault.ts';

/** How long a kiosk can still read the outcome of its request. Milliseconds. */
const READABLE_MS = 2 * 60_000;

export interface Asked {
  readonly grant: string;
  readonly kind: KioskRequestKind;
  readonly childIds: readonly string[];
  readonly durationInMinutes?: EntryPeriod | undefined;
}

/**
 * Stores one request per child, in place of older ones; uses the grant up. Throws `wrong_code` for a grant that has
 * expired or belongs to another kiosk, 404 for a child of another family, or one that the account may not take, `already_inside`, `not_inside`; a refusal
 * stores nothing and leaves the grant.
 */
export async function ask(context: Context, kiosk: KioskDevice, asked: Asked): Promise<KioskVisit> {
  const visit = randomUUID();
  const ids = [...new Set(asked.childIds)];
  const parentId = await inTransaction(context.db, async (tx) => {
    const now = context.clock.now();
    const grant = await takeGrant(tx.trx, context.vault, {
      hash: hashToken(asked.grant),
      kioskId: kiosk.id,
      now,
    });
    if (!grant) throw new AppError('wrong_code');
    // Check-in and checkout of these children wait here.
    const own = new Set(await lockChildrenOf(tx.trx, grant.parent_id));
    if (!ids.every((id) => own.has(id))) throw new AppError('not_found');
    const isCheckIn = asked.kind === 'check_in';
    for (const child of await findChildrenByIds(tx.trx, ids)) {
      const mayTake = child.guardians.some((one) => one.parentId === grant.parent_id && one.mayTake);
      if (!isCheckIn && !mayTake) throw new AppError('not_found');
      if ((child.unique_entry_id !== null) === isCheckIn)
        throw new AppError(isCheckIn ? 'already_inside' : 'not_inside');
    }
    for (const childId of ids) {
      await endKioskRequests(tx.trx, { childId }, { state: 'ended', at: now });
      await insertKioskRequest(tx.trx, {
        id: randomUUID(),
        facility_id: currentFacility(),
        visit_id: visit,
        kiosk_id: kiosk.id,
        kiosk_name: kiosk.name,
        parent_id: grant.parent_id,
        child_id: childId,
        kind: asked.kind,
        duration: isCheckIn ? (asked.durationInMinutes ?? DEFAULT_ENTRY_PERIOD_MINUTES) : null,
        proved_by: grant.proved_by,
        state: 'waiting',
        created_at: now,
        expires_at: now + KIOSK_REQUEST_MS,
        ended_at: null,
      });
    }
    await context.audit.append(tx, {
      actor: null,
      origin: kiosk.origin,
      action: 'kiosk.asked',
      subject: { kind: 'parent', id: grant.parent_id },
      details: { kiosk: kiosk.id, kind: asked.kind, children: ids, by: grant.proved_by },
    });
    await context.events.append(tx, { type: 'kiosk.updated', parentId: grant.parent_id });
    return grant.parent_id;
  });
  if (asked.kind === 'pick_up') await announce(context, kiosk, parentId, ids);
  return getVisit(context, kiosk, visit);
}

/** Marks the children as being fetched, as a parent's phone does. The request stands even if this is refused. */
async function announce(
  context: Context,
  { origin }: KioskDevice,
  parentId: string,
  childIds: readonly string[],
): Promise<void> {
  const arrivesAt = context.clock.now();
  const announcement = { parentId, childIds, arrivesAt, source: 'kiosk' } as const;
  await announcePickup(context, { origin }, announcement).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/** The state of a request by the clock. Pure. */
function stateOf(row: KioskRequestRow, now: number): KioskRequestState {
  return row.state === 'waiting' && hasRunOut(row, now) ? 'expired' : row.state;
}

/** The outcome of a request of this kiosk. Throws 404. */
export async function getVisit(context: Context, kiosk: KioskDevice, id: string): Promise<KioskVisit> {
  const now = context.clock.now();
  const rows = await findKioskVisit(context.db, { id, kioskId: kiosk.id, since: now - READABLE_MS });
  const children = await findChildrenByIds(
    context.db,
    rows.map((row) => row.child_id),
  );
  const names = new Map(children.map((child) => [child.id, firstNameOf(child.name)]));
  const shown = rows.filter((row) => names.has(row.child_id));
  const first = shown[0];
  if (!first) throw new AppError('not_found');
  return {
    visit: id,
    kind: first.kind,
    children: shown.map((row) => ({
      firstName: names.get(row.child_id) ?? '',
      state: stateOf(row, now),
    })),
  };
}

/** Takes back the part of a kiosk's request that still waits. Throws 404. */
export async function cancelVisit(context: Context, kiosk: KioskDevice, id: string): Promise<KioskVisit> {
  await inTransaction(context.db, async (tx) => {
    const of = { visitId: id, kioskId: kiosk.id };
    const [asked] = await findKioskVisit(tx.trx, { id, kioskId: kiosk.id, since: 0 });
    // An acceptance that has begun finishes first.
    if (asked) await lockChildrenOf(tx.trx, asked.parent_id);
    const ended = await withdrawRequests(tx, of, { state: 'ended', at: context.clock.now() });
    const parentId = ended.rows[0]?.parent_id;
    if (parentId === undefined) return;
    await context.audit.append(tx, {
      actor: null,
      origin: kiosk.origin,
      action: 'kiosk.cancelled',
      subject: { kind: 'parent', id: parentId },
      details: { kiosk: kiosk.id, children: ended.rows.map((row) => row.child_id) },
    });
    await emitWithdrawn(context, tx, ended);
  });
  return getVisit(context, kiosk, id);
}

/** Requests that wait for the desk, and kiosks with many failed tries. */
export async function listRequests(
  context: Context,
  actor: Actor,
): Promise<{ requests: KioskRequest[]; warnings: { name: string; failures: number }[] }> {
  const rows = await findWaitingKioskRequests(context.db, context.clock.now());
  const children = await findChildrenByIds(
    context.db,
    rows.map((row) => row.child_id),
  );
  const byId = new Map(children.map((child) => [child.id, presentChild(child, actor)]));
  const warnings = [];
  for (const { id, name } of await findKiosks(context.db)) {
    const failures = await countFailures(context, id);
    if (failures >= WARN_FROM_FAILURES) warnings.push({ name, failures });
  }
  return {
    warnings,
    requests: rows.flatMap((row) => {
      const child = byId.get(row.child_id);
      if (!child) return [];
      return {
        _id: row.id,
        visit: row.visit_id,
        kind: row.kind,
        durationInMinutes: row.duration,
        at: toMoment(row.created_at),
        expiresAt: toMoment(row.expires_at),
        by: row.proved_by,
        kiosk: { _id: row.kiosk_id, name: row.kiosk_name },
        child,
      };
    }),
  };
}

/** The request's id if there is one. Throws 404. */
export async function requireRequest(context: Context, id: string): Promise<string> {
  if (!(await findKioskRequest(context.db, id))) throw new AppError('not_found');
  return id;
}

/** Refuses a request for staff. Throws `kiosk_request_ended`. */
export async function refuse(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const now = context.clock.now();
    // An acceptance that has begun finishes first.
    const asked = await findKioskRequest(tx.trx, id);
    if (asked) await lockChild(tx.trx, asked.child_id);
    const refused = await withdrawRequests(tx, { id }, { state: 'refused', at: now });
    const [row] = refused.rows;
    // If the request has expired, the exception rolls this change back.
    if (!row || hasRunOut(row, now)) throw new AppError('kiosk_request_ended');
    await context.audit.append(tx, {
      actor,
      action: 'kiosk.refused',
      subject: { kind: 'child', id: row.child_id },
      details: { kiosk: row.kiosk_id, kind: row.kind, announcedBy: row.parent_id },
    });
    await emitWithdrawn(context, tx, refused);
  });
}

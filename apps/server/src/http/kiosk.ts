/** Identifies a paired kiosk or desk tablet by its device token, which is not a session. */
import type { FastifyRequest } from 'fastify';
import type { DeskDevice, KioskDevice } from '../actor.ts';
import type { Context } from '../context.ts';
import { findKioskByToken, markKioskUsed } from '../db/kiosks.ts';
import { acrossFacilities } from '../facility.ts';
import { hashToken } from '../vault/vault.ts';
import { bearerToken, enterFacility, originOf } from './session.ts';

/** The time of use is written at most this often. Milliseconds. */
const USED_EVERY_MS = 60_000;

/** The paired device that sends a request; null without the token of one. */
export async function identifyDevice(
  context: Context,
  request: FastifyRequest,
): Promise<KioskDevice | DeskDevice | null> {
  const bearer = bearerToken(request);
  if (bearer === null) return null;
  const token = hashToken(bearer);
  const device = await acrossFacilities(() => findKioskByToken(context.db, context.vault, token));
  if (!device) return null;
  enterFacility(request, device.facility_id);
  const now = context.clock.now();
  if (device.last_used_at === null || Math.abs(now - device.last_used_at) >= USED_EVERY_MS)
    // Best effort: a full disk keeps no waiting family from reading what became of its request.
    await markKioskUsed(context.db, device.id, now).catch(() => {});
  const { kind, id, name } = device;
  const origin = originOf(request);
  return { kind, id, name, token, origin };
}

/** Pairs devices as cameras: staff get a code, and the device exchanges it for a token that can only send pictures. */
import { PAIRING_MS } from '@haris/contract/http/cameras';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { consumePairingCode, replaceDevice, replacePairingCode } from '../../db/camera-devices.ts';
import { findCamera } from '../../db/cameras.ts';
import type { CameraRow } from '../../db/schema.ts';
import { countHit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newPairingCode, pairingFailures, readPairingCode } from '../../pairing-codes.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';

const codeMac = (context: Context, code: string): string => context.vault.mac('pairing code', code);

/** Creates a code for a camera; an older code stops working. Throws 404, `not_a_device`. */
export async function createPairing(
  context: Context,
  actor: Actor,
  cameraId: string,
): Promise<{ code: string; expiresAt: number }> {
  const code = newPairingCode();
  const expiresAt = context.clock.now() + PAIRING_MS;
  await inTransaction(context.db, async (tx) => {
    const camera = await findCamera(tx.trx, cameraId);
    if (!camera) throw new AppError('not_found');
    if (camera.kind !== 'browser') throw new AppError('not_a_device');
    await replacePairingCode(tx.trx, {
      camera_id: cameraId,
      code_mac: codeMac(context, code),
      expires_at: expiresAt,
    });
    await context.audit.append(tx, {
      actor,
      action: 'camera.pairing_created',
      subject: { kind: 'camera', id: cameraId },
    });
  });
  return { code, expiresAt };
}

/** Pairs a device. The code and the token of an earlier device stop working. Throws `invalid_token`, 429. */
export async function pairDevice(
  context: Context,
  origin: Origin,
  typed: string,
): Promise<{ camera: CameraRow; token: string }> {
  const { db, clock, vault } = context;
  const failures = pairingFailures(vault, 'pairing', origin);
  const token = randomToken();
  const outcome = await inTransaction(db, async (tx) => {
    const now = clock.now();
    const retryAfter = await secondsUntilRoom(tx.trx, [failures], now);
    if (retryAfter !== null) return { retryAfter };
    const pairing = await consumePairingCode(tx.trx, codeMac(context, readPairingCode(typed)));
    const paired =
      pairing && pairing.expires_at > now ? await findCamera(tx.trx, pairing.camera_id) : undefined;
    if (paired?.kind !== 'browser') {
      await countHit(tx.trx, [failures], now);
      return null;
    }
    await replaceDevice(tx.trx, context.vault, {
      camera_id: paired.id,
      token_hash: hashToken(token),
      paired_at: now,
    });
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'camera.paired',
      subject: { kind: 'camera', id: paired.id },
    });
    await context.events.append(tx, { type: 'camera.updated' });
    return { camera: paired };
  });
  if (!outcome) throw new AppError('invalid_token', { message: 'This code is not valid any more.' });
  if ('retryAfter' in outcome) throw new AppError('too_many_attempts', { retryAfter: outcome.retryAfter });
  await context.erasures.update();
  return { camera: outcome.camera, token };
}

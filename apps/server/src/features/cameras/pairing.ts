/** Devices that are cameras: staff get a code, the device gives it and gets a token that sends pictures and nothing else. */
import { randomInt } from 'node:crypto';
import {
  LOGIN_FAILURES_PER_ADDRESS,
  PAIRING_CODE_LENGTH,
  THROTTLE_WINDOW_MS,
} from '@haris/contract/constants';
import { toAsciiDigits } from '@haris/contract/fields';
import { PAIRING_MS } from '@haris/contract/http/cameras';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCamera } from '../../db/cameras.ts';
import type { CameraRow } from '../../db/schema.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { networkOf } from '../../http/network.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';

/** Crockford's base 32: without I, L, O and U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code as it was made, however it was typed. */
function readCode(typed: string): string {
  return toAsciiDigits(typed).toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

const codeMac = (context: Context, code: string): string => context.vault.mac('pairing code', code);

/** A new code for a camera; the older one is dead. Throws 404, `not_a_device`. */
export async function createPairing(
  context: Context,
  actor: Actor,
  cameraId: string,
): Promise<{ code: string; expiresAt: number }> {
  const code = Array.from({ length: PAIRING_CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const expiresAt = context.clock.now() + PAIRING_MS;
  const values = { code_mac: codeMac(context, code), expires_at: expiresAt };
  await inTransaction(context.db, async (tx) => {
    const camera = await findCamera(tx.trx, cameraId);
    if (!camera) throw new AppError('not_found');
    if (camera.kind !== 'browser') throw new AppError('not_a_device');
    await tx.trx
      .insertInto('camera_pairings')
      .values({ camera_id: cameraId, ...values })
      .onConflict((conflict) => conflict.column('camera_id').doUpdateSet(values))
      .execute();
    await context.audit.append(tx, {
      actor,
      action: 'camera.pairing_created',
      subject: { kind: 'camera', id: cameraId },
    });
  });
  return { code, expiresAt };
}

/** Pairs a device: the code is used up, and an older device's token dies. Throws `invalid_token`, 429. */
export async function pairDevice(
  context: Context,
  origin: Origin,
  typed: string,
): Promise<{ camera: CameraRow; token: string }> {
  const { db, clock, vault } = context;
  const failures: Limit = {
    scope: 'pairing',
    key: vault.mac('throttle', networkOf(origin.address)),
    most: LOGIN_FAILURES_PER_ADDRESS,
    windowMs: THROTTLE_WINDOW_MS,
  };
  const retryAfter = await secondsUntilRoom(db, [failures], clock.now());
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  const token = randomToken();
  const camera = await inTransaction(db, async (tx) => {
    const now = clock.now();
    const pairing = await tx.trx
      .deleteFrom('camera_pairings')
      .where('code_mac', '=', codeMac(context, readCode(typed)))
      .returning(['camera_id', 'expires_at'])
      .executeTakeFirst();
    const paired =
      pairing && pairing.expires_at > now ? await findCamera(tx.trx, pairing.camera_id) : undefined;
    if (paired?.kind !== 'browser') {
      await countHit(tx.trx, [failures], now);
      return null;
    }
    const device = { token_hash: hashToken(token), connection: null, paired_at: now };
    await tx.trx
      .insertInto('camera_devices')
      .values({ camera_id: paired.id, ...device })
      .onConflict((conflict) => conflict.column('camera_id').doUpdateSet(device))
      .execute();
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'camera.paired',
      subject: { kind: 'camera', id: paired.id },
    });
    await context.events.append(tx, { type: 'camera.updated' });
    return paired;
  });
  if (!camera) throw new AppError('invalid_token', { message: 'This code is not valid any more.' });
  return { camera, token };
}

/** Adds, pairs and removes kiosks and desk tablets. A paired device gets a token that only opens the calls of its kind. */
import { randomUUID } from 'node:crypto';
import { type DeviceKind, KIOSK_PAIRING_MS, KIOSKS_MAX } from '@haris/contract/http/kiosk';
import type { Actor, Origin } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import {
  consumeKioskPairing,
  deleteKioskRow,
  findKiosk,
  findKiosks,
  insertKiosk,
  insertKioskDevice,
  type KioskView,
  lockKiosk,
  renameKiosk,
  replaceKioskPairing,
} from '../../db/kiosks.ts';
import { countHit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { forgetTries } from '../../device-tries.ts';
import { emitWithdrawn, withdrawRequests } from '../../kiosk-requests.ts';
import { isAlive } from '../../lifetime.ts';
import { newPairingCode, pairingFailures, readPairingCode } from '../../pairing-codes.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';

const codeMac = (context: Context, code: string): string => context.vault.mac('kiosk pairing code', code);

/** Throws 404. */
export async function getKiosk(context: Context, id: string): Promise<KioskView> {
  const kiosk = await findKiosk(context.db, id);
  if (!kiosk) throw new AppError('not_found');
  return kiosk;
}

/** Throws `too_many_kiosks`. */
export async function createKiosk(
  context: Context,
  actor: Actor,
  { name, kind }: { readonly name: string; readonly kind: DeviceKind },
): Promise<KioskView> {
  const id = randomUUID();
  await inTransaction(context.db, async (tx) => {
    if ((await findKiosks(tx.trx)).length >= KIOSKS_MAX) throw new AppError('too_many_kiosks');
    await insertKiosk(tx.trx, { id, kind, name, createdAt: context.clock.now() });
    await record(context, tx, actor, 'kiosk.created', id);
  });
  return getKiosk(context, id);
}

/** Throws 404. */
export async function changeKiosk(
  context: Context,
  actor: Actor,
  id: string,
  name: string,
): Promise<KioskView> {
  await inTransaction(context.db, async (tx) => {
    if (!(await renameKiosk(tx.trx, id, name))) throw new AppError('not_found');
    await record(context, tx, actor, 'kiosk.updated', id);
  });
  return getKiosk(context, id);
}

/** Removes a kiosk, cuts off its device and ends its waiting requests. Throws 404. */
export async function removeKiosk(context: Context, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await lockKiosk(tx.trx, id))) throw new AppError('not_found');
    await deleteKioskRow(tx.trx, id);
    const ended = await withdrawRequests(tx, { kioskId: id }, { state: 'ended', at: context.clock.now() });
    await record(context, tx, actor, 'kiosk.deleted', id);
    await emitWithdrawn(context, tx, ended);
  });
}

/** Creates a code for a kiosk; an older code stops working. Throws 404. */
export async function createKioskPairing(
  context: Context,
  actor: Actor,
  id: string,
): Promise<{ code: string; expiresAt: number }> {
  const code = newPairingCode();
  const expiresAt = context.clock.now() + KIOSK_PAIRING_MS;
  await inTransaction(context.db, async (tx) => {
    if (!(await lockKiosk(tx.trx, id))) throw new AppError('not_found');
    await replaceKioskPairing(tx.trx, {
      kiosk_id: id,
      code_mac: codeMac(context, code),
      expires_at: expiresAt,
    });
    await record(context, tx, actor, 'kiosk.pairing_created', id);
  });
  return { code, expiresAt };
}

/** Pairs a device. The code and the token of an earlier device stop working. Throws `invalid_token`, 429. */
export async function pairKiosk(
  context: Context,
  origin: Origin,
  { code, kind }: { readonly code: string; readonly kind: DeviceKind },
): Promise<{ kiosk: KioskView; token: string }> {
  const { db, clock, vault } = context;
  const failures = pairingFailures(vault, 'kiosk pairing', origin);
  const token = randomToken();
  const outcome = await inTransaction(db, async (tx) => {
    const now = clock.now();
    const retryAfter = await secondsUntilRoom(tx.trx, [failures], now);
    if (retryAfter !== null) return { retryAfter };
    const pairing = await consumeKioskPairing(tx.trx, codeMac(context, readPairingCode(code)), kind);
    const isUsable = pairing && isAlive({ expiresAt: pairing.expires_at, lifetimeMs: KIOSK_PAIRING_MS, now });
    const kiosk = isUsable ? await findKiosk(tx.trx, pairing.kiosk_id) : undefined;
    if (!kiosk) {
      await countHit(tx.trx, [failures], now);
      return null;
    }
    await insertKioskDevice(tx.trx, context.vault, {
      kiosk_id: kiosk.id,
      token_hash: hashToken(token),
      paired_at: now,
    });
    await forgetTries(context, tx, kiosk.id);
    await context.audit.append(tx, {
      actor: null,
      origin,
      action: 'kiosk.paired',
      subject: { kind: 'kiosk', id: kiosk.id },
    });
    await context.events.append(tx, { type: 'kiosk.updated' });
    return { kiosk };
  });
  if (!outcome) throw new AppError('invalid_token', { message: 'This code is not valid any more.' });
  if ('retryAfter' in outcome) throw new AppError('too_many_attempts', { retryAfter: outcome.retryAfter });
  return { kiosk: outcome.kiosk, token };
}

async function record(
  context: Context,
  tx: Tx,
  actor: Actor,
  action: 'kiosk.created' | 'kiosk.updated' | 'kiosk.deleted' | 'kiosk.pairing_created',
  id: string,
): Promise<void> {
  await context.audit.append(tx, { actor, action, subject: { kind: 'kiosk', id } });
  await context.events.append(tx, { type: 'kiosk.updated' });
}

/** Identifies the family at a kiosk by the phone's digits and PIN, or by the code of the parent's page. */
import { DEFAULT_ENTRY_PERIOD_MINUTES } from '@haris/contract/constants';
import type { EntryPeriod } from '@haris/contract/fields';
import { KIOSK_CODE_MS, KIOSK_GRANT_MS, type KioskChild } from '@haris/contract/http/kiosk';
import type { Actor, KioskDevice } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findChildrenOf } from '../../db/children.ts';
import { holdPin, insertGrant, takeKioskCode, writeKioskCode } from '../../db/kiosk-proofs.ts';
import { findLastEntries } from '../../db/past-stays.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { type Counted, countFailures, takeBackTry, WARN_FROM_FAILURES } from '../../device-tries.ts';
import { firstNameOf } from '../../first-name.ts';
import { usualEntryOf } from '../../usual-entry.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { countFamilyTry } from './limits.ts';
import { findByPin } from './pins.ts';

/** Codes per account: one every 60 seconds, and some for reloads. */
const CODES_PER_WINDOW = 60;
const CODE_WINDOW_MS = 15 * 60_000;

export interface Family {
  readonly grant: string;
  readonly children: KioskChild[];
  readonly durationInMinutes: EntryPeriod;
}

export type Proof =
  | { readonly digits: string; readonly pin: string }
  /** The scanned code. */
  | { readonly code: string };

/** Opens the kiosk for one family. Throws `kiosk_no_match`, `wrong_code`, `too_many_attempts`. */
export async function identify(context: Context, kiosk: KioskDevice, proof: Proof): Promise<Family> {
  const isCode = 'code' in proof;
  const counted = await countFamilyTry(context, kiosk, isCode ? null : proof.digits);
  const pin = isCode ? null : await findByPin(context, proof.digits, proof.pin);
  const grant = randomToken();
  const family = await inTransaction(context.db, async (tx) => {
    const now = context.clock.now();
    // A PIN that was removed while its hash was computed opens nothing.
    const byPin = pin !== null && (await holdPin(tx.trx, pin)) ? pin.parent_id : null;
    const parentId = isCode ? await takeKioskCode(tx.trx, context.vault, hashToken(proof.code), now) : byPin;
    if (!parentId) return null;
    await takeBackTry(context, tx, counted);
    await insertGrant(tx.trx, context.vault, {
      grant_hash: hashToken(grant),
      kiosk_id: kiosk.id,
      parent_id: parentId,
      proved_by: isCode ? 'code' : 'pin',
      expires_at: now + KIOSK_GRANT_MS,
    });
    return readFamily(tx, parentId, grant);
  });
  if (family) return family;
  await recordFailure(context, kiosk, counted);
  throw new AppError(isCode ? 'wrong_code' : 'kiosk_no_match');
}

async function readFamily(tx: Tx, parentId: string, grant: string): Promise<Family> {
  // A child inside is shown to be fetched, and one whom the account may not take home would have its whole request refused.
  const children = (await findChildrenOf(tx.trx, [parentId])).filter(
    ({ unique_entry_id: entry, guardians }) =>
      entry === null || guardians.some((one) => one.parentId === parentId && one.mayTake),
  );
  const ids = children.map(({ id }) => id);
  const usual = usualEntryOf(await findLastEntries(tx.trx, ids));
  return {
    grant,
    durationInMinutes: usual.minutes ?? DEFAULT_ENTRY_PERIOD_MINUTES,
    children: children.map((child) => ({
      _id: child.id,
      firstName: firstNameOf(child.name),
      name: child.name,
      isInside: child.unique_entry_id !== null,
      // A family that has never come before is most likely here with all its children.
      isTicked: usual.childIds.length === 0 || usual.childIds.includes(child.id),
    })),
  };
}

/** Records a failed try without the typed value, and warns the desk after several. */
async function recordFailure(context: Context, kiosk: KioskDevice, { failures }: Counted): Promise<void> {
  const count = await countFailures(context, kiosk.id);
  await inTransaction(context.db, async (tx) => {
    await context.audit.append(tx, {
      actor: null,
      origin: kiosk.origin,
      action: 'kiosk.proof_failed',
      subject: { kind: 'kiosk', id: kiosk.id },
      details: { by: failures.length > 1 ? 'pin' : 'code', failures: count },
    });
    if (count >= WARN_FROM_FAILURES) await context.events.append(tx, { type: 'kiosk.updated' });
  });
}

/** Creates the code that the parent's page shows; an older one of the same session ends. Throws `too_many_attempts`. */
export async function createKioskCode(
  context: Context,
  actor: Actor,
): Promise<{ code: string; expiresAt: number }> {
  const { clock, vault } = context;
  const limit: Limit = {
    scope: 'kiosk code',
    key: vault.mac('throttle', actor.id),
    most: CODES_PER_WINDOW,
    windowMs: CODE_WINDOW_MS,
  };
  const code = randomToken();
  const now = clock.now();
  const expiresAt = now + KIOSK_CODE_MS;
  const retryAfter = await inTransaction(context.db, async ({ trx }) => {
    const seconds = await secondsUntilRoom(trx, [limit], now);
    if (seconds !== null) return seconds;
    await countHit(trx, [limit], now);
    await writeKioskCode(trx, vault, {
      session_hash: actor.session,
      parent_id: actor.id,
      code_hash: hashToken(code),
      expires_at: expiresAt,
    });
    return null;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  return { code, expiresAt };
}

/**
 * Signs staff in at a desk tablet by PIN or passkey: one session per tablet, which does not count as a proof (decision
 * 045).
 */
import type { PasskeyAnswer } from '@haris/contract/http/factors';
import type { DeskDevice } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { createDeskTicket, endDeskTickets } from '../../db/desk-tickets.ts';
import { createChallenge, tryChallenge, useChallenge } from '../../db/factor-challenges.ts';
import { findKioskByToken, lockKiosk } from '../../db/kiosks.ts';
import { hasEndedLink } from '../../db/oidc.ts';
import type { StaffRow } from '../../db/schema.ts';
import { findFactors } from '../../db/second-factors.ts';
import { createDeskSession } from '../../db/session-starts.ts';
import { readSettings } from '../../db/settings.ts';
import { findStaffMember } from '../../db/staff.ts';
import { findStaffPin, holdStaff, type StaffPinRow } from '../../db/staff-pins.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { deskListKey } from '../../desk-list-key.ts';
import { type Counted, countFailures, takeBackTry, WARN_FROM_FAILURES } from '../../device-tries.ts';
import { isOidcSignInDue } from '../../oidc-due.ts';
import { pepperedPin } from '../../staff-pin.ts';
import { passwordMatches } from '../../vault/passwords.ts';
import { hashToken } from '../../vault/vault.ts';
import { countStaffTry } from './desk-limits.ts';
import { acceptsAnswer, passkeyOptions } from './factor-answers.ts';

const MINUTE_MS = 60_000;

export interface AtDesk {
  readonly token: string;
  readonly member: StaffRow;
  readonly idleMinutes: number;
  /** Null unless the facility lets its tablets write without a connection. */
  readonly offlineTicket: string | null;
  /** Opens the lists that the tablet keeps until the next sign-in there; null with the ticket. Base64url. */
  readonly offlineKey: string | null;
}

/**
 * Signs in by PIN. Throws `wrong_pin`, in the same time whether or not there is a PIN; `oidc_sign_in_due` after the right one;
 * `too_many_attempts`.
 */
export async function signInByPin(
  context: Context,
  desk: DeskDevice,
  staffId: string,
  pin: string,
): Promise<AtDesk> {
  const counted = await countStaffTry(context, desk, staffId);
  const stored = await findStaffPin(context.db, staffId);
  const matches = await passwordMatches(stored?.pin_hash, pepperedPin(context, staffId, pin));
  const opened =
    stored && matches
      ? await inTransaction(context.db, (tx) => open(context, tx, { desk, staffId, pin: stored, counted }))
      : null;
  if (opened === 'due') throw new AppError('oidc_sign_in_due');
  if (opened) return opened;
  await recordFailure(context, desk, staffId, 'pin');
  throw new AppError('wrong_pin');
}

/** Challenge and options for a passkey. Throws `no_passkey`; `too_many_attempts`. */
export async function beginDeskPasskey(
  context: Context,
  desk: DeskDevice,
  staffId: string,
): Promise<{ challenge: string; passkey: Record<string, unknown> }> {
  const account = { kind: 'admin', id: staffId } as const;
  const factors = await findFactors(context.db, account);
  const challenge = await inTransaction(context.db, (tx) =>
    createChallenge(
      tx.trx,
      context.vault,
      { purpose: 'desk', account, binding: desk.token, codeMac: null },
      context.clock.now(),
    ),
  );
  const passkey = await passkeyOptions(context, factors, challenge);
  if (passkey === undefined) throw new AppError('no_passkey');
  return { challenge, passkey };
}

/**
 * Signs in by passkey. Throws `wrong_pin` if it does not fit; `oidc_sign_in_due`; `too_many_attempts`. A wrong one counts at
 * this tablet alone: a passkey cannot be guessed, and the account's own limit would let a few tablets lock its owner out
 * everywhere.
 */
export async function signInByPasskey(
  context: Context,
  desk: DeskDevice,
  staffId: string,
  { passkey, challenge }: { readonly passkey: PasskeyAnswer; readonly challenge: string | undefined },
): Promise<AtDesk> {
  const counted = await countStaffTry(context, desk, staffId);
  const account = { kind: 'admin', id: staffId } as const;
  const now = context.clock.now();
  const asked =
    challenge === undefined
      ? undefined
      : await tryChallenge(context.db, context.vault, challenge, 'desk', now);
  const opened =
    asked?.account_id === staffId && asked.binding === desk.token
      ? await inTransaction(context.db, async (tx) => {
          // The tablet first, then the person: the order of all who lock both.
          if (!(await lockKiosk(tx.trx, desk.id))) throw new AppError('unauthenticated');
          if (!(await useChallenge(tx.trx, asked.challenge_hash))) return null;
          if (!(await acceptsAnswer(context, tx, account, { passkey }, challenge))) return null;
          return open(context, tx, { desk, staffId, pin: null, counted });
        })
      : null;
  if (opened === 'due') throw new AppError('oidc_sign_in_due');
  if (opened) return opened;
  await recordFailure(context, desk, staffId, 'passkey');
  throw new AppError('wrong_pin');
}

interface Opening {
  readonly desk: DeskDevice;
  readonly staffId: string;
  /** The PIN that was right; null for a passkey. */
  readonly pin: StaffPinRow | null;
  readonly counted: Counted;
}

/**
 * Opens the session in place of the former one at this tablet. Null if the person may no longer sign in, or the PIN was
 * replaced while it was checked; `due` if the person must sign in at the organisation first. Throws `unauthenticated` if the
 * tablet was unpaired meanwhile.
 */
async function open(
  context: Context,
  tx: Tx,
  { desk, staffId, pin, counted }: Opening,
): Promise<AtDesk | 'due' | null> {
  const now = context.clock.now();
  if (!(await lockKiosk(tx.trx, desk.id))) throw new AppError('unauthenticated');
  if ((await findKioskByToken(tx.trx, context.vault, desk.token))?.id !== desk.id)
    throw new AppError('unauthenticated');
  if (!(await holdStaff(tx.trx, staffId, pin))) return null;
  const member = await findStaffMember(tx.trx, staffId);
  if (!member || (await hasEndedLink(tx.trx, staffId))) return null;
  await takeBackTry(context, tx, counted);
  if (await isOidcSignInDue(tx.trx, member, now)) {
    await context.audit.append(tx, {
      actor: desk,
      action: 'admin.sign_in_failed',
      subject: { kind: 'admin', id: staffId },
      details: { reason: 'oidc_sign_in_due' },
    });
    return 'due';
  }
  const { deskIdleMinutes: idleMinutes, deskOffline } = await readSettings(tx.trx, context.config);
  // The person before has left the tablet.
  await endDeskTickets(tx.trx, { deskId: desk.id }, now);
  const token = await createDeskSession(tx.trx, context.vault, staffId, now, {
    factor: 'desk',
    agent: desk.name,
    address: desk.origin.address,
    deskId: desk.id,
    idleMs: idleMinutes * MINUTE_MS,
  });
  const sessionHash = hashToken(token);
  const offlineTicket = deskOffline
    ? await createDeskTicket(tx.trx, context.vault, { deskId: desk.id, staffId, sessionHash }, now)
    : null;
  const offlineKey =
    offlineTicket === null
      ? null
      : deskListKey(context, { desk_id: desk.id, token_hash: hashToken(offlineTicket) }).toString(
          'base64url',
        );
  await context.audit.append(tx, {
    actor: {
      kind: 'admin',
      id: staffId,
      facility: null,
      permissions: new Set(),
      everywhere: new Set(),
      name: member.name,
      session: '',
      provedAt: 0,
      factor: 'desk',
      deskId: desk.id,
      passwordSetBy: member.password_set_by,
      origin: desk.origin,
    },
    action: 'admin.signed_in',
    subject: { kind: 'admin', id: staffId },
    details: { factor: 'desk', by: pin === null ? 'passkey' : 'pin', desk: desk.id },
  });
  return { token, member, idleMinutes, offlineTicket, offlineKey };
}

/** Records a failed try without the typed value, and warns the desk after several. */
async function recordFailure(
  context: Context,
  desk: DeskDevice,
  staffId: string,
  by: 'pin' | 'passkey',
): Promise<void> {
  const failures = await countFailures(context, desk.id);
  const isKnown = (await findStaffMember(context.db, staffId)) !== undefined;
  await inTransaction(context.db, async (tx) => {
    await context.audit.append(tx, {
      actor: desk,
      action: 'desk.sign_in_failed',
      // An unknown id may be any text that somebody typed, so it is not stored.
      ...(isKnown ? { subject: { kind: 'admin', id: staffId } } : {}),
      details: { by, failures },
    });
    if (failures >= WARN_FROM_FAILURES) await context.events.append(tx, { type: 'kiosk.updated' });
  });
}

/** Adds a second factor to the caller's account: an authenticator app or a passkey (decision 041). */
import { randomUUID } from 'node:crypto';
import { FACTORS_PER_ACCOUNT, PRODUCT_NAME } from '@haris/contract/constants';
import type { Factor, NewPasskey } from '@haris/contract/http/factors';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { generateSecret, generateURI } from 'otplib';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { type AccountRow, findAccount } from '../../db/accounts.ts';
import { createChallenge, tryChallenge, useChallenge } from '../../db/factor-challenges.ts';
import type { SecondFactorRow } from '../../db/schema.ts';
import {
  findFactors,
  findUnconfirmedApp,
  insertApp,
  insertPasskey,
  useAppStep,
} from '../../db/second-factors.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import { raiseSession } from '../../db/sessions.ts';
import { inTransaction, isUniqueViolation, type Tx } from '../../db/transaction.ts';
import {
  countWrongAnswer,
  inFactorTurn,
  passkeyUserOf,
  relyingPartyOf,
  secretContext,
  stepOfCode,
  webauthn,
} from './factor-answers.ts';
import { lockOwn, makeRecoveryCodes, presentFactor, recordFactorChange } from './factor-changes.ts';

/** A factor that was added; the recovery codes only with the first one. */
interface Added {
  readonly factor: Factor;
  readonly recoveryCodes?: string[];
}

/** Throws `too_many_factors`. */
function refuseFull(factors: readonly SecondFactorRow[]): void {
  if (factors.length >= FACTORS_PER_ACCOUNT) throw new AppError('too_many_factors');
}

/** Makes the secret of an app, which counts once a code has confirmed it. Throws `too_many_factors`. */
export async function beginApp(
  context: Context,
  actor: Actor,
  name: string,
): Promise<{ _id: string; secret: string; uri: string }> {
  const id = randomUUID();
  const secret = generateSecret();
  const sealed = context.vault.seal(secretContext(id), Buffer.from(secret));
  return inTransaction(context.db, async (tx) => {
    const { email } = await lockOwn(tx, actor);
    refuseFull(await findFactors(tx.trx, actor));
    await insertApp(tx.trx, actor, { id, name, sealed, createdAt: context.clock.now() });
    return { _id: id, secret, uri: generateURI({ issuer: PRODUCT_NAME, label: email, secret }) };
  });
}

/** Confirms an app with a code. Throws 404, `wrong_code` after counting it, `too_many_attempts`, `too_many_factors`. */
export async function confirmApp(context: Context, actor: Actor, id: string, code: string): Promise<Added> {
  return inFactorTurn(context, actor, async () => {
    const added = await inTransaction(context.db, async (tx) => {
      const row = await lockOwn(tx, actor);
      const app = await findUnconfirmedApp(tx.trx, actor, id);
      if (!app) throw new AppError('not_found');
      const before = await findFactors(tx.trx, actor);
      refuseFull(before);
      const step = await stepOfCode(context, app, code);
      if (step === null || !(await useAppStep(tx.trx, id, step, context.clock.now()))) return null;
      return noteAdded(context, tx, actor, row, { id, before });
    });
    if (added) {
      await context.mails.settled();
      return added;
    }
    await inTransaction(context.db, (tx) => countWrongAnswer(context, tx, actor));
    throw new AppError('wrong_code');
  });
}

/** Options with which the browser makes a passkey. Throws `too_many_factors`. */
export async function beginPasskey(
  context: Context,
  actor: Actor,
): Promise<{ challenge: string; passkey: Record<string, unknown> }> {
  const account = await findAccount(context.db, actor);
  if (!account) throw new AppError('unauthenticated');
  const factors = await findFactors(context.db, actor);
  refuseFull(factors);
  const challenge = await inTransaction(context.db, (tx) =>
    createChallenge(
      tx.trx,
      context.vault,
      { purpose: 'add', account: actor, binding: actor.session, codeMac: null },
      context.clock.now(),
    ),
  );
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: PRODUCT_NAME,
    rpID: relyingPartyOf(context).id,
    userName: account.email,
    userDisplayName: account.name,
    userID: passkeyUserOf(context, actor),
    challenge: Buffer.from(challenge, 'base64url'),
    attestationType: 'none',
    excludeCredentials: factors.flatMap((one) => (one.credential_id ? [{ id: one.credential_id }] : [])),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return { challenge, passkey: { ...options } };
}

/** Adds the passkey that the browser has made. Throws `wrong_code` if it does not fit, `too_many_factors`. */
export async function addPasskey(
  context: Context,
  actor: Actor,
  { challenge, name, passkey }: { challenge: string; name: string; passkey: NewPasskey },
): Promise<Added> {
  const asked = await tryChallenge(context.db, context.vault, challenge, 'add', context.clock.now());
  if (asked?.account_id !== actor.id || asked.binding !== actor.session) throw new AppError('wrong_code');
  const made = await readPasskey(context, passkey, challenge);
  if (!made) throw new AppError('wrong_code');
  const id = randomUUID();
  const { credential } = made;
  try {
    const added = await inTransaction(context.db, async (tx) => {
      const row = await lockOwn(tx, actor);
      if (!(await useChallenge(tx.trx, asked.challenge_hash))) throw new AppError('wrong_code');
      const before = await findFactors(tx.trx, actor);
      refuseFull(before);
      await insertPasskey(tx.trx, actor, {
        id,
        name,
        credentialId: credential.id,
        publicKey: credential.publicKey,
        counter: credential.counter,
        transports: credential.transports ?? [],
        createdAt: context.clock.now(),
      });
      return noteAdded(context, tx, actor, row, { id, before });
    });
    await context.mails.settled();
    return added;
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('wrong_code');
    throw error;
  }
}

async function readPasskey(context: Context, passkey: NewPasskey, challenge: string) {
  const { id, origin } = relyingPartyOf(context);
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The schema checked the shape; the library checks the content.
      response: passkey as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    });
    return verified ? registrationInfo : undefined;
  } catch (error) {
    context.log.info(
      { reason: error instanceof Error ? error.name : 'unknown' },
      'a new passkey was refused',
    );
    return undefined;
  }
}

/**
 * Completes an addition in its transaction. The first factor makes recovery codes, and ends all other sessions, in which a
 * thief may be; this session now counts as opened by a second factor.
 */
async function noteAdded(
  context: Context,
  tx: Tx,
  actor: Actor,
  row: AccountRow,
  { id, before }: { readonly id: string; readonly before: readonly SecondFactorRow[] },
): Promise<Added> {
  const factor = (await findFactors(tx.trx, actor)).find((one) => one.id === id);
  if (!factor) throw new AppError('not_found');
  if (!(await raiseSession(tx.trx, context.vault, actor.session, context.clock.now())))
    throw new AppError('unauthenticated');
  const isFirst = before.length === 0;
  if (isFirst) await endSessionsOf(tx.trx, actor.kind, actor.id, actor.session);
  const recoveryCodes = isFirst ? await makeRecoveryCodes(context, tx, actor) : undefined;
  await recordFactorChange(context, tx, actor, actor, row, 'factor_added', factor);
  return { factor: presentFactor(factor), ...(recoveryCodes === undefined ? {} : { recoveryCodes }) };
}

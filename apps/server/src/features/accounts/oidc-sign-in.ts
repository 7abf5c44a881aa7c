/** Signs staff in whom the identity provider knows (decision 046). */
import { OIDC_SESSION_MS } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import type { SecondStep } from '@haris/contract/http/factors';
import type { OidcAnswer } from '@haris/contract/http/oidc';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findLinkById, updateLink } from '../../db/oidc.ts';
import type { OidcLinkRow, SessionFactor, StaffRow } from '../../db/schema.ts';
import { findFactorKinds } from '../../db/second-factors.ts';
import { lockStaffMember } from '../../db/staff.ts';
import { inTransaction, isUniqueViolation } from '../../db/transaction.ts';
import type { From } from './from.ts';
import { countSignIn } from './limits.ts';
import { finishAttempt } from './oidc-attempts.ts';
import { type FoundMember, findMember } from './oidc-links.ts';
import type { OidcPerson } from './oidc-person.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { beginSecondStep, isFactorRequiredNow } from './second-step.ts';
import { openSession } from './sign-in.ts';

interface OpenedSession {
  readonly token: string;
  readonly accountId: string;
  readonly factor: SessionFactor;
}

/** The caller: origin, the attempt's cookie, and the language of an account that the sign-in may create. */
export interface OidcCaller {
  readonly from: From;
  readonly cookie: string;
  readonly language: Language;
}

/**
 * Signs in with the provider's answer; returns the token and the account's id, or what a second step needs, and the path
 * to return to. Throws the errors of `finishAttempt`; `oidc_no_access`, `oidc_email_unverified`, `oidc_not_linked`;
 * `too_many_attempts`.
 */
export async function signInByOidc(
  context: Context,
  provider: OidcProvider,
  answer: OidcAnswer,
  { from, cookie, language }: OidcCaller,
): Promise<(OpenedSession | SecondStep) & { returnTo: string | null }> {
  const { attempt, person } = await finishAttempt(context, provider, 'sign_in', cookie, answer);
  const { origin } = from;
  const find = () =>
    inTransaction(context.db, async (tx): Promise<FoundMember> => {
      const found = await findMember(context, tx, provider, person, { origin, language });
      if ('refused' in found)
        await context.audit.append(tx, {
          actor: null,
          origin,
          action: 'admin.sign_in_failed',
          ...(found.staffId === undefined ? {} : { subject: { kind: 'admin', id: found.staffId } }),
          details: { reason: found.refused },
        });
      return found;
    });
  const found = await find().catch((error: unknown) => {
    // The same person has signed in twice at once, or was added meanwhile: now there is a row to find.
    if (isUniqueViolation(error)) return find();
    throw error;
  });
  await context.mails.settled();
  if ('refused' in found) throw new AppError(found.refused);
  await countSignIn(context, 'admin', found.member.id);
  const opened = await open(context, person, found, from);
  return { ...opened, returnTo: attempt.return_to };
}

/** Opens the session, unless the account's own second step comes first. */
async function open(
  context: Context,
  person: OidcPerson,
  { member, link }: { readonly member: StaffRow; readonly link: OidcLinkRow },
  from: From,
): Promise<OpenedSession | SecondStep> {
  // Otherwise the provider's operator could take over an account by its address.
  const isEnough = person.hasSecondFactor && link.confirmed_at !== null;
  if (!isEnough) {
    const step = await beginSecondStep(context, 'admin', member, from, link.id);
    if (step) return step;
  }
  const factor = isEnough ? 'second' : 'password';
  const token = await inTransaction(context.db, async (tx) => {
    const current = await lockStaffMember(tx.trx, member.id);
    const still = await findLinkById(tx.trx, link.id);
    if (!current || still === undefined || still.confirmed_at === null) throw new AppError('oidc_failed');
    const account = { kind: 'admin', id: member.id } as const;
    // A second factor was added, or became required, meanwhile.
    const isDue =
      (await findFactorKinds(tx.trx, account)).length > 0 ||
      (await isFactorRequiredNow(context, tx, 'admin'));
    if (!isEnough && isDue) throw new AppError('oidc_failed');
    await updateLink(tx.trx, link.id, { used_at: context.clock.now(), used_factor: isEnough ? 1 : 0 });
    // A provider that knows the person may not have asked for anything: its own time counts as the proof.
    const provedAt = Math.min(person.authenticatedAt ?? 0, context.clock.now());
    return openSession(context, tx, 'admin', current, from, factor, {
      by: 'oidc',
      lifetimeMs: OIDC_SESSION_MS,
      provedAt,
    });
  });
  return { token, accountId: member.id, factor };
}

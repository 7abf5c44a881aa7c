/** Finds, makes and ends the staff account of a person at the identity provider (decision 046). */
import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@haris/contract/errors';
import type { Language } from '@haris/contract/fields';
import type { Origin } from '../../actor.ts';
import type { ClaimedMembership } from '../../config-oidc.ts';
import type { Context } from '../../context.ts';
import { writeMemberships } from '../../db/memberships.ts';
import { createLink, findLink, hasConfirmedLink, updateLink } from '../../db/oidc.ts';
import type { OidcLinkRow, StaffRow } from '../../db/schema.ts';
import { findFactorKinds } from '../../db/second-factors.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import {
  findStaffMemberByEmail,
  insertStaffMember,
  lockStaffMember,
  updateStaffRow,
} from '../../db/staff.ts';
import type { Tx } from '../../db/transaction.ts';
import { mailOidcLink } from '../../mail/account-mails.ts';
import type { OidcPerson } from './oidc-person.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { findGivable, giveClaimedRoles, givenBy, isAboveClaims, membershipOf } from './oidc-role.ts';
import { named } from './roles.ts';

/** The account and its link, or why there is none. `staffId`: the account concerned, for the audit log. */
export type FoundMember =
  | { readonly member: StaffRow; readonly link: OidcLinkRow }
  | { readonly refused: ErrorCode; readonly staffId?: string };

export interface Asking {
  readonly origin: Origin;
  /** Of a new account. */
  readonly language: Language;
}

/**
 * The account of the person: by the link, else by the verified address, else a new one. Changes role, link and sessions
 * according to the claim; the caller commits the changes even if the person is refused.
 */
export async function findMember(
  context: Context,
  tx: Tx,
  provider: OidcProvider,
  person: OidcPerson,
  asking: Asking,
): Promise<FoundMember> {
  const link = await findLink(tx.trx, person.issuer, person.subject);
  if (link && link.confirmed_at !== null)
    return readLinked(context, tx, provider, person, link, asking.origin);
  const { email } = person;
  if (email === null || !person.isEmailVerified) return { refused: 'oidc_email_unverified' };
  const roles = await findGivable(context, tx, person.roles);
  if (provider.settings.roles !== null && roles.length === 0) return { refused: 'oidc_no_access' };
  const found = await findStaffMemberByEmail(tx.trx, email);
  if (found) return linkByEmail(context, tx, provider, { ...person, roles }, found.id, asking.origin);
  if (roles.length === 0) return { refused: 'oidc_no_access' };
  return makeMember(context, tx, provider, { ...person, email }, roles, asking);
}

/** The account of a confirmed link. The claim decides whether it may still sign in, and with which roles. */
export async function readLinked(
  context: Context,
  tx: Tx,
  { settings }: OidcProvider,
  person: OidcPerson,
  link: OidcLinkRow,
  origin: Origin,
): Promise<FoundMember> {
  const { trx } = tx;
  const member = await lockStaffMember(trx, link.staff_id);
  if (!member) return { refused: 'oidc_no_access' };
  const refused = { refused: 'oidc_no_access', staffId: member.id } as const;
  if (settings.roles === null) return link.ended_at === null ? { member, link } : refused;
  const isAbove = await isAboveClaims(trx, member.id);
  const roles = await findGivable(context, tx, person.roles);
  if (roles.length === 0) {
    if (!isAbove && link.ended_at === null) await endAccess(context, tx, link, origin);
    return refused;
  }
  if (!isAbove) await giveClaimedRoles(context, tx, settings, link, roles, origin);
  if (link.ended_at !== null) await updateLink(trx, link.id, { ended_at: null });
  return { member, link: { ...link, ended_at: null } };
}

/** Ends all sessions of a person whom the organisation no longer permits, and the right to open one. */
async function endAccess(context: Context, tx: Tx, link: OidcLinkRow, origin: Origin): Promise<void> {
  await updateLink(tx.trx, link.id, { ended_at: context.clock.now() });
  await endSessionsOf(tx.trx, 'admin', link.staff_id);
  await context.audit.append(tx, {
    actor: null,
    origin,
    action: 'admin.oidc_ended',
    subject: { kind: 'admin', id: link.staff_id },
  });
}

async function linkByEmail(
  context: Context,
  tx: Tx,
  provider: OidcProvider,
  person: OidcPerson,
  staffId: string,
  origin: Origin,
): Promise<FoundMember> {
  const { trx } = tx;
  const { issuer, subject, email, roles } = person;
  const member = await lockStaffMember(trx, staffId);
  // The same person has signed in meanwhile: in PostgreSQL the account can be seen where the link was not.
  const own = await findLink(trx, issuer, subject);
  if (own && own.confirmed_at !== null) return readLinked(context, tx, provider, person, own, origin);
  // The account was deleted, or its address changed, in the meantime.
  if (!member || member.email !== email) return { refused: 'oidc_no_access' };
  // An address may have passed to another person.
  if ((await isAboveClaims(trx, staffId)) || (await hasConfirmedLink(trx, issuer, staffId)))
    return { refused: 'oidc_not_linked', staffId };
  const now = context.clock.now();
  const hasFactor = (await findFactorKinds(trx, { kind: 'admin', id: staffId })).length > 0;
  const columns = { issuer, subject, staff_id: staffId, created_at: now };
  const link = await createLink(trx, { ...columns, confirmed_at: hasFactor ? null : now });
  if (hasFactor) return { member, link };
  await noteLinked(context, tx, provider.settings.name, member, origin);
  if (roles.length > 0) await giveClaimedRoles(context, tx, provider.settings, link, roles, origin);
  return { member: (await lockStaffMember(trx, staffId)) ?? member, link };
}

async function makeMember(
  context: Context,
  tx: Tx,
  provider: OidcProvider,
  { issuer, subject, email, name }: OidcPerson & { readonly email: string },
  roles: readonly ClaimedMembership[],
  { origin, language }: Asking,
): Promise<FoundMember> {
  const { trx } = tx;
  const id = randomUUID();
  const now = context.clock.now();
  await insertStaffMember(trx, {
    id,
    name: name ?? email.replace(/@.*$/, ''),
    email,
    passwordHash: '',
    passwordSetBy: null,
    nationalId: null,
    isVerified: true,
    language,
    createdAt: now,
  });
  await writeMemberships(trx, id, roles.map(membershipOf));
  const link = await createLink(trx, { issuer, subject, staff_id: id, created_at: now, confirmed_at: now });
  await updateLink(trx, link.id, { given: givenBy(roles) });
  await context.audit.append(tx, {
    actor: null,
    origin,
    action: 'admin.created',
    subject: { kind: 'admin', id },
    details: { by: 'oidc', roles: roles.map((one) => named(membershipOf(one))) },
  });
  await context.events.append(tx, { type: 'admin.created' });
  const member = await lockStaffMember(trx, id);
  if (!member) throw new Error('the new staff member is not there');
  await mailOidcLink(context, tx, { ...member, kind: 'admin', accountId: id }, provider.settings.name);
  return { member, link };
}

/** The own second factor of the account was given: the link counts from now on. */
export async function confirmLink(
  context: Context,
  tx: Tx,
  link: OidcLinkRow,
  member: StaffRow,
  origin: Origin,
): Promise<void> {
  await updateLink(tx.trx, link.id, { confirmed_at: context.clock.now() });
  await noteLinked(context, tx, context.config.oidc?.name ?? '', member, origin);
}

/**
 * Mails the link to the account's owner, and appends it to the audit log. A password that somebody else had set ends, with
 * the sessions that it opened; the provider has verified the address.
 */
async function noteLinked(
  context: Context,
  tx: Tx,
  providerName: string,
  member: StaffRow,
  origin: Origin,
): Promise<void> {
  const { id, password_set_by: setBy } = member;
  if (setBy !== null) {
    await updateStaffRow(tx.trx, id, { password_hash: '', password_set_by: null });
    await endSessionsOf(tx.trx, 'admin', id);
  }
  await updateStaffRow(tx.trx, id, { email_verified: 1 });
  await mailOidcLink(context, tx, { ...member, kind: 'admin', accountId: id }, providerName);
  await context.audit.append(tx, {
    actor: null,
    origin,
    action: 'admin.oidc_linked',
    subject: { kind: 'admin', id },
    ...(setBy === null ? {} : { details: { passwordEnded: true } }),
  });
}

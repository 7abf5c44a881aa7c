/** Gives staff the roles of the provider's claim, and finds who may do more than any claim can give (decision 046). */
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import type { Transaction } from 'kysely';
import type { Origin } from '../../actor.ts';
import type { ClaimedMembership, OidcSettings } from '../../config-oidc.ts';
import type { Context } from '../../context.ts';
import { findFacilityIds, findMemberships, findRights, writeMemberships } from '../../db/memberships.ts';
import { updateLink } from '../../db/oidc.ts';
import type { Database, OidcLinkRow } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { ALL_FACILITIES } from '../../facility.ts';
import { endAllPendingStaffEmails } from './pending-staff-email.ts';
import { named } from './roles.ts';

/** The most that a claim can give. */
const MOST = new Set(BUILT_IN_ROLES.manager);

/**
 * Whether a staff member may do something that no claim can give, as owners may. Such an account is never linked by
 * e-mail, and claims neither give nor take its roles.
 */
export async function isAboveClaims(trx: Transaction<Database>, staffId: string): Promise<boolean> {
  const rights = await findRights(trx, staffId);
  return [...rights.values()].some((permissions) => [...permissions].some((one) => !MOST.has(one)));
}

/** The membership that a claim gives. */
export function membershipOf({ role, facility }: ClaimedMembership) {
  return { role_id: role, facility_id: facility };
}

/** The facilities of these roles, as the link stores them. */
export function givenBy(roles: readonly ClaimedMembership[]): string {
  return JSON.stringify(roles.map(({ facility }) => facility));
}

/** The roles at facilities that exist. The log names the facilities that do not. */
export async function findGivable(
  { log }: Pick<Context, 'log'>,
  { trx }: Tx,
  roles: readonly ClaimedMembership[],
): Promise<ClaimedMembership[]> {
  const places = new Set([ALL_FACILITIES, ...(await findFacilityIds(trx))]);
  for (const { facility } of roles)
    if (!places.has(facility)) log.warn({ facility }, 'OIDC_ROLES names a facility that does not exist');
  return roles.filter(({ facility }) => places.has(facility));
}

/**
 * Gives a staff member the roles of the claim, in place of all others at the facilities that the provider manages: those
 * that `OIDC_ROLES` names, and those where the claim gave a role before. With one facility, every other role goes. The
 * caller has locked the staff member's row.
 */
export async function giveClaimedRoles(
  context: Context,
  tx: Tx,
  settings: OidcSettings,
  link: OidcLinkRow,
  roles: readonly ClaimedMembership[],
  origin: Origin,
): Promise<void> {
  const { staff_id: staffId } = link;
  const before = await findMemberships(tx.trx, [staffId]);
  const isOnly = (await findFacilityIds(tx.trx)).length === 1;
  const managed = new Set([
    ...(settings.roles?.pairs ?? []).map(({ facility }) => facility),
    ...readGiven(link),
  ]);
  const kept = before.filter(({ facility_id }) => !isOnly && !managed.has(facility_id));
  const wanted = [...kept, ...roles.map(membershipOf)];
  const given = givenBy(roles);
  if (given !== link.given) await updateLink(tx.trx, link.id, { given });
  const [old, now] = [before.map(named).sort(), wanted.map(named).sort()];
  if (old.join() === now.join()) return;
  await endAllPendingStaffEmails(tx);
  await writeMemberships(tx.trx, staffId, wanted);
  await context.audit.append(tx, {
    actor: null,
    origin,
    action: 'admin.roles_changed',
    subject: { kind: 'admin', id: staffId },
    details: { before: old, after: now, by: 'oidc' },
  });
  await context.events.append(tx, { type: 'admin.updated' });
}

function readGiven({ given }: OidcLinkRow): string[] {
  const listed: unknown = JSON.parse(given);
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
}

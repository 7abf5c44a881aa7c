/** Lists and removes the links of an account to identity providers (decision 046). */
import type { OidcLink } from '@haris/contract/http/oidc';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { deleteLink, findLinksOf } from '../../db/oidc.ts';
import type { OidcLinkRow } from '../../db/schema.ts';
import { endSessionsOf } from '../../db/session-ends.ts';
import { hasPassword, lockStaffMember } from '../../db/staff.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireRightsOf } from '../../staff-rights.ts';

function presentLink({ config }: Context, row: OidcLinkRow): OidcLink {
  const isPresent =
    config.oidc !== null && config.oidc.issuer.replace(/\/$/, '') === row.issuer.replace(/\/$/, '');
  return {
    _id: row.id,
    provider: isPresent ? config.oidc.name : (URL.parse(row.issuer)?.host ?? row.issuer),
    linkedAt: toMoment(row.confirmed_at ?? row.created_at),
    endedAt: row.ended_at === null ? null : toMoment(row.ended_at),
  };
}

export async function listLinks(
  context: Context,
  staffId: string,
): Promise<{ links: OidcLink[]; isOnlyWay: boolean }> {
  const rows = await findLinksOf(context.db, staffId);
  return {
    links: rows.map((row) => presentLink(context, row)),
    isOnlyWay: !(await hasPassword(context.db, staffId)),
  };
}

/**
 * Removes a link, with all sessions of the account but the actor's, because none says what opened it. Throws 404,
 * `beyond_own_rights`, `only_way_in` for an account without a password.
 */
export async function removeLink(
  context: Context,
  actor: Actor,
  staffId: string,
  linkId: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { trx } = tx;
    const member = await lockStaffMember(trx, staffId);
    const link = (await findLinksOf(trx, staffId)).find(({ id }) => id === linkId);
    if (!member || !link) throw new AppError('not_found');
    if (staffId !== actor.id) await requireRightsOf(trx, actor, staffId);
    if (member.password_hash === '') throw new AppError('only_way_in');
    await deleteLink(trx, link.id);
    await endSessionsOf(trx, 'admin', staffId, staffId === actor.id ? actor.session : undefined);
    await context.audit.append(tx, {
      actor,
      action: 'admin.oidc_unlinked',
      subject: { kind: 'admin', id: staffId },
      ...(link.ended_at === null ? {} : { details: { hadEnded: true } }),
    });
    await context.events.append(tx, { type: 'admin.updated' });
  });
}

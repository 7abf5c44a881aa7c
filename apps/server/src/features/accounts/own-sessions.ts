/** Lists and ends the sessions of the caller's account. */
import { createHash } from 'node:crypto';
import type { SessionView } from '@haris/contract/http/session';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { endDeskTickets } from '../../db/desk-tickets.ts';
import { endSession } from '../../db/session-ends.ts';
import { findSessionsOf } from '../../db/sessions.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Id of a session on the wire: from its stored hash, which itself is known to the database alone. */
function idOf(tokenHash: string): string {
  return createHash('sha256').update(`session ${tokenHash}`).digest('base64url').slice(0, 22);
}

export async function listSessions(context: Context, actor: Actor): Promise<SessionView[]> {
  const rows = await findSessionsOf(context.db, context.vault, actor.kind, actor.id, context.clock.now());
  return rows.map((row) => ({
    _id: idOf(row.token_hash),
    isThis: row.token_hash === actor.session,
    agent: row.agent,
    address: row.address,
    startedAt: toMoment(row.created_at),
    lastUsedAt: toMoment(row.last_seen_at),
  }));
}

/** Ends one session of the caller's account. Throws 404. */
export async function endOwnSession(context: Context, actor: Actor, id: string): Promise<void> {
  const rows = await findSessionsOf(context.db, context.vault, actor.kind, actor.id, context.clock.now());
  const ended = rows.filter((row) => idOf(row.token_hash) === id);
  if (ended.length === 0) throw new AppError('not_found');
  await end(
    context,
    actor,
    ended.map((row) => row.token_hash),
  );
}

/**
 * Ends all sessions of the caller's account except the calling one, and the tickets of desk tablets, also of those that have locked
 * themselves. Returns the number of sessions.
 */
export async function endOtherSessions(context: Context, actor: Actor): Promise<number> {
  const rows = await findSessionsOf(context.db, context.vault, actor.kind, actor.id, context.clock.now());
  const others = rows.map((row) => row.token_hash).filter((hash) => hash !== actor.session);
  if (others.length > 0) await end(context, actor, others);
  if (actor.kind === 'admin')
    await inTransaction(context.db, ({ trx }) =>
      endDeskTickets(trx, { staffId: actor.id, exceptSession: actor.session }, context.clock.now()),
    );
  return others.length;
}

async function end(context: Context, actor: Actor, hashes: readonly string[]): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    for (const hash of hashes) await endSession(tx.trx, hash, context.clock.now());
    await context.audit.append(tx, {
      actor,
      action: `${actor.kind}.sessions_ended`,
      subject: { kind: actor.kind, id: actor.id },
      details: { count: hashes.length },
    });
  });
}

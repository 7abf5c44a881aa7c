/** One-time passes of collectors (decision 049). */
import { randomUUID } from 'node:crypto';
import { isListedOn } from '@haris/contract/release';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { insertPass, revokePasses } from '../../db/collectors.ts';
import { findGuardiansOf } from '../../db/guardians/of-child.ts';
import type { CollectorRow } from '../../db/schema.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readCollectors } from '../../hand-over/adults.ts';
import { hashToken, randomToken } from '../../vault/vault.ts';
import { admitChange, lockCollector } from './collector-steps.ts';
import { dayOf } from './collector-views.ts';

/** Passes that a guardian may create in an hour. */
const PASSES_PER_HOUR = 20;

/**
 * Creates the pass of a collector for a day, in place of an older one. Throws 404; `collector_not_listed` if the collector
 * may not come on that day, or the day is over, or the guardian may not take the child; `too_many_attempts`.
 */
export async function createPass(
  context: Context,
  actor: Actor,
  known: CollectorRow,
  asked: string | undefined,
): Promise<{ token: string; day: string }> {
  const { clock, vault } = context;
  const today = await dayOf(context, context.db, known.child_id);
  const day = asked ?? today;
  const key = vault.mac('throttle', actor.id);
  const limit: Limit = { scope: 'pass', key, most: PASSES_PER_HOUR, windowMs: 3_600_000 };
  const token = randomToken();
  const retryAfter = await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, actor, known);
    const adult = (await readCollectors(context, tx.trx, child.id)).find((one) => one.row.id === row.id);
    const days = { from: row.valid_from, until: row.valid_until, weekdays: adult?.weekdays ?? [] };
    // It would wait for the moment in which the right is given.
    const own = (await findGuardiansOf(tx.trx, child.id)).find(({ parentId }) => parentId === actor.id);
    if (own?.mayTake === false) throw new AppError('collector_not_listed');
    if (day < today || !isListedOn(days, day, new Date(day).getUTCDay()))
      throw new AppError('collector_not_listed');
    const seconds = await secondsUntilRoom(tx.trx, [limit], clock.now());
    if (seconds !== null) return seconds;
    await countHit(tx.trx, [limit], clock.now());
    await admitChange(context, tx, actor, 'pass');
    await revokePasses(tx.trx, row.id, clock.now());
    await insertPass(tx.trx, vault, {
      id: randomUUID(),
      collector_id: row.id,
      token_hash: hashToken(token),
      day,
      created_by: actor.id,
      created_at: clock.now(),
    });
    await context.audit.append(tx, {
      actor,
      action: 'collector.pass_created',
      subject: { kind: 'child', id: child.id },
      details: { collectorId: row.id, day },
    });
    return null;
  });
  if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
  await context.mails.settled();
  return { token, day };
}

/** Revokes the pass of a collector. Throws 404 if the collector has ended. */
export async function revokePass(context: Context, actor: Actor, known: CollectorRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { child, row } = await lockCollector(tx, actor, known);
    if (!(await revokePasses(tx.trx, row.id, context.clock.now()))) return;
    await context.audit.append(tx, {
      actor,
      action: 'collector.pass_revoked',
      subject: { kind: 'child', id: child.id },
      details: { collectorId: row.id },
    });
  });
}

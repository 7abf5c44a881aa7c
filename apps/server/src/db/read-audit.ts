/** Audit rows for data that staff or a desk tablet read: at most one per session or tablet and query within a quarter of an hour. */
import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import type { Kysely } from 'kysely';
import type { Actor, DeskDevice } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Vault } from '../vault/vault.ts';
import type { AuditFact, AuditTrail } from './audit.ts';
import type { Database } from './schema.ts';
import { countHit, type Limit, secondsUntilRoom } from './throttle.ts';
import { inTransaction } from './transaction.ts';

interface Recorder {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly vault: Vault;
}

/**
 * Appends an audit row, unless this session or tablet has made the same query within the last quarter of an hour: otherwise an
 * open list that refreshes itself would fill the log.
 */
export async function recordReading(
  { db, audit, clock, vault }: Recorder,
  actor: Actor | DeskDevice,
  fact: Omit<AuditFact, 'actor' | 'origin'>,
): Promise<void> {
  const reader = actor.kind === 'desk' ? actor.token : actor.session;
  const question = JSON.stringify([reader, fact.action, fact.subject ?? null, fact.details ?? null]);
  const once: Limit = {
    scope: 'reading',
    key: vault.mac('reading', question),
    most: 1,
    windowMs: THROTTLE_WINDOW_MS,
  };
  await inTransaction(db, async (tx) => {
    const now = clock.now();
    if ((await secondsUntilRoom(tx.trx, [once], now)) !== null) return;
    await countHit(tx.trx, [once], now);
    await audit.append(tx, { actor, ...fact });
  });
}

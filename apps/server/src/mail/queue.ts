/**
 * The durable queue of mails: enqueued in the transaction that causes them, sent after the commit, retried with back-off
 * for three days. A waiting mail is sealed, because it contains a link.
 */
import { randomUUID } from 'node:crypto';
import { backoffMs } from '@haris/runtime/backoff';
import type { Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { addMail, claimMail, deleteMail, failMail, type MailRow, retryMail } from '../db/mails.ts';
import type { Database } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { openQueue, type QueueAdapter } from '../queue/queue.ts';
import type { Vault } from '../vault/vault.ts';
import { type Mail, type MailTransport, mailSchema } from './transport.ts';

export interface MailTiming {
  readonly delayMs?: number;
}

export interface MailQueue {
  /** Enqueues a mail in this transaction; it is sent after the commit, and not before `delayMs` from now. */
  enqueue(tx: Tx, mail: Mail, timing?: MailTiming): Promise<void>;
  /** Sends without the queue, for a caller with its own queue; rejects if the mail was not accepted. */
  send(mail: Mail): Promise<void>;
  /** Resolves when no due mail waits (only with the outbox, which is never slow). */
  settled(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const BACKOFF = { firstMs: 30_000, longestMs: 3_600_000 };
const GIVE_UP_MS = 3 * 24 * 3_600_000;
const SWEEP_MS = 15_000;
/** Longer than `MAIL_TOTAL_MS`, which an SMTP server may take. */
const LEASE_MS = 120_000;

interface QueueParts {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly transport: MailTransport;
  readonly log: Logger;
}

export function openMailQueue(parts: QueueParts): MailQueue {
  const { vault, clock, transport } = parts;
  const queue = openQueue(mailAdapter(parts), parts, { leaseMs: LEASE_MS, lanes: { mails: 1 } });
  return {
    async enqueue({ trx, afterCommit }, mail, { delayMs = 0 } = {}) {
      const id = randomUUID();
      const now = clock.now();
      const sealed = vault.seal(`mail ${id}`, Buffer.from(JSON.stringify(mail)));
      await addMail(trx, { id, sealed, created_at: now, next_try_at: now + delayMs });
      afterCommit(queue.kick);
    },
    send: (mail) => transport.send(mail),
    async settled() {
      if ((await transport.kind()) === 'outbox') await queue.settled();
    },
    start: () => queue.start(SWEEP_MS),
    async stop() {
      await queue.stop();
      transport.close();
    },
  };
}

function mailAdapter({ db, vault, transport }: QueueParts): QueueAdapter<MailRow, 'mails'> {
  return {
    messages: { done: 'a mail was sent', failed: 'a mail was not sent' },
    claim: (_lane, now, until) => claimMail(db, now, until),
    async perform({ id, sealed }) {
      await transport.send(mailSchema.parse(JSON.parse(vault.open(`mail ${id}`, sealed).toString('utf8'))));
    },
    complete: ({ id }) => deleteMail(db, id),
    pauseAfter: ({ created_at, attempts }, _error, now) =>
      now - created_at > GIVE_UP_MS ? null : backoffMs(attempts, BACKOFF),
    retry: (mail, _error, at) => retryMail(db, mail, at),
    giveUp: (mail, _error, now) => failMail(db, mail, now),
    describe: ({ id, attempts }) => ({ mailId: id, attempts }),
  };
}

/**
 * The durable queue of mails: written in the transaction of what causes the mail, sent after the commit, tried again
 * with growing pauses for three days. A waiting mail holds a link, so it lies sealed.
 */
import { randomUUID } from 'node:crypto';
import { describeFailure, type Logger } from '@haris/runtime/log';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { Vault } from '../vault/vault.ts';
import { type Mail, type MailTransport, mailSchema } from './transport.ts';

export interface MailTiming {
  readonly delayMs?: number;
}

export interface MailQueue {
  /** Puts a mail into the queue with this transaction; it goes out after the commit, and not before `delayMs` from now. */
  enqueue(tx: Tx, mail: Mail, timing?: MailTiming): Promise<void>;
  /** Sends past the queue, for whoever keeps one; rejects when the mail was not taken. */
  send(mail: Mail): Promise<void>;
  /** Resolves when nothing that is due waits any more (only with the outbox, which cannot be slow). */
  settled(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;
const GIVE_UP_MS = 3 * 24 * 3_600_000;
/** How often mails that wait for their next try are looked for. */
const SWEEP_MS = 15_000;
/** A mail taken by a server that died is free for others after this long. */
const LEASE_MS = 120_000;

interface QueueParts {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly transport: MailTransport;
  readonly log: Logger;
}

export function openMailQueue({ db, vault, clock, transport, log }: QueueParts): MailQueue {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let queued = false;

  /** Takes the next due mail for this server: whoever moves its `next_try_at` first has it. */
  async function take() {
    const now = clock.now();
    const due = await db
      .selectFrom('mails')
      .selectAll()
      .where('next_try_at', '<=', now)
      .where('failed_at', 'is', null)
      .orderBy('next_try_at')
      .limit(1)
      .executeTakeFirst();
    if (!due) return undefined;
    const taken = await db
      .updateTable('mails')
      .set({ next_try_at: now + LEASE_MS, attempts: due.attempts + 1 })
      .where('id', '=', due.id)
      .where('next_try_at', '=', due.next_try_at)
      .returning('id')
      .executeTakeFirst();
    return taken ? due : null;
  }

  async function deliver(): Promise<void> {
    while (!stopped) {
      const due = await take();
      if (due === undefined) return;
      if (due === null) continue;
      try {
        const mail = mailSchema.parse(JSON.parse(vault.open(`mail ${due.id}`, due.sealed).toString('utf8')));
        await transport.send(mail);
        await db.deleteFrom('mails').where('id', '=', due.id).execute();
        log.info({ mailId: due.id, to: transport.kind }, 'a mail was sent');
      } catch (error) {
        const now = clock.now();
        const pause = Math.min(FIRST_RETRY_MS * 2 ** due.attempts, LONGEST_RETRY_MS);
        const over = now - due.created_at > GIVE_UP_MS;
        await db
          .updateTable('mails')
          .set(over ? { failed_at: now } : { next_try_at: now + pause })
          .where('id', '=', due.id)
          .execute();
        log.warn(
          { mailId: due.id, attempts: due.attempts + 1, over, ...describeFailure(error) },
          'a mail was not sent',
        );
      }
    }
  }

  /** One delivery at a time; a wish that comes while one runs is served by one more run. */
  function kick(): Promise<void> {
    if (queued) return running;
    queued = true;
    running = running
      .then(() => {
        queued = false;
        return deliver();
      })
      .catch((error: unknown) => log.error(describeFailure(error), 'the mail queue could not be read'));
    return running;
  }

  return {
    async enqueue({ trx, afterCommit }, mail, { delayMs = 0 } = {}) {
      const id = randomUUID();
      const now = clock.now();
      await trx
        .insertInto('mails')
        .values({
          id,
          sealed: vault.seal(`mail ${id}`, Buffer.from(JSON.stringify(mail))),
          created_at: now,
          next_try_at: now + delayMs,
          attempts: 0,
          failed_at: null,
        })
        .execute();
      afterCommit(() => void kick());
    },
    send: (mail) => transport.send(mail),
    async settled() {
      if (transport.kind === 'outbox') await kick();
    },
    start() {
      void kick();
      timer = setInterval(() => void kick(), SWEEP_MS);
      timer.unref();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      // A mail on its way to a slow server must not hold the stop up; its lease runs out and it is sent then.
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
      transport.close();
    },
  };
}

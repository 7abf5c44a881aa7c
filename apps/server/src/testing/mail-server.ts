/** A mail server that is set for a moment, for what needs one to be there but sends nothing through it. */
import { inTransaction } from '../db/transaction.ts';
import { type MailServer, writeMailServer } from '../mail/server.ts';
import type { TestApp } from './harness.ts';

/** Refused at the first attempt without being asked: mails of that moment wait, and later ones go to the outbox again. */
const UNREACHABLE: MailServer = {
  host: '127.0.0.1',
  port: 465,
  security: 'tls',
  user: null,
  password: null,
  from: 'desk@nursery.example',
};

/** Does `work` while a mail server is set. */
export async function withMailServer<T>({ context }: TestApp, work: () => Promise<T>): Promise<T> {
  const write = (server: MailServer | null) =>
    inTransaction(context.db, ({ trx }) => writeMailServer(trx, context.vault, server));
  await write(UNREACHABLE);
  try {
    return await work();
  } finally {
    await write(null);
  }
}

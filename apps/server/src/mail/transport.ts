/** Sends mails to an SMTP server, or writes them as files into the outbox while there is none. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { z } from 'zod';

export const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Name before the sender's address, unless the operator chose one (`MAIL_FROM`). */
  senderName: z.string().optional(),
  /** `<id@host>`; by default, each attempt creates a new one. */
  messageId: z.string().optional(),
});
export type Mail = z.infer<typeof mailSchema>;

export interface MailTransport {
  /** Callers may wait for `outbox`, which takes microseconds; `smtp` may take minutes. */
  kind(): Promise<'outbox' | 'smtp'>;
  /** Resolves when the mail was accepted; rejects if it must be retried. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/**
 * Time-out of a whole mail: a mail server that keeps answering slowly would hold up all other mails. Shorter than the
 * queue's lease of a mail. Milliseconds.
 */
export const MAIL_TOTAL_MS = 90_000;

/** The sender: a name that the operator chose in `MAIL_FROM` stays, the product's own gives way to the facility's. */
function senderOf(from: string, senderName: string | undefined): string | { name: string; address: string } {
  const [, name = '', address = from] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(from) ?? [];
  return senderName !== undefined && (name === '' || name === 'Haris') ? { name: senderName, address } : from;
}

/** Whether the mail server runs on this machine, where nobody can intercept the connection. */
function isThisMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/**
 * Sends through an SMTP server; drops a connection that is silent for 20 s or takes longer than {@link MAIL_TOTAL_MS}. Mails contain links that open accounts, so
 * TLS is required unless the server is this machine or `withoutTls` allows it.
 */
export function smtpTransport(url: string, from: string, withoutTls: boolean): MailTransport {
  const transporter = createTransport({
    url,
    requireTLS: !withoutTls && !isThisMachine(url),
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 20_000,
  } as Parameters<typeof createTransport>[0]);
  return {
    kind: async () => 'smtp',
    async send({ senderName, ...mail }) {
      await transporter.sendMail({
        from: senderOf(from, senderName),
        ...mail,
        signal: AbortSignal.timeout(MAIL_TOTAL_MS),
      });
    },
    close: () => transporter.close(),
  };
}

/** Writes `<time>-<to>.eml` (RFC 5322) into a folder, atomically. */
export function outboxTransport(folder: string, from: string, now: () => number): MailTransport {
  return {
    kind: async () => 'outbox',
    async send({ senderName, ...mail }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const message = await new MailComposer({
        from: senderOf(from, senderName),
        ...mail,
        date: new Date(now()),
      })
        .compile()
        .build();
      const time = new Date(now()).toISOString().replace(/[:.]/g, '-');
      const to = mail.to.replace(/[^A-Za-z0-9@._+-]/g, '_').slice(0, 150);
      // Two mails to one person within a millisecond must not overwrite each other.
      let name = `${time}-${to}.eml`;
      const part = join(folder, `.${randomBytes(8).toString('hex')}.part`);
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(message);
        await file.sync();
      } finally {
        await file.close();
      }
      for (let n = 2; await exists(join(folder, name)); n++) name = `${time}~${n}-${to}.eml`;
      await rename(part, join(folder, name));
    },
    close() {},
  };
}

/** How many mails lie in the outbox. */
export async function countKeptMails(folder: string): Promise<number> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.eml')).length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await (await open(file)).close();
    return true;
  } catch {
    return false;
  }
}

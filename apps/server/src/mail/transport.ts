/** Where mails go: to an SMTP server when one is set, else as files into the outbox. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
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
  /** `<id@host>`; without one, each sending makes its own. */
  messageId: z.string().optional(),
});
export type Mail = z.infer<typeof mailSchema>;

export interface MailTransport {
  /** `outbox` takes microseconds, so that callers may wait for it; `smtp` may take minutes. */
  readonly kind: 'outbox' | 'smtp';
  /** Resolves when the mail was taken; rejects when it has to be tried again. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Whether the mail server runs on this machine, where nobody can listen in. */
function isThisMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/**
 * Sends through an SMTP server; gives up a connection that says nothing for 20 s. Mails carry links that open accounts: they
 * go encrypted or not at all, unless the server is this machine or `withoutTls` allows it.
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
    kind: 'smtp',
    async send(mail) {
      await transporter.sendMail({ from, ...mail });
    },
    close: () => transporter.close(),
  };
}

/** Writes `<time>-<to>.eml` (RFC 5322) into a folder, whole or not at all. */
export function outboxTransport(folder: string, from: string, now: () => number): MailTransport {
  return {
    kind: 'outbox',
    async send(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const message = await new MailComposer({ from, ...mail, date: new Date(now()) }).compile().build();
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

async function exists(file: string): Promise<boolean> {
  try {
    await (await open(file)).close();
    return true;
  } catch {
    return false;
  }
}

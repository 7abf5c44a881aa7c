/** The mail server that administrators set: stored sealed, and used for one mail at a time. */
import type { MailSecurity } from '@haris/contract/http/setup';
import ipaddr from 'ipaddr.js';
import type { Kysely, Transaction } from 'kysely';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { readSealedMeta, writeSealedMeta } from '../db/sealed-meta.ts';
import { findAllowedAddress, HostError, type Reach } from '../reach.ts';
import type { Vault } from '../vault/vault.ts';
import type { Mail, MailTransport } from './transport.ts';

const KEY = 'mail_server';

const storedSchema = z.object({
  host: z.string(),
  port: z.number(),
  security: z.enum(['tls', 'starttls']) satisfies z.ZodType<MailSecurity>,
  user: z.string().nullable(),
  password: z.string().nullable(),
  /** The sender's address. */
  from: z.string(),
});
export type MailServer = z.infer<typeof storedSchema>;

/** The stored mail server; null if there is none. */
export async function readMailServer(
  db: Kysely<Database> | Transaction<Database>,
  vault: Vault,
): Promise<MailServer | null> {
  const text = await readSealedMeta(db, vault, KEY);
  return text === undefined ? null : storedSchema.parse(JSON.parse(text));
}

/** Null forgets the mail server. */
export async function writeMailServer(
  trx: Transaction<Database>,
  vault: Vault,
  server: MailServer | null,
): Promise<void> {
  await writeSealedMeta(trx, vault, KEY, server && JSON.stringify(server));
}

export interface Passage {
  readonly server: MailServer;
  /** Hosts that may be connected to. */
  readonly reach: Reach;
  /** Time-out of each step. Milliseconds. */
  readonly withinMs: number;
  /** Time-out of the whole mail: a server that keeps answering slowly never exceeds that of a step. Milliseconds. */
  readonly totalMs: number;
}

/**
 * Sends one mail; resolves when the mail server accepted it. Connects to the address that was checked, with TLS in any
 * case except to this machine, and expects a certificate for the name. Throws {@link HostError} and nodemailer's errors.
 */
export async function sendThrough(
  { server, reach, withinMs, totalMs }: Passage,
  { senderName = 'Haris', ...mail }: Mail,
): Promise<void> {
  const { host, port, security, user, password, from } = server;
  const signal = AbortSignal.timeout(totalMs);
  const address = await findAllowedAddress(host, reach, signal);
  const isThisMachine = ipaddr.process(address).range() === 'loopback';
  const transporter = createTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls' && !isThisMachine,
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    tls: ipaddr.isValid(host) ? {} : { servername: host },
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transporter.sendMail({ from: { name: senderName, address: from }, ...mail, signal });
  } finally {
    transporter.close();
  }
}

/** Decides for each mail: through the mail server that `find` returns, or into the outbox while it returns null. */
export function chosenTransport(find: () => Promise<Passage | null>, outbox: MailTransport): MailTransport {
  return {
    kind: async () => ((await find()) ? 'smtp' : 'outbox'),
    async send(mail) {
      const passage = await find();
      await (passage ? sendThrough(passage, mail) : outbox.send(mail));
    },
    close: () => outbox.close(),
  };
}

/** Reasons in words where the mail server itself said nothing. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNECTION: 'No connection to the mail server.',
  ECONNREFUSED: 'The mail server refused the connection. Is the port right?',
  ETIMEDOUT: 'The mail server did not answer in time. Is the port right, and open in the firewall?',
  EABORT: 'The mail server took too long.',
  ESOCKET: 'The connection to the mail server failed.',
  ETLS: 'The mail server offers no TLS on this port.',
  EAUTH: 'The mail server did not accept user and password.',
  EDNS: 'No mail server has this name.',
};

const HOST_REASONS: Readonly<Record<HostError['reason'], string>> = {
  unknown: 'No host has this name.',
  no_answer: 'The name server did not answer in time.',
  not_allowed:
    'This host may not be used: it is this machine itself, or reserved. A mail server on this machine is set with SMTP_URL.',
};

/**
 * Explains why a mail was not accepted: the mail server's own reply, word for word, or a reason. Only text in the
 * form of an SMTP
 * reply is repeated, so that other services' greetings stay unknown.
 */
export function explainMailFailure(error: unknown): string {
  if (error instanceof HostError) return HOST_REASONS[error.reason];
  const { code, response, message } = error as { code?: unknown; response?: unknown; message?: unknown };
  if (typeof response === 'string' && /^[2-5][0-9]{2}(?:[ -]|$)/.test(response))
    return toVisible(response).slice(0, 500);
  const certificate = /certificate|altnames|self.signed/i.exec(String(message));
  if (certificate) return toVisible(String(message)).slice(0, 300);
  return REASONS[String(code)] ?? 'The mail server could not be used.';
}

/** A mail server's text without control characters and without characters that change the text direction. */
function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Where mails go: the environment's or the stored mail server, the folder of a demo, or the outbox. */
export async function findMailSource(
  db: Kysely<Database> | Transaction<Database>,
  vault: Vault,
  config: Pick<Config, 'smtpUrl' | 'demo'>,
): Promise<'environment' | 'settings' | 'demo' | 'outbox'> {
  if (config.smtpUrl !== null) return 'environment';
  if (config.demo) return 'demo';
  return (await readMailServer(db, vault)) ? 'settings' : 'outbox';
}

/** Whether mails leave this installation, instead of staying in the outbox or in a demo's folder. */
export async function areMailsSent(
  db: Kysely<Database> | Transaction<Database>,
  vault: Vault,
  config: Pick<Config, 'smtpUrl' | 'demo'>,
): Promise<boolean> {
  const source = await findMailSource(db, vault, config);
  return source === 'environment' || source === 'settings';
}

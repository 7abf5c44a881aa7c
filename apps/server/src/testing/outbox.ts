/** Reads the mails that a server under test wrote into its outbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface ReadMail {
  readonly file: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly parsed: Email;
  /** The link of the text part. */
  readonly link: string;
  /** The part of the link after its last slash. */
  readonly token: string;
}

/** A mail from its source, with the link in it. */
export async function readMail(source: Uint8Array | string, file = ''): Promise<ReadMail> {
  const parsed = await PostalMime.parse(source);
  const text = parsed.text ?? '';
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  return {
    file,
    to: parsed.to?.[0]?.address ?? '',
    subject: parsed.subject ?? '',
    text,
    html: parsed.html ?? '',
    parsed,
    link,
    token: link.split('/').at(-1) ?? '',
  };
}

/** All mails to an address, ordered by time and number. */
export async function readOutbox(dataDir: string, to?: string): Promise<ReadMail[]> {
  const folder = join(dataDir, 'outbox');
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  } catch {
    return [];
  }
  const order = (name: string): string =>
    name.replace(
      /^([^Z]*Z)(?:~(\d+))?-/,
      (_all, time: string, n: string | undefined) => `${time}~${(n ?? '1').padStart(4, '0')}-`,
    );
  names.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const mails = await Promise.all(names.map((name) => readMail(readFileSync(join(folder, name)), name)));
  return to === undefined ? mails : mails.filter((mail) => mail.to === to);
}

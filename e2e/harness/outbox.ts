/** Reads mails as the server stores them without an SMTP server: files below `DATA_DIR/outbox`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime from 'postal-mime';

export interface ReceivedMail {
  subject: string;
  text: string;
  html: string;
  /** The link in the mail, which is the same in both parts. */
  link: string;
}

/** Links that occur only in account mails. */
const ACCOUNT_LINK = /https?:\/\/[^\s"'<>]+\/(?:verify|verify-parent|reset-password|change-email)\/[\w-]+/g;

/**
 * Waits until `count` mails with an account link have come to this address, and returns the newest. Ignores
 * notification mails.
 */
export async function readMail(dataDir: string, to: string, count = 1): Promise<ReceivedMail> {
  const folder = join(dataDir, 'outbox');
  const find = async () => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(`-${to}.eml`));
    const mails = await Promise.all(
      names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
    );
    return mails.filter(({ text }) => text?.match(ACCOUNT_LINK));
  };
  await expect.poll(async () => (await find()).length, `${count} mails to ${to}`).toBe(count);
  const mail = (await find()).at(-1);
  if (!mail) throw new Error(`no mail to ${to}`);
  const { subject = '', text = '', html = '' } = mail;
  const links = new Set([...`${text} ${html}`.matchAll(ACCOUNT_LINK)].map(([link]) => link));
  expect([...links], `one link in the mail "${subject}"`).toHaveLength(1);
  return { subject, text, html, link: [...links][0] ?? '' };
}

/** Mails as the server leaves them where no SMTP server is set: files below `DATA_DIR/outbox`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import PostalMime from 'postal-mime';

export interface ReceivedMail {
  subject: string;
  text: string;
  html: string;
  /** The link in it, which is the same in both parts. */
  link: string;
}

/** Links that only mails of accounts have. */
const ACCOUNT_LINK = /https?:\/\/[^\s"'<>]+\/(?:verify|verify-parent|reset-password)\/[\w-]+/g;

/** Waits until `count` mails with a link for the account have come to this address; answers the newest. Notices are passed over. */
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

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

/** Waits until `count` mails to this address have come; answers the newest. */
export async function readMail(dataDir: string, to: string, count = 1): Promise<ReceivedMail> {
  const folder = join(dataDir, 'outbox');
  const find = async () => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.endsWith(`-${to}.eml`)).sort();
  };
  await expect.poll(async () => (await find()).length, `${count} mails to ${to}`).toBe(count);
  const newest = (await find()).at(-1) ?? '';
  const mail = await PostalMime.parse(await readFile(join(folder, newest)));
  const { subject = '', text = '', html = '' } = mail;
  const links = new Set(
    [
      ...`${text} ${html}`.matchAll(
        /https?:\/\/[^\s"'<>]+\/(?:verify|verify-parent|reset-password)\/[\w-]+/g,
      ),
    ].map(([link]) => link),
  );
  expect([...links], `one link in the mail "${subject}"`).toHaveLength(1);
  return { subject, text, html, link: [...links][0] ?? '' };
}

/** Composes the mails of accounts, of the audit log and of notifications: subject, text and HTML part. */
import type { Language } from '@haris/contract/fields';
import { accountMailTexts, type MailKind } from './account-texts.ts';
import { escapeHtml, greeting, layOut, type MailContent } from './layout.ts';

/**
 * The mail of an account. `name` is null if the greeting must not contain a name. `link`: the full address behind the
 * button. `detail` fills the placeholder of the mails that have one.
 */
export function composeMail(
  kind: MailKind,
  language: Language,
  name: string | null,
  link: string,
  detail = '',
): MailContent {
  const w = accountMailTexts[kind][language];
  // Unicode isolates keep an address together within Arabic text.
  const lead = w.lead.replace('{{detail}}', `\u2068${detail}\u2069`);
  const hello = greeting[language](name);
  const text = `${hello}\n\n${lead}\n\n${link}\n\n${w.expiry}\n${w.ignore}\n\n— Haris حارس\n`;
  const html = layOut({
    language,
    subject: w.subject,
    hello,
    lead,
    link,
    button: w.button,
    small: `${w.expiry} ${w.ignore}`,
  });
  return { subject: w.subject, text, html };
}

/** The mail with the head of the audit log, for the operator. `npm run audit:verify -- --heads` reads `line`. */
export function composeAuditHeadMail(seq: number, at: string, line: string): MailContent {
  const subject = `Haris audit log: row ${seq} on ${at.slice(0, 10)}`;
  const lead = `The audit log of Haris has ${seq} rows (${at}). Keep this email. To check that no rows have been cut off since, save the line below in FILE and run: npm run audit:verify -- --heads FILE`;
  const leadInArabic = `عدد سطور سجل المراجعة في حارس: ${seq}. احتفظ بهذه الرسالة، فبها يُكتشف أي حذف من السجل.`;
  const text = `${lead}\n\n${leadInArabic}\n\n${line}\n\n— Haris حارس\n`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body><p>${escapeHtml(lead)}</p><p lang="ar" dir="rtl">${leadInArabic}</p><pre>${escapeHtml(line)}</pre></body></html>`;
  return { subject, text, html };
}

const notificationTexts = {
  en: {
    button: 'Open Haris',
    why: 'You get this email because of your notification settings in Haris. You can change them there.',
  },
  ar: {
    button: 'فتح حارس',
    why: 'وصلتك هذه الرسالة بحسب إعدادات الإشعارات في حسابك على حارس، ويمكنك تغييرها هناك.',
  },
};

export interface NotificationMail {
  readonly language: Language;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  /** The full address behind the button. */
  readonly link: string;
}

/** A notification as a mail, with its title as the subject. */
export function composeNotificationMail({
  language,
  name,
  title,
  body,
  link,
}: NotificationMail): MailContent {
  const { button, why } = notificationTexts[language];
  const hello = greeting[language](name);
  // A line break in a name would start a new header.
  const subject = title.replace(/\s+/g, ' ');
  const lead = `${title}. ${body}`;
  const text = `${hello}\n\n${title}\n${body}\n\n${link}\n\n${why}\n\n— Haris حارس\n`;
  return { subject, text, html: layOut({ language, subject, hello, lead, link, button, small: why }) };
}

/** Composes the mails of accounts, of the audit log and of notifications: subject, text and HTML part. */
import type { Language } from '@haris/contract/fields';
import { accountMailTexts, type MailKind } from './account-texts.ts';
import { fillText } from './facility-words.ts';
import { escapeHtml, greeting, layOut, type MailContent, signature } from './layout.ts';

export interface AccountMail {
  readonly language: Language;
  /** Null if the greeting must not contain a name. */
  readonly name: string | null;
  /** The full address behind the button. */
  readonly link: string;
  /** The name of the facility that writes; null while it has none. */
  readonly facility: string | null;
  /** Fills the placeholder of the mails that have one. */
  readonly detail?: string;
}

/** The mail of an account. */
export function composeMail(
  kind: MailKind,
  { language, name, link, facility, detail = '' }: AccountMail,
): MailContent {
  const texts = accountMailTexts[kind][language];
  const say = (text: string) => fillText(text, language, { facility, detail });
  const hello = greeting[language](name);
  const [subject, lead] = [say(texts.subject), say(texts.lead)];
  const [expiry, ignore] = [say(texts.expiry), say(texts.ignore)];
  const text = `${hello}\n\n${lead}\n\n${link}\n\n${expiry}\n${ignore}\n\n${signature(language, facility)}`;
  const html = layOut({
    language,
    facility,
    subject,
    hello,
    lead,
    link,
    button: texts.button,
    small: `${expiry} ${ignore}`,
  });
  return { subject, text, html, ...senderOf(facility) };
}

/** The name before the sender's address; nothing while the facility has none. */
function senderOf(facility: string | null): Pick<MailContent, 'senderName'> {
  return facility === null ? {} : { senderName: facility };
}

/**
 * The mail with the head of the audit log, for the operator. `npm run audit:verify -- --heads` reads `line`. `facility`:
 * the organisation's name; null while it has none.
 */
export function composeAuditHeadMail(
  { seq, at }: { readonly seq: number; readonly at: string },
  line: string,
  facility: string | null,
): MailContent {
  const subject = `Haris audit log: row ${seq} on ${at.slice(0, 10)}`;
  const of = (language: Language) => fillText('{{haris}}', language, { facility });
  const lead = `The audit log of ${of('en')} has ${seq} rows (${at}). Keep this email. To check that no rows have been cut off since, save the line below in FILE and run: npm run audit:verify -- --heads FILE`;
  const leadInArabic = `عدد سطور سجل المراجعة في ${of('ar')}: ${seq}. احتفظ بهذه الرسالة، فبها يُكتشف أي حذف من السجل.`;
  const text = `${lead}\n\n${leadInArabic}\n\n${line}\n\n${signature('en', facility)}`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body><p>${escapeHtml(lead)}</p><p lang="ar" dir="rtl">${escapeHtml(leadInArabic)}</p><pre>${escapeHtml(line)}</pre></body></html>`;
  return { subject, text, html, ...senderOf(facility) };
}

const notificationTexts = {
  en: {
    button: 'Open Haris',
    why: 'You get this email because of your notification settings {{inHaris}}. You can change them there.',
  },
  ar: {
    button: 'فتح حارس',
    why: 'وصلتك هذه الرسالة بحسب إعدادات الإشعارات في حسابك {{inHaris}}، ويمكنك تغييرها هناك.',
  },
};

export interface NotificationMail {
  readonly language: Language;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  /** The name of the facility that it is about; null while it has none. */
  readonly facility: string | null;
  /** The full address behind the button. */
  readonly link: string;
}

/** A notification as a mail, with its title as the subject. */
export function composeNotificationMail({
  language,
  name,
  title,
  body,
  facility,
  link,
}: NotificationMail): MailContent {
  const { button } = notificationTexts[language];
  const why = fillText(notificationTexts[language].why, language, { facility });
  const hello = greeting[language](name);
  // A line break in a name would start a new header.
  const subject = title.replace(/\s+/g, ' ');
  const lead = `${title}. ${body}`;
  const text = `${hello}\n\n${title}\n${body}\n\n${link}\n\n${why}\n\n${signature(language, facility)}`;
  const html = layOut({ language, facility, subject, hello, lead, link, button, small: why });
  return { subject, text, html, ...senderOf(facility) };
}

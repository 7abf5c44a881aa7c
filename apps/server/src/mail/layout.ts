/**
 * The frame of every mail: greeting, button, small print, in the text direction of its language. Knows no mail's text.
 */
import type { Language } from '@haris/contract/fields';
import { nameInText } from './facility-words.ts';

const PRODUCT = 'Haris حارس';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Name before the sender's address; the product's or the operator's without. */
  readonly senderName?: string;
}

export const greeting = {
  en: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
  ar: (name: string | null) => (name === null ? 'مرحبًا،' : `مرحبًا ${name}،`),
};

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The end of the text part: who writes, and with which product. */
export function signature(language: Language, facility: string | null): string {
  return facility === null ? `— ${PRODUCT}\n` : `— ${nameInText(language, facility)}\n${PRODUCT}\n`;
}

export interface Layout {
  readonly language: Language;
  /** The name of the facility; null while it has none. */
  readonly facility: string | null;
  readonly subject: string;
  readonly hello: string;
  readonly lead: string;
  readonly link: string;
  readonly button: string;
  readonly small: string;
}

/** The HTML part of a mail. */
export function layOut({ language, facility, subject, hello, lead, link, button, small }: Layout): string {
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f1ea;font-family:Tahoma,Arial,sans-serif;color:#22302e;line-height:1.7">
<div style="max-width:480px;margin:0 auto;padding:32px 24px">
${facility === null ? '' : `<p style="font-size:20px;font-weight:bold;color:#0f6b5c;margin:0">${escapeHtml(nameInText(language, facility))}</p>\n`}<p style="font-size:${facility === null ? '20px;font-weight:bold' : '13px'};color:#0f6b5c;margin:0 0 24px">Haris · حارس</p>
<p>${escapeHtml(hello)}</p>
<p>${escapeHtml(lead)}</p>
<p style="margin:28px 0"><a href="${escapeHtml(link)}" style="background:#0f6b5c;color:#ffffff;text-decoration:none;padding:12px 22px;border-radius:8px;display:inline-block">${escapeHtml(button)}</a></p>
<p style="font-size:13px;color:#55625f;word-break:break-all"><a href="${escapeHtml(link)}" style="color:#0f6b5c">${escapeHtml(link)}</a></p>
<p style="font-size:13px;color:#55625f">${escapeHtml(small)}</p>
</div>
</body>
</html>
`;
}

/** The mails, of accounts and of notices: each in English and Arabic, with a text and an HTML part. */
import type { Language } from '@haris/contract/fields';
import { z } from 'zod';

export const mailKindSchema = z.enum([
  'verify',
  'invitation',
  'reset',
  'staff_verify',
  'staff_reset',
  'email_change',
  'password_change',
  'password_ended',
  'details_change',
]);
export type MailKind = z.infer<typeof mailKindSchema>;

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Words {
  readonly subject: string;
  readonly lead: string;
  readonly button: string;
  readonly expiry: string;
  readonly ignore: string;
}

const greeting = {
  en: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
  ar: (name: string | null) => (name === null ? 'مرحبًا،' : `مرحبًا ${name}،`),
};

const ignore = {
  en: 'If you did not expect this mail, you can ignore it: nothing will happen.',
  ar: 'إذا لم تكن تتوقع هذه الرسالة فيمكنك تجاهلها، ولن يحدث شيء.',
};

const words: Record<MailKind, Record<Language, Words>> = {
  verify: {
    en: {
      subject: 'Verify your email for Haris',
      lead: 'Somebody registered this address for an account in Haris. If it was you, please confirm it. Then you can sign in.',
      button: 'Verify email',
      expiry: 'The link works once, for 24 hours.',
      ignore: 'If it was not you, ignore this mail, or open the link and choose “I did not register this”.',
    },
    ar: {
      subject: 'تأكيد بريدك الإلكتروني في حارس',
      lead: 'استُخدم عنوان بريدك الإلكتروني لتسجيل حساب في حارس. إن كنت أنت من سجّله فأكّد العنوان من فضلك، وبعدها يمكنك تسجيل الدخول.',
      button: 'تأكيد البريد الإلكتروني',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٢٤ ساعة.',
      ignore: 'وإن لم تكن أنت فتجاهل هذه الرسالة، أو افتح الرابط واختر «لم أسجّل هذا الحساب».',
    },
  },
  invitation: {
    en: {
      subject: 'Your invitation to Haris',
      lead: 'The staff have made an account for you, so that you can see your children. Choose a password to begin.',
      button: 'Choose a password',
      expiry: 'The link works once, for 7 days.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'دعوتك إلى حارس',
      lead: 'أنشأ فريق العمل حسابًا لك لتتابع أطفالك. اختر كلمة مرور للبدء.',
      button: 'اختيار كلمة المرور',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٧ أيام.',
      ignore: ignore.ar,
    },
  },
  reset: {
    en: {
      subject: 'Set a new password for Haris',
      lead: 'You asked to set a new password.',
      button: 'Set a new password',
      expiry: 'The link works once, for 1 hour.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'تعيين كلمة مرور جديدة في حارس',
      lead: 'طلبت تعيين كلمة مرور جديدة.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ساعة.',
      ignore: ignore.ar,
    },
  },
  staff_verify: {
    en: {
      subject: 'Verify your staff email for Haris',
      lead: 'A staff account was made for you. Please confirm that this is your email address; after that you can sign in.',
      button: 'Verify email',
      expiry: 'The link works once, for 24 hours.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'تأكيد بريد الموظف في حارس',
      lead: 'أُنشئ لك حساب موظف. من فضلك أكّد أن هذا هو بريدك الإلكتروني، وبعد ذلك يمكنك تسجيل الدخول.',
      button: 'تأكيد البريد الإلكتروني',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٢٤ ساعة.',
      ignore: ignore.ar,
    },
  },
  email_change: {
    en: {
      subject: 'The email of your Haris account is being changed',
      lead: 'Another email address was asked for your account: {{detail}}. It counts once the link that we sent there is opened; until then you sign in with this one.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now, which calls the change off, and tell the staff.',
    },
    ar: {
      subject: 'جارٍ تغيير البريد الإلكتروني لحسابك في حارس',
      lead: 'طُلب بريد إلكتروني آخر لحسابك: {{detail}}. يصبح ساريًا عند فتح الرابط الذي أرسلناه إليه، وحتى ذلك الحين تسجّل الدخول بهذا البريد.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من طلب ذلك فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن، فهذا يلغي التغيير، وأخبر فريق العمل.',
    },
  },
  password_change: {
    en: {
      subject: 'The password of your Haris account was changed',
      lead: 'Your account has a new password. You were signed out everywhere else.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now and tell the staff.',
    },
    ar: {
      subject: 'تم تغيير كلمة مرور حسابك في حارس',
      lead: 'أصبحت لحسابك كلمة مرور جديدة، وأُغلقت جلساتك على كل الأجهزة الأخرى.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من غيّرها فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن وأخبر فريق العمل.',
    },
  },
  password_ended: {
    en: {
      subject: 'Choose a new password for Haris',
      lead: 'The staff have linked an account with this email address to your child. The password that was chosen at registration no longer works, because somebody else could have chosen it. Please set your own.',
      button: 'Set a new password',
      expiry: 'The link works once, for 7 days.',
      ignore: 'If you did not expect this mail, please tell the staff.',
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة في حارس',
      lead: 'ربط فريق العمل حسابًا بهذا البريد الإلكتروني بطفلك. لم تعد كلمة المرور التي اختيرت عند التسجيل تعمل، فربما اختارها شخص غيرك. من فضلك عيّن كلمة مرور خاصة بك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٧ أيام.',
      ignore: 'إذا لم تكن تتوقع هذه الرسالة فأخبر فريق العمل من فضلك.',
    },
  },
  details_change: {
    en: {
      subject: 'Details of your family were changed in Haris',
      lead: 'This was changed from your account: {{detail}}. A new photo or name of a child is used only after staff have confirmed it. While one of your children is inside, the same holds for your own new photo, name or phone.',
      button: 'Set a new password',
      expiry:
        'If this was you, there is nothing to do here. You get at most three mails like this in an hour.',
      ignore: 'If this was not you, set a new password now (this signs every device out) and tell the staff.',
    },
    ar: {
      subject: 'تم تغيير بيانات عائلتك في حارس',
      lead: 'تم من حسابك تغيير ما يلي: {{detail}}. لا تُستخدم صورة الطفل الجديدة أو اسمه الجديد إلا بعد أن يؤكدها فريق العمل. وينطبق ذلك أيضًا على صورتك أو اسمك أو رقم هاتفك الجديد ما دام أحد أطفالك في الداخل.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من فعل ذلك فلا شيء عليك فعله هنا. لن تصلك أكثر من ثلاث رسائل كهذه في الساعة.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن (يُسجَّل خروجك من كل الأجهزة) وأخبر فريق العمل.',
    },
  },
  staff_reset: {
    en: {
      subject: 'Set a new staff password for Haris',
      lead: 'You asked to set a new password for your staff account.',
      button: 'Set a new password',
      expiry: 'The link works once, for 1 hour.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'تعيين كلمة مرور جديدة لحساب الموظف في حارس',
      lead: 'طلبت تعيين كلمة مرور جديدة لحساب الموظف.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ساعة.',
      ignore: ignore.ar,
    },
  },
};

/** What a parent can change, as {@link describeChanges} names it. */
export type FamilyChange =
  | 'own_photo'
  | 'own_name'
  | 'own_phone'
  | 'child_photo'
  | 'child_name'
  | 'child_photos';

const changed: Record<FamilyChange, Record<Language, string>> = {
  own_photo: { en: 'your photo', ar: 'صورتك' },
  own_name: { en: 'your name', ar: 'اسمك' },
  own_phone: { en: 'your phone number', ar: 'رقم هاتفك' },
  child_photo: { en: 'the photo of a child', ar: 'صورة طفل' },
  child_name: { en: 'the name of a child', ar: 'اسم طفل' },
  child_photos: { en: 'one more photo of a child', ar: 'صورة إضافية لطفل' },
};

/** The changes as one enumeration for the sentence of `details_change`. */
export function describeChanges(language: Language, changes: readonly FamilyChange[]): string {
  return new Intl.ListFormat(language).format(changes.map((change) => changed[change][language]));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * Subject and both parts of a mail; `name` is null where the greeting must not name anybody; `link` is the whole address that the button opens, `detail` stands in the
 * sentence of the mails that have a place for it.
 */
export function composeMail(
  kind: MailKind,
  language: Language,
  name: string | null,
  link: string,
  detail = '',
): MailContent {
  const w = words[kind][language];
  // The address stands apart from the Arabic around it, which runs the other way.
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

/** The head of the audit log, for whoever runs Haris: `line` is what `npm run audit:verify -- --heads` reads. */
export function composeAuditHeadMail(seq: number, at: string, line: string): MailContent {
  const subject = `Haris audit log: row ${seq} on ${at.slice(0, 10)}`;
  const lead = `The audit log of Haris has ${seq} rows (${at}). Keep this mail. To check that no rows were cut off since, save the line below in FILE and run: npm run audit:verify -- --heads FILE`;
  const leadInArabic = `عدد سطور سجل المراجعة في حارس: ${seq}. احتفظ بهذه الرسالة، فبها يُكتشف أي حذف من السجل.`;
  const text = `${lead}\n\n${leadInArabic}\n\n${line}\n\n— Haris حارس\n`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body><p>${escapeHtml(lead)}</p><p lang="ar" dir="rtl">${leadInArabic}</p><pre>${escapeHtml(line)}</pre></body></html>`;
  return { subject, text, html };
}

const notice = {
  en: {
    button: 'Open Haris',
    why: 'You get this mail because of your notice settings in Haris. You can change them there.',
  },
  ar: {
    button: 'فتح حارس',
    why: 'وصلتك هذه الرسالة بحسب إعدادات التنبيهات في حسابك على حارس، ويمكنك تغييرها هناك.',
  },
};

export interface NoticeMail {
  readonly language: Language;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  /** The whole address that the button opens. */
  readonly link: string;
}

/** A notice as a mail: its title is the subject. */
export function composeNoticeMail({ language, name, title, body, link }: NoticeMail): MailContent {
  const { button, why } = notice[language];
  const hello = greeting[language](name);
  // A line break in a name would begin a new header.
  const subject = title.replace(/\s+/g, ' ');
  const lead = `${title}. ${body}`;
  const text = `${hello}\n\n${title}\n${body}\n\n${link}\n\n${why}\n\n— Haris حارس\n`;
  return { subject, text, html: layOut({ language, subject, hello, lead, link, button, small: why }) };
}

interface Layout {
  readonly language: Language;
  readonly subject: string;
  readonly hello: string;
  readonly lead: string;
  readonly link: string;
  readonly button: string;
  readonly small: string;
}

/** The HTML part of every mail. */
function layOut({ language, subject, hello, lead, link, button, small }: Layout): string {
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f1ea;font-family:Tahoma,Arial,sans-serif;color:#22302e;line-height:1.7">
<div style="max-width:480px;margin:0 auto;padding:32px 24px">
<p style="font-size:20px;font-weight:bold;color:#0f6b5c;margin:0 0 24px">Haris · حارس</p>
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

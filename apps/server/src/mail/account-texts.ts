/**
 * The texts of account mails, in English and Arabic. `{{haris}}`, `{{inHaris}}` and `{{account}}` become the words of
 * `facility-words.ts`, which name the facility.
 */
import type { Language } from '@haris/contract/fields';
import type { FamilyChange } from '../db/schema/people.ts';

export type MailKind =
  | 'verify'
  | 'invitation'
  | 'reset'
  | 'staff_verify'
  | 'staff_reset'
  | 'staff_email_corrected'
  | 'staff_password_ended'
  | 'email_change'
  | 'email_change_no_password'
  | 'email_agreement'
  | 'password_change'
  | 'password_ended'
  | 'password_ended_no_child'
  | 'guardian_asked'
  | 'guardian_invited'
  | 'guardian_password_ended'
  | 'kiosk_pin_set'
  | 'kiosk_pin_removed'
  | 'desk_pin_set'
  | 'desk_pin_removed'
  | 'details_change'
  | 'details_rejected'
  | 'factor_code'
  | 'factor_added'
  | 'factor_removed'
  | 'factors_reset'
  | 'recovery_codes_renewed'
  | 'oidc_linked'
  | 'mail_test';

interface AccountMailText {
  readonly subject: string;
  readonly lead: string;
  readonly button: string;
  readonly expiry: string;
  readonly ignore: string;
}

const ignore = {
  en: 'If you did not expect this email, you can ignore it: nothing will happen.',
  ar: 'إذا لم تكن تتوقع هذه الرسالة فيمكنك تجاهلها، ولن يحدث شيء.',
};

export const accountMailTexts: Record<MailKind, Record<Language, AccountMailText>> = {
  mail_test: {
    en: {
      subject: 'Haris can send mail',
      lead: 'This is the test email that you asked for. The mail server accepted it, and it reached you.',
      button: 'Open Haris',
      expiry: 'There is nothing else to do.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'حارس قادر على إرسال البريد',
      lead: 'هذه رسالة التجربة التي طلبتها. قبلها خادم البريد ووصلت إليك.',
      button: 'فتح حارس',
      expiry: 'ليس عليك فعل أي شيء آخر.',
      ignore: ignore.ar,
    },
  },
  verify: {
    en: {
      subject: 'Verify your email for {{haris}}',
      lead: 'Somebody registered an account {{inHaris}} with this address. If it was you, please confirm it. Then you can sign in.',
      button: 'Verify email',
      expiry:
        'The link works once, for 24 hours. If nobody confirms the address, the account is deleted after a week.',
      ignore: 'If it was not you, ignore this email, or open the link and choose “I did not register this”.',
    },
    ar: {
      subject: 'تأكيد بريدك الإلكتروني {{inHaris}}',
      lead: 'استُخدم عنوان بريدك الإلكتروني لتسجيل حساب {{inHaris}}. إن كنت أنت من سجّله فأكّد العنوان من فضلك، وبعدها يمكنك تسجيل الدخول.',
      button: 'تأكيد البريد الإلكتروني',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٢٤ ساعة. وإن لم يُؤكَّد العنوان حُذف الحساب بعد أسبوع.',
      ignore: 'وإن لم تكن أنت فتجاهل هذه الرسالة، أو افتح الرابط واختر «لم أسجّل هذا الحساب».',
    },
  },
  invitation: {
    en: {
      subject: 'Your invitation to {{haris}}',
      lead: 'Staff created an account for you {{inHaris}} so that you can see your children. Choose a password to begin.',
      button: 'Choose a password',
      expiry: 'The link works once, for 7 days.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'دعوتك إلى {{haris}}',
      lead: 'أنشأ الموظفون حسابًا لك {{inHaris}} لتتابع أطفالك. اختر كلمة مرور للبدء.',
      button: 'اختيار كلمة المرور',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٧ أيام.',
      ignore: ignore.ar,
    },
  },
  reset: {
    en: {
      subject: 'Set a new password for {{haris}}',
      lead: 'You asked to set a new password for your {{account}}.',
      button: 'Set a new password',
      expiry: 'The link works once, for 1 hour.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'تعيين كلمة مرور جديدة {{inHaris}}',
      lead: 'طلبت تعيين كلمة مرور جديدة لحسابك {{inHaris}}.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ساعة.',
      ignore: ignore.ar,
    },
  },
  staff_verify: {
    en: {
      subject: 'Verify your staff email for {{haris}}',
      lead: 'A staff account was created for you {{inHaris}}. Please confirm that this is your email address. Then you can sign in.',
      button: 'Verify email',
      expiry: 'The link works once, for 24 hours.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'تأكيد بريد الموظف {{inHaris}}',
      lead: 'أُنشئ لك حساب موظف {{inHaris}}. من فضلك أكّد أن هذا هو بريدك الإلكتروني، وبعد ذلك يمكنك تسجيل الدخول.',
      button: 'تأكيد البريد الإلكتروني',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٢٤ ساعة.',
      ignore: ignore.ar,
    },
  },
  staff_email_corrected: {
    en: {
      subject: 'This address is no longer that of a staff account {{inHaris}}',
      lead: 'A staff account {{inHaris}} was made with this email address. The nursery has entered another address for it, because this one was never verified. The link that we sent here no longer works.',
      button: 'Open Haris',
      expiry: 'There is nothing else to do.',
      ignore: 'If the account is yours, tell your manager.',
    },
    ar: {
      subject: 'لم يعد هذا البريد بريد حساب موظف {{inHaris}}',
      lead: 'أُنشئ بهذا البريد الإلكتروني حساب موظف {{inHaris}}. أدخلت الحضانة للحساب بريدًا آخر لأن هذا البريد لم يُؤكَّد قط، ولم يعد الرابط الذي أرسلناه إلى هنا يعمل.',
      button: 'فتح حارس',
      expiry: 'ليس عليك فعل أي شيء آخر.',
      ignore: 'وإن كان الحساب حسابك فأخبر مديرك.',
    },
  },
  staff_password_ended: {
    en: {
      subject: 'Choose a new staff password for {{haris}}',
      lead: 'This address is now the email of your staff account {{inHaris}}. The previous password no longer works, because whoever has the old mailbox may know it. You were signed out everywhere. Please set your own.',
      button: 'Set a new password',
      expiry: 'The link works once, for 1 hour. After that, choose “Forgot password?” on the sign-in page.',
      ignore: 'If you did not expect this email, please tell your manager.',
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة لحساب الموظف {{inHaris}}',
      lead: 'صار هذا البريد هو بريد حسابك كموظف {{inHaris}}. لم تعد كلمة المرور السابقة تعمل، فربما يعرفها من يملك البريد القديم، وأُغلقت جلساتك على كل الأجهزة. من فضلك عيّن كلمة مرور خاصة بك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ساعة. وبعد ذلك اختر «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول.',
      ignore: 'إذا لم تكن تتوقع هذه الرسالة فأخبر مديرك من فضلك.',
    },
  },
  email_change: {
    en: {
      subject: 'The email of your {{account}} is being changed',
      lead: 'A new email address was requested for your account: {{detail}}. It takes effect once the link that we sent there is opened. Until then, sign in with this one.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now, which cancels the change, and tell the staff.',
    },
    ar: {
      subject: 'جارٍ تغيير البريد الإلكتروني لحسابك {{inHaris}}',
      lead: 'طُلب بريد إلكتروني آخر لحسابك: {{detail}}. يصبح ساريًا عند فتح الرابط الذي أرسلناه إليه، وحتى ذلك الحين تسجّل الدخول بهذا البريد.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من طلب ذلك فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن، فهذا يلغي التغيير، وأخبر الموظفين.',
    },
  },
  // To whom only the identity provider signs in: a new password, which would cancel the change, does not exist.
  email_change_no_password: {
    en: {
      subject: 'The email of your {{account}} is being changed',
      lead: 'A new email address was requested for your account: {{detail}}. It takes effect once the link that we sent there is opened, within a day. Until then, this one counts.',
      button: 'Open Haris',
      expiry: 'If you know about it, there is nothing to do here.',
      ignore:
        'If you do not, tell your manager now: entering this address again for your account under Employees cancels the change.',
    },
    ar: {
      subject: 'جارٍ تغيير البريد الإلكتروني لحسابك {{inHaris}}',
      lead: 'طُلب بريد إلكتروني آخر لحسابك: {{detail}}. يصبح ساريًا عند فتح الرابط الذي أرسلناه إليه، خلال يوم. وحتى ذلك الحين يبقى هذا البريد هو الساري.',
      button: 'فتح حارس',
      expiry: 'إن كنت على علم بذلك فلا شيء عليك فعله هنا.',
      ignore:
        'وإن لم تكن على علم به فأخبر مديرك الآن: إدخال هذا البريد من جديد لحسابك في صفحة الموظفين يلغي التغيير.',
    },
  },
  email_agreement: {
    en: {
      subject: 'Change the email of your {{account}}?',
      lead: 'Staff entered a new email address for your account: {{detail}}. It is changed if you agree. Whoever has the new address can then sign in and see your children.',
      button: 'Yes or no',
      expiry:
        'The link works once, for 7 days. If nobody answers for 3 days, or if a second staff member agrees, the change goes on without you.',
      ignore: 'If you did not ask for this, open the link, choose “No, keep this one”, and tell the staff.',
    },
    ar: {
      subject: 'هل تريد تغيير البريد الإلكتروني لحسابك {{inHaris}}؟',
      lead: 'أدخل الموظفون بريدًا إلكترونيًا آخر لحسابك: {{detail}}. يُغيَّر البريد إذا وافقت. ومن يملك البريد الجديد يستطيع بعد ذلك تسجيل الدخول ورؤية أطفالك.',
      button: 'نعم أو لا',
      expiry:
        'يعمل الرابط مرة واحدة ولمدة ٧ أيام. وإن لم يصل رد خلال ٣ أيام، أو وافق موظف ثانٍ، يستمر التغيير من دونك.',
      ignore: 'وإن لم تطلب ذلك فافتح الرابط واختر «لا، أبقِ هذا البريد»، وأخبر الموظفين.',
    },
  },
  password_change: {
    en: {
      subject: 'The password of your {{account}} was changed',
      lead: 'Your account has a new password. You were signed out everywhere else.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now and tell the staff.',
    },
    ar: {
      subject: 'تم تغيير كلمة مرور حسابك {{inHaris}}',
      lead: 'أصبحت لحسابك كلمة مرور جديدة، وأُغلقت جلساتك على كل الأجهزة الأخرى.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من غيّرها فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن وأخبر الموظفين.',
    },
  },
  password_ended: {
    en: {
      subject: 'Choose a new password for {{haris}}',
      lead: 'Staff linked an account with this email address to your child. The password that was chosen at registration no longer works, because somebody else could have chosen it. Please set your own.',
      button: 'Set a new password',
      expiry: 'The link works once, for 7 days.',
      ignore: 'If you did not expect this email, please tell the staff.',
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة {{inHaris}}',
      lead: 'ربط الموظفون بطفلك حسابًا مسجّلًا بهذا البريد الإلكتروني. لم تعد كلمة المرور التي اختيرت عند التسجيل تعمل، فربما اختارها شخص غيرك. من فضلك عيّن كلمة مرور خاصة بك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٧ أيام.',
      ignore: 'إذا لم تكن تتوقع هذه الرسالة فأخبر الموظفين من فضلك.',
    },
  },
  password_ended_no_child: {
    en: {
      subject: 'Choose a new password for Haris',
      lead: 'Staff at the nursery confirmed the account with this email address. The password that was chosen at registration no longer works, because somebody else could have chosen it. Please set your own.',
      button: 'Set a new password',
      expiry: 'The link works once, for 7 days.',
      ignore: 'If you did not expect this email, please tell the staff.',
    },
    ar: {
      subject: 'اختر كلمة مرور جديدة في حارس',
      lead: 'أكّد موظفو الحضانة الحساب المسجّل بهذا البريد الإلكتروني. لم تعد كلمة المرور التي اختيرت عند التسجيل تعمل، فربما اختارها شخص غيرك. من فضلك عيّن كلمة مرور خاصة بك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ٧ أيام.',
      ignore: 'إذا لم تكن تتوقع هذه الرسالة فأخبر الموظفين من فضلك.',
    },
  },
  guardian_asked: {
    en: {
      subject: 'Would you like to be a guardian of a child? A question from {{haris}}',
      lead: 'Staff ask whether you want to be a guardian of a child {{inHaris}}. Sign in to read what it is about, and to say yes or no. Until you say yes, nothing changes.',
      button: 'Sign in to answer',
      expiry: 'The question stays there until you have answered, or staff take it back.',
      ignore: 'If you know nothing about it, say no there, or tell the staff.',
    },
    ar: {
      subject: 'هل تقبل أن تكون وليّ أمر لطفل؟ سؤال من {{haris}}',
      lead: 'يسألك الموظفون هل تقبل أن تكون وليّ أمر لطفل {{inHaris}}. سجّل الدخول لتعرف التفاصيل وتجيب بنعم أو لا. ولن يتغيّر شيء قبل موافقتك.',
      button: 'تسجيل الدخول للإجابة',
      expiry: 'يبقى السؤال هناك إلى أن تجيب، أو يسحبه الموظفون.',
      ignore: 'وإن لم تكن تعرف عنه شيئًا فأجب بلا، أو أخبر الموظفين.',
    },
  },
  guardian_invited: {
    en: {
      subject: 'Would you like to be a guardian of a child? A question from {{haris}}',
      lead: 'Staff ask whether you want to be a guardian of a child {{inHaris}}. Choose a password, and sign in to answer. Until you say yes, nothing changes.',
      button: 'Choose a password',
      expiry: 'The link works once, for 7 days. After that, choose “Forgot password?” on the sign-in page.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'هل تقبل أن تكون وليّ أمر لطفل؟ سؤال من {{haris}}',
      lead: 'يسألك الموظفون هل تقبل أن تكون وليّ أمر لطفل {{inHaris}}. اختر كلمة مرور ثم سجّل الدخول للإجابة. ولن يتغيّر شيء قبل موافقتك.',
      button: 'اختيار كلمة المرور',
      expiry:
        'يعمل الرابط مرة واحدة ولمدة ٧ أيام. وبعد ذلك اختر «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول.',
      ignore: ignore.ar,
    },
  },
  guardian_password_ended: {
    en: {
      subject: 'Would you like to be a guardian of a child? A question from {{haris}}',
      lead: 'Staff ask whether you want to be a guardian of a child {{inHaris}}. The password that was chosen when this address was registered no longer works, because somebody else could have chosen it. Please set your own, and sign in to answer. Until you say yes, nothing changes.',
      button: 'Set a new password',
      expiry: 'The link works once, for 7 days. After that, choose “Forgot password?” on the sign-in page.',
      ignore: 'If you did not expect this email, please tell the staff.',
    },
    ar: {
      subject: 'هل تقبل أن تكون وليّ أمر لطفل؟ سؤال من {{haris}}',
      lead: 'يسألك الموظفون هل تقبل أن تكون وليّ أمر لطفل {{inHaris}}. لم تعد كلمة المرور التي اختيرت عند تسجيل هذا البريد تعمل، فربما اختارها شخص غيرك. من فضلك عيّن كلمة مرور خاصة بك، ثم سجّل الدخول للإجابة. ولن يتغيّر شيء قبل موافقتك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry:
        'يعمل الرابط مرة واحدة ولمدة ٧ أيام. وبعد ذلك اختر «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول.',
      ignore: 'إذا لم تكن تتوقع هذه الرسالة فأخبر الموظفين من فضلك.',
    },
  },
  kiosk_pin_set: {
    en: {
      subject: 'A new kiosk PIN was set {{inHaris}}',
      lead: 'Your account has a new PIN for the kiosk at the entrance. With it and the last four digits of your phone number, your family can check in and announce a pick-up there. Staff still confirm each child.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now, which also removes the PIN, and tell the staff.',
    },
    ar: {
      subject: 'تم تعيين رمز PIN جديد لشاشة الاستقبال {{inHaris}}',
      lead: 'أصبح لحسابك رمز PIN جديد لشاشة الاستقبال عند المدخل. به وبآخر أربعة أرقام من هاتفك يمكن تسجيل الحضور وإعلان الاستلام هناك، ويؤكد الموظفون كل طفل.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من عيّنه فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن، فهذا يزيل الرمز أيضًا، وأخبر الموظفين.',
    },
  },
  kiosk_pin_removed: {
    en: {
      subject: 'Your kiosk PIN was removed {{inHaris}}',
      lead: 'Your PIN for the kiosk at the entrance no longer works. You can set a new one on your account page.',
      button: 'Set a new password',
      expiry: 'If you asked for it, there is nothing to do here.',
      ignore: 'If you did not expect this email, please tell the staff.',
    },
    ar: {
      subject: 'تمت إزالة رمز PIN لشاشة الاستقبال {{inHaris}}',
      lead: 'لم يعد رمز PIN الخاص بك لشاشة الاستقبال عند المدخل صالحًا. يمكنك تعيين رمز جديد في صفحة حسابك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من طلب ذلك فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن تتوقع هذه الرسالة فأخبر الموظفين من فضلك.',
    },
  },
  desk_pin_set: {
    en: {
      subject: 'A new PIN for the shared desk was set {{inHaris}}',
      lead: 'Your account has a new PIN. With it, you sign in at the shared tablets of the nursery, and what you do there is recorded under your name.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now, which also removes the PIN, and tell your manager.',
    },
    ar: {
      subject: 'تم تعيين رمز PIN جديد للمكتب المشترك {{inHaris}}',
      lead: 'أصبح لحسابك رمز PIN جديد. به تسجّل الدخول على الأجهزة اللوحية المشتركة في الحضانة، ويُسجَّل ما تفعله هناك باسمك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من عيّنه فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن، فهذا يزيل الرمز أيضًا، وأخبر مديرك.',
    },
  },
  desk_pin_removed: {
    en: {
      subject: 'Your PIN for the shared desk was removed {{inHaris}}',
      lead: 'Your PIN for the shared tablets of the nursery no longer works. You can set a new one on your account page.',
      button: 'Set a new password',
      expiry: 'If you asked for it, there is nothing to do here.',
      ignore: 'If you did not expect this email, please tell your manager.',
    },
    ar: {
      subject: 'تمت إزالة رمز PIN للمكتب المشترك {{inHaris}}',
      lead: 'لم يعد رمز PIN الخاص بك للأجهزة اللوحية المشتركة في الحضانة صالحًا. يمكنك تعيين رمز جديد في صفحة حسابك.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من طلب ذلك فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن تتوقع هذه الرسالة فأخبر مديرك من فضلك.',
    },
  },
  factor_code: {
    en: {
      subject: 'Your code for {{haris}}',
      lead: 'Your code is {{detail}}. It works once, for 5 minutes, and only on the page where you have just signed in. There you set up your second factor.',
      button: 'Set a new password',
      expiry: 'Nobody from {{haris}} will ever ask you for this code.',
      ignore: 'If you are not signing in now, somebody knows your password: set a new one.',
    },
    ar: {
      subject: 'رمزك {{inHaris}}',
      lead: 'رمزك هو {{detail}}. يعمل مرة واحدة خلال ٥ دقائق، وفي الصفحة التي سجّلت الدخول منها الآن فقط. وهناك تُعِدّ وسيلة التحقق الثانية.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'لن يطلب منك أحد من {{haris}} هذا الرمز أبدًا.',
      ignore: 'وإن لم تكن تسجّل الدخول الآن، فهناك من يعرف كلمة مرورك: عيّن كلمة مرور جديدة.',
    },
  },
  factor_added: {
    en: {
      subject: 'A second factor was added to your {{account}}',
      lead: 'Your account has a new second factor: {{detail}}. It is asked for when you sign in.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now and tell the staff.',
    },
    ar: {
      subject: 'أُضيفت وسيلة تحقق ثانية إلى حسابك {{inHaris}}',
      lead: 'في حسابك وسيلة تحقق ثانية جديدة: {{detail}}. ستُطلب منك عند تسجيل الدخول.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من أضافها فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن وأخبر الموظفين.',
    },
  },
  factor_removed: {
    en: {
      subject: 'A second factor was removed from your {{account}}',
      lead: 'This second factor no longer works: {{detail}}.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now and tell the staff.',
    },
    ar: {
      subject: 'أُزيلت وسيلة تحقق ثانية من حسابك {{inHaris}}',
      lead: 'لم تعد وسيلة التحقق هذه تعمل: {{detail}}.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من أزالها فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن وأخبر الموظفين.',
    },
  },
  factors_reset: {
    en: {
      subject: 'Your second factors {{inHaris}} were reset',
      lead: 'Staff removed all second factors of your account, and you were signed out everywhere. You can sign in with your password and add a new one.',
      button: 'Set a new password',
      expiry: 'If you asked for it, there is nothing to do here.',
      ignore: 'If you did not ask for it, set a new password now and tell the staff.',
    },
    ar: {
      subject: 'أُعيد ضبط وسائل التحقق في حسابك {{inHaris}}',
      lead: 'أزال الموظفون كل وسائل التحقق الثانية من حسابك، وتم تسجيل خروجك من كل الأجهزة. يمكنك تسجيل الدخول بكلمة المرور وإضافة وسيلة جديدة.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من طلب ذلك فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تطلب ذلك، فعيّن كلمة مرور جديدة الآن وأخبر الموظفين.',
    },
  },
  oidc_linked: {
    en: {
      subject: 'Your organisation can now sign you in to {{haris}}',
      lead: 'Your {{account}} is now connected with your account at {{detail}}. You can sign in with it.',
      button: 'Go to the sign-in page',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, tell whoever runs Haris now.',
    },
    ar: {
      subject: 'صار بإمكانك تسجيل الدخول إلى {{haris}} بحساب مؤسستك',
      lead: 'صار حسابك {{inHaris}} مرتبطًا بحسابك لدى {{detail}}، ويمكنك تسجيل الدخول به.',
      button: 'الانتقال إلى صفحة تسجيل الدخول',
      expiry: 'إن كنت أنت من فعل ذلك فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فأخبر المسؤول عن حارس الآن.',
    },
  },
  recovery_codes_renewed: {
    en: {
      subject: 'Your {{account}} has new recovery codes',
      lead: 'New recovery codes were made for your account. The older ones no longer work.',
      button: 'Set a new password',
      expiry: 'If it was you, there is nothing to do here.',
      ignore: 'If it was not you, set a new password now and tell the staff.',
    },
    ar: {
      subject: 'رموز استرداد جديدة لحسابك {{inHaris}}',
      lead: 'أُنشئت رموز استرداد جديدة لحسابك، ولم تعد الرموز السابقة تعمل.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'إن كنت أنت من أنشأها فلا شيء عليك فعله هنا.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن وأخبر الموظفين.',
    },
  },
  details_change: {
    en: {
      subject: 'Details of your family were changed {{inHaris}}',
      lead: 'The following was changed from your account: {{detail}}. A new photo or name of a child is used only after staff have confirmed it. If you have a child at the nursery, the same holds for your own new photo, name or phone.',
      button: 'Set a new password',
      expiry:
        'If this was you, there is nothing to do here. After many changes, the further ones come together in one email within the hour.',
      ignore: 'If this was not you, set a new password now (this signs every device out) and tell the staff.',
    },
    ar: {
      subject: 'تم تغيير بيانات عائلتك {{inHaris}}',
      lead: 'تم من حسابك تغيير ما يلي: {{detail}}. لا تُستخدم صورة الطفل الجديدة أو اسمه الجديد إلا بعد أن يؤكد الموظفون ذلك. وينطبق ذلك أيضًا على صورتك أو اسمك أو رقم هاتفك الجديد إذا كان لك طفل مسجّل في الحضانة.',
      button: 'تعيين كلمة مرور جديدة',
      expiry:
        'إن كنت أنت من فعل ذلك فلا شيء عليك فعله هنا. وإذا كثرت التغييرات، يصلك باقيها معًا في رسالة واحدة خلال ساعة.',
      ignore: 'وإن لم تكن أنت، فعيّن كلمة مرور جديدة الآن (يُسجَّل خروجك من كل الأجهزة) وأخبر الموظفين.',
    },
  },
  details_rejected: {
    en: {
      subject: 'The nursery did not accept what you sent',
      lead: 'Staff compared what was sent from your account with your child, and did not accept: {{detail}}. If your child has no photo now, please take another one that shows your child clearly: your profile says so, and has a button for it.',
      button: 'Open my profile',
      expiry: 'You can also ask at the desk what was wrong.',
      ignore:
        'If you did not send it, somebody else may know your password: choose “Forgot password?” on the sign-in page and tell the staff.',
    },
    ar: {
      subject: 'لم تقبل الحضانة ما أرسلته',
      lead: 'قارن الموظفون ما أُرسل من حسابك بطفلك ولم يقبلوا ما يلي: {{detail}}. إذا لم تعد لطفلك صورة، فمن فضلك التقط صورة أخرى يظهر فيها بوضوح: ستجد ذلك في ملفك الشخصي مع زر لالتقاطها.',
      button: 'فتح ملفي الشخصي',
      expiry: 'ويمكنك أيضًا أن تسأل في الاستقبال عن السبب.',
      ignore:
        'وإن لم تكن أنت من أرسله، فربما يعرف شخص آخر كلمة مرورك: اختر «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول وأخبر الموظفين.',
    },
  },
  staff_reset: {
    en: {
      subject: 'Set a new staff password for {{haris}}',
      lead: 'You asked to set a new password for your staff account {{inHaris}}.',
      button: 'Set a new password',
      expiry: 'The link works once, for 1 hour.',
      ignore: ignore.en,
    },
    ar: {
      subject: 'تعيين كلمة مرور جديدة لحساب الموظف {{inHaris}}',
      lead: 'طلبت تعيين كلمة مرور جديدة لحسابك كموظف {{inHaris}}.',
      button: 'تعيين كلمة مرور جديدة',
      expiry: 'يعمل الرابط مرة واحدة ولمدة ساعة.',
      ignore: ignore.ar,
    },
  },
};

const changed: Record<FamilyChange, Record<Language, string>> = {
  own_photo: { en: 'your photo', ar: 'صورتك' },
  own_name: { en: 'your name', ar: 'اسمك' },
  own_phone: { en: 'your phone number', ar: 'رقم هاتفك' },
  child_photo: { en: 'the photo of a child', ar: 'صورة طفل' },
  child_name: { en: 'the name of a child', ar: 'اسم طفل' },
  child_birth_date: { en: 'the birth date of a child', ar: 'تاريخ ميلاد طفل' },
  child_photos: { en: 'one more photo of a child', ar: 'صورة إضافية لطفل' },
  collector: { en: 'who may pick up a child', ar: 'من يجوز له استلام طفل' },
  pass: { en: 'a new pass to pick up a child', ar: 'تصريح جديد لاستلام طفل' },
  child_photo_rejected: { en: 'the photo', ar: 'الصورة' },
  child_name_rejected: { en: 'the name', ar: 'الاسم' },
  child_birth_date_rejected: { en: 'the birth date', ar: 'تاريخ الميلاد' },
  child_photos_rejected: { en: 'one more photo', ar: 'الصورة الإضافية' },
};

/** Lists the changes in the sentence of `details_change` and `details_rejected`. */
export function describeChanges(language: Language, changes: readonly FamilyChange[]): string {
  return new Intl.ListFormat(language).format(changes.map((change) => changed[change][language]));
}

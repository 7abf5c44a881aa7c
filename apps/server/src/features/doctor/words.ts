/**
 * The sentences of the checks, in English and Arabic. `{name}` is a value; in Arabic, what stands between backticks is kept in
 * the direction of Latin letters: settings, commands, files.
 */
import type { Language } from '@haris/contract/fields';

type Words = Readonly<Record<Language, string>>;

export const WORDS = {
  plain: { en: '{text}', ar: '{text}' },
  /** Why a start would be refused; the server has these words in English only. */
  refusal: { en: '{words}', ar: 'السبب كما تكتبه رسالة الخادم: {words}' },
  tookTooLong: { en: 'It took too long to find out.', ar: 'استغرق الفحص وقتًا أطول من اللازم.' },
  notFoundOut: { en: 'It could not be found out ({error}).', ar: 'تعذّر الفحص ({error}).' },
  harisDidNotSay: { en: 'Haris did not say.', ar: 'لم يذكر حارس ذلك.' },
  harisIsOff: { en: 'Haris does not run here.', ar: 'حارس لا يعمل هنا.' },
  folderIsClosed: { en: 'This user cannot open DATA_DIR.', ar: 'لا يستطيع هذا المستخدم فتح `DATA_DIR`.' },
  databaseIsClosed: { en: 'The database cannot be asked.', ar: 'تعذّر سؤال قاعدة البيانات.' },
  noDatabaseYet: { en: 'There is no database yet.', ar: 'لا توجد قاعدة بيانات بعد.' },
  databaseIsOlder: { en: 'The database is of an older version.', ar: 'قاعدة البيانات من إصدار أقدم.' },
  noFolder: { en: 'There is no data folder.', ar: 'لا يوجد مجلد بيانات.' },
  noKey: { en: 'There is no master key.', ar: 'لا يوجد مفتاح رئيسي.' },
  sameSettings: {
    en: 'Start Haris once, or give this command the settings of the server, above all DATA_DIR: set -a; . FILE; set +a',
    ar: 'شغّل حارس مرة واحدة، أو أعطِ هذا الأمر إعدادات الخادم، وأهمها `DATA_DIR`: `set -a; . FILE; set +a`',
  },
  correctSetting: {
    en: 'Correct it: .env.example has all settings.',
    ar: 'صحّحه: في `.env.example` جميع الإعدادات.',
  },
  lookAtClock: { en: 'Look at the clock.', ar: 'راجع ساعة الجهاز.' },
  restart: { en: 'Restart Haris.', ar: 'أعد تشغيل حارس.' },
  startAgain: { en: 'Start Haris again: that closes it to them.', ar: 'أعد تشغيل حارس، فيُغلق أمامهم.' },

  otherVersionRuns: {
    en: '{version}, but the running server is {running}.',
    ar: '{version}، لكن الخادم الذي يعمل إصداره {running}.',
  },
  otherNode: {
    en: 'It runs with Node {version}; Haris is made for {pinned}.',
    ar: 'يعمل بالإصدار {version} من Node، وحارس مُعدّ للإصدار {pinned}.',
  },
  installNode: {
    en: 'Run node scripts/prepare.mjs, which installs it, and use npm start and npm run doctor.',
    ar: 'نفّذ `node scripts/prepare.mjs` فيثبّته، واستعمل `npm start` و`npm run doctor`.',
  },
  folderIsMissing: { en: '{folder} is not there.', ar: 'المجلد {folder} غير موجود.' },
  folderOfAnother: { en: '{folder} belongs to another user.', ar: 'المجلد {folder} ملك لمستخدم آخر.' },
  runAsOwner: {
    en: 'Run Haris and its commands as the user that owns it (sudo -u).',
    ar: 'شغّل حارس وأوامره باسم المستخدم الذي يملك المجلد (`sudo -u`).',
  },
  folderCannotBeWritten: { en: '{folder} cannot be written.', ar: 'لا يمكن الكتابة في المجلد {folder}.' },
  makeWritable: {
    en: 'Make the folder and its disk writable for this user.',
    ar: 'اسمح لهذا المستخدم بالكتابة في المجلد وعلى قرصه.',
  },
  folderIsOpen: {
    en: 'Other users of this machine can open {folder}.',
    ar: 'يستطيع مستخدمون آخرون لهذا الجهاز فتح المجلد {folder}.',
  },
  barsWereChanged: {
    en: '{count} lines of bars.log in {folder} were changed, or come from elsewhere.',
    ar: 'عدد الأسطر التي غُيّرت في `bars.log` أو جاءت من مكان آخر: {count}، في المجلد {folder}.',
  },
  compareBars: {
    en: 'Find out who writes there. Compare the barred adults with what staff know, then move bars.log away: Haris writes it anew.',
    ar: 'اعرف من يكتب هناك. قارن قائمة الممنوعين من الاستلام بما يعرفه الموظفون، ثم انقل `bars.log` إلى مكان آخر، فيكتبه حارس من جديد.',
  },
  diskFree: { en: '{free} of {total} are free.', ar: 'المساحة الخالية {free} من {total}.' },
  diskIsFull: {
    en: '{free} of {total} are free. Nothing can be saved.',
    ar: 'المساحة الخالية {free} من {total}. لا يمكن حفظ أي شيء.',
  },
  databaseIsFull: {
    en: 'The database is full. Nothing can be saved.',
    ar: 'قاعدة البيانات ممتلئة. لا يمكن حفظ أي شيء.',
  },
  diskTooSmallForUpdate: {
    en: '{free} of {total} are free. That is too little for the backup before an update.',
    ar: 'المساحة الخالية {free} من {total}، وهي لا تكفي للنسخة الاحتياطية قبل التحديث.',
  },
  makeRoom: { en: 'Make room on the disk.', ar: 'وفّر مساحة على القرص.' },
  clockSays: { en: 'It says {time}.', ar: 'تشير الساعة إلى {time}.' },
  clockIsBehind: {
    en: 'It says {time}, {days} before the last time that Haris knows.',
    ar: 'تشير الساعة إلى {time}، أي قبل آخر وقت يعرفه حارس بمقدار {days}.',
  },
  clockIsAhead: {
    en: 'It says {time}, {days} after the last time that Haris knows.',
    ar: 'تشير الساعة إلى {time}، أي بعد آخر وقت يعرفه حارس بمقدار {days}.',
  },
  setClock: {
    en: 'Set the clock, and let the machine ask for the time (NTP).',
    ar: 'اضبط الساعة، واجعل الجهاز يأخذ الوقت من الشبكة (NTP).',
  },
  setClockUnlessOff: {
    en: 'If Haris was off for so long, nothing. Otherwise: Set the clock, and let the machine ask for the time (NTP).',
    ar: 'لا شيء إن كان حارس متوقفًا طوال هذه المدة. وإلا فاضبط الساعة، واجعل الجهاز يأخذ الوقت من الشبكة (NTP).',
  },

  databaseCannotBeOpened: { en: 'It cannot be opened ({error}).', ar: 'تعذّر فتحها ({error}).' },
  lookAtDatabaseServer: {
    en: 'Look at that database server, and at DATABASE_URL.',
    ar: 'راجع خادم قاعدة البيانات، وقيمة `DATABASE_URL`.',
  },
  noDatabaseIn: { en: 'There is none in {folder}.', ar: 'لا توجد قاعدة بيانات في المجلد {folder}.' },
  databaseIsEmpty: { en: 'It is empty.', ar: 'قاعدة البيانات فارغة.' },
  databaseIsDamaged: { en: 'It is damaged.', ar: 'قاعدة البيانات تالفة.' },
  restoreLast: {
    en: 'Restore the last backup: npm run restore -- FILE',
    ar: 'استعد آخر نسخة احتياطية: `npm run restore -- FILE`',
  },
  databaseTakesNothing: { en: 'Haris cannot write to it.', ar: 'لا يستطيع حارس الكتابة فيها.' },
  lookAtLog: { en: 'Look at the log of Haris.', ar: 'راجع سجل حارس.' },
  kindAndSize: { en: '{kind}, {size}', ar: '{kind}، {size}' },
  olderDatabase: { en: '{database}, of an older version.', ar: '{database}، من إصدار أقدم.' },
  backUpThenStart: {
    en: 'Make a backup. The next start of this version brings the database up to date.',
    ar: 'أنشئ نسخة احتياطية. عند تشغيل هذا الإصدار في المرة القادمة تُحدَّث قاعدة البيانات.',
  },
  skipsRowSecurity: {
    en: '{database}; its role skips row-level security.',
    ar: '{database}؛ دور الاتصال يتجاوز عزل الصفوف (row-level security).',
  },
  seePostgres: {
    en: 'See "PostgreSQL" in docs/operating.md.',
    ar: 'راجع قسم «PostgreSQL» في `docs/operating.md`.',
  },
  damageNotFoundOut: {
    en: '{database}. Whether it is damaged was not found out.',
    ar: '{database}. لم يُعرف هل هي تالفة أم لا.',
  },
  noDamage: { en: '{database}, no damage known', ar: '{database}، ولا يُعرف فيها تلف' },
  noKeyYet: {
    en: 'There is no master key yet; the first start makes it.',
    ar: 'لا يوجد مفتاح رئيسي بعد، ويُنشأ عند أول تشغيل.',
  },
  keyIsMissing: { en: 'The master key is missing.', ar: 'المفتاح الرئيسي مفقود.' },
  putKeyBack: {
    en: 'Put it back: without it nothing can be read.',
    ar: 'أعده إلى مكانه، فمن دونه لا تمكن قراءة أي شيء.',
  },
  noKeyIn: { en: 'There is none in {folder}.', ar: 'لا يوجد مفتاح في المجلد {folder}.' },
  keyIsOpen: {
    en: 'Other users of this machine can read the master key.',
    ar: 'يستطيع مستخدمون آخرون لهذا الجهاز قراءة المفتاح الرئيسي.',
  },
  keyOf: {
    en: 'The master key is of {day}, {days} old.',
    ar: 'أُنشئ المفتاح الرئيسي في {day}، أي قبل {days}.',
  },
  noBackup: { en: 'There was none yet.', ar: 'لم تُنشأ أي نسخة بعد.' },
  setBackup: {
    en: 'Set BACKUP_DIR, or npm run backup -- FILE every day, and keep a copy in another building.',
    ar: 'اضبط `BACKUP_DIR`، أو نفّذ `npm run backup -- FILE` كل يوم، واحفظ نسخة في مبنى آخر.',
  },
  backupIsToCome: {
    en: 'The last one is of {day}, which is to come.',
    ar: 'تاريخ آخر نسخة {day}، وهو لم يأتِ بعد.',
  },
  backupAge: { en: 'The last one is {days} old.', ar: 'أُنشئت آخر نسخة قبل {days}.' },
  backupIsDue: { en: 'One is due every {days}.', ar: 'يجب إنشاء نسخة كل {days}.' },
  lookAtBackupFolder: {
    en: 'Look whether BACKUP_DIR is there, can be written and has room; the log of Haris names the reason.',
    ar: 'تأكد من أن `BACKUP_DIR` موجود، وأن الكتابة فيه ممكنة، وأن فيه مساحة. سجل حارس يذكر السبب.',
  },
  nightlyFailed: { en: 'The one of {day} failed.', ar: 'فشلت نسخة {day}.' },
  nightlyIsLate: { en: 'One is due each night.', ar: 'يجب إنشاء نسخة كل ليلة.' },
  nightlyLacksPhotos: { en: 'It is without some photos.', ar: 'تنقصها بعض الصور.' },
  replacePhotos: {
    en: 'The log of Haris names them: replace or remove them. Until then no old backup is deleted.',
    ar: 'سجل حارس يذكرها: استبدلها أو احذفها. وحتى ذلك الحين لا تُحذف أي نسخة قديمة.',
  },
  backupIsWritten: {
    en: 'One is being made now: {rows} of {allRows} rows, {photos} of {allPhotos} photos.',
    ar: 'يجري الآن إنشاء نسخة. الصفوف: {rows} من {allRows}، والصور: {photos} من {allPhotos}.',
  },
  backupIsReadBack: {
    en: 'One was made now and is being read back: {rows} of {allRows} rows, {photos} of {allPhotos} photos.',
    ar: 'أُنشئت الآن نسخة، وتجري قراءتها للتحقق. الصفوف: {rows} من {allRows}، والصور: {photos} من {allPhotos}.',
  },
  trialFailed: {
    en: 'The nightly backup of {day} could not be restored for a trial.',
    ar: 'فشلت الاستعادة التجريبية لنسخة ليلة {day}.',
  },
  lookAtTrial: {
    en: 'The log of Haris names the reason. Old backups are kept until one can be restored, unless there was no room to try.',
    ar: 'سجل حارس يذكر السبب. تُحفظ النسخ القديمة حتى تنجح استعادة واحدة، إلا إذا لم تكفِ المساحة للتجربة.',
  },
  trialPassed: {
    en: 'The nightly backup of {day} was restored for a trial.',
    ar: 'نجحت الاستعادة التجريبية لنسخة ليلة {day}.',
  },
  tryRestore: {
    en: 'Try one twice a year, on another machine: "Restore" in docs/operating.md.',
    ar: 'جرّب الاستعادة مرتين في السنة على جهاز آخر: قسم «Restore» في `docs/operating.md`.',
  },
  noRestore: { en: 'No restore of this data is known.', ar: 'لا تُعرف أي استعادة لهذه البيانات.' },
  restoredOn: { en: 'This data was restored on {day}.', ar: 'استُعيدت هذه البيانات في {day}.' },
  noLaterRestore: { en: 'No later one is known.', ar: 'ولا تُعرف استعادة بعدها.' },

  anyPort: { en: 'With PORT=0 the server takes any free port.', ar: 'مع `PORT=0` يأخذ الخادم أي منفذ خالٍ.' },
  harisAnswers: { en: 'Haris answers at port {port}.', ar: 'يستجيب حارس على المنفذ {port}.' },
  nothingAnswers: {
    en: 'Nothing answers at port {port} of {host}.',
    ar: 'لا شيء يستجيب على المنفذ {port} من {host}.',
  },
  startHaris: {
    en: 'Start Haris. If it runs, give this command its settings (PORT, HOST).',
    ar: 'شغّل حارس. وإن كان يعمل فأعطِ هذا الأمر إعداداته (`PORT` و`HOST`).',
  },
  programIsSilent: {
    en: 'The program at port {port} gives no answer.',
    ar: 'البرنامج على المنفذ {port} لا يستجيب.',
  },
  restartAndLook: { en: 'Restart Haris; look at its log.', ar: 'أعد تشغيل حارس، وراجع سجله.' },
  otherCertificate: {
    en: 'The program at port {port} has another certificate than the one in TLS_CERT.',
    ar: 'شهادة البرنامج على المنفذ {port} غير الشهادة التي في `TLS_CERT`.',
  },
  whyOtherCertificate: {
    en: 'If the file is older than a minute, the log of Haris says why it was not loaded. If the program is not Haris, set another PORT.',
    ar: 'إن مضى على الملف أكثر من دقيقة فسجل حارس يذكر سبب عدم تحميله. وإن لم يكن البرنامج حارس فاضبط `PORT` آخر.',
  },
  portIsTaken: { en: 'Another program uses port {port}.', ar: 'برنامج آخر يستعمل المنفذ {port}.' },
  freePort: {
    en: 'End it, or set another PORT. If it is Haris, give both the same TLS_CERT.',
    ar: 'أنهِه، أو اضبط `PORT` آخر. وإن كان حارس فأعطِ الاثنين `TLS_CERT` نفسه.',
  },
  renewOwn: {
    en: 'Renew it: Haris loads the new files within a minute.',
    ar: 'جدّدها، ويحمّل حارس الملفات الجديدة خلال دقيقة.',
  },
  usedCertificateEnded: {
    en: 'The certificate in use ended on {day}.',
    ar: 'انتهت صلاحية الشهادة المستعملة في {day}.',
  },
  fileCertificateEnded: {
    en: 'The certificate in TLS_CERT ended on {day}.',
    ar: 'انتهت صلاحية الشهادة التي في `TLS_CERT` في {day}.',
  },
  usedCertificateStarts: {
    en: 'The certificate in use is not valid before {day}.',
    ar: 'تبدأ صلاحية الشهادة المستعملة في {day}.',
  },
  fileCertificateStarts: {
    en: 'The certificate in TLS_CERT is not valid before {day}.',
    ar: 'تبدأ صلاحية الشهادة التي في `TLS_CERT` في {day}.',
  },
  usedCertificateEnds: {
    en: 'The certificate in use ends in {days}.',
    ar: 'تنتهي صلاحية الشهادة المستعملة خلال {days}.',
  },
  fileCertificateEnds: {
    en: 'The certificate in TLS_CERT ends in {days}.',
    ar: 'تنتهي صلاحية الشهادة التي في `TLS_CERT` خلال {days}.',
  },
  goesOnWithOld: {
    en: 'Haris goes on with its certificate until {day}: TLS_CERT has another one.',
    ar: 'يواصل حارس العمل بشهادته حتى {day}: في `TLS_CERT` شهادة أخرى.',
  },
  cannotStartWithNew: {
    en: 'Haris cannot start: TLS_CERT has another one.',
    ar: 'لا يستطيع حارس البدء: في `TLS_CERT` شهادة أخرى.',
  },
  waitForNew: {
    en: 'It is taken within a minute of the change. If that is over, the log of Haris says why not.',
    ar: 'تُحمَّل خلال دقيقة من التغيير. وإن مضت الدقيقة فسجل حارس يذكر السبب.',
  },
  goesOnBecause: {
    en: 'Haris goes on with its certificate until {day}: {problem}.',
    ar: 'يواصل حارس العمل بشهادته حتى {day}، لأن الملفات لا تصلح: {problem}.',
  },
  cannotStartBecause: {
    en: 'Haris cannot start: {problem}.',
    ar: 'لا يستطيع حارس البدء، لأن الملفات لا تصلح: {problem}.',
  },
  correctFiles: {
    en: 'Correct the files: Haris takes them within a minute.',
    ar: 'صحّح الملفات، فيحمّلها حارس خلال دقيقة.',
  },
  tlsKeyIsOpen: {
    en: 'Other users of this machine can open the private key in TLS_KEY.',
    ar: 'يستطيع مستخدمون آخرون لهذا الجهاز فتح المفتاح الخاص في `TLS_KEY`.',
  },
  closeTlsKey: {
    en: 'Let only the user of Haris read it (chmod 600).',
    ar: 'اسمح بقراءته لمستخدم حارس وحده (`chmod 600`).',
  },
  setHttps: {
    en: 'Put a proxy with HTTPS in front, or set TLS_CERT and TLS_KEY ("Behind HTTPS" in README.md), and set PUBLIC_URL.',
    ar: 'ضع أمام حارس وكيلًا عكسيًا يقدّم HTTPS، أو اضبط `TLS_CERT` و`TLS_KEY` (قسم «Behind HTTPS» في `README.md`)، واضبط `PUBLIC_URL`.',
  },
  setPublicUrl: {
    en: 'Set PUBLIC_URL to https:// with a name of the certificate and the port.',
    ar: 'اضبط `PUBLIC_URL` على عنوان يبدأ بـ `https://` وفيه اسم من أسماء الشهادة والمنفذ.',
  },
  noPublicUrl: {
    en: 'PUBLIC_URL is not set: links in mails open on this machine only.',
    ar: 'لم يُضبط `PUBLIC_URL`: روابط الرسائل لا تُفتح إلا على هذا الجهاز.',
  },
  publicUrlIsHere: {
    en: 'PUBLIC_URL is {origin}, which opens on this machine only.',
    ar: 'قيمة `PUBLIC_URL` هي {origin}، وهو عنوان لا يُفتح إلا على هذا الجهاز.',
  },
  publicUrlIsPlain: {
    en: 'PUBLIC_URL is {origin}: without HTTPS phones open no camera.',
    ar: 'قيمة `PUBLIC_URL` هي {origin}: من دون HTTPS لا تفتح الهواتف الكاميرا.',
  },
  publicUrlIsNotTls: {
    en: 'PUBLIC_URL is {origin}, but with TLS_CERT Haris speaks HTTPS only.',
    ar: 'قيمة `PUBLIC_URL` هي {origin}، لكن حارس مع `TLS_CERT` لا يعمل إلا عبر HTTPS.',
  },
  certificateForOther: {
    en: 'The certificate in TLS_CERT is not for {host}, the host of PUBLIC_URL.',
    ar: 'الشهادة التي في `TLS_CERT` ليست باسم {host}، وهو المضيف في `PUBLIC_URL`.',
  },
  renewAtProxy: { en: 'Renew it at the proxy.', ar: 'جدّدها عند الوكيل العكسي.' },
  certificateIsInvalid: {
    en: 'The certificate of {host} is not valid ({code}).',
    ar: 'شهادة {host} غير صالحة ({code}).',
  },
  addressDoesNotAnswer: {
    en: '{origin} does not answer as it should from this machine ({code}).',
    ar: 'لا يستجيب {origin} كما ينبغي من هذا الجهاز ({code}).',
  },
  tryOnPhoneOwn: {
    en: 'Open it on a phone. If it fails there too, look at the certificate, the DNS name and the firewall.',
    ar: 'افتحه على هاتف. وإن فشل هناك أيضًا فراجع الشهادة واسم DNS وجدار الحماية.',
  },
  tryOnPhoneProxy: {
    en: 'Open it on a phone. If it fails there too, look at the proxy, the DNS name and the firewall.',
    ar: 'افتحه على هاتف. وإن فشل هناك أيضًا فراجع الوكيل العكسي واسم DNS وجدار الحماية.',
  },
  addressIsNotHaris: {
    en: '{origin} answers, but not as Haris.',
    ar: 'يستجيب {origin}، لكنه ليس حارس.',
  },
  lookAtName: { en: 'Look at the DNS name and the port.', ar: 'راجع اسم DNS والمنفذ.' },
  passEverything: {
    en: 'Let the proxy pass everything to Haris.',
    ar: 'اجعل الوكيل العكسي يمرّر كل شيء إلى حارس.',
  },
  certificateEnds: {
    en: 'The certificate of {host} ends in {days}.',
    ar: 'تنتهي صلاحية شهادة {host} خلال {days}.',
  },
  proxyIsNotCounted: {
    en: '{origin} answers, but TRUST_PROXY is 0: Haris takes everybody for one address.',
    ar: 'يستجيب {origin}، لكن قيمة `TRUST_PROXY` صفر: يرى حارس الجميع عنوانًا واحدًا.',
  },
  countProxies: {
    en: 'Set TRUST_PROXY to the number of proxies in front, usually 1.',
    ar: 'اضبط `TRUST_PROXY` على عدد الوكلاء العكسيين أمام حارس، وهو عادةً `1`.',
  },
  addressWithCertificate: {
    en: '{origin}, certificate for {days}',
    ar: '{origin}، وتبقى الشهادة صالحة لمدة {days}',
  },
  demoNeedsNoPhone: { en: 'A demo needs none.', ar: 'العرض التجريبي لا يحتاج إلى هاتف.' },
  noPhone: {
    en: 'No phone has opened Haris by its code yet.',
    ar: 'لم يفتح أي هاتف حارس بالرمز بعد.',
  },
  scanCode: {
    en: 'Scan the code under Settings, Phones.',
    ar: 'امسح الرمز من «الإعدادات» ثم «الهواتف».',
  },
  phoneOpened: { en: 'A phone opened Haris on {day}.', ar: 'فتح هاتف حارس في {day}.' },
  demoSendsNoMail: { en: 'The demo sends none.', ar: 'العرض التجريبي لا يرسل بريدًا.' },
  noMailOne: {
    en: 'None is sent: {count} lies in DATA_DIR/outbox.',
    ar: 'لا يُرسل أي بريد. عدد الرسائل في `DATA_DIR/outbox`: {count}.',
  },
  noMail: {
    en: 'None is sent: {count} lie in DATA_DIR/outbox.',
    ar: 'لا يُرسل أي بريد. عدد الرسائل في `DATA_DIR/outbox`: {count}.',
  },
  setMail: {
    en: 'Set a mail server under Settings, Mail.',
    ar: 'أدخل خادم البريد من «الإعدادات» ثم «البريد».',
  },
  mailFails: {
    en: 'Sent by {host}: {tried} could not be sent so far, {failed} were given up.',
    ar: 'يُرسل البريد عبر {host}. لم تُرسل حتى الآن: {tried}. تُرك إرسالها: {failed}.',
  },
  testMail: {
    en: 'Send a test under Settings, Mail, which shows the reply.',
    ar: 'أرسل رسالة تجريبية من «الإعدادات» ثم «البريد»، فيظهر الرد.',
  },
  mailBy: { en: 'Sent by {host}', ar: 'يُرسل البريد عبر {host}' },

  ownEngineAnswers: {
    en: 'The face engine of this server answers.',
    ar: 'محرك التعرف على الوجوه لهذا الخادم يستجيب.',
  },
  engineAnswers: {
    en: 'The face engine at {place} answers.',
    ar: 'محرك التعرف على الوجوه في {place} يستجيب.',
  },
  ownEngineIsDown: {
    en: 'The face engine of this server does not answer.',
    ar: 'محرك التعرف على الوجوه لهذا الخادم لا يستجيب.',
  },
  engineIsDown: {
    en: 'The face engine at {place} does not answer.',
    ar: 'محرك التعرف على الوجوه في {place} لا يستجيب.',
  },
  waitForEngine: {
    en: 'After a start it takes a minute. Then look at log lines with "program":"vision".',
    ar: 'يحتاج بعد التشغيل إلى دقيقة. ثم راجع أسطر السجل التي فيها `"program":"vision"`.',
  },
  startEngineThere: {
    en: 'Start it there; compare VISION_URL, VISION_TOKEN and VISION_CA.',
    ar: 'شغّله هناك، وقارن `VISION_URL` و`VISION_TOKEN` و`VISION_CA`.',
  },
  brokerIsOff: { en: 'Off (MQTT_PORT=0).', ar: 'متوقف (`MQTT_PORT=0`).' },
  connectedTo: { en: 'Connected to {place}', ar: 'متصل بـ {place}' },
  brokerRefuses: {
    en: '{place} does not take the connection.',
    ar: 'لا يقبل {place} الاتصال.',
  },
  startBroker: {
    en: 'Start that broker; compare user and password in MQTT_URL.',
    ar: 'شغّل وسيط MQTT ذاك، وقارن المستخدم وكلمة المرور في `MQTT_URL`.',
  },
  brokerCertificateEnded: {
    en: 'The certificate in MQTT_TLS_CERT ended on {day}.',
    ar: 'انتهت صلاحية الشهادة التي في `MQTT_TLS_CERT` في {day}.',
  },
  renewAndRestart: { en: 'Renew it, and restart Haris.', ar: 'جدّدها، وأعد تشغيل حارس.' },
  brokerPortInUse: {
    en: 'A program uses port {port}, and Haris was not found.',
    ar: 'برنامج يستعمل المنفذ {port}، ولم يُعثر على حارس.',
  },
  freeBrokerPortUnlessHaris: {
    en: 'If it is not Haris, set another MQTT_PORT, or MQTT_URL if that program is a broker.',
    ar: 'إن لم يكن حارس فاضبط `MQTT_PORT` آخر، أو `MQTT_URL` إن كان ذلك البرنامج وسيط MQTT.',
  },
  brokerPortIsTaken: {
    en: 'Another program uses port {port}: sensors cannot connect.',
    ar: 'برنامج آخر يستعمل المنفذ {port}: لا تستطيع المستشعرات الاتصال.',
  },
  freeBrokerPort: {
    en: 'Set another MQTT_PORT, or MQTT_URL if that program is a broker.',
    ar: 'اضبط `MQTT_PORT` آخر، أو `MQTT_URL` إن كان ذلك البرنامج وسيط MQTT.',
  },
  brokerHasStopped: { en: 'The broker of this server has stopped.', ar: 'توقف وسيط MQTT لهذا الخادم.' },
  brokerCertificateEnds: {
    en: 'Port {port}; the certificate in MQTT_TLS_CERT ends in {days}.',
    ar: 'المنفذ {port}؛ تنتهي صلاحية الشهادة التي في `MQTT_TLS_CERT` خلال {days}.',
  },
  brokerAt: { en: 'Port {port}', ar: 'المنفذ {port}' },
  noCamera: { en: 'None is set up.', ar: 'لم تُضف أي كاميرا.' },
  camerasGive: {
    en: '{watched} of {watched} give pictures.',
    ar: 'تصل الصور من جميع الكاميرات، وعددها {watched}.',
  },
  cameraGivesNone: {
    en: '{down} of {watched} gives no picture.',
    ar: 'كاميرات لا تصل صورها: {down} من {watched}.',
  },
  camerasGiveNone: {
    en: '{down} of {watched} give no picture.',
    ar: 'كاميرات لا تصل صورها: {down} من {watched}.',
  },
  seeCameraPage: { en: 'The page of each camera says why.', ar: 'صفحة كل كاميرا تذكر السبب.' },
} as const satisfies Readonly<Record<string, Words>>;

export type Word = keyof typeof WORDS;

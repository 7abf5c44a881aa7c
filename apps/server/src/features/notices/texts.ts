/** What notices say, in English and Arabic. */
import type { Language } from '@haris/contract/fields';
import type { IncidentKind } from '@haris/contract/incident-kinds';
import type { AccountKind } from '@haris/contract/roles';
import type { IncidentStep } from '../../incident-step.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** `{child}` or `{name}` stands for the name of what it is about, `{area}`, `{value}` and `{limit}` for what the incident says. */
interface Words {
  readonly title: string;
  readonly body: string;
  /** What is said when it is over. */
  readonly over: string;
}

const words: Readonly<Record<IncidentKind, Readonly<Record<Language, Words>>>> = {
  temperature: {
    en: {
      title: 'High temperature',
      body: 'It is {value} °C in {area}.',
      over: 'The temperature in {area} is in order again.',
    },
    ar: {
      title: 'درجة حرارة مرتفعة',
      body: 'بلغت الحرارة {value} °م في {area}.',
      over: 'عادت درجة الحرارة في {area} إلى حدّها الآمن.',
    },
  },
  air: {
    en: {
      title: 'Gas or smoke in the air',
      body: 'The sensor in {area} reads {value}.',
      over: 'The air in {area} is in order again.',
    },
    ar: {
      title: 'غاز أو دخان في الهواء',
      body: 'قراءة الحسّاس في {area} هي {value}.',
      over: 'عاد الهواء في {area} إلى حدّه الآمن.',
    },
  },
  sensor_offline: {
    en: {
      title: 'A sensor is silent',
      body: 'The sensor “{name}” in {area} sends nothing.',
      over: 'The sensor “{name}” in {area} sends again.',
    },
    ar: {
      title: 'حسّاس متوقف',
      body: 'الحسّاس «{name}» في {area} لا يرسل شيئًا.',
      over: 'عاد الحسّاس «{name}» في {area} إلى الإرسال.',
    },
  },
  stay_due: {
    en: {
      title: 'The stay is nearly over',
      body: '{child} can be picked up in 10 minutes.',
      over: '{child} has left, or stays longer.',
    },
    ar: {
      title: 'اقترب انتهاء وقت الإقامة',
      body: 'يمكن استلام {child} بعد ١٠ دقائق.',
      over: 'غادر {child} أو مُدّدت الإقامة.',
    },
  },
  time_up: {
    en: {
      title: 'Time’s up',
      body: 'The time of {child} in the area is over. Please pick up.',
      over: '{child} has been picked up, or stays longer.',
    },
    ar: {
      title: 'انتهى الوقت',
      body: 'انتهى وقت {child} في المكان. نرجو الحضور للاستلام.',
      over: 'استُلم {child} أو مُدّدت الإقامة.',
    },
  },
  not_seen: {
    en: {
      title: 'A child has not been seen',
      body: 'No camera has seen {child}, who is checked in.',
      over: '{child} has been seen, or is checked out.',
    },
    ar: {
      title: 'طفل لم تره الكاميرات',
      body: 'لم ترَ أي كاميرا {child} رغم تسجيل الدخول.',
      over: 'شوهد {child} أو سُجّل خروجه.',
    },
  },
  seen_outside: {
    en: {
      title: 'A child was seen who is not checked in',
      body: 'A camera in {area} has seen {child}, who is not checked in.',
      over: '{child} is checked in, or was not seen any more.',
    },
    ar: {
      title: 'شوهد طفل غير مسجّل الدخول',
      body: 'رأت كاميرا في {area} الطفل {child} دون تسجيل دخوله.',
      over: 'سُجّل دخول {child} أو لم يعد يُرى.',
    },
  },
  unknown_person: {
    en: {
      title: 'An unknown person',
      body: 'A camera sees a person in {area} whom it does not know.',
      over: 'The unknown person in {area} is not seen any more.',
    },
    ar: {
      title: 'شخص غير معروف',
      body: 'ترى كاميرا في {area} شخصًا لا تعرفه.',
      over: 'لم يعد الشخص غير المعروف يُرى في {area}.',
    },
  },
  camera_down: {
    en: {
      title: 'A camera is down',
      body: 'The camera “{name}” in {area} shows nothing.',
      over: 'The camera “{name}” in {area} shows again.',
    },
    ar: {
      title: 'كاميرا متوقفة',
      body: 'الكاميرا «{name}» في {area} لا تعرض شيئًا.',
      over: 'عادت الكاميرا «{name}» في {area} إلى العمل.',
    },
  },
  broker_down: {
    en: {
      title: 'No data from the sensors',
      body: 'The MQTT broker is down. Temperature and air are not monitored for the sensors connected to it.',
      over: 'The MQTT broker is back.',
    },
    ar: {
      title: 'لا تصل بيانات من أجهزة الاستشعار',
      body: 'خادم MQTT متوقف. لا تُراقَب الحرارة والهواء لدى أجهزة الاستشعار المتصلة به.',
      over: 'عاد خادم MQTT إلى العمل.',
    },
  },
  capacity: {
    en: {
      title: 'An area is full',
      body: '{area}: {value} children, {limit} are allowed.',
      over: '{area} has room again.',
    },
    ar: {
      title: 'امتلأ المكان',
      body: '{area}: عدد الأطفال {value}، والحدّ المسموح {limit}.',
      over: 'عاد في {area} متّسع.',
    },
  },
  disk: {
    en: {
      title: 'The disk is nearly full',
      body: 'The disk of Haris has little room left.',
      over: 'The disk of Haris has room again.',
    },
    ar: {
      title: 'القرص شبه ممتلئ',
      body: 'لم يبقَ على قرص حارس سوى مساحة قليلة.',
      over: 'عادت على قرص حارس مساحة كافية.',
    },
  },
  database: {
    en: {
      title: 'The database is damaged',
      body: 'Some data can no longer be read. Restore the last backup.',
      over: 'The database is no longer damaged.',
    },
    ar: {
      title: 'قاعدة البيانات تالفة',
      body: 'لم يعد بالإمكان قراءة جزء من بيانات حارس. استعد آخر نسخة احتياطية.',
      over: 'عادت قاعدة بيانات حارس سليمة.',
    },
  },
  backup: {
    en: {
      title: 'A backup is overdue',
      body: 'It is too long since Haris was backed up.',
      over: 'Haris has been backed up.',
    },
    ar: {
      title: 'تأخّر النسخ الاحتياطي',
      body: 'مضى وقت طويل منذ آخر نسخة احتياطية لحارس.',
      over: 'أُخذت نسخة احتياطية لحارس.',
    },
  },
  evacuation: {
    en: {
      title: 'Evacuation',
      body: 'The building is being evacuated now.',
      over: 'The evacuation has ended.',
    },
    ar: {
      title: 'إخلاء',
      body: 'يجري إخلاء المبنى الآن.',
      over: 'انتهى الإخلاء.',
    },
  },
};

const frames: Readonly<Record<Language, { over: string; again: string; place: string; child: string }>> = {
  en: { over: 'All clear: ', again: 'Still open: ', place: 'the whole place', child: 'the child' },
  ar: { over: 'انتهى التنبيه: ', again: 'ما زال قائمًا: ', place: 'المكان كله', child: 'الطفل' },
};

const test: Readonly<Record<Language, NoticeText>> = {
  en: { title: 'A test from Haris', body: 'Notices reach you this way.' },
  ar: { title: 'تجربة من حارس', body: 'تصلك التنبيهات بهذه الطريقة.' },
};

type Values = IncidentStep['body']['values'];

/** Names stand apart from the text around them, which may run the other way (Unicode isolates). */
function fill(text: string, language: Language, values: Values): string {
  const { place, child } = frames[language];
  const missing: Readonly<Record<string, string>> = { area: place, child };
  return text.replace(/\{(\w+)\}/g, (_all, token: string) => {
    const value = values[token === 'child' ? 'name' : token];
    if (value === undefined || value === '') return missing[token] ?? '';
    const shown =
      typeof value === 'number'
        ? new Intl.NumberFormat(language === 'ar' ? 'ar-EG' : 'en', { maximumFractionDigits: 1 }).format(
            value,
          )
        : value;
    return `\u2068${shown}\u2069`;
  });
}

/** A parent knows the own child by the first name: more of it need not travel. */
function shorten(values: Values): Values {
  const name = values.name;
  return typeof name === 'string' ? { ...values, name: name.split(/\s/)[0] ?? '' } : values;
}

type Told = Pick<IncidentStep, 'kind' | 'phase' | 'body'>;

/** What a person is told of a step. */
export function textOf({ kind, phase, body }: Told, account: AccountKind, language: Language): NoticeText {
  const { title, body: says, over } = words[kind][language];
  const frame = frames[language];
  const values = account === 'parent' ? shorten(body.values) : body.values;
  if (phase === 'cleared') return { title: `${frame.over}${title}`, body: fill(over, language, values) };
  return {
    title: phase === 'escalated' ? `${frame.again}${title}` : title,
    body: fill(says, language, values),
  };
}

/** The title alone: no name of anybody stands in it. */
export function titleOf(kind: IncidentKind, language: Language): string {
  return words[kind][language].title;
}

export function testText(language: Language): NoticeText {
  return test[language];
}

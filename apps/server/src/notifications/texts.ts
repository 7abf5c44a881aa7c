/** Makes the texts of notifications, in English and Arabic. */
import type { Language } from '@haris/contract/fields';
import type { IncidentKind } from '@haris/contract/incident-kinds';
import { findLocale } from '@haris/contract/locales';
import { DEFAULT_REGION } from '@haris/contract/regions';
import type { AccountKind } from '@haris/contract/roles';
import type { IncidentStep } from '../incident-step.ts';
import { incidentWords } from './incident-words.ts';

export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

const frames: Readonly<Record<Language, { over: string; again: string; place: string; child: string }>> = {
  en: { over: 'All clear: ', again: 'Still open: ', place: 'the facility', child: 'the child' },
  ar: { over: 'انتهى التنبيه: ', again: 'ما زال قائمًا: ', place: 'الحضانة كلها', child: 'الطفل' },
};

const test: Readonly<Record<Language, NotificationText>> = {
  en: { title: 'A test from Haris', body: 'Notifications reach you this way.' },
  ar: { title: 'تجربة من حارس', body: 'تصلك الإشعارات بهذه الطريقة.' },
};

type Values = IncidentStep['body']['values'];

/** Fills in the placeholders. Unicode isolates keep a name in the other text direction together. */
function fill(text: string, language: Language, values: Values): string {
  const { place, child } = frames[language];
  const missing: Readonly<Record<string, string>> = { area: place, child };
  return text.replace(/\{(\w+)\}/g, (_all, token: string) => {
    const value = values[token === 'child' ? 'name' : token];
    if (value === undefined || value === '') return missing[token] ?? '';
    const shown =
      typeof value === 'number'
        ? new Intl.NumberFormat(findLocale(language, DEFAULT_REGION), { maximumFractionDigits: 1 }).format(
            value,
          )
        : value;
    return `\u2068${shown}\u2069`;
  });
}

/** Shortens a name to the first name for parents, because the text passes through push services. */
function shorten(values: Values): Values {
  const name = values.name;
  return typeof name === 'string' ? { ...values, name: name.split(/\s/)[0] ?? '' } : values;
}

type StepContent = Pick<IncidentStep, 'kind' | 'phase' | 'body'>;

/** The text of a step for an account. */
export function textOf(
  { kind, phase, body }: StepContent,
  account: AccountKind,
  language: Language,
): NotificationText {
  const { title, ...single } = incidentWords[kind][language];
  const frame = frames[language];
  const isForParent = account === 'parent';
  const values = isForParent ? shorten(body.values) : body.values;
  const many = values.count === undefined ? undefined : single.many;
  const placed = values.place === undefined ? undefined : single.placed;
  const says = many?.body ?? (isForParent ? single.body : (placed ?? single.staff ?? single.body));
  const over = many?.over ?? single.over;
  if (phase === 'cleared') return { title: `${frame.over}${title}`, body: fill(over, language, values) };
  return {
    title: phase === 'escalated' ? `${frame.again}${title}` : title,
    body: fill(says, language, values),
  };
}

/** The title, which never contains a name. */
export function titleOf(kind: IncidentKind, language: Language): string {
  return incidentWords[kind][language].title;
}

const extended: Readonly<Record<Language, NotificationText>> = {
  en: { title: 'The stay was extended', body: '{child} stays until {end}.' },
  ar: { title: 'مُدّد الوقت', body: 'مُدّد وقت {child} حتى {end}.' },
};

/** The text about a new end of a stay; `end` is a time of day. */
export function extensionText(childName: string, end: string, language: Language): NotificationText {
  const { title, body } = extended[language];
  return { title, body: fill(body, language, shorten({ name: childName, end })) };
}

type ReleaseWords = Readonly<
  Record<'released' | 'nameless' | 'releasedLate' | 'namelessLate' | 'undone' | 'neverIn', NotificationText>
>;

const releaseWords: Readonly<Record<Language, ReleaseWords>> = {
  en: {
    released: { title: 'Picked up', body: '{child} was handed to {adult} at {time}.' },
    nameless: { title: 'Checked out', body: '{child} was checked out at {time}.' },
    releasedLate: {
      title: 'Picked up',
      body: '{child} was handed to {adult} at {time}. You are told only now because the desk had no connection.',
    },
    namelessLate: {
      title: 'Checked out',
      body: '{child} was checked out at {time}. You are told only now because the desk had no connection.',
    },
    undone: {
      title: 'Checkout undone',
      body: 'The checkout of {child} was undone. {child} is still at the nursery.',
    },
    neverIn: {
      title: 'Check-in undone',
      body: 'The check-in of {child} at the nursery was undone at {time}. If you did not expect this, call the nursery.',
    },
  },
  ar: {
    released: { title: 'تم الاستلام', body: 'تم تسليم {child} إلى {adult} في {time}.' },
    nameless: { title: 'تم تسجيل الانصراف', body: 'تم تسجيل انصراف {child} في {time}.' },
    releasedLate: {
      title: 'تم الاستلام',
      body: 'تم تسليم {child} إلى {adult} في {time}. تأخر هذا الإشعار لأن مكتب الاستقبال كان بلا اتصال.',
    },
    namelessLate: {
      title: 'تم تسجيل الانصراف',
      body: 'تم تسجيل انصراف {child} في {time}. تأخر هذا الإشعار لأن مكتب الاستقبال كان بلا اتصال.',
    },
    undone: {
      title: 'تم التراجع عن الانصراف',
      body: 'تم التراجع عن تسجيل انصراف {child}، وما زال الطفل في الحضانة.',
    },
    neverIn: {
      title: 'تم التراجع عن الحضور',
      body: 'تم التراجع في {time} عن تسجيل حضور {child} في الحضانة. إذا لم تتوقع ذلك، فيُرجى الاتصال بالحضانة.',
    },
  },
};

export interface ReleaseNews {
  readonly child: string;
  /** Null if the desk named nobody. */
  readonly adult: string | null;
  /** A time of day. */
  readonly time: string;
  /** Whether the desk had no connection then. */
  readonly isLate: boolean;
}

/** The text about a release. */
export function releasedText(
  { child, adult, time, isLate }: ReleaseNews,
  language: Language,
): NotificationText {
  const { released, nameless, releasedLate, namelessLate } = releaseWords[language];
  const named = isLate ? releasedLate : released;
  const { title, body } = adult !== null ? named : isLate ? namelessLate : nameless;
  return { title, body: fill(body, language, shorten({ name: child, adult: adult ?? '', time })) };
}

/** The text about a checkout that was undone. */
export function releaseUndoneText(childName: string, language: Language): NotificationText {
  const { title, body } = releaseWords[language].undone;
  return { title, body: fill(body, language, shorten({ name: childName })) };
}

/** The text about a check-in that was undone; `time` is a time of day. */
export function checkInUndoneText(
  { child, time }: { readonly child: string; readonly time: string },
  language: Language,
): NotificationText {
  const { title, body } = releaseWords[language].neverIn;
  return { title, body: fill(body, language, shorten({ name: child, time })) };
}

export function testText(language: Language): NotificationText {
  return test[language];
}

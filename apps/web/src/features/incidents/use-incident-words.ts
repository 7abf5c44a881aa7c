/** Titles and descriptions of incidents and of cards in the current language. */
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf, momentFormat } from '../../i18n/locale.ts';
import type { AlertCard } from './alert-cards.ts';
import type { ShownIncident } from './shown-incident.ts';
import { useMeasure } from './use-measure.ts';

const GIB = 1024 ** 3;
const DAY_MS = 24 * 3_600_000;

export interface IncidentWords {
  readonly title: string;
  readonly text: string;
}

/** Returns a function that describes an incident, with names and areas as people entered them. */
export function useIncidentWords(): (incident: ShownIncident) => IncidentWords {
  const { t, i18n } = useTranslation('incidents');
  const measure = useMeasure();
  return useCallback(
    ({ kind, area, subject, subjects, value, limit }) => {
      const title = t(`kind.${kind}`);
      const nameless =
        kind === 'desk_conflict' ? 'unknownChild' : subject?.kind === 'unknown' ? 'otherSubject' : 'nameless';
      const name = subject?.name ?? t(nameless);
      const place = area ?? t('wholePlace');
      const figure = (number: number | null) => {
        if (number === null) return '--';
        if (kind === 'temperature' || kind === 'air') return measure(kind, number);
        if (kind === 'not_seen')
          return new Intl.NumberFormat(localeOf(i18n.language), {
            style: 'unit',
            unit: 'minute',
            unitDisplay: 'long',
          }).format(number);
        if (kind !== 'disk') return new Intl.NumberFormat(localeOf(i18n.language)).format(number);
        return new Intl.NumberFormat(localeOf(i18n.language), {
          style: 'unit',
          unit: 'gigabyte',
          maximumFractionDigits: 1,
        }).format(number / GIB);
      };
      const words = { name, area: place, value: figure(value), limit: figure(limit) };
      // Of several children it has the minutes of the first one's room, which may not be those of this child's.
      if (kind === 'not_seen' && limit !== null && subjects.length < 2)
        return { title, text: t('notSeenFor', words) };
      return { title, text: t(`about.${kind}`, words) };
    },
    [t, i18n.language, measure],
  );
}

/** A moment as the time of day, with the date unless it was within the last day. */
export function useSince(): (moment: string) => string {
  const { i18n } = useTranslation();
  return useCallback(
    (moment) => {
      const isRecent = Date.now() - Date.parse(moment) < DAY_MS;
      return momentFormat(
        i18n.language,
        isRecent ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
      ).format(new Date(moment));
    },
    [i18n.language],
  );
}

/** Number of subjects as words: “72 children not seen”; null for a card of one subject or of a single thing. */
export function useBrief(): (card: AlertCard) => string | null {
  const { t } = useTranslation('incidents');
  return useCallback(
    ({ kind, subjects }) => {
      const count = subjects.length;
      if (count < 2) return null;
      switch (kind) {
        case 'time_up':
        case 'not_seen':
        case 'seen_outside':
        case 'unknown_person':
        case 'camera_down':
        case 'sensor_offline':
        case 'room_over_capacity':
        case 'room_understaffed':
        case 'expected_not_here':
        case 'sleep_check_overdue':
        case 'desk_conflict':
          return t(`brief.${kind}`, { count });
        default:
          return null;
      }
    },
    [t],
  );
}

/** Returns a function that describes a card. `rooms`: number of rooms of the facility; undefined if it is not known. */
export function useCardWords(rooms: number | undefined): (card: AlertCard) => IncidentWords {
  const { t, i18n } = useTranslation('incidents');
  const wordsOf = useIncidentWords();
  const brief = useBrief();
  const since = useSince();
  return useCallback(
    (card) => {
      const title = brief(card);
      const [only] = card.subjects;
      if (title === null) {
        const [incident] = card.incidents;
        const area = incident.area ?? only?.area ?? null;
        return wordsOf({ ...incident, area, subject: only ?? incident.subject });
      }
      const time = since(card.since);
      const [area] = card.areas;
      if (area === undefined) return { title, text: t('many.since', { time }) };
      if (rooms === undefined || rooms <= 1)
        return {
          title,
          text: t('many.sinceIn', {
            time,
            area: new Intl.ListFormat(localeOf(i18n.language)).format(card.areas),
          }),
        };
      return {
        title,
        text: t('many.sinceRooms', {
          time,
          rooms: card.areas.length,
          all: Math.max(rooms, card.areas.length),
        }),
      };
    },
    [t, i18n.language, brief, wordsOf, since, rooms],
  );
}

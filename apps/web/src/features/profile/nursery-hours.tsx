/** For each nursery of the family: whether it is open, until when or when it opens next, and the holidays to come. */
import type { FacilityHours } from '@haris/contract/http/facilities';
import { holidayOn, openStateAt, upcomingHolidays } from '@haris/contract/open-now';
import { localDay } from '@haris/contract/zone-time';
import { Text } from '@mantine/core';
import { IconCalendarOff, IconClock, IconPhone } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type HoursFormat, hoursFormatOf } from '../../facilities/hours-format.ts';
import { useMinute } from '../../facilities/use-minute.ts';
import styles from './nursery-hours.module.css';

/** Holidays are shown so many days before they begin. */
const AHEAD_DAYS = 14;

export interface NurseryHoursProps {
  nurseries: readonly FacilityHours[];
  /** Their place is kept while they are awaited, so that nothing moves. */
  awaitsHours: boolean;
}

/** With several nurseries each has its name and its number; with one, the number is on the button above. */
export function NurseryHours({ nurseries, awaitsHours }: NurseryHoursProps) {
  const told = nurseries.filter(
    ({ openingHours, holidays }) => nurseries.length > 1 || openingHours !== null || holidays.length > 0,
  );
  if (told.length === 0) return awaitsHours ? <div className={styles.awaited} /> : null;
  return (
    <ul className={styles.nurseries}>
      {told.map((nursery) => (
        <Nursery key={nursery._id} nursery={nursery} isOneOfSeveral={nurseries.length > 1} />
      ))}
    </ul>
  );
}

function Nursery({ nursery, isOneOfSeveral }: { nursery: FacilityHours; isOneOfSeveral: boolean }) {
  const { t, i18n } = useTranslation('profile');
  const now = useMinute();
  const format = useMemo(() => hoursFormatOf(i18n.language, nursery), [i18n.language, nursery]);
  const sentence = useSentence(nursery, format, now);
  const today = localDay(now, nursery.timeZone);
  // Today's is in the sentence.
  const upcoming = upcomingHolidays(nursery.holidays, today, AHEAD_DAYS).filter(
    (holiday) => holidayOn([holiday], today) === undefined,
  );
  const name = nursery.name ?? t('hours.nursery');
  return (
    <li className={styles.nursery}>
      {isOneOfSeveral ? (
        <div className={styles.head}>
          <Text fw={600}>
            <bdi>{name}</bdi>
          </Text>
          {nursery.phone === null ? null : (
            <a className={styles.call} href={`tel:${nursery.phone}`} aria-label={t('hours.call', { name })}>
              <IconPhone size={16} aria-hidden /> <bdi dir="ltr">{nursery.phone}</bdi>
            </a>
          )}
        </div>
      ) : null}
      {sentence === null ? null : (
        <Text className={styles.line ?? ''}>
          <IconClock size={18} aria-hidden />
          <span>{sentence}</span>
        </Text>
      )}
      {upcoming.map(({ from, to, name: holiday }) => (
        <Text key={`${from} ${to} ${holiday}`} size="sm" c="dimmed" className={styles.line ?? ''}>
          <IconCalendarOff size={18} aria-hidden />
          <span>{t('hours.holiday', { name: holiday, dates: format.dates(from, to) })}</span>
        </Text>
      ))}
    </li>
  );
}

/** The state in one sentence, or two on a holiday; null if nothing is known. `now` in milliseconds since 1970. */
function useSentence(nursery: FacilityHours, format: HoursFormat, now: number): string | null {
  const { t } = useTranslation('profile');
  const state = openStateAt(nursery, now);
  if (state === null) return null;
  if (state.isOpen) {
    if (state.until === null) return t('hours.always');
    const time = format.time(state.until);
    return format.daysAhead(state.until, now) === 0
      ? t('hours.openToday', { time })
      : t('hours.openUntil', { day: format.day(state.until, now), time });
  }
  const opens = state.next === null ? null : opensAt(state.next);
  if (state.holiday === null) return opens ?? t('hours.closed');
  const closed = t('hours.closedToday', { name: state.holiday.name });
  return opens === null ? closed : t('hours.two', { first: closed, second: opens });

  function opensAt(next: number): string {
    const time = format.time(next);
    const ahead = format.daysAhead(next, now);
    if (ahead === 0) return t('hours.opensToday', { time });
    return ahead === 1
      ? t('hours.opensTomorrow', { time })
      : t('hours.opens', { day: format.day(next, now), time });
  }
}

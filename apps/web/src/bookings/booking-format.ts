/** Times and days of bookings in words, in the zone and form of their facility. */
import type { BookedDay, ChildBookings } from '@haris/contract/http/bookings';
import { findLocale } from '@haris/contract/locales';
import type { Interval } from '@haris/contract/opening-hours';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { hoursFormatOf } from '../facilities/hours-format.ts';

type Place = Pick<ChildBookings, 'timeZone' | 'region'>;

export interface BookingFormat {
  /** Local times: `8:00 AM – 2:00 PM`. */
  times: (times: Interval) => string;
  /** A moment as time of day. ISO 8601. */
  time: (moment: string) => string;
  /** Local dates `YYYY-MM-DD`, both inclusive: `Fri, 20 Mar – Mon, 23 Mar`. */
  dates: (from: string, to: string) => string;
  /** A day in words: its times, or why there are none. */
  day: (day: BookedDay) => string;
}

export function useBookingFormat({ timeZone, region }: Place): BookingFormat {
  const { t, i18n } = useTranslation('bookings');
  const { language } = i18n;
  return useMemo(() => {
    const format = hoursFormatOf(language, { timeZone, region });
    // A local time has no zone here; 24:00 is shown as the midnight that it is.
    const clock = new Intl.DateTimeFormat(findLocale(language, region), {
      timeZone: 'UTC',
      timeStyle: 'short',
    });
    const local = (time: string) =>
      clock.format(Date.parse(`2000-01-01T${time === '24:00' ? '00:00' : time}Z`));
    const times = ({ from, to }: Interval) => t('home.times', { from: local(from), to: local(to) });
    return {
      times,
      time: (moment) => format.time(Date.parse(moment)),
      dates: format.dates,
      day({ state, from, to, holiday, absence }) {
        if (state === 'closed')
          return holiday === null ? t('home.closed') : t('home.closedFor', { name: holiday });
        if (absence !== null) return t('home.absent', { reason: t(`absence.reason.${absence.reason}`) });
        return from === null || to === null ? t('home.notBooked') : times({ from, to });
      },
    };
  }, [t, language, timeZone, region]);
}

/** The booked times of the next seven days, one line per day. */
import type { ChildBookings } from '@haris/contract/http/bookings';
import { useTranslation } from 'react-i18next';
import { useBookingFormat } from './booking-format.ts';
import classes from './bookings.module.css';

const DAYS = 7;

export function BookedWeek({ bookings }: { bookings: ChildBookings }) {
  const { t } = useTranslation('bookings');
  const format = useBookingFormat(bookings);
  return (
    <ul className={classes.week} aria-label={t('home.week')}>
      {bookings.days.slice(0, DAYS).map((day) => (
        <li key={day.date} className={classes.day} data-quiet={day.state !== 'booked' || undefined}>
          <span>{day.date === bookings.today ? t('home.today') : format.dates(day.date, day.date)}</span>
          <span>
            {format.day(day)}
            {day.state === 'booked' && day.arrivesAt !== null
              ? ` · ${t('home.arrives', { time: format.time(day.arrivesAt) })}`
              : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

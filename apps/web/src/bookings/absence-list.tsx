/** Absences of a child that are not over, each with its withdrawal. */
import type { ChildBookings } from '@haris/contract/http/bookings';
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBookingFormat } from './booking-format.ts';
import classes from './bookings.module.css';
import { useWithdrawAbsence } from './queries.ts';

export interface AbsenceListProps {
  bookings: ChildBookings;
  /** Whether the person may withdraw. */
  mayChange: boolean;
}

/** Renders nothing without absences. */
export function AbsenceList({ bookings, mayChange }: AbsenceListProps) {
  const { t } = useTranslation('bookings');
  const format = useBookingFormat(bookings);
  const withdraw = useWithdrawAbsence(bookings.childId);
  if (bookings.absences.length === 0) return null;
  return (
    <ul className={classes.absences} aria-label={t('absence.coming')}>
      {bookings.absences.map(({ _id, from, to, reason, note, reportedBy }) => {
        const dates = format.dates(from, to);
        return (
          <li key={_id} className={classes.absence}>
            <div className={classes.what}>
              <Text size="sm" fw={500}>
                {t('absence.line', { dates, reason: t(`absence.reason.${reason}`) })}
              </Text>
              <Text size="sm" c="dimmed">
                {note === null ? null : (
                  <>
                    <bdi>{note}</bdi>
                    {' · '}
                  </>
                )}
                {t(reportedBy === 'family' ? 'absence.byFamily' : 'absence.byStaff')}
              </Text>
            </div>
            {mayChange ? (
              <Button
                size="compact-sm"
                variant="subtle"
                disabled={withdraw.isPending}
                aria-label={t('absence.withdrawOf', { dates })}
                onClick={() => withdraw.mutate(_id)}
              >
                {t('absence.withdraw')}
              </Button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

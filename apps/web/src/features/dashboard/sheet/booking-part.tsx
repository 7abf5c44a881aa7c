/** The booking of a child at this facility: its week, single days, and absences (decision 051). */

import type { ChildBookings } from '@haris/contract/http/bookings';
import { bookingRoutes } from '@haris/contract/http/bookings';
import type { Child } from '@haris/contract/objects';
import { Button, Skeleton, Text } from '@mantine/core';
import { IconCalendarOff, IconCalendarPlus, IconPencil } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AbsenceDialog } from '../../../bookings/absence-dialog.tsx';
import { AbsenceList } from '../../../bookings/absence-list.tsx';
import { BookedWeek } from '../../../bookings/booked-week.tsx';
import { useBookingFormat } from '../../../bookings/booking-format.ts';
import { bookingsOfChildQuery, useBookingsChanged } from '../../../bookings/queries.ts';
import { failureText, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { useMay } from '../../../session/may.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { BookedDayDialog } from './booked-day-dialog.tsx';
import { BookingDialog } from './booking-dialog.tsx';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

export function BookingPart({ child }: { child: Child }) {
  const { t } = useTranslation('bookings');
  const query = useQuery(bookingsOfChildQuery(child._id));
  const [bookings] = query.data ?? [];
  if (query.isSuccess && bookings === undefined) return null;
  return (
    <Section title={t('sheet.title')}>
      {bookings !== undefined ? (
        <Known child={child} bookings={bookings} />
      ) : query.isError ? (
        <ErrorState
          text={failureText(query.error)}
          onRetry={() => void query.refetch()}
          busy={query.isRefetching}
        />
      ) : (
        <Skeleton height={80} role="status" aria-label={t('sheet.loading')} />
      )}
    </Section>
  );
}

interface KnownProps {
  child: Child;
  bookings: ChildBookings;
}

function Known({ child, bookings }: KnownProps) {
  const { t } = useTranslation('bookings');
  const may = useMay();
  const [open, setOpen] = useState<'week' | 'day' | 'absence' | null>(null);
  const close = () => setOpen(null);
  const hasPattern = bookings.patterns.length > 0;
  return (
    <>
      {hasPattern || bookings.exceptions.length > 0 ? (
        <BookedWeek bookings={bookings} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('sheet.none')}
        </Text>
      )}
      <Planned bookings={bookings} mayEdit={may('bookings.edit')} />
      <AbsenceList bookings={bookings} mayChange={may('children.check_in')} />
      <div className={classes.buttons}>
        {may('bookings.edit') ? (
          <>
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden />}
              onClick={() => setOpen('week')}
            >
              {t(hasPattern ? 'sheet.edit' : 'sheet.enter')}
            </Button>
            <Button
              size="sm"
              variant="default"
              leftSection={<IconCalendarPlus size={18} aria-hidden />}
              onClick={() => setOpen('day')}
            >
              {t('sheet.addDay')}
            </Button>
          </>
        ) : null}
        {may('children.check_in') ? (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconCalendarOff size={18} aria-hidden />}
            onClick={() => setOpen('absence')}
          >
            {t('absence.report')}
          </Button>
        ) : null}
      </div>
      <BookingDialog opened={open === 'week'} onClose={close} child={child} bookings={bookings} />
      <BookedDayDialog opened={open === 'day'} onClose={close} child={child} bookings={bookings} />
      <AbsenceDialog opened={open === 'absence'} onClose={close} child={child} today={bookings.today} />
    </>
  );
}

interface PlannedProps {
  bookings: ChildBookings;
  mayEdit: boolean;
}

/** Weeks that begin later, and days with times of their own; each can be removed. */
function Planned({ bookings, mayEdit }: PlannedProps) {
  const { t } = useTranslation('bookings');
  const format = useBookingFormat(bookings);
  const id = useId();
  const remove = useRemoval(bookings.childId);
  const planned = bookings.patterns.filter(({ validFrom }) => validFrom > bookings.today);
  const rows = [
    ...planned.map(({ validFrom }) => {
      const day = format.dates(validFrom, validFrom);
      return {
        key: `week ${validFrom}`,
        text: t('sheet.planned', { day }),
        label: t('sheet.removeOf', { day }),
        what: { validFrom },
      };
    }),
    ...bookings.exceptions.map(({ date, times }) => {
      const day = format.dates(date, date);
      return {
        key: `day ${date}`,
        text: `${day} · ${times === null ? t('sheet.notComing') : format.times(times)}`,
        label: t('sheet.removeDay', { day }),
        what: { day: date },
      };
    }),
  ];
  if (rows.length === 0) return null;
  return (
    <>
      <Text size="xs" c="dimmed" mt="xs" id={id}>
        {t('sheet.changes')}
      </Text>
      <ul className={classes.list} aria-labelledby={id}>
        {rows.map(({ key, text, label, what }) => (
          <li key={key} className={classes.person}>
            <Text size="sm" className={classes.who}>
              {text}
            </Text>
            {mayEdit ? (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={label}
                disabled={remove.isPending}
                onClick={() => {
                  if (!isRefusedOffline()) remove.mutate(what);
                }}
              >
                {t('sheet.remove')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function useRemoval(id: string) {
  const { t } = useTranslation('bookings');
  const onSettled = useBookingsChanged();
  return useMutation({
    mutationFn: (what: { validFrom: string } | { day: string }): Promise<unknown> =>
      'day' in what
        ? call(bookingRoutes.removeBookedDay, { params: { id, day: what.day } })
        : call(bookingRoutes.removeBookings, { params: { id, validFrom: what.validFrom } }),
    onSuccess: () => notifySuccess(t('sheet.removed')),
    onError: (error) => showFailure(error),
    onSettled,
  });
}

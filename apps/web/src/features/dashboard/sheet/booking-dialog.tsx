/** Enters the weekly booking of a child, from a day on. */
import { type BookingWeek, bookingWeekSchema, patternOn } from '@haris/contract/bookings';
import { bookingRoutes, type ChildBookings } from '@haris/contract/http/bookings';
import type { Child } from '@haris/contract/objects';
import { type OpeningHours, WEEKDAYS } from '@haris/contract/opening-hours';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBookingsChanged } from '../../../bookings/queries.ts';
import { fieldErrors, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { validateWith } from '../../../forms/validation.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { usualWeek } from '../../../week/week.ts';
import { WeekTable, type WeekWords } from '../../../week/week-table.tsx';
import { isRefusedOffline } from '../stays/offline.ts';

const validate = validateWith(bookingWeekSchema);

export interface BookingDialogProps {
  opened: boolean;
  onClose: () => void;
  child: Child;
  bookings: ChildBookings;
}

export function BookingDialog({ opened, onClose, child, bookings }: BookingDialogProps) {
  const { t } = useTranslation('bookings');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('sheet.dialog', { name: child.name })} size="lg">
      {opened ? <BookingForm bookings={bookings} onDone={onClose} /> : null}
    </Dialog>
  );
}

/** A week with one time per day as the table has it. */
function toHours(week: BookingWeek): OpeningHours {
  const days = WEEKDAYS.map((day) => [day, week[day] === null ? [] : [week[day]]]);
  return Object.fromEntries(days) as OpeningHours;
}

function toWeek(hours: OpeningHours): BookingWeek {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, hours[day][0] ?? null])) as BookingWeek;
}

function useWords(): WeekWords {
  const { t } = useTranslation('bookings');
  return {
    off: t('sheet.week.closed'),
    from: ({ day }) => t('sheet.week.from', { day }),
    to: ({ day }) => t('sheet.week.to', { day }),
    copy: t('sheet.week.copy'),
    copyOf: (day) => t('sheet.week.copyOf', { day }),
  };
}

function BookingForm({ bookings, onDone }: { bookings: ChildBookings; onDone: () => void }) {
  const { t } = useTranslation('bookings');
  const { childId, today, region, patterns } = bookings;
  const form = useRef<HTMLFormElement>(null);
  const words = useWords();
  const changed = useBookingsChanged();
  const present = patternOn(patterns, today) ?? patterns[0];
  const [hours, setHours] = useState(present ? toHours(present.week) : usualWeek(region));
  const [validFrom, setValidFrom] = useState(today);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const save = useMutation({
    mutationFn: () =>
      call(bookingRoutes.setBookings, { params: { id: childId }, body: { validFrom, week: toWeek(hours) } }),
    onSuccess: () => {
      notifySuccess(t('sheet.saved'));
      onDone();
    },
    onError: (error) => {
      showFailure(error);
      setProblems(fieldErrors(error));
    },
    onSettled: changed,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending || isRefusedOffline()) return;
    const found = Object.fromEntries(
      Object.entries(validate(toWeek(hours))).map(([path, text]) => [`week.${path}`, text]),
    );
    setProblems(found);
    if (Object.keys(found).length === 0) return save.mutate();
    // Waits for the errors to render, then focuses the first invalid field.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
  return (
    <form noValidate ref={form} onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          type="date"
          label={t('sheet.validFrom')}
          value={validFrom}
          min={today}
          error={problems.validFrom}
          onChange={({ currentTarget }) => setValidFrom(currentTarget.value)}
        />
        <WeekTable
          words={words}
          hours={hours}
          region={region}
          // The table counts the times of a day; a booking has one.
          problemOf={(path) => problems[`week.${path.replace('.0.', '.')}`]}
          onChange={(next) => {
            setHours(next);
            setProblems({});
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('sheet.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Other times for one day, or that the child does not come on it. */
import { weekdayOf } from '@haris/contract/bookings';
import { bookingRoutes, type ChildBookings } from '@haris/contract/http/bookings';
import type { Child } from '@haris/contract/objects';
import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBookingsChanged } from '../../../bookings/queries.ts';
import { fieldErrors, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { USUAL_DAY } from '../../../week/week.ts';
import { isRefusedOffline } from '../stays/offline.ts';

export interface BookedDayDialogProps {
  opened: boolean;
  onClose: () => void;
  child: Child;
  bookings: ChildBookings;
}

export function BookedDayDialog({ opened, onClose, child, bookings }: BookedDayDialogProps) {
  const { t } = useTranslation('bookings');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('sheet.dayDialog', { name: child.name })} size="sm">
      {opened ? <DayForm bookings={bookings} onDone={onClose} /> : null}
    </Dialog>
  );
}

function DayForm({ bookings, onDone }: { bookings: ChildBookings; onDone: () => void }) {
  const { t } = useTranslation('bookings');
  const { childId, today, patterns } = bookings;
  const [day, setDay] = useState(today);
  const [times, setTimes] = useState(patterns[0]?.week[weekdayOf(today)] ?? USUAL_DAY);
  const [comes, setComes] = useState(true);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const changed = useBookingsChanged();
  const save = useMutation({
    mutationFn: () =>
      call(bookingRoutes.setBookedDay, {
        params: { id: childId, day },
        body: { times: comes ? times : null },
      }),
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
    if (day === '') setProblems({ day: t('sheet.dayProblem') });
    else save.mutate();
  }
  function put(part: Partial<typeof times>) {
    setTimes((before) => ({ ...before, ...part }));
    setProblems({});
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          type="date"
          label={t('sheet.day')}
          value={day}
          min={today}
          error={problems.day}
          onChange={({ currentTarget }) => {
            setDay(currentTarget.value);
            setProblems({});
          }}
        />
        <Switch
          label={t('sheet.comes')}
          checked={comes}
          onChange={({ currentTarget }) => setComes(currentTarget.checked)}
        />
        {comes ? (
          <Group grow align="flex-start">
            <TextInput
              type="time"
              label={t('sheet.from')}
              value={times.from}
              error={problems['times.from']}
              onChange={({ currentTarget }) => put({ from: currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('sheet.to')}
              // Browsers know no 24:00.
              value={times.to === '24:00' ? '00:00' : times.to}
              error={problems['times.to']}
              onChange={({ currentTarget: { value } }) => put({ to: value === '00:00' ? '24:00' : value })}
            />
          </Group>
        ) : null}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('sheet.saveDay')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Reports an absence: today by default, sent by the press on its reason. */
import { ABSENCE_REASONS } from '@haris/contract/bookings';
import { ABSENCE_NOTE_MAX, type ChildBookings } from '@haris/contract/http/bookings';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../calls/failure.ts';
import { Dialog } from '../ui/dialog.tsx';
import classes from './bookings.module.css';
import { useReportAbsence } from './queries.ts';

export interface AbsenceDialogProps {
  opened: boolean;
  onClose: () => void;
  child: { readonly _id: string; readonly name: string };
  /** The present day at the facility. */
  today: ChildBookings['today'];
}

export function AbsenceDialog({ opened, onClose, child, today }: AbsenceDialogProps) {
  const { t } = useTranslation('bookings');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('absence.title', { name: child.name })} size="sm">
      {opened ? <AbsenceForm childId={child._id} today={today} onDone={onClose} /> : null}
    </Dialog>
  );
}

interface AbsenceFormProps {
  childId: string;
  today: string;
  onDone: () => void;
}

function AbsenceForm({ childId, today, onDone }: AbsenceFormProps) {
  const { t } = useTranslation('bookings');
  const [from, setFrom] = useState(today);
  const [to, setTo] = useState(today);
  const [note, setNote] = useState('');
  const report = useReportAbsence(childId);
  const problems = report.error === null ? {} : fieldErrors(report.error);
  return (
    <Stack gap="md">
      <div className={classes.days}>
        <TextInput
          type="date"
          label={t('absence.from')}
          value={from}
          min={today}
          error={problems.from}
          onChange={({ currentTarget: { value } }) => {
            setFrom(value);
            // Most absences are one day, and none ends before it begins.
            if (to < value) setTo(value);
          }}
        />
        <TextInput
          type="date"
          label={t('absence.to')}
          value={to}
          min={from}
          error={problems.to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </div>
      <TextInput
        label={t('absence.note')}
        dir="auto"
        maxLength={ABSENCE_NOTE_MAX}
        autoComplete="off"
        value={note}
        error={problems.note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div>
        <Text fw={500} mb="xs">
          {t('absence.why')}
        </Text>
        <div className={classes.reasons}>
          {ABSENCE_REASONS.map((reason) => (
            <Button
              key={reason}
              size="md"
              variant="light"
              disabled={report.isPending}
              onClick={() => report.mutate({ from, to, reason, note }, { onSuccess: onDone })}
            >
              {t(`absence.reason.${reason}`)}
            </Button>
          ))}
        </div>
      </div>
    </Stack>
  );
}

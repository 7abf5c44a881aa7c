/** "Is Omar coming?": asked while a booked child is late; answered by one press, or by a time (decision 051). */
import { isMissed } from '@haris/contract/bookings';
import type { ChildBookings } from '@haris/contract/http/bookings';
import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { IconCalendarQuestion } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBookingFormat } from '../../../bookings/booking-format.ts';
import { useAnnounceArrival, useReportAbsence } from '../../../bookings/queries.ts';
import { serverNow } from '../../../calls/server-clock.ts';
import { Card } from '../../../ui/card.tsx';
import { useOnline } from '../../../ui/use-online.ts';
import { arrivalAt } from '../arrival.ts';
import styles from '../on-my-way.module.css';

const MINUTES = [15, 30, 45, 60] as const;

export interface QuestionsProps {
  bookings: readonly ChildBookings[];
  nameOf: (childId: string) => string;
}

/** Renders nothing while nobody is late. */
export function Questions({ bookings, nameOf }: QuestionsProps) {
  return bookings
    .filter(({ presence }) => isMissed(presence))
    .map((one) => (
      <Question key={`${one.childId} ${one.facility._id}`} bookings={one} name={nameOf(one.childId)} />
    ));
}

function Question({ bookings, name }: { bookings: ChildBookings; name: string }) {
  const { t } = useTranslation('bookings');
  const id = useId();
  const format = useBookingFormat(bookings);
  const isOnline = useOnline();
  const [isLater, setLater] = useState(false);
  const report = useReportAbsence(bookings.childId);
  const { today } = bookings;
  const day = bookings.days[0];
  const expected = day?.arrivesAt ?? day?.startsAt;
  return (
    <Card p="md" component="section" className={styles.announced ?? ''} aria-labelledby={id} mb="md">
      <Group gap="xs" wrap="nowrap">
        <IconCalendarQuestion size={22} className={styles.icon} aria-hidden />
        <Title order={2} fz="lg" id={id}>
          {t('question.title', { name })}
        </Title>
      </Group>
      {expected == null ? null : (
        <Text role="status">{t('question.text', { name, time: format.time(expected) })}</Text>
      )}
      <div className={styles.actions}>
        <Button size="md" aria-expanded={isLater} disabled={!isOnline} onClick={() => setLater(!isLater)}>
          {t('question.later')}
        </Button>
        <Button
          size="md"
          variant="default"
          loading={report.isPending}
          disabled={!isOnline}
          onClick={() => report.mutate({ from: today, to: today, reason: 'other', note: null })}
        >
          {t('question.absent')}
        </Button>
      </div>
      {isOnline ? null : (
        <Text size="sm" c="dimmed" role="status">
          {t('offline')}
        </Text>
      )}
      {isLater ? <LaterForm bookings={bookings} /> : null}
    </Card>
  );
}

function LaterForm({ bookings: { childId, timeZone } }: { bookings: ChildBookings }) {
  const { t } = useTranslation('bookings');
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const announce = useAnnounceArrival(childId);
  function submit(event: FormEvent) {
    event.preventDefault();
    const at = arrivalAt(typed, serverNow(), timeZone);
    if (at === null) setProblem(t('question.noTime'));
    else announce.mutate(at);
  }
  return (
    <>
      <Text fw={500}>{t('question.when')}</Text>
      <div className={styles.minutes}>
        {MINUTES.map((count) => (
          <Button
            key={count}
            size="lg"
            px="xs"
            variant="light"
            disabled={announce.isPending}
            onClick={() => announce.mutate(serverNow() + count * 60_000)}
          >
            {t('question.minutes', { minutes: count })}
          </Button>
        ))}
      </div>
      <form onSubmit={submit} noValidate>
        <div className={styles.at}>
          <TextInput
            type="time"
            label={t('question.at')}
            value={typed}
            error={problem}
            onChange={({ currentTarget }) => {
              setProblem(null);
              setTyped(currentTarget.value);
            }}
          />
          <Button type="submit" variant="default" disabled={typed === ''} loading={announce.isPending}>
            {t('question.send')}
          </Button>
        </div>
      </form>
    </>
  );
}

/** The booked times of the family's children, their absences, and the report of one. */
import type { ChildBookings } from '@haris/contract/http/bookings';
import type { Child } from '@haris/contract/objects';
import { Button, Group, Text, Title } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AbsenceDialog } from '../../../bookings/absence-dialog.tsx';
import { AbsenceList } from '../../../bookings/absence-list.tsx';
import { BookedWeek } from '../../../bookings/booked-week.tsx';
import { Card } from '../../../ui/card.tsx';
import { useOnline } from '../../../ui/use-online.ts';

export interface OwnBookingsProps {
  family: readonly Child[];
  bookings: readonly ChildBookings[];
}

/** Renders nothing until the bookings are known. */
export function OwnBookings({ family, bookings }: OwnBookingsProps) {
  const { t } = useTranslation('bookings');
  const isOnline = useOnline();
  if (bookings.length === 0) return null;
  return (
    <Card component="section" p="md" mt="md" aria-labelledby="bookings-title">
      <Title order={2} fz="lg" id="bookings-title" mb="xs">
        {t('home.title')}
      </Title>
      {family.map((child) => {
        const own = bookings.filter(({ childId }) => childId === child._id);
        return own.map((one) => (
          <OneChild
            key={`${child._id} ${one.facility._id}`}
            child={child}
            bookings={one}
            isOneOfSeveral={own.length > 1}
            isOnline={isOnline}
          />
        ));
      })}
      {isOnline ? null : (
        <Text size="sm" c="dimmed" role="status">
          {t('offline')}
        </Text>
      )}
    </Card>
  );
}

interface OneChildProps {
  child: Child;
  bookings: ChildBookings;
  /** Whether the child goes to several nurseries. */
  isOneOfSeveral: boolean;
  isOnline: boolean;
}

function OneChild({ child, bookings, isOneOfSeveral, isOnline }: OneChildProps) {
  const { t } = useTranslation('bookings');
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const nursery = isOneOfSeveral ? bookings.facility.name : null;
  const isBooked = bookings.patterns.length > 0 || bookings.days.some(({ state }) => state !== 'none');
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mt="sm" mb="xs">
        <Text component="h3" fw={600} id={id} style={{ overflowWrap: 'anywhere' }}>
          {nursery === null ? <bdi>{child.name}</bdi> : t('home.at', { name: child.name, nursery })}
        </Text>
        <Button
          size="sm"
          variant="light"
          leftSection={<IconCalendarOff size={18} aria-hidden />}
          aria-label={t('absence.reportOf', { name: child.name })}
          aria-haspopup="dialog"
          disabled={!isOnline}
          onClick={() => setOpen(true)}
        >
          {t('absence.report')}
        </Button>
      </Group>
      <AbsenceList bookings={bookings} mayChange={isOnline} />
      {isBooked ? (
        <BookedWeek bookings={bookings} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('home.none')}
        </Text>
      )}
      <AbsenceDialog opened={isOpen} onClose={() => setOpen(false)} child={child} today={bookings.today} />
    </section>
  );
}

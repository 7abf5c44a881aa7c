/** The way to what waits below the cards of children inside: they come first, with the time that is left. */
import { isMissed } from '@haris/contract/bookings';
import type { ChildBookings } from '@haris/contract/http/bookings';
import type { Child } from '@haris/contract/objects';
import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toSignQuery } from '../../care-log/queries.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { guardianRequestsQuery } from './guardian-requests.tsx';
import { minuteAt, useRecentReleases } from './releases.tsx';

export interface ThingsBelowProps {
  family: readonly Child[];
  bookings: readonly ChildBookings[];
  onGo: () => void;
}

/** Counts what asks the family for something or tells it of a release. Renders nothing without any. */
export function ThingsBelow({ family, bookings, onGo }: ThingsBelowProps) {
  const { t } = useTranslation('profile');
  const releases = useRecentReleases(useAtTick(minuteAt)) ?? [];
  const { data: waiting = [] } = useQuery(toSignQuery);
  const toSign = family.filter(({ _id }) => waiting.some(({ childId }) => childId === _id));
  const questions = bookings.filter(({ presence }) => isMissed(presence));
  const { data: requests = [] } = useQuery(guardianRequestsQuery);
  const count = requests.length + Number(releases.length > 0) + toSign.length + questions.length;
  if (count === 0) return null;
  return (
    <Button
      size="compact-md"
      variant="light"
      color="saffron"
      rightSection={<IconArrowDown size={16} aria-hidden />}
      onClick={onGo}
    >
      {t('forYou', { count })}
    </Button>
  );
}

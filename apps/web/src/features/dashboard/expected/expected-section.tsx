/** Expected today: who is not here, who is still expected, absent, here, and gone; shown instead of the children inside. */
import type { ExpectedChild } from '@haris/contract/http/bookings';
import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { IconCalendarCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useBookingFormat } from '../../../bookings/booking-format.ts';
import { expectedQuery } from '../../../bookings/queries.ts';
import { useFacility } from '../../../calls/use-facility.ts';
import { ChildLink } from '../../../child/child-link.tsx';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Photo } from '../../../photos/photo.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, ErrorState, PeopleSkeleton } from '../../../ui/states.tsx';
import screen from '../frame/screen.module.css';
import classes from './expected.module.css';
import { type ExpectedGroup, groupExpected } from './group-expected.ts';

export function ExpectedSection({ onShowInside }: { onShowInside: () => void }) {
  const { t } = useTranslation('bookings');
  const { data, isError, isRefetching, refetch } = useQuery(expectedQuery);
  const format = useClockFormat();
  return (
    <Card component="section" p={0} className={screen.inside} aria-labelledby="expected-title">
      <div className={screen.head}>
        <Group justify="space-between" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Title order={2} id="expected-title" fz="h4" className={screen.heading}>
              {t('desk.title')}
            </Title>
            {data === undefined ? null : (
              <Badge variant="light" size="lg" circle={data.expected.length < 10} flex="none">
                {format.count(data.expected.length)}
              </Badge>
            )}
          </Group>
          <Button size="compact-sm" variant="subtle" onClick={onShowInside}>
            {t('desk.showInside')}
          </Button>
        </Group>
      </div>
      {data !== undefined ? (
        <Groups expected={data.expected} timeZone={data.timeZone} />
      ) : isError ? (
        <ErrorState text={t('desk.failed')} onRetry={() => void refetch()} busy={isRefetching} />
      ) : (
        <PeopleSkeleton />
      )}
    </Card>
  );
}

interface GroupsProps {
  expected: readonly ExpectedChild[];
  timeZone: string;
}

function Groups({ expected, timeZone }: GroupsProps) {
  const { t } = useTranslation('bookings');
  const format = useClockFormat();
  if (expected.length === 0)
    return <EmptyState icon={<IconCalendarCheck size={28} />} text={t('desk.empty')} />;
  return groupExpected(expected).map(({ group, children }) => (
    <section key={group} className={classes.group} aria-labelledby={`expected-${group}`}>
      <Text component="h3" size="sm" fw={600} c="dimmed" id={`expected-${group}`} className={classes.title}>
        {t(`desk.group.${group}`)} · {format.count(children.length)}
      </Text>
      <ul className={classes.list}>
        {children.map((one) => (
          <Row key={one.child._id} one={one} group={group} timeZone={timeZone} />
        ))}
      </ul>
    </section>
  ));
}

interface RowProps {
  one: ExpectedChild;
  group: ExpectedGroup;
  timeZone: string;
}

function Row({ one: { child, day, presence }, group, timeZone }: RowProps) {
  const { t } = useTranslation('bookings');
  const region = useFacility()?.region ?? 'EG';
  const format = useBookingFormat({ timeZone, region });
  const { from, to, arrivesAt, absence } = day;
  return (
    <li className={classes.row} data-missing={group === 'missing' || undefined}>
      <Photo name={child.name} path={child.photo} size={40} />
      <div className={classes.who}>
        <Text fw={600} className={classes.name}>
          <ChildLink id={child._id}>
            <bdi>{child.name}</bdi>
          </ChildLink>
        </Text>
        <Text size="sm" c="dimmed" className={classes.name}>
          {from === null || to === null ? null : format.times({ from, to })}
          {arrivesAt === null || absence !== null
            ? null
            : ` · ${t('home.arrives', { time: format.time(arrivesAt) })}`}
          {absence?.note == null ? null : (
            <>
              {' · '}
              <bdi>{absence.note}</bdi>
            </>
          )}
        </Text>
      </div>
      <Badge
        variant={presence === 'missing' ? 'filled' : 'light'}
        color={group === 'missing' ? 'clay' : 'pine'}
        tt="none"
        fw={500}
        flex="none"
      >
        {absence !== null && presence === 'absent'
          ? t(`absence.reason.${absence.reason}`)
          : t(`desk.presence.${presence as ShownPresence}`)}
      </Badge>
    </li>
  );
}

/** A booked child is never `none` or `closed`. */
type ShownPresence = Exclude<ExpectedChild['presence'], 'none' | 'closed'>;

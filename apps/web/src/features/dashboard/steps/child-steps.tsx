/** What to do with a child whom staff have just recognised: its state now, and its one next step. */
import type { ChildBookings } from '@haris/contract/http/bookings';
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child, Parent } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { IconDoorEnter, IconDoorExit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useBookingFormat } from '../../../bookings/booking-format.ts';
import { bookingsOfChildQuery } from '../../../bookings/queries.ts';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { Countdown } from '../../../countdown/countdown.tsx';
import { useIsOver } from '../../../countdown/use-tick.ts';
import { useMay } from '../../../session/may.ts';
import { useLock } from '../../../ui/use-lock.ts';
import { dialogs } from '../dialogs.ts';
import { StatusBadge } from '../families/status-badge.tsx';
import { useCheckOut } from '../hand-over/use-check-out.ts';
import { useLiveChildren } from '../lists/use-live-children.ts';
import { ContactButtons } from '../sheet/people.tsx';
import { useChildSheet } from '../sheet/queries.ts';
import { SheetStates } from '../sheet/sheet-states.tsx';
import { isRefusedOffline } from '../stays/offline.ts';
import classes from './steps.module.css';

/** `id`: of the child. Renders nothing for people who may not see families. */
export function ChildSteps({ id }: { id: string }) {
  return useMay()('families.view') ? <Steps id={id} /> : null;
}

function Steps({ id }: { id: string }) {
  const { t } = useTranslation(['child', 'stays']);
  const sheet = useChildSheet(id);
  useLiveChildren();
  return (
    <SheetStates sheet={sheet} notFound={t('notFound')} notFoundHint={t('notFoundHint')}>
      {({ child, parent, usual }) => (
        <div className={classes.steps}>
          <div className={classes.marks}>
            <StatusBadge child={child} />
            <Countdown
              stay={child}
              label={`${t('stays:timeLeft')} ${child.name}`}
              className={classes.small}
            />
            <UnconfirmedMark of={child} />
          </div>
          <Today childId={child._id} />
          <div className={classes.buttons}>
            <NextStep child={child} parent={parent} usual={usual} />
            <ContactButtons parent={parent} />
          </div>
        </div>
      )}
    </SheetStates>
  );
}

/** What is booked today, or why the child does not come. Nothing where nothing is booked or known. */
function Today({ childId }: { childId: string }) {
  const { data } = useQuery(bookingsOfChildQuery(childId));
  const [bookings] = data ?? [];
  return bookings === undefined ? null : <Day bookings={bookings} />;
}

function Day({ bookings }: { bookings: ChildBookings }) {
  const { t } = useTranslation(['child', 'bookings']);
  const format = useBookingFormat(bookings);
  const day = bookings.days.find(({ date }) => date === bookings.today);
  if (day === undefined || day.state === 'none') return null;
  const { arrivesAt, absence } = day;
  return (
    <Text size="sm">
      {t('steps.today', { day: format.day(day) })}
      {arrivesAt === null || absence !== null
        ? null
        : ` · ${t('bookings:home.arrives', { time: format.time(arrivesAt) })}`}
    </Text>
  );
}

interface NextStepProps {
  child: Child;
  parent: Parent;
  usual: UsualEntry;
}

/** Check-in in Register Entry, or the checkout, which asks who takes the child where the desk must say so. */
function NextStep({ child, parent, usual }: NextStepProps) {
  const mayCheckIn = useMay()('children.check_in');
  if (!mayCheckIn) return null;
  return child.isInside ? (
    <CheckOut child={child} />
  ) : (
    <CheckIn child={child} parent={parent} usual={usual} />
  );
}

function CheckIn({ child, parent, usual }: NextStepProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Button
      leftSection={<IconDoorEnter size={20} className={classes.mirror ?? ''} aria-hidden />}
      aria-label={t('families.checkInOf', { name: child.name })}
      onClick={() => dialogs.checkInOne(parent, child, usual)}
    >
      {t('families.checkIn')}
    </Button>
  );
}

function CheckOut({ child }: { child: Child }) {
  const { t } = useTranslation('dashboard');
  const isOver = useIsOver(child);
  const checkOut = useCheckOut();
  const lock = useLock();

  function leave() {
    if (isRefusedOffline() || !lock.take()) return;
    checkOut.mutate(child, { onSettled: lock.release });
  }

  return (
    <Button
      color={isOver ? 'clay' : 'pine'}
      leftSection={<IconDoorExit size={20} className={classes.mirror ?? ''} aria-hidden />}
      loading={checkOut.isPending}
      aria-label={t('inside.checkoutOf', { name: child.name })}
      onClick={leave}
    >
      {t('inside.checkout')}
    </Button>
  );
}

/** One child inside, as a row or a tile: name, entry time, countdown, and the checkout button. */
import type { CareSign as Sign } from '@haris/contract/http/care';
import type { Child } from '@haris/contract/objects';
import { ActionIcon, Button, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconDoorEnter,
  IconDoorExit,
  IconEye,
  IconPhone,
  IconPrinter,
} from '@tabler/icons-react';
import { memo, useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CareSign } from '../../../care/care-sign.tsx';
import { ChildLink } from '../../../child/child-link.tsx';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { Countdown } from '../../../countdown/countdown.tsx';
import { OverTime } from '../../../countdown/over-time.tsx';
import { dueAt } from '../../../countdown/remaining.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { Photo } from '../../../photos/photo.tsx';
import { useCheckOut } from '../hand-over/use-check-out.ts';
import { OnTheWayMark } from '../on-the-way/on-the-way-mark.tsx';
import { isRefusedOffline } from '../stays/offline.ts';
import { useUndo } from '../undo/undo.ts';
import type { UndoOffer } from '../undo/undo-offers.ts';
import { isDue } from './arrange.ts';
import classes from './inside.module.css';
import { MoreButton } from './more-button.tsx';

export interface InsideRowProps {
  child: Child;
  /** Undefined without allergies, and for people who may not see them. */
  sign: Sign | undefined;
  /** True just after checkout: the row stays in its place without its button. */
  hasLeft: boolean;
  /** Offer to undo the checkout, if this desk made it. */
  offer: UndoOffer | undefined;
  /** A tile says what is needed to check out; a row has room for the rest. */
  isTile: boolean;
  /** Whether this person checks children out, extends stays and prints slips. */
  mayCheckOut: boolean;
  onPrint: (child: Child) => void;
}

type State = 'over' | 'soon' | 'within';

/** Whether the stay is within its time, ends soon or is over; renders again only when that changes. */
function useStayState(child: Child): State {
  return useAtTick(
    useCallback(
      (now: number): State =>
        isDue(child, 'over', now) ? 'over' : isDue(child, 'soon', now) ? 'soon' : 'within',
      [child],
    ),
  );
}

/** Memoised, so that one check-in or checkout renders one row instead of two hundred. */
export const InsideRow = memo(function InsideRow(props: InsideRowProps) {
  const { child, sign, hasLeft, offer, isTile, mayCheckOut, onPrint } = props;
  const { t } = useTranslation('dashboard');
  const { t: stays } = useTranslation('stays');
  const format = useClockFormat();
  const state = useStayState(child);
  const due = dueAt(child);
  const row = useRef<HTMLLIElement>(null);
  const marks = hasLeft ? null : (
    <>
      <OnTheWayMark onMyWay={child.onMyWay} isShort={isTile} />
      <UnconfirmedMark of={child} isShort={isTile} />
    </>
  );
  const parent = (
    <Text size={isTile ? 'xs' : 'sm'} c="dimmed" truncate className={classes.parent} dir="auto">
      {child.parent.name}
    </Text>
  );

  return (
    <li
      ref={row}
      className={classes.row}
      data-state={hasLeft ? 'left' : state}
      data-child={hasLeft ? undefined : child._id}
      tabIndex={-1}
    >
      <div className={classes.photo}>
        <ChildLink id={child._id} isFocusable={false}>
          <Photo name={child.name} path={child.photo} size={isTile ? 38 : 44} />
        </ChildLink>
        {isTile ? <RowSign child={child} sign={sign} most={1} /> : null}
      </div>
      <div className={classes.who}>
        <Text
          fw={600}
          className={classes.name}
          dir="auto"
          {...(isTile ? { size: 'sm', lineClamp: 2, title: child.name } : {})}
        >
          <ChildLink id={child._id}>{child.name}</ChildLink>
        </Text>
        {isTile ? (
          // The marks share the line, so that a tile with one is as low as its neighbours.
          <div className={classes.below}>
            {marks}
            {parent}
          </div>
        ) : (
          parent
        )}
        <Text size="xs" c="dimmed" className={classes.times}>
          <span className={classes.entered}>
            {isTile ? <IconDoorEnter size={14} className={classes.mirror ?? ''} aria-hidden /> : null}
            <span className={isTile ? classes.spoken : undefined}>{t('inside.entered')}</span>
            <time dateTime={child.entryTime ?? ''}>{format.timeOfDay(child.entryTime ?? Number.NaN)}</time>
          </span>
          {due === null || isTile ? null : (
            <span className={classes.entered}>
              {t('inside.due')}{' '}
              <time dateTime={new Date(due).toISOString()}>
                {format.endOfStay(due, Date.parse(child.entryTime ?? ''))}
              </time>
            </span>
          )}
          {child.lastSeen == null || isTile ? null : <Seen lastSeen={child.lastSeen} />}
        </Text>
        {isTile ? null : marks}
      </div>
      {isTile ? null : <RowSign child={child} sign={sign} most={2} />}
      <div className={classes.clock}>
        {hasLeft ? null : <Countdown stay={child} label={`${stays('timeLeft')} ${child.name}`} />}
        {hasLeft ? null : (
          <span className={classes.late}>
            <OverTime stay={child} />
            {state === 'over' ? <CallButton child={child} /> : null}
          </span>
        )}
        {hasLeft || state !== 'soon' ? null : (
          <Text size="xs" fw={600} className={classes.mark}>
            {t('inside.soon')}
          </Text>
        )}
      </div>
      <div className={classes.actions}>
        {hasLeft ? (
          <>
            <Text size="sm" fw={600} c="var(--mantine-color-anchor)" className={classes.done}>
              {isTile ? null : <IconCheck size={18} aria-hidden />} {t('inside.left')}
            </Text>
            {offer?.isOpen ? <UndoButton child={child} offer={offer} isTile={isTile} /> : null}
          </>
        ) : mayCheckOut ? (
          <>
            {isTile ? null : (
              <ActionIcon
                size={36}
                variant="subtle"
                color="gray"
                className={classes.print ?? ''}
                aria-label={t('inside.printSlipOf', { name: child.name })}
                title={t('inside.printSlip')}
                onClick={() => onPrint(child)}
              >
                <IconPrinter size={20} stroke={1.75} aria-hidden />
              </ActionIcon>
            )}
            <MoreButton child={child} onPrint={onPrint} />
            <CheckOutButton child={child} isTile={isTile} focusAfter={() => row.current?.focus()} />
          </>
        ) : null}
      </div>
    </li>
  );
});

/** Calls the parent of a child who is over time; nothing without a phone, and for who may not see families. */
function CallButton({ child: { name, parent } }: { child: Child }) {
  const { t } = useTranslation('dashboard');
  if (parent.phone == null) return null;
  return (
    <a
      className={classes.call}
      href={`tel:${parent.phone}`}
      aria-label={t('inside.callAbout', { parent: parent.name, child: name })}
      title={parent.phone}
    >
      <IconPhone size={18} stroke={1.75} aria-hidden />
    </a>
  );
}

/** The allergies: below the photo of a tile, beside the clock of a row. */
function RowSign({ child, sign, most }: { child: Child; sign: Sign | undefined; most: number }) {
  if (sign === undefined) return null;
  return (
    <span className={classes.care}>
      <CareSign child={{ id: child._id, name: child.name }} sign={sign} most={most} />
    </span>
  );
}

/** The place and time at which a camera last saw the child. */
function Seen({ lastSeen }: { lastSeen: NonNullable<Child['lastSeen']> }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  return (
    <span className={classes.seen}>
      <IconEye size={14} aria-hidden />
      <span className={classes.seenIn}>
        <span className={classes.seenWord}>{t('inside.seen')}</span> <bdi>{lastSeen.area}</bdi>
      </span>
      <time dateTime={lastSeen.at}>{format.timeOfDay(lastSeen.at)}</time>
    </span>
  );
}

function UndoButton({ child, offer, isTile }: { child: Child; offer: UndoOffer; isTile: boolean }) {
  const { t } = useTranslation('dashboard');
  const undo = useUndo();
  return (
    <Button
      size={isTile ? 'compact-sm' : 'sm'}
      variant="default"
      leftSection={<IconArrowBackUp size={18} aria-hidden />}
      aria-label={t('undo.checkoutOf', { name: child.name })}
      aria-keyshortcuts="Control+Z"
      onClick={() => undo(offer)}
    >
      {t('undo.action')}
    </Button>
  );
}

interface CheckOutButtonProps {
  child: Child;
  isTile: boolean;
  /** Moves focus off the disappearing button, never to another one: a held Enter would press it. */
  focusAfter: () => void;
}

function CheckOutButton({ child, isTile, focusAfter }: CheckOutButtonProps) {
  const { t } = useTranslation('dashboard');
  const checkOut = useCheckOut();
  const isUnderWay = useRef(false);

  function press() {
    // A ref, because state would update too late for the second tap of a double tap.
    if (isUnderWay.current || isRefusedOffline()) return;
    isUnderWay.current = true;
    focusAfter();
    checkOut.mutate(child, {
      onSettled: () => {
        isUnderWay.current = false;
      },
    });
  }

  return (
    <Button
      size={isTile ? 'compact-xs' : 'sm'}
      {...(isTile ? {} : { fz: 'sm' })}
      variant="light"
      leftSection={
        isTile ? undefined : <IconDoorExit size={18} className={classes.mirror ?? ''} aria-hidden />
      }
      loading={checkOut.isPending}
      aria-label={t('inside.checkoutOf', { name: child.name })}
      onClick={press}
      className={classes.checkout}
    >
      {t('inside.checkout')}
    </Button>
  );
}

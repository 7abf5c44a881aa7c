/** One child inside, as a row or a tile: name, entry time, countdown, and the checkout button. */
import type { CareSign as Sign } from '@haris/contract/http/care';
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { IconDoorEnter, IconEye, IconPhone } from '@tabler/icons-react';
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
import { OnTheWayMark } from '../on-the-way/on-the-way-mark.tsx';
import type { UndoOffer } from '../undo/undo-offers.ts';
import { isDue } from './arrange.ts';
import classes from './inside.module.css';
import { CheckedOut, RowButtons } from './row-actions.tsx';

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
  const state = useStayState(child);
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
        <Times child={child} isTile={isTile} />
        {isTile ? null : marks}
      </div>
      {isTile ? null : <RowSign child={child} sign={sign} most={2} />}
      <div className={classes.clock}>{hasLeft ? null : <TimeLeft child={child} state={state} />}</div>
      <div className={classes.actions}>
        {hasLeft ? (
          <CheckedOut child={child} offer={offer} isTile={isTile} />
        ) : mayCheckOut ? (
          <RowButtons
            child={child}
            isTile={isTile}
            onPrint={onPrint}
            focusAfter={() => row.current?.focus()}
          />
        ) : null}
      </div>
    </li>
  );
});

/** When the child came in and is due to leave, and where a camera last saw it; a tile has room for the first only. */
function Times({ child, isTile }: { child: Child; isTile: boolean }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const due = dueAt(child);
  return (
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
  );
}

/** The time left, and what is said of a stay that ends soon or is over. */
function TimeLeft({ child, state }: { child: Child; state: State }) {
  const { t } = useTranslation('dashboard');
  const { t: stays } = useTranslation('stays');
  return (
    <>
      <Countdown stay={child} label={`${stays('timeLeft')} ${child.name}`} />
      <span className={classes.late}>
        <OverTime stay={child} />
        {state === 'over' ? <CallButton child={child} /> : null}
      </span>
      {state === 'soon' ? (
        <Text size="xs" fw={600} className={classes.mark}>
          {t('inside.soon')}
        </Text>
      ) : null}
    </>
  );
}

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

/** One child in the monitored area: who, since when, how long yet, and the way out. */
import type { Child } from '@haris/contract/objects';
import { ActionIcon, Button, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconDoorExit,
  IconEye,
  IconEyeOff,
  IconPrinter,
} from '@tabler/icons-react';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../client/photo.tsx';
import { Countdown } from '../../countdown/countdown.tsx';
import { dueAt } from '../../countdown/remaining.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useIsOver } from '../../countdown/use-tick.ts';
import classes from './inside.module.css';
import { isRefusedOffline } from './offline.ts';
import { useCheckOut } from './stay-actions.ts';
import { useUndo } from './undo.ts';
import type { UndoOffer } from './undo-offers.ts';

export interface InsideRowProps {
  child: Child;
  /** Checked out a moment ago: the row stays in its place without its button. */
  hasLeft: boolean;
  /** The way back, where this desk checked the child out. */
  offer: UndoOffer | undefined;
  onPrint: (child: Child) => void;
}

/** Memoised: one that comes or goes draws one row, not two hundred. */
export const InsideRow = memo(function InsideRow({ child, hasLeft, offer, onPrint }: InsideRowProps) {
  const { t } = useTranslation('dashboard');
  const { t: stays } = useTranslation('stays');
  const format = useClockFormat();
  const isOver = useIsOver(child);
  const due = dueAt(child);
  const row = useRef<HTMLLIElement>(null);

  return (
    <li
      ref={row}
      className={classes.row}
      data-over={(isOver && !hasLeft) || undefined}
      data-left={hasLeft || undefined}
      tabIndex={-1}
    >
      <div className={classes.photo}>
        <Photo name={child.name} path={child.photo} size={44} />
      </div>
      <div className={classes.who}>
        <Text fw={600} className={classes.name} dir="auto">
          {child.name}
        </Text>
        <Text size="sm" c="dimmed" truncate className={classes.name} dir="auto">
          {child.parent.name}
        </Text>
        <Text size="xs" c="dimmed" className={classes.times}>
          <span>
            {t('inside.entered')}{' '}
            <time dateTime={child.entryTime ?? ''}>{format.timeOfDay(child.entryTime ?? Number.NaN)}</time>
          </span>
          {due === null ? null : (
            <span>
              {t('inside.due')} <time dateTime={new Date(due).toISOString()}>{format.timeOfDay(due)}</time>
            </span>
          )}
        </Text>
      </div>
      {child.lastSeen === undefined ? null : <Seen lastSeen={child.lastSeen} />}
      <div className={classes.clock}>
        {hasLeft ? null : <Countdown stay={child} label={`${stays('timeLeft')} ${child.name}`} />}
        {isOver && !hasLeft ? (
          <Text size="xs" fw={600} c="var(--mantine-color-error)">
            {stays('timesUp')}
          </Text>
        ) : null}
      </div>
      <div className={classes.actions}>
        {hasLeft ? (
          <>
            <Text size="sm" fw={600} c="var(--mantine-color-anchor)" className={classes.done}>
              <IconCheck size={18} aria-hidden /> {t('inside.left')}
            </Text>
            {offer?.isOpen ? <UndoButton child={child} offer={offer} /> : null}
          </>
        ) : (
          <>
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={t('inside.printSlipOf', { name: child.name })}
              title={t('inside.printSlip')}
              onClick={() => onPrint(child)}
            >
              <IconPrinter size={20} stroke={1.75} aria-hidden />
            </ActionIcon>
            <CheckOutButton child={child} isOver={isOver} focusAfter={() => row.current?.focus()} />
          </>
        )}
      </div>
    </li>
  );
});

/** A line of its own from the start, so that the rows stay where they are when a camera sees somebody. */
function Seen({ lastSeen }: { lastSeen: NonNullable<Child['lastSeen']> | null }) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  return (
    <Text size="xs" c="dimmed" component="div" className={classes.seen}>
      {lastSeen === null ? (
        <>
          <IconEyeOff size={14} aria-hidden />
          {t('inside.notSeen')}
        </>
      ) : (
        <>
          <IconEye size={14} aria-hidden />
          <span className={classes.seenIn}>
            {t('inside.seen')} <bdi>{lastSeen.area}</bdi>
          </span>
          <time dateTime={lastSeen.at}>{format.timeOfDay(lastSeen.at)}</time>
        </>
      )}
    </Text>
  );
}

function UndoButton({ child, offer }: { child: Child; offer: UndoOffer }) {
  const { t } = useTranslation('dashboard');
  const undo = useUndo();
  return (
    <Button
      size="sm"
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
  isOver: boolean;
  /** Takes the focus when the button goes away under it: never another button, which a held Enter would press. */
  focusAfter: () => void;
}

function CheckOutButton({ child, isOver, focusAfter }: CheckOutButtonProps) {
  const { t } = useTranslation('dashboard');
  const checkOut = useCheckOut();
  const isUnderWay = useRef(false);

  function press() {
    // State is too late for the second tap of a double tap.
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
      size="sm"
      variant={isOver ? 'filled' : 'light'}
      color={isOver ? 'clay' : 'pine'}
      leftSection={<IconDoorExit size={18} className={classes.mirror ?? ''} aria-hidden />}
      loading={checkOut.isPending}
      aria-label={t('inside.checkoutOf', { name: child.name })}
      onClick={press}
      className={classes.checkout}
    >
      {t('inside.checkout')}
    </Button>
  );
}

/** The buttons of a child inside, as a row or a tile, and what takes their place after the checkout. */
import type { Child } from '@haris/contract/objects';
import { ActionIcon, Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconDoorExit, IconPrinter } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckOut } from '../hand-over/use-check-out.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { useUndo } from '../undo/undo.ts';
import type { UndoOffer } from '../undo/undo-offers.ts';
import classes from './inside.module.css';
import { MoreButton } from './more-button.tsx';

export interface CheckedOutProps {
  child: Child;
  /** Offer to undo the checkout, if this desk made it. */
  offer: UndoOffer | undefined;
  isTile: boolean;
}

/** Says that the child has left; offers to undo it while that is possible. */
export function CheckedOut({ child, offer, isTile }: CheckedOutProps) {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <Text size="sm" fw={600} c="var(--mantine-color-anchor)" className={classes.done}>
        {isTile ? null : <IconCheck size={18} aria-hidden />} {t('inside.left')}
      </Text>
      {offer?.isOpen ? <UndoButton child={child} offer={offer} isTile={isTile} /> : null}
    </>
  );
}

export interface RowButtonsProps extends CheckOutButtonProps {
  onPrint: (child: Child) => void;
}

/** What can be done with the child: print its slip, extend or move, check out. A tile prints from the menu. */
export function RowButtons({ child, isTile, onPrint, focusAfter }: RowButtonsProps) {
  const { t } = useTranslation('dashboard');
  return (
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
      <CheckOutButton child={child} isTile={isTile} focusAfter={focusAfter} />
    </>
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

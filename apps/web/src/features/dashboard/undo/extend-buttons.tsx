/** Buttons that extend a stay: by half an hour, by an hour, or to a time of day. */
import type { Child } from '@haris/contract/objects';
import { Button, Popover } from '@mantine/core';
import { IconClockPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dueAt } from '../../../countdown/remaining.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { useLock } from '../../../ui/use-lock.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import classes from './extend.module.css';
import { UntilForm } from './until-form.tsx';
import { type Extension, useExtend } from './use-extend.ts';

const STEPS = [30, 60] as const;
const MINUTE_MS = 60_000;

export interface ExtendButtonsProps {
  child: Child;
  /**
   * The form for a time of day: opened by a button of its own, or shown below the buttons if they are already in a
   * popover.
   */
  until?: 'button' | 'form';
  /** Called when an extension has been sent. */
  onSent?: () => void;
}

/** Renders nothing while the child is outside. Each button names the new end to screen readers and on hover. */
export function ExtendButtons({ child, until = 'button', onSent }: ExtendButtonsProps) {
  const { t } = useTranslation('child');
  const format = useClockFormat();
  const extend = useExtend();
  const lock = useLock();
  const due = dueAt(child);
  // Once the stay is over, the minutes count from now. For the label, now is rounded to the minute.
  const from = useAtTick(
    useCallback(
      (now: number) => (due === null || due > now ? due : Math.ceil(now / MINUTE_MS) * MINUTE_MS),
      [due],
    ),
  );
  if (from === null) return null;

  function send(by: Extension) {
    if (isRefusedOffline() || !lock.take()) return;
    extend.mutate({ child, by }, { onSettled: lock.release });
    onSent?.();
  }

  return (
    <>
      <fieldset className={classes.buttons} aria-label={t('extend.label', { name: child.name })}>
        {STEPS.map((minutes, index) => {
          const time = format.endOfStay(from + minutes * MINUTE_MS, Date.parse(child.entryTime ?? ''));
          return (
            <Button
              key={minutes}
              size="sm"
              variant="light"
              aria-label={t('extend.by', { minutes, time })}
              title={t('extend.until', { time })}
              data-busy={extend.isPending || undefined}
              data-autofocus={(until === 'form' && index === 0) || undefined}
              // The second click of a double click would extend again once the first one is answered.
              onClick={({ detail }) => (detail > 1 ? undefined : send({ minutes }))}
            >
              {t('extend.short', { minutes })}
            </Button>
          );
        })}
        {until === 'button' ? <UntilButton onChoose={(moment) => send({ until: moment })} /> : null}
      </fieldset>
      {until === 'form' ? <ExtendUntil onChoose={(moment) => send({ until: moment })} /> : null}
    </>
  );
}

function ExtendUntil({
  onChoose,
  hasFocus = false,
}: {
  onChoose: (until: string) => void;
  hasFocus?: boolean;
}) {
  const { t } = useTranslation('child');
  return (
    <UntilForm
      label={t('extend.time')}
      hint={t('extend.timeHint')}
      submit={t('extend.submit')}
      onChoose={onChoose}
      hasFocus={hasFocus}
    />
  );
}

function UntilButton({ onChoose }: { onChoose: (until: string) => void }) {
  const { t } = useTranslation('child');
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconClockPlus size={18} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen((open) => !open)}
        >
          {t('extend.toTime')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown data-mantine-stop-propagation>
        <ExtendUntil
          hasFocus
          onChoose={(until) => {
            setOpen(false);
            onChoose(until);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

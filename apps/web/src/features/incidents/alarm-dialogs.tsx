/** The alarms that nobody has acknowledged yet: a dialog each, all to be seen at once, above whatever else is open. */

import type { IncidentKind } from '@haris/contract/incident-kinds';
import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { markDocumentTitle } from '../../ui/document-title.ts';
import classes from './alarm-dialogs.module.css';
import { soundAlarm } from './alarm-sound.ts';
import { INCIDENT_ICONS } from './incident-icons.ts';

export interface ShownAlarm {
  readonly key: string;
  readonly kind: IncidentKind;
  readonly title: string;
  /** What was measured, and where. */
  readonly text: string;
  /** What has changed since: the air is good again. */
  readonly change: string | null;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface AlarmDialogsProps {
  alarms: readonly ShownAlarm[];
  onAcknowledge: (key: string) => void;
}

/** Sounds, marks the tab's title and keeps the page behind it out of reach until the last one is acknowledged. */
export function AlarmDialogs({ alarms, onAcknowledge }: AlarmDialogsProps) {
  const { t } = useTranslation('incidents');
  const format = useClockFormat();
  const frame = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  const isOpen = alarms.length > 0;

  useEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    frame.current?.showModal();
    // Not on a button: the Enter of a form or of a scanner must not acknowledge what nobody has read.
    heading.current?.focus();
    const silence = soundAlarm();
    return () => {
      silence();
      frame.current?.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, [isOpen]);

  useEffect(() => {
    markDocumentTitle(alarms.length === 0 ? '' : `(${format.count(alarms.length)}) `);
  }, [alarms.length, format]);
  useEffect(() => () => markDocumentTitle(''), []);

  return (
    <dialog
      ref={frame}
      className={classes.frame}
      aria-label={t('dialogs.label')}
      // Only acknowledging closes an alarm; browsers close a dialog at a second Escape whatever the page says.
      onCancel={(event) => event.preventDefault()}
      onClose={() => {
        if (isOpen && frame.current?.open === false) frame.current.showModal();
      }}
    >
      <Title order={2} ref={heading} tabIndex={-1} className={classes.heading ?? ''}>
        {t('dialogs.count', { count: alarms.length })}
      </Title>
      <VisuallyHidden role="alert">
        {alarms.map(({ key, title, text }) => (
          <p key={key}>{`${title}. ${text}`}</p>
        ))}
      </VisuallyHidden>
      {alarms.map((alarm) => (
        <Alarm key={alarm.key} alarm={alarm} onAcknowledge={() => onAcknowledge(alarm.key)} />
      ))}
    </dialog>
  );
}

function Alarm({ alarm, onAcknowledge }: { alarm: ShownAlarm; onAcknowledge: () => void }) {
  const { t } = useTranslation('incidents');
  const format = useClockFormat();
  const id = useId();
  const Icon = INCIDENT_ICONS[alarm.kind];
  return (
    <section
      className={classes.alarm}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <span className={classes.icon} aria-hidden="true">
        <Icon size={30} />
      </span>
      <div className={classes.words}>
        <Title order={3} fz="lg" id={`${id}-title`}>
          {alarm.title}
        </Title>
        <div id={`${id}-text`}>
          <Text className={classes.text ?? ''}>{alarm.text}</Text>
          <Text size="sm" c="dimmed">
            {t('dialogs.since', { time: format.timeOfDay(alarm.since) })}
          </Text>
          {alarm.change === null ? null : (
            <Text size="sm" fw={500} className={classes.change ?? ''}>
              <IconCheck size={16} aria-hidden /> {alarm.change}
            </Text>
          )}
        </div>
      </div>
      <Button
        className={classes.acknowledge ?? ''}
        color="clay"
        onClick={onAcknowledge}
        aria-describedby={`${id}-title`}
      >
        {t('acknowledge')}
      </Button>
    </section>
  );
}

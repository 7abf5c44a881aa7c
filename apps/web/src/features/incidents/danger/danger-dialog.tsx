/**
 * All dangers in one dialog above everything else, with the button that starts an evacuation. It demands no answer;
 * Escape minimises it into the banner.
 */
import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconChevronUp, IconVolumeOff } from '@tabler/icons-react';
import { type ComponentType, type RefObject, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { useMay } from '../../../session/may.ts';
import { startSound, useSoundLocked } from '../../../ui/alarm-sound.ts';
import { INCIDENT_ICONS } from '../incident-icons.ts';
import { BarredDetails } from './barred-details.tsx';
import classes from './danger-dialog.module.css';
import { DoubtfulDetails } from './doubtful-details.tsx';
import { EmergencyCalls } from './emergency-calls.tsx';
import { EvacuateInDialog } from './evacuate-in-dialog.tsx';
import { MissingDetails } from './missing-details.tsx';
import { RoomPeople } from './room-people.tsx';
import { type AirDanger, isInAir, type ShownDanger } from './shown-danger.ts';

/** Parts of the dialog that come from other features; app/ joins them. */
export interface DangerParts {
  /** The live pictures of a room's cameras, for staff. */
  Pictures: ComponentType<{ area: string | null }>;
  /** The value now and its age. */
  Reading: ComponentType<{ area: string | null; kind: AirDanger['kind'] }>;
}

export interface DangerDialogProps extends DangerParts {
  dangers: readonly ShownDanger[];
  isStaff: boolean;
  onAcknowledge: (key: string) => void;
  onMinimise: () => void;
}

/** Names of the sections of dangers that are in no room. */
const LABELS = {
  missing_child: 'missing.label',
  barred_person: 'barred.label',
  doubtful_release: 'doubtful.label',
  unknown: 'unknown.label',
} as const;

/** In the order in which they are shown. */
const IN_NO_ROOM = ['missing_child', 'barred_person', 'doubtful_release', 'unknown'] as const;

/** Opens the dialog with the page, and gives the focus back to what had it before. */
function useOpenFrame() {
  const frame = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const dialog = frame.current;
    dialog?.showModal();
    // The heading gets the focus, not a button: an Enter from a form or a scanner must not acknowledge an unread
    // danger.
    heading.current?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return { frame, heading };
}

interface HeadProps {
  heading: RefObject<HTMLHeadingElement | null>;
  count: number;
  /** Whether this person's device should sound. */
  hasSound: boolean;
  onMinimise: () => void;
}

function Head({ heading, count, hasSound, onMinimise }: HeadProps) {
  const { t } = useTranslation('emergency');
  const isLocked = useSoundLocked();
  return (
    <header className={classes.head}>
      <Title order={2} ref={heading} tabIndex={-1} className={classes.heading ?? ''}>
        {t('dialog.count', { count })}
      </Title>
      <Button
        variant="white"
        color="clay"
        size="compact-md"
        leftSection={<IconChevronUp size={18} aria-hidden />}
        onClick={onMinimise}
      >
        {t('dialog.minimise')}
      </Button>
      {hasSound && isLocked ? (
        <Text size="sm" className={classes.locked ?? ''}>
          <IconVolumeOff size={16} aria-hidden /> {t('dialog.locked')}
        </Text>
      ) : null}
    </header>
  );
}

/** Mounted while it is open. Plays the sound until each danger in it is acknowledged. */
export function DangerDialog({
  dangers,
  isStaff,
  onAcknowledge,
  onMinimise,
  Pictures,
  Reading,
}: DangerDialogProps) {
  const { t } = useTranslation('emergency');
  const { frame, heading } = useOpenFrame();
  const inAir = dangers.filter(isInAir);
  const others = IN_NO_ROOM.flatMap((kind) => {
    const list = dangers.filter((danger) => danger.kind === kind);
    return list.length === 0 ? [] : [{ kind, list }];
  });
  const hasSound = dangers.some(({ isAnswered }) => !isAnswered);

  useEffect(() => (hasSound ? startSound() : undefined), [hasSound]);

  const cardOf = (danger: ShownDanger) => (
    <DangerCard
      key={danger.key}
      Reading={Reading}
      danger={danger}
      isStaff={isStaff}
      onAcknowledge={() => onAcknowledge(danger.key)}
      onMinimise={onMinimise}
    />
  );

  return (
    <dialog
      ref={frame}
      className={classes.frame}
      aria-label={t('dialog.label')}
      data-staff={isStaff || undefined}
      onCancel={(event) => {
        event.preventDefault();
        onMinimise();
      }}
      onClose={() => {
        // Browsers close a dialog at a second Escape, whatever `onCancel` says.
        if (frame.current?.isConnected && !frame.current.open) onMinimise();
      }}
    >
      <Head heading={heading} count={dangers.length} hasSound={isStaff && hasSound} onMinimise={onMinimise} />
      <VisuallyHidden role="alert">
        {dangers.map(({ key, title, text }) => (
          <p key={key}>{`${title}. ${text}`}</p>
        ))}
      </VisuallyHidden>
      <div className={classes.dangers}>
        {others.map(({ kind, list }) => (
          <section key={kind} className={classes.room} aria-label={t(LABELS[kind])}>
            <div className={classes.cards}>{list.map(cardOf)}</div>
          </section>
        ))}
        {byRoom(inAir).map(({ area, list }) => (
          <section key={area ?? ''} className={classes.room} aria-label={area ?? t('dialog.label')}>
            <div className={classes.cards}>{list.map(cardOf)}</div>
            {isStaff ? (
              <>
                <Pictures area={area} />
                <Allowed to="incidents.view">
                  <RoomPeople area={area} />
                </Allowed>
              </>
            ) : (
              <Text>{t('parents.calm')}</Text>
            )}
          </section>
        ))}
      </div>
      {isStaff ? (
        <footer className={classes.foot}>
          <Allowed to="evacuation.run">
            <EvacuateInDialog />
          </Allowed>
          <EmergencyCalls hasPolice={others.length > 0} />
        </footer>
      ) : null}
    </dialog>
  );
}

/** The dangers by room, in the order of their first: a fire and its smoke share the room's picture and its people. */
function byRoom(dangers: readonly AirDanger[]) {
  const rooms = new Map<string | null, AirDanger[]>();
  for (const danger of dangers) rooms.set(danger.area, [...(rooms.get(danger.area) ?? []), danger]);
  return [...rooms].map(([area, list]) => ({ area, list }));
}

interface DangerCardProps extends Pick<DangerParts, 'Reading'> {
  danger: ShownDanger;
  isStaff: boolean;
  onAcknowledge: () => void;
  onMinimise: () => void;
}

function DangerCard({ danger, isStaff, onAcknowledge, onMinimise, Reading }: DangerCardProps) {
  const { t } = useTranslation('emergency');
  // Parents close the danger for themselves.
  const mayAcknowledge = useMay()('incidents.acknowledge') || !isStaff;
  const format = useClockFormat();
  const id = useId();
  const Icon = INCIDENT_ICONS[danger.kind];
  return (
    <section
      className={classes.danger}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
    >
      <span className={classes.icon} aria-hidden="true">
        <Icon size={28} />
      </span>
      <div className={classes.words}>
        <Title order={3} fz="lg" id={`${id}-title`}>
          {danger.title}
        </Title>
        <div id={`${id}-text`}>
          <Text className={classes.text ?? ''}>{danger.text}</Text>
          {!isInAir(danger) || danger.change === null ? null : (
            <Text size="sm" fw={500} className={classes.change ?? ''}>
              <IconCheck size={16} aria-hidden /> {danger.change}
            </Text>
          )}
        </div>
        <Text size="sm" c="dimmed">
          {t('dialog.since', { time: format.timeOfDay(danger.since) })}
        </Text>
        {danger.kind === 'barred_person' ? (
          <BarredDetails danger={danger} onMinimise={onMinimise} />
        ) : danger.kind === 'missing_child' ? (
          <MissingDetails danger={danger} onMinimise={onMinimise} />
        ) : danger.kind === 'doubtful_release' ? (
          <DoubtfulDetails danger={danger} onMinimise={onMinimise} />
        ) : danger.kind === 'unknown' ? null : (
          <Reading area={danger.area} kind={danger.kind} />
        )}
      </div>
      {danger.isAnswered ? (
        <Text size="sm" fw={500} className={classes.answered ?? ''}>
          {danger.answeredBy === null ? t('acknowledged') : t('acknowledgedBy', { name: danger.answeredBy })}
        </Text>
      ) : mayAcknowledge ? (
        <Button
          className={classes.acknowledge ?? ''}
          variant={isStaff ? 'default' : 'filled'}
          color="clay"
          onClick={onAcknowledge}
          aria-describedby={`${id}-title`}
        >
          {t('acknowledge')}
        </Button>
      ) : null}
    </section>
  );
}

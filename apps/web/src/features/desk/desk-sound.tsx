/** The sound of a danger on the tablet without a sign-in: its choice in the settings, its silence, and why there is none. */
import { Button, Stack, Switch } from '@mantine/core';
import { IconBellOff, IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  listenForFirstTouch,
  SOUND_MS,
  startSound,
  testSound,
  useSoundLocked,
} from '../../ui/alarm-sound.ts';
import styles from './desk.module.css';
import type { Desk } from './desk-calls.ts';

/** Leaves the device with its pairing (tablet/paired-device.ts). */
const CHOICE_KEY = 'haris.desk.sound';

function isPhone(): boolean {
  return matchMedia('(max-width: 30em)').matches || matchMedia('(max-height: 30em)').matches;
}

/** Whether this device sounds; until somebody has chosen, a tablet does and a phone does not. */
export function useSoundChoice(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => {
    try {
      return (localStorage.getItem(CHOICE_KEY) ?? (isPhone() ? 'off' : 'on')) === 'on';
    } catch {
      return !isPhone();
    }
  });
  return [
    isOn,
    (next) => {
      setOn(next);
      try {
        localStorage.setItem(CHOICE_KEY, next ? 'on' : 'off');
      } catch {
        // Without storage, the choice lasts as long as the page.
      }
    },
  ];
}

/** Dangers by kind and room, or the evacuation, each with the moment when the newest one began; '' if it is not known. */
type Causes = ReadonlyMap<string, string>;

/** What has been silenced, up to which moment, also while somebody is signed in and this screen is gone. */
let silencedBefore: Causes = new Map();

export interface DeskAlarm {
  readonly isSounding: boolean;
  /** Ends the sound of what is open now; a new danger sounds again. */
  readonly silence: () => void;
}

/** Sounds while there is a danger or an evacuation that nobody has silenced. `desk` is null until it is known. */
export function useDeskAlarm(desk: Desk | null, isOn: boolean): DeskAlarm {
  useEffect(listenForFirstTouch, []);
  const [silenced, setSilenced] = useState(silencedBefore);
  const causes: Causes = desk === null ? new Map() : causesOf(desk);
  const change = (next: Causes) => {
    silencedBefore = next;
    setSilenced(next);
  };
  // What is over sounds again when it comes back.
  const rest = new Map([...silenced].filter(([cause]) => causes.has(cause)));
  const isOver = desk !== null && rest.size < silenced.size;
  useEffect(() => {
    if (isOver) change(rest);
  });
  // A newer one of the same kind sounds; an older one that is left when the newer is over does not.
  const isNew = ([cause, since]: [string, string]) => {
    const until = silenced.get(cause);
    return until === undefined || since > until;
  };
  const silence = () =>
    change(
      new Map(
        [...causes].map((one): [string, string] => (isNew(one) ? one : [one[0], silenced.get(one[0]) ?? ''])),
      ),
    );
  const isSounding = isOn && [...causes].some(isNew);
  useEffect(() => (isSounding ? startSound() : undefined), [isSounding]);
  const onLong = useEffectEvent(silence);
  const all = JSON.stringify([...causes]);
  // The tablet does not know who acknowledged a danger elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new danger sounds for its whole time
  useEffect(() => {
    if (!isSounding) return;
    const timer = setInterval(onLong, SOUND_MS);
    return () => clearInterval(timer);
  }, [isSounding, all]);
  return { isSounding, silence };
}

function causesOf({ dangers, evacuatingSince }: Desk): Map<string, string> {
  const causes = new Map(
    dangers.map(({ kind, area, since }): [string, string] => [`${kind} ${area ?? ''}`, since ?? '']),
  );
  if (evacuatingSince !== null) causes.set('evacuation', evacuatingSince);
  return causes;
}

export interface DeskSoundProps {
  isOn: boolean;
  alarm: DeskAlarm;
}

/** Silences the sound, or says why there would be none. */
export function DeskSound({ isOn, alarm }: DeskSoundProps) {
  const { t } = useTranslation('desk');
  const isLocked = useSoundLocked();
  return (
    <div className={styles.sound}>
      <p role="status">
        {isOn && !isLocked ? null : (
          <>
            <IconVolumeOff size={20} aria-hidden />
            {t(isOn ? 'sound.locked' : 'sound.off')}
          </>
        )}
      </p>
      {alarm.isSounding ? (
        <Button
          size="lg"
          color="clay"
          leftSection={<IconBellOff size={22} aria-hidden />}
          onClick={alarm.silence}
        >
          {t('sound.silence')}
        </Button>
      ) : null}
    </div>
  );
}

export interface SoundSettingsProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Whether this tablet sounds, and how that is. */
export function SoundSettings({ isOn, onChange }: SoundSettingsProps) {
  const { t } = useTranslation('desk');
  return (
    <Stack gap="sm" align="flex-start">
      <Switch
        label={t('sound.choice')}
        description={t('sound.hint')}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Button
        variant="default"
        leftSection={<IconVolume size={18} aria-hidden />}
        onClick={() => void testSound()}
      >
        {t('sound.test')}
      </Button>
    </Stack>
  );
}

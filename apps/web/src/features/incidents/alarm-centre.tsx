/** Alarms of whoever is signed in, on every screen: checks the air itself and opens a dialog for each. */
import type { ReadingMessage } from '@haris/contract/live/readings';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../client/server-clock.ts';
import { AIR_CHECKS, type AirAlarms, type AirKind, acknowledgeAir, checkAir } from './air-check.ts';
import { AlarmDialogs, type ShownAlarm } from './alarm-dialogs.tsx';
import { listenForFirstTouch } from './alarm-sound.ts';
import { useMeasure } from './use-measure.ts';

const NO_ALARMS: AirAlarms = new Map();
const KINDS: readonly AirKind[] = ['temperature', 'air'];

export interface AlarmCentreProps {
  /** The latest of each sensor. */
  readings: () => Iterable<ReadingMessage>;
  /** Whether this person hears of the air. */
  isWatching: boolean;
}

/** The page's own checks, every 8 and every 12 seconds (spec §4). */
function useAirAlarms({ readings, isWatching }: AlarmCentreProps) {
  const [alarms, setAlarms] = useState(NO_ALARMS);
  useEffect(() => {
    if (!isWatching) {
      setAlarms(NO_ALARMS);
      return;
    }
    const timers = KINDS.map((kind) => {
      const check = () => setAlarms((known) => checkAir(known, kind, readings(), serverNow()));
      return setInterval(check, AIR_CHECKS[kind].everyMs);
    });
    return () => timers.forEach(clearInterval);
  }, [readings, isWatching]);
  return { alarms, acknowledge: (key: string) => setAlarms((known) => acknowledgeAir(known, key)) };
}

export default function AlarmCentre(props: AlarmCentreProps) {
  const { t } = useTranslation('incidents');
  const measure = useMeasure();
  const air = useAirAlarms(props);
  useEffect(listenForFirstTouch, []);
  const shown = useMemo(
    () =>
      [...air.alarms].flatMap(([key, { kind, area, value, since, isAcknowledged, isOver }]): ShownAlarm[] => {
        if (isAcknowledged) return [];
        const words = { area, value: measure(kind, value), limit: measure(kind, AIR_CHECKS[kind].from) };
        return [
          {
            key,
            kind,
            title: t(`kind.${kind}`),
            text: t(isOver ? `wasOver.${kind}` : `isOver.${kind}`, words),
            change: isOver ? t('dialogs.over', words) : null,
            since,
            isBusy: false,
          },
        ];
      }),
    [air.alarms, measure, t],
  );
  return <AlarmDialogs alarms={shown} onAcknowledge={air.acknowledge} />;
}

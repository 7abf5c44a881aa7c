/** State and facts of a camera, in words. */
import type { Camera } from '@haris/contract/http/cameras';
import { Badge } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAtTick } from '../../countdown/use-tick.ts';
import { localeOf, momentFormat } from '../../i18n/locale.ts';
import styles from './cameras.module.css';

const colors = { live: 'pine', connecting: 'saffron', stalled: 'clay', off: 'gray' } as const;

export function StateBadge({ camera }: { camera: Camera }) {
  const { t } = useTranslation('cameras');
  return (
    <Badge
      tt="none"
      fw={500}
      size="lg"
      color={colors[camera.state]}
      variant={camera.state === 'live' ? 'filled' : 'light'}
    >
      {t(`state.${camera.state}`)}
    </Badge>
  );
}

/** Reason why a camera shows nothing; null while it is live. */
export function useOffReason(camera: Camera): string | null {
  const { t } = useTranslation('cameras');
  if (camera.state === 'live') return null;
  if (camera.state === 'off') return t('why.off');
  return camera.problem === null ? t(`why.${camera.state}`) : t(`problem.${camera.problem}`);
}

/** Width by height of a camera's pictures; null before the first. */
export function ratioOf({ width, height }: Camera): number | null {
  return width === null || height === null ? null : width / height;
}

/** Seconds since a moment; `--` without one. */
function useAge(moment: string | null): string {
  const { t, i18n } = useTranslation('cameras');
  const seconds = useAtTick(
    useCallback(
      (now: number) => (moment === null ? null : Math.max(0, Math.round((now - Date.parse(moment)) / 1000))),
      [moment],
    ),
  );
  if (seconds === null) return t('none');
  if (seconds < 60) return t('secondsAgo', { count: seconds });
  if (seconds < 3600) return t('minutesAgo', { count: Math.floor(seconds / 60) });
  const format = momentFormat(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(moment ?? 0));
}

/** Frame rate, size, age of the last picture, number of reconnections. */
export function CameraFacts({ camera }: { camera: Camera }) {
  const { t, i18n } = useTranslation('cameras');
  const age = useAge(camera.lastFrameAt);
  const number = new Intl.NumberFormat(localeOf(i18n.language), { maximumFractionDigits: 1 });
  const pixels = new Intl.NumberFormat(localeOf(i18n.language), { useGrouping: false });
  const { fps, width, height, reconnects } = camera;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('fact.fps')}</dt>
        <dd>{fps === null || camera.state !== 'live' ? t('none') : number.format(fps)}</dd>
      </div>
      <div>
        <dt>{t('fact.size')}</dt>
        <dd>
          {width === null || height === null ? (
            t('none')
          ) : (
            <bdi dir="ltr">
              {pixels.format(width)} × {pixels.format(height)}
            </bdi>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('fact.lastPicture')}</dt>
        <dd>{age}</dd>
      </div>
      <div>
        <dt>{t('fact.reconnects')}</dt>
        <dd>{number.format(reconnects)}</dd>
      </div>
    </dl>
  );
}

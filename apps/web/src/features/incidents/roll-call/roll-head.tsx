/** What stands in the head of the roll call: since when, the counts, open dangers, what waits, and the sound. */
import type { Evacuation } from '@haris/contract/http/incidents';
import { Button, Text } from '@mantine/core';
import { IconBellOff, IconVolumeOff, IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useSoundLocked } from '../../../ui/alarm-sound.ts';
import { useOnline } from '../../../ui/use-online.ts';
import type { ShownDanger } from '../danger/shown-danger.ts';
import classes from './roll-call.module.css';
import type { RollCounts, RollFilter } from './roll-list.ts';

export function Since({ evacuation: { startedAt, startedBy } }: { evacuation: Evacuation }) {
  const { t } = useTranslation('emergency');
  const time = useClockFormat().timeOfDay(startedAt);
  return (
    <Text size="sm" className={classes.since ?? ''}>
      {startedBy === null
        ? t('rollCall.since', { time })
        : t('rollCall.startedBy', { time, name: startedBy.name })}
    </Text>
  );
}

/** Silences the sound, or says that the browser plays none before a press on the page. */
export function Sound({ onSilence }: { onSilence: () => void }) {
  const { t } = useTranslation('emergency');
  const isLocked = useSoundLocked();
  return (
    <>
      <Button
        variant="white"
        color="clay"
        size="compact-md"
        leftSection={<IconBellOff size={18} aria-hidden />}
        onClick={onSilence}
      >
        {t('rollCall.silence')}
      </Button>
      {isLocked ? (
        <Text size="sm" className={classes.waiting ?? ''}>
          <IconVolumeOff size={18} aria-hidden /> {t('dialog.locked')}
        </Text>
      ) : null}
    </>
  );
}

interface CountsProps {
  counts: RollCounts;
  filter: RollFilter;
  onFilter: (filter: RollFilter) => void;
}

/** The counts; a press shows only these rows, a second one all again. */
export function Counts({ counts, filter, onFilter }: CountsProps) {
  const { t } = useTranslation('emergency');
  const format = useClockFormat();
  return (
    <fieldset className={classes.counts} aria-label={t('rollCall.counts')}>
      {(['open', 'missing', 'present'] as const).map((state) => (
        <button
          key={state}
          type="button"
          className={classes.count}
          aria-pressed={filter === state}
          onClick={() => onFilter(filter === state ? 'all' : state)}
        >
          {t(`rollCall.count.${state}`)} <b>{format.count(counts[state])}</b>
        </button>
      ))}
    </fieldset>
  );
}

/** Names the dangers that are not over. A live region, because the roll call covers the dialog and the banner of a new danger. */
export function OpenDangers({ dangers }: { dangers: readonly ShownDanger[] }) {
  const { t } = useTranslation('emergency');
  return (
    <div role="status" className={classes.status}>
      {dangers.length === 0 ? null : (
        <Text size="sm" fw={600}>
          {dangers
            .map(({ title, about }) => (about === null ? title : t('banner.title', { title, about })))
            .join(' · ')}
        </Text>
      )}
    </div>
  );
}

/** Says that marks wait on this device, or that there is no connection and how old the list is. */
export function Waiting({ count, keptAt }: { count: number; keptAt: string | null }) {
  const { t } = useTranslation('emergency');
  const format = useClockFormat();
  const isOnline = useOnline() && keptAt === null;
  return (
    <div role="status" className={classes.status}>
      {isOnline && count === 0 ? null : (
        <Text size="sm" className={classes.waiting ?? ''}>
          <IconWifiOff size={18} aria-hidden />
          {count === 0 ? t('rollCall.offline') : t('rollCall.waiting', { count })}
          {keptAt === null ? null : ` ${t('rollCall.kept', { time: format.timeOfDay(keptAt) })}`}
        </Text>
      )}
    </div>
  );
}

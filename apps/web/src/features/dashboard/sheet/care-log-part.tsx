/** The care log in a child's sheet: one press records a nappy, a meal or a sleep check; today's entries (decision 052). */
import { type CareEntryContent, EATEN, NAPPIES, SLEEP_MINUTES_USUAL } from '@haris/contract/care-log';
import type { CareLogEntry, CareLogSleep } from '@haris/contract/http/care-log';
import type { Child } from '@haris/contract/objects';
import { Button, Skeleton, Text } from '@mantine/core';
import { IconFirstAidKit, IconHistory, IconNotes, IconPill } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../../calls/failure.ts';
import classes from '../../../care-log/care-log.module.css';
import { CorrectButton } from '../../../care-log/correct-button.tsx';
import { EntryDialog, type EntryToMake } from '../../../care-log/entry-dialog.tsx';
import { EntryList } from '../../../care-log/entry-list.tsx';
import { LogDialog } from '../../../care-log/log-dialog.tsx';
import { todaysLogQuery, usePress } from '../../../care-log/queries.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useMay } from '../../../session/may.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { isRefusedOffline } from '../stays/offline.ts';
import { Section } from './section.tsx';

/** Reading is recorded, at most once in a quarter of an hour. */
export function CareLogPart({ child }: { child: Child }) {
  const may = useMay();
  return may('care_log.view') ? <Shown child={child} mayRecord={may('care_log.record')} /> : null;
}

function Shown({ child, mayRecord }: { child: Child; mayRecord: boolean }) {
  const { t } = useTranslation('care-log');
  const [made, setMade] = useState<EntryToMake>({ kind: 'accident' });
  const [open, setOpen] = useState<'entry' | 'log' | null>(null);
  const log = useQuery(todaysLogQuery(child._id));
  const close = () => setOpen(null);
  const make = (entry: EntryToMake) => {
    setMade(entry);
    setOpen('entry');
  };
  const onCorrect = (entry: CareLogEntry) => make({ corrects: entry });
  return (
    <Section title={t('title')}>
      {mayRecord ? (
        <Presses
          child={child}
          asleep={log.data?.asleep ?? null}
          isKnown={log.data !== undefined}
          onMake={make}
        />
      ) : null}
      {log.data !== undefined ? (
        <Today entries={log.data.entries} {...(mayRecord ? { onCorrect } : {})} />
      ) : log.isError ? (
        <ErrorState
          text={failureText(log.error)}
          onRetry={() => void log.refetch()}
          busy={log.isRefetching}
        />
      ) : (
        <Skeleton height={64} role="status" aria-label={t('loading')} />
      )}
      <Button
        mt="xs"
        size="compact-md"
        fz="sm"
        variant="subtle"
        leftSection={<IconHistory size={18} aria-hidden />}
        aria-haspopup="dialog"
        aria-label={t('allOf', { name: child.name })}
        onClick={() => setOpen('log')}
      >
        {t('all')}
      </Button>
      <EntryDialog opened={open === 'entry'} onClose={close} child={child} made={made} />
      <LogDialog
        opened={open === 'log'}
        onClose={close}
        child={child}
        {...(mayRecord ? { onCorrect } : {})}
      />
    </Section>
  );
}

interface TodayProps {
  entries: readonly CareLogEntry[];
  onCorrect?: (entry: CareLogEntry) => void;
}

function Today({ entries, onCorrect }: TodayProps) {
  const { t } = useTranslation('care-log');
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('emptyToday')}
      </Text>
    );
  const action =
    onCorrect && ((entry: CareLogEntry) => <CorrectButton entry={entry} onCorrect={onCorrect} />);
  return <EntryList entries={entries} label={t('today')} {...(action ? { renderAction: action } : {})} />;
}

interface PressesProps {
  child: Child;
  asleep: CareLogSleep;
  /** Whether it is known if the child is asleep. */
  isKnown: boolean;
  onMake: (entry: EntryToMake) => void;
}

function Presses({ child, asleep, isKnown, onMake }: PressesProps) {
  const { t } = useTranslation('care-log');
  const press = usePress(child._id);
  const record = (entry: CareEntryContent) => {
    if (!isRefusedOffline()) press(entry);
  };
  return (
    <div className={classes.presses}>
      <Group label={t('group.nappy')}>
        {NAPPIES.map((nappy) => (
          <Press
            key={nappy}
            group={t('group.nappy')}
            onPress={() => record({ kind: 'nappy', nappy, note: '' })}
          >
            {t(`press.${nappy}`)}
          </Press>
        ))}
      </Group>
      <Group label={t('group.meal')}>
        {EATEN.map((eaten) => (
          <Press
            key={eaten}
            group={t('group.meal')}
            onPress={() => record({ kind: 'meal', eaten, note: '' })}
          >
            {t(`press.${eaten}`)}
          </Press>
        ))}
      </Group>
      {child.isInside && isKnown ? <SleepPresses asleep={asleep} onPress={record} /> : null}
      <div className={classes.buttons}>
        <Maker icon={<IconFirstAidKit size={18} aria-hidden />} onClick={() => onMake({ kind: 'accident' })}>
          {t('kind.accident')}
        </Maker>
        <Maker icon={<IconPill size={18} aria-hidden />} onClick={() => onMake({ kind: 'medicine' })}>
          {t('kind.medicine')}
        </Maker>
        <Maker icon={<IconNotes size={18} aria-hidden />} onClick={() => onMake({ kind: 'nappy' })}>
          {t('withNote')}
        </Maker>
      </div>
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      <div className={classes.buttons}>{children}</div>
    </fieldset>
  );
}

function Press({ group, children, onPress }: { group: string; children: string; onPress: () => void }) {
  return (
    <Button size="sm" variant="light" aria-label={`${group}: ${children}`} onClick={onPress}>
      {children}
    </Button>
  );
}

function Maker({ icon, children, onClick }: { icon: ReactNode; children: string; onClick: () => void }) {
  return (
    <Button size="sm" variant="default" leftSection={icon} aria-haspopup="dialog" onClick={onClick}>
      {children}
    </Button>
  );
}

interface SleepPressesProps {
  asleep: CareLogSleep;
  onPress: (entry: CareEntryContent) => void;
}

function SleepPresses({ asleep, onPress }: SleepPressesProps) {
  const { t } = useTranslation('care-log');
  const format = useClockFormat();
  const group = t('group.sleep');
  if (asleep === null)
    return (
      <Group label={group}>
        <Press
          group={group}
          onPress={() => onPress({ kind: 'sleep_start', everyMinutes: SLEEP_MINUTES_USUAL })}
        >
          {t('press.asleep')}
        </Press>
      </Group>
    );
  const times = { since: format.timeOfDay(asleep.since), due: format.timeOfDay(asleep.dueAt) };
  return (
    <Group label={`${group} · ${t('asleepSince', times)}`}>
      <Press group={group} onPress={() => onPress({ kind: 'sleep_check', note: '' })}>
        {t('press.check')}
      </Press>
      <Press group={group} onPress={() => onPress({ kind: 'sleep_end', note: '' })}>
        {t('press.awake')}
      </Press>
    </Group>
  );
}

/** An evacuation on the screen of staff: the roll call of the children inside, over whatever else is open. */
import type { Evacuation, RollCallChild } from '@haris/contract/http/incidents';
import { incidentRoutes } from '@haris/contract/http/incidents';
import { Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { IconDoorExit, IconPhone, IconWifiOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { Photo } from '../../client/photo.tsx';
import { keys } from '../../client/query-client.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useOnline } from '../../ui/use-online.ts';
import { useEvacuation } from './api.ts';
import classes from './roll-call.module.css';
import { newestTick, type TickState } from './ticks.ts';
import { useRollCall } from './use-roll-call.ts';

/** Opens by itself when an evacuation begins and goes when it ends. */
export function RollCall({ staffId }: { staffId: string }) {
  const { data } = useEvacuation(true);
  const evacuation = data?.evacuation ?? null;
  const roll = useRollCall(evacuation);
  const [foldedId, setFoldedId] = useState<string | null>(null);
  if (evacuation === null) return null;
  if (foldedId === evacuation._id) return <FoldedBanner onOpen={() => setFoldedId(null)} />;
  return (
    <RollCallDialog
      key={evacuation._id}
      evacuation={evacuation}
      staffId={staffId}
      queue={roll.queue}
      onTick={roll.tick}
      onFold={() => setFoldedId(evacuation._id)}
    />
  );
}

/** What is left of it while somebody needs the screen below: to check out a child who is being fetched. */
function FoldedBanner({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('incidents');
  return (
    <aside className={classes.banner} aria-label={t('rollCall.title')}>
      <span>
        <IconDoorExit size={22} aria-hidden /> {t('rollCall.goesOn')}
      </span>
      <Button variant="white" color="clay" onClick={onOpen}>
        {t('rollCall.open')}
      </Button>
    </aside>
  );
}

interface RollCallDialogProps {
  evacuation: Evacuation;
  staffId: string;
  queue: ReturnType<typeof useRollCall>['queue'];
  onTick: (childId: string, state: TickState) => void;
  onFold: () => void;
}

function RollCallDialog({ evacuation, staffId, queue, onTick, onFold }: RollCallDialogProps) {
  const { t } = useTranslation('incidents');
  const format = useClockFormat();
  const isOnline = useOnline();
  const frame = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    frame.current?.showModal();
    heading.current?.focus();
  }, []);

  const rows = evacuation.children.map((child) => ({
    child,
    tick: newestTick(child.childId, child.tick, queue),
  }));
  const present = rows.filter(({ tick }) => tick?.state === 'present').length;
  const missing = rows.filter(({ tick }) => tick?.state === 'missing').length;
  const open = rows.length - present - missing;

  return (
    <dialog
      ref={frame}
      className={classes.frame}
      aria-labelledby={id}
      onCancel={(event) => event.preventDefault()}
      onClose={() => {
        if (frame.current?.open === false) frame.current.showModal();
      }}
    >
      <header className={classes.head}>
        <Title order={2} id={id} ref={heading} tabIndex={-1} className={classes.title ?? ''}>
          <IconDoorExit size={28} aria-hidden /> {t('rollCall.title')}
        </Title>
        <Text>
          {evacuation.startedBy === null
            ? t('rollCall.since', { time: format.timeOfDay(evacuation.startedAt) })
            : t('rollCall.startedBy', {
                time: format.timeOfDay(evacuation.startedAt),
                name: evacuation.startedBy.name,
              })}
        </Text>
        <dl className={classes.counts} aria-label={t('rollCall.counts')}>
          {(
            [
              ['present', present],
              ['missing', missing],
              ['open', open],
            ] as const
          ).map(([state, count]) => (
            <div key={state} data-state={count === 0 ? undefined : state}>
              <dt>{t(`rollCall.count.${state}`)}</dt>
              <dd>{format.count(count)}</dd>
            </div>
          ))}
        </dl>
        <div role="status">
          {isOnline && queue.length === 0 ? null : (
            <Text size="sm" className={classes.waiting ?? ''}>
              <IconWifiOff size={18} aria-hidden />
              {queue.length === 0 ? t('rollCall.offline') : t('rollCall.waiting', { count: queue.length })}
            </Text>
          )}
        </div>
      </header>
      {rows.length === 0 ? (
        <Text className={classes.nobody ?? ''}>{t('rollCall.nobody')}</Text>
      ) : (
        <ul className={classes.list} aria-label={t('rollCall.list')}>
          {rows.map(({ child, tick }) => (
            <Row
              key={child.childId}
              child={child}
              state={tick?.state ?? null}
              tickedAt={tick?.at ?? null}
              by={tick !== null && 'by' in tick && tick.by._id !== staffId ? tick.by.name : null}
              onTick={(state) => onTick(child.childId, state)}
            />
          ))}
        </ul>
      )}
      <EndPanel evacuation={evacuation} unclear={open + missing} onFold={onFold} />
    </dialog>
  );
}

interface RowProps {
  child: RollCallChild;
  state: TickState | null;
  tickedAt: string | null;
  /** Who ticked, unless it was whoever looks at it. */
  by: string | null;
  onTick: (state: TickState) => void;
}

function Row({ child, state, tickedAt, by, onTick }: RowProps) {
  const { t } = useTranslation('incidents');
  const format = useClockFormat();
  const { name, guardian, lastSeen } = child;
  const time = tickedAt === null ? '' : format.timeOfDay(tickedAt);
  return (
    <li className={classes.row} data-state={state ?? undefined}>
      <Photo path={child.photo} name={name} size={64} isEager />
      <div className={classes.who}>
        <Text fw={600} fz="lg" className={classes.name ?? ''}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm">
          <bdi>{guardian.name}</bdi>
        </Text>
        {guardian.phone === null ? (
          <Text size="sm" c="dimmed">
            {t('rollCall.noPhone')}
          </Text>
        ) : (
          <a
            className={classes.phone}
            href={`tel:${guardian.phone}`}
            aria-label={t('rollCall.callOf', { name: guardian.name, phone: guardian.phone })}
          >
            <IconPhone size={18} aria-hidden /> <bdi dir="ltr">{guardian.phone}</bdi>
          </a>
        )}
        {child.isInside ? null : (
          <Text size="sm" fw={500}>
            {t('rollCall.checkedOut')}
          </Text>
        )}
        {lastSeen === null ? null : (
          <Text size="sm" c="dimmed">
            {t('rollCall.lastSeen', { area: lastSeen.area, time: format.timeOfDay(lastSeen.at) })}
          </Text>
        )}
        {state === null ? null : (
          <Text size="sm" fw={500} className={classes.ticked ?? ''}>
            {by === null
              ? t(`rollCall.ticked.${state}`, { time })
              : t(`rollCall.tickedBy.${state}`, { time, name: by })}
          </Text>
        )}
      </div>
      <div className={classes.ticks}>
        <Checkbox
          size="xl"
          label={t('rollCall.here')}
          aria-label={t('rollCall.hereOf', { name })}
          checked={state === 'present'}
          onChange={(event) => onTick(event.currentTarget.checked ? 'present' : 'missing')}
        />
        <Button
          variant={state === 'missing' ? 'filled' : 'default'}
          color="clay"
          aria-pressed={state === 'missing'}
          aria-label={t('rollCall.missingOf', { name })}
          onClick={() => onTick('missing')}
        >
          {t('rollCall.missing')}
        </Button>
      </div>
    </li>
  );
}

interface EndPanelProps {
  evacuation: Evacuation;
  /** Children who are missing or whom nobody has ticked. */
  unclear: number;
  onFold: () => void;
}

/** The question stands here: a dialog of the page's own would lie below this one. */
function EndPanel({ evacuation, unclear, onFold }: EndPanelProps) {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Enter alone ends nothing.
    if (isAsking) cancel.current?.focus();
  }, [isAsking]);
  const end = useMutation({
    mutationFn: () => call(incidentRoutes.endEvacuation, { params: { id: evacuation._id }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: [keys.incidents] }),
  });
  if (!isAsking)
    return (
      <footer className={classes.foot}>
        <Button variant="default" onClick={onFold}>
          {t('rollCall.fold')}
        </Button>
        <Button color="clay" variant="light" onClick={() => setAsking(true)}>
          {t('rollCall.end')}
        </Button>
      </footer>
    );
  return (
    <footer className={classes.foot} data-asking>
      <div role="alert">
        <Text fw={600}>{t('rollCall.endQuestion')}</Text>
        {unclear === 0 ? null : <Text>{t('rollCall.unclear', { count: unclear })}</Text>}
        {end.isError ? <Text c="var(--mantine-color-error)">{failureText(end.error)}</Text> : null}
      </div>
      <Group gap="sm">
        <Button variant="default" ref={cancel} onClick={() => setAsking(false)} disabled={end.isPending}>
          {t('rollCall.goOn')}
        </Button>
        <Button color="clay" onClick={() => end.mutate()} loading={end.isPending}>
          {t('rollCall.endNow')}
        </Button>
      </Group>
    </footer>
  );
}

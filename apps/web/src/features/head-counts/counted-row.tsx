/** One child of a head count: a press on the name ticks it; beside it stands where a camera saw it last. */
import type { CountedChild } from '@haris/contract/http/head-counts';
import { memo, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { UnconfirmedMark } from '../../child/unconfirmed-mark.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { Photo } from '../../photos/photo.tsx';
import { useTick, type Word } from './api.ts';
import type { CountedRow } from './counted.ts';
import classes from './head-counts.module.css';

export interface RowProps {
  countId: string;
  row: CountedRow;
  /** False: this row can no longer be ticked. */
  mayTick: boolean;
  /** False: only `here` can be said. */
  mayStay: boolean;
  /** What was pressed and is not confirmed yet; undefined: nothing. */
  pressed: Word | undefined;
  /** False: the rows have just moved, and the press may be meant for another one. */
  mayPress: () => boolean;
}

export const Row = memo(function Row({ countId, row, mayTick, mayStay, pressed, mayPress }: RowProps) {
  const { t } = useTranslation('head-counts');
  const { id, name, photo, incidentId } = row;
  const { mutate } = useTick(countId, id);
  const state = pressed ?? row.state;
  const say = (word: Word) => {
    if (mayPress()) mutate({ childId: id, state: word });
  };
  return (
    <li
      className={classes.row}
      data-entry={id}
      data-state={state === 'open' ? undefined : state}
      data-sought={(incidentId !== null && state === 'open') || undefined}
    >
      <label className={classes.press}>
        <input
          type="checkbox"
          className={classes.box}
          aria-label={t('row.hereOf', { name })}
          checked={state === 'here'}
          disabled={!mayTick}
          onChange={(event) => say(event.currentTarget.checked ? 'here' : 'open')}
        />
        <Photo path={photo} name={name} size={36} isEager />
        <span className={classes.who}>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          <Below row={row} isPressed={pressed !== undefined} />
        </span>
      </label>
      {mayTick && mayStay ? (
        <button
          type="button"
          className={classes.side}
          aria-pressed={state === 'stays'}
          aria-label={t('row.staysOf', { name })}
          onClick={() => say(state === 'stays' ? 'open' : 'stays')}
        >
          {t('row.stays')}
        </button>
      ) : null}
    </li>
  );
});

/** The second line: what is known by people, then what a camera saw. */
function Below({ row, isPressed }: { row: CountedRow; isPressed: boolean }) {
  const { t } = useTranslation('head-counts');
  const format = useClockFormat();
  const { state, by, at, room, incidentId, isFound, isAdded, lastSeen } = row;
  const time = at === null ? '' : format.timeOfDay(at);
  return (
    <span className={classes.below}>
      {isPressed ? <span>{t('row.sending')}</span> : null}
      {incidentId === null ? null : <strong className={classes.sought}>{t('row.sought')}</strong>}
      {isFound ? <strong>{t('row.found')}</strong> : null}
      {state === 'left' ? <strong>{t('row.left')}</strong> : null}
      {state === 'elsewhere' ? (
        <strong>
          {room === null ? t('row.otherCount') : t('row.elsewhere', { room: `\u2068${room}\u2069` })}
        </strong>
      ) : null}
      {(state === 'here' || state === 'stays') && at !== null ? (
        <span>
          {by === null
            ? t(`row.said.${state}`, { time })
            : t(`row.saidBy.${state}`, { time, name: `\u2068${by.name}\u2069` })}
        </span>
      ) : null}
      {isAdded ? <span>{t('row.added')}</span> : null}
      <UnconfirmedMark of={row} />
      {lastSeen === null ? null : <Seen {...lastSeen} />}
    </span>
  );
}

/** The cameras' word: room and minutes. */
function Seen({ area, at }: NonNullable<CountedChild['lastSeen']>) {
  const { t } = useTranslation('head-counts');
  const count = useAtTick(
    useCallback((now: number) => Math.max(0, Math.floor((now - Date.parse(at)) / 60_000)), [at]),
  );
  const room = `\u2068${area}\u2069`;
  return (
    <span className={classes.seen}>
      {count === 0 ? t('row.seenNow', { room }) : t('row.seen', { room, count })}
    </span>
  );
}

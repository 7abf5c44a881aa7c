/** One row of the roll call: a press on the name ticks the person, and the phone number is beside it. */
import { type CareCard, isEmptyCard, signedAllergiesOf } from '@haris/contract/care-card';
import { Text } from '@mantine/core';
import { IconCheck, IconPhone, IconUserSearch } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CareSign } from '../../../care/care-sign.tsx';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Photo } from '../../../photos/photo.tsx';
import type { MissingDanger } from '../danger/shown-danger.ts';
import classes from './roll-call.module.css';
import { mayBeSought, type RollEntry } from './roll-list.ts';
import type { TickState } from './ticks.ts';
import { UnsettledMark } from './unsettled-mark.tsx';

export interface RowProps {
  entry: RollEntry;
  /** The signed-in staff member, whose own ticks need no name. */
  staffId: string;
  /** Null if this person may only read the list. */
  onTick: ((entry: RollEntry, state: TickState) => void) | null;
  /** The child's care card; undefined without one, and for people who may not see it. */
  card: CareCard | undefined;
  /** Opens the care card. */
  onCard: (entry: RollEntry) => void;
  /** The open alert that this child is missing; undefined: nobody has raised one. */
  search: MissingDanger | undefined;
  /** Asks whether to alert all staff, or to end the search. Null if this person may do neither. */
  onAsk: ((entry: RollEntry) => void) | null;
}

export const Row = memo(function Row(props: RowProps) {
  const { entry, staffId, onTick, card, onCard, search, onAsk } = props;
  const { t } = useTranslation('emergency');
  const { name, phone, note, kind, tick } = entry;
  const state = tick?.state ?? null;
  return (
    <li
      className={classes.row}
      data-state={state ?? undefined}
      data-sought={search !== undefined || undefined}
      data-entry={entry.id}
    >
      <label className={classes.press}>
        <input
          type="checkbox"
          className={classes.box}
          aria-label={t('rollCall.hereOf', { name })}
          checked={state === 'present'}
          disabled={onTick === null}
          onChange={(event) => onTick?.(entry, event.currentTarget.checked ? 'present' : 'missing')}
        />
        <span className={classes.photo}>
          <Photo path={entry.photo} name={name} size={36} isEager />
        </span>
        <span className={classes.who}>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          <Below entry={entry} staffId={staffId} search={search} />
        </span>
      </label>
      {card === undefined || isEmptyCard(card) ? null : (
        <CareSign
          child={{ id: entry.id, name }}
          sign={{ allergies: signedAllergiesOf(card), isUnseen: false }}
          most={1}
          onOpen={() => onCard(entry)}
        />
      )}
      {phone === null ? null : (
        <a
          className={classes.side}
          href={`tel:${phone}`}
          aria-label={t('rollCall.callOf', { name: kind === 'child' ? (note ?? name) : name, phone })}
        >
          <IconPhone size={20} aria-hidden />
        </a>
      )}
      {kind === 'child' || onTick === null ? null : (
        <button
          type="button"
          className={classes.side}
          aria-pressed={state === 'away'}
          aria-label={t('rollCall.awayOf', { name })}
          onClick={() => onTick(entry, 'away')}
        >
          {t('rollCall.away')}
        </button>
      )}
      {onTick === null ? null : (
        <button
          type="button"
          className={classes.side}
          data-missing
          aria-pressed={state === 'missing'}
          aria-label={t('rollCall.missingOf', { name })}
          onClick={() => onTick(entry, 'missing')}
        >
          {t('rollCall.missing')}
        </button>
      )}
      {onAsk === null ? null : <AskButton entry={entry} isSought={search !== undefined} onAsk={onAsk} />}
    </li>
  );
});

interface AskButtonProps {
  entry: RollEntry;
  isSought: boolean;
  onAsk: (entry: RollEntry) => void;
}

/** For a child who is sought the end of the search, and for one marked missing the alert; otherwise nothing. */
function AskButton({ entry, isSought, onAsk }: AskButtonProps) {
  const { t } = useTranslation('emergency');
  if (!isSought && !mayBeSought(entry)) return null;
  const { name } = entry;
  const label = t(isSought ? 'search.endOf' : 'search.alertOf', { name });
  return (
    <button
      type="button"
      className={classes.side}
      aria-label={label}
      title={label}
      onClick={() => onAsk(entry)}
    >
      {isSought ? <IconCheck size={20} aria-hidden /> : <IconUserSearch size={20} aria-hidden />}
    </button>
  );
}

/** The second line: before the tick whom to call, after it state and time. */
function Below({ entry, staffId, search }: Pick<RowProps, 'entry' | 'staffId' | 'search'>) {
  const { t } = useTranslation('emergency');
  const format = useClockFormat();
  const { tick, kind, note, phone, isInside, room, seenAt } = entry;
  const time = tick === null ? '' : format.timeOfDay(tick.at);
  const by = tick === null || tick.by === null || tick.by._id === staffId ? null : tick.by.name;
  return (
    <span className={classes.below}>
      {tick === null ? null : (
        <strong>
          {by === null
            ? t(`rollCall.ticked.${tick.state}`, { time })
            : t(`rollCall.tickedBy.${tick.state}`, { time, name: by })}
        </strong>
      )}
      {search === undefined ? null : (
        <strong className={classes.sought}>
          {search.raisedBy === null
            ? t('search.reported', { time: format.timeOfDay(search.since) })
            : t('search.reportedBy', { time: format.timeOfDay(search.since), name: search.raisedBy })}
        </strong>
      )}
      <UnconfirmedMark of={entry} />
      <UnsettledMark of={entry} />
      {isInside ? null : (
        <strong>{t(kind === 'child' ? 'rollCall.checkedOut' : 'rollCall.signedOut')}</strong>
      )}
      {tick?.state === 'missing' && room !== null && seenAt !== null ? (
        <span>{t('rollCall.lastSeen', { area: room, time: format.timeOfDay(seenAt) })}</span>
      ) : null}
      {note === null ? null : <bdi>{note}</bdi>}
      {phone === null ? (
        kind === 'child' ? (
          <Text span inherit c="dimmed">
            {t('rollCall.noPhone')}
          </Text>
        ) : null
      ) : (
        <bdi dir="ltr">{phone}</bdi>
      )}
    </span>
  );
}

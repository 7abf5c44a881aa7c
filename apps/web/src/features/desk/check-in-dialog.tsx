/** Check-in of a child without a connection: name, guardian, period and room, and one press. */
import { DEFAULT_ENTRY_PERIOD_MINUTES, ENTRY_PERIODS_MINUTES } from '@haris/contract/constants';
import type { DeskList, OutsideChild } from '@haris/contract/desk-list';
import type { EntryPeriod } from '@haris/contract/fields';
import { Button, NativeSelect } from '@mantine/core';
import { IconClipboardHeart } from '@tabler/icons-react';
import { type FormEvent, type Ref, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnconfirmedMark } from '../../child/unconfirmed-mark.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { EntryError } from '../../desk-entries/entries.ts';
import { useCheckInOffline, type WrittenSlip } from '../../desk-entries/use-entries.ts';
import tablet from '../../tablet/tablet.module.css';
import styles from './check-in.module.css';
import { TopDialog } from './top-dialog.tsx';

const MINUTE_MS = 60_000;

type Failure = Exclude<EntryError['why'], 'busy'>;
export type Rooms = NonNullable<DeskList['checkIn']>['rooms'];

export interface CheckInDialogProps {
  child: OutsideChild;
  /** The rooms that take children; at least one. */
  rooms: Rooms;
  onClose: () => void;
  /** Called once it is on disk. */
  onWritten: (slip: WrittenSlip) => void;
}

/** The room in which the child is checked in without a choice; null if that one takes nobody now. */
function usualRoomOf({ homeRoomId }: OutsideChild, rooms: Rooms): string | null {
  const usual = rooms.find(({ id, isDefault }) => (homeRoomId === null ? isDefault : id === homeRoomId));
  return usual?.id ?? null;
}

export function CheckInDialog({ child, rooms, onClose, onWritten }: CheckInDialogProps) {
  const { t } = useTranslation('desk');
  const { isBusy, checkIn } = useCheckInOffline();
  return (
    <TopDialog title={t('checkIn.title', { name: child.name })} isBusy={isBusy} onClose={onClose}>
      {(close) => (
        <CheckInForm
          child={child}
          rooms={rooms}
          isBusy={isBusy}
          onBack={close}
          onCheckIn={async (minutes, roomId) => {
            const slip = await checkIn({ childId: child.id, minutes, roomId });
            close();
            onWritten(slip);
          }}
        />
      )}
    </TopDialog>
  );
}

interface CheckInFormProps extends Pick<CheckInDialogProps, 'child' | 'rooms'> {
  isBusy: boolean;
  onBack: () => void;
  /** Throws if nothing was written. */
  onCheckIn: (minutes: EntryPeriod, roomId: string) => Promise<void>;
}

function CheckInForm({ child, rooms, isBusy, onBack, onCheckIn }: CheckInFormProps) {
  const { t } = useTranslation('desk');
  const usual = usualRoomOf(child, rooms);
  const [roomId, setRoomId] = useState(usual);
  const [minutes, setMinutes] = useState<EntryPeriod>(DEFAULT_ENTRY_PERIOD_MINUTES);
  const [isRoomMissing, setRoomMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const room = useRef<HTMLSelectElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setRoomMissing(roomId === null);
    setFailure(null);
    if (roomId === null) return room.current?.focus();
    try {
      await onCheckIn(minutes, roomId);
    } catch (error) {
      const why = error instanceof EntryError ? error.why : 'notStored';
      // The browser has not answered an earlier press yet, perhaps of the person before.
      setFailure(why === 'busy' ? 'notStored' : why);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Who child={child} />
      <Periods minutes={minutes} onChange={setMinutes} />
      {rooms.length === 1 && usual !== null ? null : (
        <RoomSelect
          ref={room}
          rooms={rooms}
          homeRoomId={child.homeRoomId}
          isUsualShut={usual === null}
          value={roomId}
          error={isRoomMissing ? t('checkIn.roomMissing') : null}
          onChange={(chosen) => {
            setRoomId(chosen);
            setRoomMissing(false);
          }}
        />
      )}
      {/* It is there before it says something, so that screen readers tell of the change. */}
      <div role="alert">
        {failure === null ? null : <p className={styles.failure}>{t(`checkIn.failure.${failure}`)}</p>}
      </div>
      <div className={styles.buttons}>
        <Button variant="default" size="md" disabled={isBusy} onClick={onBack}>
          {t('pin.back')}
        </Button>
        <Button
          type="submit"
          size="md"
          loading={isBusy}
          {...(usual === null ? {} : { 'data-autofocus': true })}
        >
          {t('checkIn.button')}
        </Button>
      </div>
    </form>
  );
}

interface RoomSelectProps extends Pick<CheckInDialogProps, 'rooms'> {
  ref: Ref<HTMLSelectElement>;
  homeRoomId: string | null;
  /** The room in which the child would be without a choice takes nobody now. */
  isUsualShut: boolean;
  value: string | null;
  error: string | null;
  onChange: (roomId: string | null) => void;
}

function RoomSelect({ ref, rooms, homeRoomId, isUsualShut, value, error, onChange }: RoomSelectProps) {
  const { t } = useTranslation('desk');
  return (
    <NativeSelect
      ref={ref}
      size="md"
      label={t('checkIn.room')}
      description={isUsualShut ? t('checkIn.homeShut') : null}
      error={error}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      data={[
        ...(isUsualShut ? [{ value: '', label: t('checkIn.chooseRoom') }] : []),
        ...rooms.map(({ id, name }) => ({
          value: id,
          label: id === homeRoomId ? t('checkIn.homeRoom', { room: name }) : name,
        })),
      ]}
      {...(isUsualShut ? { 'data-autofocus': true } : {})}
    />
  );
}

/** What tells two children of one name apart, and what to know before the child is taken in. */
function Who({ child }: { child: OutsideChild }) {
  const { t } = useTranslation('desk');
  return (
    <div className={styles.who}>
      <strong className={styles.name}>
        <bdi>{child.name}</bdi>
      </strong>
      <UnconfirmedMark of={child.isUnconfirmed ? { unconfirmed: true } : {}} />
      <span>{child.guardian === null ? t('list.noGuardian') : <bdi>{child.guardian}</bdi>}</span>
      {child.hasCard ? (
        <span className={styles.ask}>
          <IconClipboardHeart size={20} aria-hidden />
          {t('checkIn.card')}
        </span>
      ) : null}
    </div>
  );
}

function Periods({ minutes, onChange }: { minutes: EntryPeriod; onChange: (minutes: EntryPeriod) => void }) {
  const { t } = useTranslation('desk');
  const format = useClockFormat();
  const minute = useAtTick(useCallback((now: number) => Math.floor(now / MINUTE_MS), []));
  const now = minute * MINUTE_MS;
  return (
    <fieldset className={`${tablet.periods} ${styles.periods}`}>
      <legend>{t('checkIn.period')}</legend>
      {ENTRY_PERIODS_MINUTES.map((period) => (
        <label key={period} className={tablet.period}>
          <input type="radio" name="period" checked={period === minutes} onChange={() => onChange(period)} />
          <span>{t(`checkIn.periods.${period}`)}</span>
        </label>
      ))}
      <p className={styles.until}>
        {t('checkIn.until', { time: format.endOfStay(now + minutes * MINUTE_MS, now) })}
      </p>
    </fieldset>
  );
}

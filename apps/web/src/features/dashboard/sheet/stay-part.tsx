/** The stay on a child's sheet: the timer with extension and checkout, or the check-in for a period. */
import type { UsualEntry } from '@haris/contract/http/search';
import type { Child } from '@haris/contract/objects';
import { Button, Checkbox, Text } from '@mantine/core';
import { IconDoorEnter, IconDoorExit, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StayTimes } from '../../../countdown/stay-times.tsx';
import { Timer } from '../../../countdown/timer.tsx';
import { useIsOver } from '../../../countdown/use-tick.ts';
import { useMinute } from '../../../facilities/use-minute.ts';
import { useMay } from '../../../session/may.ts';
import { useLock } from '../../../ui/use-lock.ts';
import { PeriodPicker } from '../entry/period-picker.tsx';
import { RoomPicker } from '../entry/room-picker.tsx';
import { useEntryRoom } from '../entry/use-entry-room.ts';
import { type EntryFailure, useRegisterEntry } from '../entry/use-register-entry.ts';
import { useStayEnds } from '../entry/use-stay-ends.ts';
import { usualLasting } from '../entry/usual-lasting.ts';
import { useCheckOut } from '../hand-over/use-check-out.ts';
import type { Lasting } from '../stays/check-in.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { ExtendButtons } from '../undo/extend-buttons.tsx';
import classes from './sheet.module.css';

export interface StayPartProps {
  child: Child;
  siblings: readonly Child[];
  /** The children who came together last time, and how long they stayed. */
  usual: UsualEntry;
  onPrint: (children: readonly Child[]) => void;
  /** Opens the comparison of the confirmed values with those that the family sent, for the child or a sibling. */
  onQuestion: (child: Child) => void;
}

export function StayPart(props: StayPartProps) {
  const mayCheckIn = useMay()('children.check_in');
  if (props.child.isInside) return <Inside {...props} mayCheckOut={mayCheckIn} />;
  return mayCheckIn ? <Outside {...props} /> : null;
}

function Inside({ child, mayCheckOut, onPrint }: StayPartProps & { mayCheckOut: boolean }) {
  const { t } = useTranslation(['child', 'stays', 'dashboard']);
  const isOver = useIsOver(child);
  const checkOut = useCheckOut();
  const lock = useLock();

  function leave() {
    if (isRefusedOffline() || !lock.take()) return;
    checkOut.mutate(child, { onSettled: lock.release });
  }

  return (
    <div className={classes.stay}>
      <div className={classes.time}>
        <Timer stay={child} label={`${t('stays:timeLeft')} ${child.name}`} />
        <StayTimes stay={child} className={classes.times} />
      </div>
      {mayCheckOut ? (
        <>
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {t('extend.title')}
            </Text>
            <ExtendButtons child={child} />
          </div>
          <div className={classes.buttons}>
            <Button
              size="md"
              color={isOver ? 'clay' : 'pine'}
              leftSection={<IconDoorExit size={20} className={classes.mirror ?? ''} aria-hidden />}
              loading={checkOut.isPending}
              onClick={leave}
              className={classes.main ?? ''}
            >
              {t('dashboard:inside.checkout')}
            </Button>
            <Button
              size="md"
              variant="default"
              leftSection={<IconPrinter size={20} aria-hidden />}
              onClick={() => onPrint([child])}
            >
              {t('slip')}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}

function Outside({ child, siblings, usual, onPrint, onQuestion }: StayPartProps) {
  const { t } = useTranslation(['dashboard', 'child']);
  // Until somebody chooses: the siblings and the end of the last time.
  const [chosen, setChosen] = useState<Lasting | null>(null);
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [failures, setFailures] = useState<readonly EntryFailure[]>([]);
  const outside = siblings.filter(({ isInside }) => !isInside);
  const isTicked = ({ _id }: Child) => ticks.get(_id) ?? usual.childIds.includes(_id);
  const children = [child, ...outside.filter(isTicked)];
  const ends = useStayEnds(children);
  const now = useMinute();
  const lasting = chosen ?? usualLasting(usual, ends, now);
  const room = useEntryRoom(children);
  const lock = useLock();
  const register = useRegisterEntry({ onDone: () => {}, onFailures: setFailures, onPrint });
  const mayConfirm = useMay()('families.edit');

  function enter() {
    // Whoever may decide compares the photos first, as in Register Entry.
    const asked = mayConfirm ? children.find(({ proposal }) => proposal !== undefined) : undefined;
    if (asked !== undefined) return onQuestion(asked);
    const place = room.place(children);
    if (place === null || isRefusedOffline() || !lock.take()) return;
    setFailures([]);
    const entry = { children, lasting, revisions: new Map(), place };
    register.mutate(entry, { onSettled: lock.release });
  }

  return (
    <div className={classes.stay}>
      {outside.length === 0 ? null : (
        <fieldset className={classes.together}>
          <legend>{t('child:together')}</legend>
          {outside.map((sibling) => (
            <Checkbox
              key={sibling._id}
              label={<bdi>{sibling.name}</bdi>}
              checked={isTicked(sibling)}
              onChange={(event) => setTicks(new Map(ticks).set(sibling._id, event.currentTarget.checked))}
            />
          ))}
        </fieldset>
      )}
      <PeriodPicker lasting={lasting} onChange={setChosen} coming={children} />
      <RoomPicker room={room} coming={children.length} />
      {failures.map((failure) => (
        <Text key={failure.child._id} size="sm" c="var(--mantine-color-error)" role="alert">
          {t('entry.failedFor', { name: failure.child.name, message: failure.message })}
        </Text>
      ))}
      <Button
        size="md"
        leftSection={<IconDoorEnter size={20} className={classes.mirror ?? ''} aria-hidden />}
        loading={register.isPending}
        onClick={enter}
      >
        {children.length > 1 ? t('entry.submitCount', { count: children.length }) : t('families.checkIn')}
      </Button>
    </div>
  );
}

/** Tools above the rows of the roll call: the choice of a room, and the print. */
import type { Evacuation } from '@haris/contract/http/incidents';
import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './roll-call.module.css';
import { type RollEntry, roomsOf } from './roll-list.ts';
import { usePrintedRollCall } from './roll-sheet.tsx';

interface RoomChoiceProps {
  entries: readonly RollEntry[];
  room: string;
  onChange: (room: string) => void;
}

/** The browser's own list: a list of the page's library would open below the dialog. */
export function RoomChoice({ entries, room, onChange }: RoomChoiceProps) {
  const { t } = useTranslation('emergency');
  const rooms = roomsOf(entries);
  return (
    <select
      className={classes.rooms}
      aria-label={t('rollCall.rooms')}
      value={room}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{t('rollCall.allRooms')}</option>
      {rooms.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
      <option value="#unknown">{t('group.unknownRoom')}</option>
      <option value="#staff">{t('group.staff')}</option>
      <option value="#visitors">{t('group.visitors')}</option>
    </select>
  );
}

export function PrintButton({
  evacuation,
  entries,
}: {
  evacuation: Evacuation;
  entries: readonly RollEntry[];
}) {
  const { t } = useTranslation('emergency');
  const { print, sheet } = usePrintedRollCall(entries, evacuation.startedAt);
  return (
    <>
      <Button
        variant="default"
        className={classes.tool ?? ''}
        aria-label={t('sheet.print')}
        leftSection={<IconPrinter size={18} aria-hidden />}
        onClick={print}
      >
        <span className={classes.toolLabel}>{t('sheet.print')}</span>
      </Button>
      {sheet}
    </>
  );
}

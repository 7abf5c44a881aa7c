/** Tools above the rows of the roll call: the search, the choice of a room, a further person, and the print. */
import type { Evacuation } from '@haris/contract/http/incidents';
import { Button } from '@mantine/core';
import { IconPrinter, IconUserPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SearchBox } from '../../../ui/search-box.tsx';
import classes from './roll-call.module.css';
import { type RollEntry, roomsOf } from './roll-list.ts';
import { usePrintedRollCall } from './roll-sheet.tsx';
import type { RollFilters } from './use-roll-filters.ts';

interface RollToolsProps {
  evacuation: Evacuation;
  entries: readonly RollEntry[];
  filters: RollFilters;
  /** Null: this person adds nobody. */
  onAdd: (() => void) | null;
}

export function RollTools({ evacuation, entries, filters, onAdd }: RollToolsProps) {
  const { t } = useTranslation('emergency');
  return (
    <div className={classes.tools}>
      <SearchBox
        className={classes.search ?? ''}
        typed={filters.typed}
        onType={filters.setTyped}
        isBusy={false}
        label={t('rollCall.search')}
        placeholder={t('rollCall.search')}
        clearLabel={t('rollCall.clear')}
      />
      <RoomChoice entries={entries} room={filters.room} onChange={filters.setRoom} />
      {onAdd === null ? null : (
        <Button
          variant="default"
          className={classes.tool ?? ''}
          aria-label={t('rollCall.add')}
          leftSection={<IconUserPlus size={18} aria-hidden />}
          onClick={onAdd}
        >
          <span className={classes.toolLabel}>{t('rollCall.add')}</span>
        </Button>
      )}
      <PrintButton evacuation={evacuation} entries={entries} />
    </div>
  );
}

interface RoomChoiceProps {
  entries: readonly RollEntry[];
  room: string;
  onChange: (room: string) => void;
}

/** The browser's own list: a list of the page's library would open below the dialog. */
function RoomChoice({ entries, room, onChange }: RoomChoiceProps) {
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

function PrintButton({ evacuation, entries }: { evacuation: Evacuation; entries: readonly RollEntry[] }) {
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

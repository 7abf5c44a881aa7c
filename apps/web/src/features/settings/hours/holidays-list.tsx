/** The holidays of a facility: first and last day, and a name; past ones are marked. */
import { HOLIDAYS_MAX, type Holiday } from '@haris/contract/opening-hours';
import { ActionIcon, Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './hours.module.css';

export interface HolidaysListProps {
  holidays: readonly Holiday[];
  /** The facility's day, `YYYY-MM-DD`. */
  today: string;
  problemOf: (path: string) => string | undefined;
  onChange: (holidays: Holiday[]) => void;
}

export function HolidaysList({ holidays, today, problemOf, onChange }: HolidaysListProps) {
  const { t } = useTranslation('settings');
  const list = useRef<HTMLDivElement>(null);
  const isPast = ({ to }: Holiday) => to !== '' && to < today;
  const problem = problemOf('holidays');

  /** Waits until the change is rendered. */
  function focusOn(selector: string) {
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  }
  function put(index: number, part: Partial<Holiday>) {
    onChange(holidays.map((holiday, at) => (at === index ? { ...holiday, ...part } : holiday)));
  }

  return (
    <div ref={list}>
      {holidays.length === 0 ? (
        <Text c="dimmed" mb="xs">
          {t('holidays.none')}
        </Text>
      ) : (
        <ul className={classes.holidays}>
          {holidays.map((holiday, index) => (
            <HolidayRow
              // biome-ignore lint/suspicious/noArrayIndexKey: holidays have no other name, and their fields hold no state
              key={index}
              holiday={holiday}
              index={index}
              isPast={isPast(holiday)}
              problemOf={problemOf}
              onChange={(part) => put(index, part)}
              onRemove={() => {
                onChange(holidays.filter((_, at) => at !== index));
                focusOn('[data-add]');
              }}
            />
          ))}
        </ul>
      )}
      {problem === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
          {problem}
        </Text>
      )}
      <Group gap="xs">
        <Button
          size="sm"
          variant="light"
          data-add
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={holidays.length >= HOLIDAYS_MAX}
          onClick={() => {
            onChange([...holidays, { from: '', to: '', name: '' }]);
            focusOn(`[data-name="${holidays.length}"]`);
          }}
        >
          {t('holidays.add')}
        </Button>
        {holidays.some(isPast) ? (
          <Button
            size="sm"
            variant="subtle"
            onClick={() => {
              onChange(holidays.filter((holiday) => !isPast(holiday)));
              focusOn('[data-add]');
            }}
          >
            {t('holidays.removePast')}
          </Button>
        ) : null}
      </Group>
    </div>
  );
}

interface HolidayRowProps {
  holiday: Holiday;
  index: number;
  isPast: boolean;
  problemOf: (path: string) => string | undefined;
  onChange: (part: Partial<Holiday>) => void;
  onRemove: () => void;
}

function HolidayRow({ holiday, index, isPast, problemOf, onChange, onRemove }: HolidayRowProps) {
  const { t } = useTranslation('settings');
  const which = holiday.name.trim() === '' ? String(index + 1) : holiday.name;
  return (
    <li className={classes.holiday} data-past={isPast || undefined}>
      <TextInput
        className={classes.holidayName ?? ''}
        size="sm"
        label={t('holidays.name')}
        dir="auto"
        maxLength={200}
        autoComplete="off"
        data-name={index}
        value={holiday.name}
        error={problemOf(`holidays.${index}.name`)}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextInput
        type="date"
        size="sm"
        label={t('holidays.from')}
        value={holiday.from}
        error={problemOf(`holidays.${index}.from`)}
        onChange={({ currentTarget: { value } }) =>
          // Most holidays are one day, and none ends before it begins.
          onChange(holiday.to < value ? { from: value, to: value } : { from: value })
        }
      />
      <TextInput
        type="date"
        size="sm"
        label={t('holidays.to')}
        value={holiday.to}
        error={problemOf(`holidays.${index}.to`)}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
      />
      <Group gap="xs" className={classes.holidayEnd ?? ''}>
        {isPast ? (
          <Badge variant="default" tt="none" fw={500}>
            {t('holidays.past')}
          </Badge>
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('holidays.remove', { name: which })}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}

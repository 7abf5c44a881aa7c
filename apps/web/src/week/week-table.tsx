/** A week of times: each day on or off, with one or several times. Opening hours and bookings are entered in it. */
import { INTERVALS_MAX, type Interval, type OpeningHours, type Weekday } from '@haris/contract/opening-hours';
import { ActionIcon, Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { IconCopy, IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './week.module.css';
import { copyDay, daysOf, nameOfDay, nextInterval, USUAL_DAY, workDaysOf } from './week.ts';

/** Names a time of a day; `number` counts the times of that day from 1. */
export interface TimeName {
  readonly day: string;
  readonly number: number;
}

/** The texts of a table, which depend on what the times mean. */
export interface WeekWords {
  /** Of a day without times. */
  readonly off: string;
  readonly from: (time: TimeName) => string;
  readonly to: (time: TimeName) => string;
  readonly copy: string;
  readonly copyOf: (day: string) => string;
  /** Absent: a day has one time. */
  readonly several?: {
    readonly add: string;
    readonly addTo: (day: string) => string;
    readonly remove: (time: TimeName) => string;
  };
}

export interface WeekTableProps {
  words: WeekWords;
  hours: OpeningHours;
  /** ISO 3166 code: decides which day is the first, and which are weekdays. */
  region: string;
  /** `path` begins with the day: `sunday`, `sunday.0.from`. */
  problemOf: (path: string) => string | undefined;
  onChange: (hours: OpeningHours) => void;
}

export function WeekTable({ words, hours, region, problemOf, onChange }: WeekTableProps) {
  return (
    <ul className={classes.week}>
      {daysOf(region).map((day) => (
        <Day
          key={day}
          words={words}
          day={day}
          intervals={hours[day]}
          problemOf={(path) => problemOf(`${day}${path}`)}
          onChange={(intervals) => onChange({ ...hours, [day]: intervals })}
          onCopy={() => onChange(copyDay(hours, day, workDaysOf(region)))}
        />
      ))}
    </ul>
  );
}

interface DayProps {
  words: WeekWords;
  day: Weekday;
  intervals: readonly Interval[];
  /** `path` is below the day: `.0.from`, or empty for the day itself. */
  problemOf: (path: string) => string | undefined;
  onChange: (intervals: Interval[]) => void;
  onCopy: () => void;
}

function Day({ words, day, intervals, problemOf, onChange, onCopy }: DayProps) {
  const { i18n } = useTranslation();
  const row = useRef<HTMLLIElement>(null);
  const name = nameOfDay(day, i18n.language);
  const isOpen = intervals.length > 0;
  const { several } = words;
  const problem = problemOf('');

  /** Waits until the change is rendered. */
  function focusOn(selector: string) {
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>(selector)?.focus());
  }
  function put(index: number, part: Partial<Interval>) {
    onChange(intervals.map((interval, at) => (at === index ? { ...interval, ...part } : interval)));
  }
  function remove(index: number) {
    onChange(intervals.filter((_, at) => at !== index));
    focusOn('input[role="switch"]');
  }
  function add() {
    onChange([...intervals, nextInterval(intervals)]);
    focusOn(`[data-from="${intervals.length}"]`);
  }

  return (
    <li ref={row} className={classes.day}>
      <Switch
        className={classes.name ?? ''}
        label={name}
        checked={isOpen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? [USUAL_DAY] : [])}
      />
      {isOpen ? (
        <div className={classes.times}>
          {intervals.map((interval, index) => (
            <IntervalFields
              // biome-ignore lint/suspicious/noArrayIndexKey: times have no other name, and their fields hold no state
              key={index}
              words={words}
              dayName={name}
              interval={interval}
              index={index}
              problemOf={(field) => problemOf(`.${index}.${field}`)}
              onChange={(part) => put(index, part)}
              onRemove={() => remove(index)}
            />
          ))}
          {problem === undefined ? null : (
            <Text size="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1} aria-invalid="true">
              {problem}
            </Text>
          )}
          <Group gap="xs">
            {several === undefined || intervals.length >= INTERVALS_MAX ? null : (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconPlus size={16} aria-hidden />}
                aria-label={several.addTo(name)}
                onClick={add}
              >
                {several.add}
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconCopy size={16} aria-hidden />}
              aria-label={words.copyOf(name)}
              onClick={onCopy}
            >
              {words.copy}
            </Button>
          </Group>
        </div>
      ) : (
        <Text c="dimmed" className={classes.closed ?? ''}>
          {words.off}
        </Text>
      )}
    </li>
  );
}

interface IntervalFieldsProps {
  words: WeekWords;
  dayName: string;
  interval: Interval;
  /** Place of the interval within its day, from 0. */
  index: number;
  problemOf: (field: keyof Interval) => string | undefined;
  onChange: (part: Partial<Interval>) => void;
  onRemove: () => void;
}

function IntervalFields(props: IntervalFieldsProps) {
  const { words, dayName, interval, index, problemOf, onChange, onRemove } = props;
  const which = { day: dayName, number: index + 1 };
  return (
    <div className={classes.time}>
      <TextInput
        type="time"
        size="sm"
        aria-label={words.from(which)}
        data-from={index}
        value={interval.from}
        error={problemOf('from')}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
      />
      <span aria-hidden className={classes.dash}>
        –
      </span>
      <TextInput
        type="time"
        size="sm"
        aria-label={words.to(which)}
        // Browsers know no 24:00.
        value={interval.to === '24:00' ? '00:00' : interval.to}
        error={problemOf('to')}
        onChange={({ currentTarget: { value } }) => onChange({ to: value === '00:00' ? '24:00' : value })}
      />
      {words.several === undefined ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={words.several.remove(which)}
          onClick={onRemove}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

/** The two tables of a report: sums per child, and the stays one by one. */
import type { AttendanceEntry, AttendanceTotal } from '@haris/contract/http/reports';
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChildLink } from '../../child/child-link.tsx';
import { momentFormat } from '../../i18n/locale.ts';
import { dateOf, hoursAndMinutes, timeOfStay } from './period.ts';
import classes from './reports.module.css';

/** A table wider than a phone: scrolls on its own, also by arrow keys, and prints whole. */
function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    <section className={classes.scrolling} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

function Name({ name }: { name: string | null }) {
  const { t } = useTranslation('reports');
  return name === null ? (
    <Text span c="dimmed" fz="inherit">
      {t('deleted')}
    </Text>
  ) : (
    <bdi>{name}</bdi>
  );
}

/** Opens the child's sheet; a deleted child has none. */
function ChildName({ child: { _id, name } }: { child: AttendanceEntry['child'] }) {
  return name === null ? (
    <Name name={null} />
  ) : (
    <ChildLink id={_id}>
      <Name name={name} />
    </ChildLink>
  );
}

export interface TotalsTableProps {
  totals: readonly AttendanceTotal[];
  all: Omit<AttendanceTotal, 'child' | 'parentName'>;
}

export function TotalsTable({ totals, all }: TotalsTableProps) {
  const { t, i18n } = useTranslation('reports');
  const time = (minutes: number) => hoursAndMinutes(minutes, i18n.language);
  // Without bookings, late is what is beyond the due end.
  const hasBookings = all.minutesLate !== all.minutesOver;
  const numbers = (of: TotalsTableProps['all']) => (
    <>
      <Table.Td className={classes.number}>{t('number', { value: of.visits })}</Table.Td>
      <Table.Td className={classes.number}>{time(of.minutesBooked)}</Table.Td>
      <Table.Td className={classes.number}>{time(of.minutesStayed)}</Table.Td>
      <Table.Td className={classes.number} data-over={of.minutesOver > 0 || undefined}>
        {time(of.minutesOver)}
      </Table.Td>
      {hasBookings ? (
        <Table.Td className={classes.number} data-over={of.minutesLate > 0 || undefined}>
          {time(of.minutesLate)}
        </Table.Td>
      ) : null}
    </>
  );
  return (
    <Scrolling label={t('totals')}>
      <Table className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.child')}</Table.Th>
            <Table.Th className={classes.parentBeside}>{t('column.parent')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.visits')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.booked')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.stayed')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.over')}</Table.Th>
            {hasBookings ? <Table.Th className={classes.number}>{t('column.late')}</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map((total) => (
            <Table.Tr key={total.child._id}>
              <Table.Th scope="row" className={classes.first}>
                <ChildName child={total.child} />
                <div className={classes.parentBelow}>
                  <Name name={total.parentName} />
                </div>
              </Table.Th>
              <Table.Td className={classes.parentBeside}>
                <Name name={total.parentName} />
              </Table.Td>
              {numbers(total)}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row" className={classes.first}>
              {t('sum')}
            </Table.Th>
            <Table.Td className={classes.parentBeside} />
            {numbers(all)}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Scrolling>
  );
}

export interface StaysTableProps {
  entries: readonly AttendanceEntry[];
  timeZone: string;
  /** False for a single day, where every row would show the same date. */
  withDate: boolean;
}

export function StaysTable({ entries, timeZone, withDate }: StaysTableProps) {
  const { t, i18n } = useTranslation('reports');
  const { language } = i18n;
  const day = momentFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'numeric',
    timeZone: 'UTC',
  });
  const hasBookings = entries.some(({ bookedUntil }) => bookedUntil !== null);
  const time = (minutes: number | null) => (minutes === null ? '–' : hoursAndMinutes(minutes, language));
  return (
    <Scrolling label={t('visits')}>
      <Table className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.child')}</Table.Th>
            {withDate ? <Table.Th>{t('column.date')}</Table.Th> : null}
            <Table.Th>{t('column.entry')}</Table.Th>
            <Table.Th>{t('column.exit')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.booked')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.stayed')}</Table.Th>
            <Table.Th className={classes.number}>{t('column.over')}</Table.Th>
            {hasBookings ? <Table.Th className={classes.number}>{t('column.late')}</Table.Th> : null}
            <Table.Th>{t('column.staff')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry._id}>
              <Table.Th scope="row" className={classes.first}>
                <ChildName child={entry.child} />
              </Table.Th>
              {withDate ? (
                <Table.Td className={classes.nowrap}>{day.format(dateOf(entry.date))}</Table.Td>
              ) : null}
              <Table.Td className={classes.nowrap}>
                {timeOfStay(entry.entryTime, entry.date, timeZone, language)}
              </Table.Td>
              <Table.Td className={classes.nowrap}>
                {entry.exitTime === null
                  ? t('inside')
                  : timeOfStay(entry.exitTime, entry.date, timeZone, language)}
              </Table.Td>
              <Table.Td className={classes.number}>{time(entry.duration)}</Table.Td>
              <Table.Td className={classes.number}>{time(entry.minutesStayed)}</Table.Td>
              <Table.Td className={classes.number} data-over={(entry.minutesOver ?? 0) > 0 || undefined}>
                {time(entry.minutesOver)}
              </Table.Td>
              {hasBookings ? (
                <Table.Td className={classes.number} data-over={(entry.minutesLate ?? 0) > 0 || undefined}>
                  {time(entry.minutesLate)}
                </Table.Td>
              ) : null}
              <Table.Td>
                <Name name={entry.checkedInBy} />
                {entry.exitTime === null || entry.checkedOutBy === entry.checkedInBy ? null : (
                  <>
                    {' / '}
                    <Name name={entry.checkedOutBy} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrolling>
  );
}

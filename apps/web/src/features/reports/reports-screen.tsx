/** Attendance by day, week and month: on screen, printed, and as CSV. */
import { type ReportPeriod, reportPeriodSchema, reportRoutes } from '@haris/contract/http/reports';
import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCalendarOff, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { CsvButton } from '../../downloads/csv-button.tsx';
import { facilityRegion } from '../../i18n/locale.ts';
import { weekdayName, weekOf } from '../../i18n/week.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { AttendanceChart } from './attendance-chart.tsx';
import { ChildPicker, type PickedChild } from './child-picker.tsx';
import { periodTitle, turnPage } from './period.ts';
import { PRINTED_STAYS_MAX, PrintButton, PrintedAt } from './print.tsx';
import {
  type Attendance,
  type Question,
  type Totals,
  toQuery,
  useAttendance,
  useLiveReport,
  useTotals,
} from './queries.ts';
import classes from './reports.module.css';
import { Stays } from './stays.tsx';
import { TotalsTable } from './tables.tsx';
import { TimeZoneDialog } from './time-zone-dialog.tsx';

/** First days of the week in the countries of our languages: Saturday, Sunday, Monday. */
const WEEK_STARTS = [6, 7, 1];
const PERIODS = reportPeriodSchema.options;

/** Period and day are in the address, so that back and reload keep them; the child is not, for privacy. */
function useQuestion() {
  const [address, setAddress] = useSearchParams();
  const [weekStart, setWeekStart] = useLocalStorage({
    key: 'haris.week-start',
    defaultValue: weekOf(facilityRegion()).firstDay,
  });
  const [child, setChild] = useState<PickedChild | null>(null);
  const period = reportPeriodSchema.safeParse(address.get('period')).data ?? 'day';
  const date = reportRoutes.listAttendance.query.shape.date.safeParse(address.get('date')).data ?? null;
  const question: Question = { period, date, weekStart, childId: child?.id ?? null };
  const ask = (next: { period?: ReportPeriod; date?: string | null }) => {
    // Reads the current address: the rendered one may be outdated and would revert a recent choice.
    const asked = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(next))
      if (value === null) asked.delete(name);
      else asked.set(name, value);
    setAddress(asked, { preventScrollReset: true });
  };
  return { question, ask, setWeekStart, child, setChild };
}

export default function ReportsScreen() {
  const { t } = useTranslation('reports');
  const choice = useQuestion();
  const { question, child } = choice;
  const attendance = useAttendance(question);
  const totals = useTotals(question);
  const report = totals.data;
  useLiveReport(report);
  const isStale = totals.isPlaceholderData || attendance.isPlaceholderData;

  return (
    <Page title={t('title')} size="xl">
      <Controls choice={choice} today={report?.today} />
      {report !== undefined ? (
        <Report {...{ report, question, child, attendance, isStale }} />
      ) : totals.isError ? (
        <ErrorState
          text={failureText(totals.error, t('error'))}
          onRetry={() => void totals.refetch()}
          busy={totals.isRefetching}
        />
      ) : (
        <ReportSkeleton />
      )}
    </Page>
  );
}

interface ControlsProps {
  choice: ReturnType<typeof useQuestion>;
  /** Today at the facility; undefined until the first report has loaded. */
  today: string | undefined;
}

/** Period, day, first day of the week and child. */
function Controls({ choice: { question, ask, setWeekStart, child, setChild }, today }: ControlsProps) {
  const { t, i18n } = useTranslation('reports');
  return (
    <Card component="section" aria-label={t('choose')} className={classes.controls ?? ''}>
      <SegmentedControl
        aria-label={t('period.label')}
        data={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        value={question.period}
        onChange={(value) => ask({ period: reportPeriodSchema.parse(value) })}
        className={classes.periods ?? ''}
      />
      <div className={classes.date}>
        <Turn question={question} today={today} by={-1} onTurn={(date) => ask({ date })} />
        <TextInput
          type="date"
          className={classes.dateField ?? ''}
          aria-label={t('date')}
          min="2000-01-01"
          max="2199-12-31"
          value={question.date ?? today ?? ''}
          // A date field is empty while somebody types in it.
          onChange={({ currentTarget: { value } }) => value !== '' && ask({ date: value })}
        />
        <Turn question={question} today={today} by={1} onTurn={(date) => ask({ date })} />
        {question.date === null || question.date === today ? null : (
          <Button variant="subtle" px="sm" onClick={() => ask({ date: null })}>
            {t('today')}
          </Button>
        )}
      </div>
      <Allowed to="families.view">
        <ChildPicker picked={child} onPick={setChild} className={classes.child ?? ''} />
      </Allowed>
      {question.period === 'week' ? (
        <Select
          label={t('weekStart')}
          data={WEEK_STARTS.map((day) => ({
            value: String(day),
            label: weekdayName(day, i18n.language),
          }))}
          value={String(question.weekStart)}
          onChange={(value) => setWeekStart(Number(value ?? question.weekStart))}
          allowDeselect={false}
          classNames={{ root: classes.weekStart ?? '', label: classes.weekLabel ?? '' }}
        />
      ) : null}
    </Card>
  );
}

interface ReportProps {
  report: Totals;
  question: Question;
  child: PickedChild | null;
  attendance: Attendance;
  /** The report belongs to the previous query. */
  isStale: boolean;
}

function Report({ report, question, child, attendance, isStale }: ReportProps) {
  const { t } = useTranslation('reports');
  const [isZoneOpen, setZoneOpen] = useState(false);
  return (
    <article className={classes.report} data-stale={isStale || undefined} aria-busy={isStale}>
      <ReportHeader {...{ report, question, child, attendance }} onChangeZone={() => setZoneOpen(true)} />
      {report.all.visits === 0 ? (
        <EmptyState icon={<IconCalendarOff size={28} />} text={t('empty')} hint={t('emptyHint')} />
      ) : (
        <Stack gap="xl">
          <AttendanceChart question={question} />
          <div>
            <Title order={3} fz="h4" mb="xs">
              {t('totals')}
            </Title>
            <TotalsTable totals={report.totals} all={report.all} />
            {report.all.open === 0 ? null : (
              <Text size="sm" c="dimmed" mt="xs">
                {t('openHint')}
              </Text>
            )}
          </div>
          <Stays
            attendance={attendance}
            question={question}
            printed={report.all.visits <= PRINTED_STAYS_MAX}
          />
        </Stack>
      )}
      <TimeZoneDialog opened={isZoneOpen} onClose={() => setZoneOpen(false)} timeZone={report.timeZone} />
    </article>
  );
}

interface ReportHeaderProps extends Omit<ReportProps, 'isStale'> {
  onChangeZone: () => void;
}

/** Title of the report, and buttons to print and export it. */
function ReportHeader({ report, question, child, attendance, onChangeZone }: ReportHeaderProps) {
  const { t, i18n } = useTranslation('reports');
  return (
    <header>
      <Group justify="space-between" align="flex-start" gap="md" mb="md">
        <div>
          <Title order={2} fz="h3" aria-live="polite">
            {periodTitle(question.period, report, i18n.language)}
          </Title>
          {child === null ? null : (
            <Text fw={500}>
              <bdi>{child.name}</bdi>
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {t('summary', {
              visits: t('found', { count: report.all.visits }),
              children: t('children', { count: report.all.children }),
            })}
            {report.all.open === 0 ? null : ` · ${t('open', { count: report.all.open })}`}
          </Text>
          <Text size="sm" c="dimmed">
            {t('zone.of', { zone: report.timeZone })}{' '}
            <Allowed to="settings.manage">
              <Anchor
                component="button"
                type="button"
                inherit
                className={classes.screenOnly}
                onClick={onChangeZone}
              >
                {t('zone.change')}
              </Anchor>
            </Allowed>
          </Text>
          <PrintedAt />
        </div>
        <Group gap="sm" className={classes.screenOnly}>
          <Allowed to="reports.export">
            <CsvButton
              route={reportRoutes.exportAttendance}
              query={{ ...toQuery(question), language: i18n.language }}
              disabled={report.all.visits === 0}
            />
          </Allowed>
          <PrintButton attendance={attendance} visits={report.all.visits} />
        </Group>
      </Group>
    </header>
  );
}

interface TurnProps {
  question: Question;
  today: string | undefined;
  by: -1 | 1;
  onTurn: (date: string) => void;
}

function Turn({ question, today, by, onTurn }: TurnProps) {
  const { t } = useTranslation('reports');
  const from = question.date ?? today;
  const Icon = by < 0 ? IconChevronLeft : IconChevronRight;
  return (
    <ActionIcon
      variant="default"
      size={42}
      disabled={from === undefined}
      aria-label={t(`turn.${question.period}.${by < 0 ? 'before' : 'after'}`)}
      onClick={() => from !== undefined && onTurn(turnPage(question.period, from, by))}
    >
      <Icon size={20} className={classes.mirror ?? ''} aria-hidden />
    </ActionIcon>
  );
}

/** Placeholder of a heading and two tables while the report loads. */
function ReportSkeleton() {
  const { t } = useTranslation('common');
  return (
    <Stack gap="lg" mt="xl" role="status" aria-label={t('loading')}>
      <Skeleton height={28} width="40%" />
      <Skeleton height={200} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** Attendance by day, week and month: read, printed, and taken away as CSV. */
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
import { CsvButton } from '../../client/csv-button.tsx';
import { failureText } from '../../client/failure.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { ChildPicker, type PickedChild } from './child-picker.tsx';
import { firstWeekday, periodTitle, turnPage, weekdayName } from './period.ts';
import { PRINTED_STAYS_MAX, PrintButton, PrintedAt } from './print.tsx';
import { type Question, toQuery, useAttendance, useLiveReport, useTotals } from './queries.ts';
import classes from './reports.module.css';
import { Stays } from './stays.tsx';
import { TotalsTable } from './tables.tsx';
import { TimeZoneDialog } from './time-zone-dialog.tsx';

/** As weeks begin in the countries of our languages. */
const WEEK_STARTS = [6, 7, 1];
const PERIODS = reportPeriodSchema.options;

/** Period and day stand in the address, so that going back and loading anew show the same; whose stays they are does not. */
function useQuestion() {
  const { i18n } = useTranslation();
  const [address, setAddress] = useSearchParams();
  const [weekStart, setWeekStart] = useLocalStorage({
    key: 'haris.week-start',
    defaultValue: firstWeekday(i18n.language, navigator.languages),
  });
  const [child, setChild] = useState<PickedChild | null>(null);
  const period = reportPeriodSchema.catch('day').parse(address.get('period'));
  const date = reportRoutes.listAttendance.query.shape.date.safeParse(address.get('date')).data ?? null;
  const question: Question = { period, date, weekStart, childId: child?.id ?? null };
  const ask = (next: { period?: ReportPeriod; date?: string | null }) => {
    // The address as it is: what is drawn may be older, and would take back what was chosen a moment before.
    const asked = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(next))
      if (value === null) asked.delete(name);
      else asked.set(name, value);
    setAddress(asked, { preventScrollReset: true });
  };
  return { question, ask, setWeekStart, child, setChild };
}

export default function ReportsScreen() {
  const { t, i18n } = useTranslation('reports');
  const { question, ask, setWeekStart, child, setChild } = useQuestion();
  const attendance = useAttendance(question);
  const totals = useTotals(question);
  const [isZoneOpen, setZoneOpen] = useState(false);
  const report = totals.data;
  useLiveReport(report);
  const isStale = totals.isPlaceholderData || attendance.isPlaceholderData;

  return (
    <Page title={t('title')} size="xl" actions={<BackLink to="/adminDashboard">{t('back')}</BackLink>}>
      <Card component="section" aria-label={t('choose')} className={classes.controls ?? ''}>
        <Group align="flex-end" gap="md">
          <SegmentedControl
            aria-label={t('period.label')}
            data={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
            value={question.period}
            onChange={(value) => ask({ period: reportPeriodSchema.parse(value) })}
            size="md"
            className={classes.periods ?? ''}
          />
          <Group gap={4} align="flex-end" className={classes.date ?? ''}>
            <TextInput
              type="date"
              className={classes.dateField ?? ''}
              label={t('date')}
              min="2000-01-01"
              max="2199-12-31"
              value={question.date ?? report?.today ?? ''}
              // A field that is being typed in is empty for a while.
              onChange={({ currentTarget: { value } }) => value !== '' && ask({ date: value })}
            />
            <Turn question={question} today={report?.today} by={-1} onTurn={(date) => ask({ date })} />
            <Turn question={question} today={report?.today} by={1} onTurn={(date) => ask({ date })} />
            {question.date === null || question.date === report?.today ? null : (
              <Button variant="subtle" px="sm" onClick={() => ask({ date: null })}>
                {t('today')}
              </Button>
            )}
          </Group>
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
              w={{ base: '100%', sm: 160 }}
            />
          ) : null}
          <ChildPicker picked={child} onPick={setChild} />
        </Group>
      </Card>
      {report === undefined ? (
        totals.isError ? (
          <ErrorState
            text={failureText(totals.error, t('error'))}
            onRetry={() => void totals.refetch()}
            busy={totals.isRefetching}
          />
        ) : (
          <ReportSkeleton />
        )
      ) : (
        <article className={classes.report} data-stale={isStale || undefined} aria-busy={isStale}>
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
                  <Anchor
                    component="button"
                    type="button"
                    inherit
                    className={classes.screenOnly}
                    onClick={() => setZoneOpen(true)}
                  >
                    {t('zone.change')}
                  </Anchor>
                </Text>
                <PrintedAt />
              </div>
              <Group gap="sm" className={classes.screenOnly}>
                <CsvButton
                  route={reportRoutes.exportAttendance}
                  query={{ ...toQuery(question), language: i18n.language }}
                  disabled={report.all.visits === 0}
                />
                <PrintButton attendance={attendance} visits={report.all.visits} />
              </Group>
            </Group>
          </header>
          {report.all.visits === 0 ? (
            <EmptyState icon={<IconCalendarOff size={28} />} text={t('empty')} hint={t('emptyHint')} />
          ) : (
            <Stack gap="xl">
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
      )}
    </Page>
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

/** A heading and two tables in the shape of what comes. */
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

/** The health of the installation for those who operate it: what its checks found, the worst first, and what to do. */
import { type HealthFinding, type HealthState, healthRoutes } from '@haris/contract/http/health';
import { Badge, Button, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import classes from './settings.module.css';

const LOOKS = {
  bad: { Icon: IconCircleX, color: 'clay' },
  warn: { Icon: IconAlertTriangle, color: 'saffron' },
  unknown: { Icon: IconHelpCircle, color: 'gray' },
  ok: { Icon: IconCircleCheck, color: undefined },
} as const satisfies Record<HealthState, unknown>;

export function HealthPanel() {
  const { t, i18n } = useTranslation('settings');
  const format = useClockFormat();
  const { language } = i18n;
  const health = useQuery({
    queryKey: [keys.settings, 'health', language],
    queryFn: ({ signal }) => call(healthRoutes.getHealth, { query: { language }, signal }),
    staleTime: 0,
  });
  async function checkAgain(): Promise<void> {
    const { error } = await health.refetch();
    if (error !== null) showFailure(error);
  }
  if (health.data === undefined)
    return health.isError ? (
      <ErrorState
        text={failureText(health.error)}
        onRetry={() => void health.refetch()}
        busy={health.isRefetching}
      />
    ) : (
      <HealthSkeleton />
    );
  const { findings, examinedAt } = health.data;
  return (
    <Card component="section" aria-labelledby="health-title">
      <Stack gap="md">
        <Stack gap={4}>
          <Title order={2} id="health-title" fz="h4">
            {t('health.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('health.lead')}
          </Text>
        </Stack>
        <Group justify="space-between" gap="sm">
          <Summary findings={findings} time={format.timeOfDay(examinedAt)} />
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            loading={health.isFetching}
            onClick={() => void checkAgain()}
          >
            {t('health.again')}
          </Button>
        </Group>
        <ul className={classes.items} aria-labelledby="health-title">
          {findings.map((finding) => (
            <Line key={finding.id} finding={finding} />
          ))}
        </ul>
      </Stack>
    </Card>
  );
}

function Summary({ findings, time }: { findings: readonly HealthFinding[]; time: string }) {
  const { t } = useTranslation('settings');
  const count = (...states: HealthState[]) => findings.filter(({ state }) => states.includes(state)).length;
  const attention = count('bad', 'warn');
  const unknown = count('unknown');
  return (
    <div className={classes.words} role="status">
      <Text fw={500}>
        {attention === 0 ? t('health.allWell') : t('health.attention', { count: attention })}
      </Text>
      {unknown === 0 ? null : <Text size="sm">{t('health.notFound', { count: unknown })}</Text>}
      <Text size="sm" c="dimmed">
        {t('health.examined', { time })}
      </Text>
    </div>
  );
}

function Line({ finding: { id, state, detail, todo } }: { finding: HealthFinding }) {
  const { t } = useTranslation('settings');
  const { Icon, color } = LOOKS[state];
  const look = color === undefined ? {} : { color };
  return (
    <li className={classes.finding} data-state={state}>
      <ThemeIcon variant="light" radius="xl" size={36} aria-hidden {...look}>
        <Icon size={20} />
      </ThemeIcon>
      <Stack gap={4} className={classes.words ?? ''}>
        <Group gap="xs">
          <Text fw={500}>{t(`health.checks.${id}`)}</Text>
          <Badge variant="light" tt="none" {...look}>
            {t(`health.states.${state}`)}
          </Badge>
        </Group>
        <Text size="sm">{detail}</Text>
        {todo === undefined ? null : (
          <Text size="sm">
            <Text span inherit fw={500}>
              {t('health.todo')}
            </Text>{' '}
            {todo}
          </Text>
        )}
      </Stack>
    </li>
  );
}

function HealthSkeleton() {
  const { t } = useTranslation('common');
  return (
    <Card role="status" aria-label={t('loading')}>
      <Stack gap="md">
        {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
          <Group key={row} gap="sm" wrap="nowrap">
            <Skeleton circle height={36} style={{ flexShrink: 0 }} />
            <Stack gap={8} flex={1}>
              <Skeleton height={14} width="35%" />
              <Skeleton height={12} width="70%" />
            </Stack>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

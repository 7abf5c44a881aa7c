/** Requests of colleagues that this person may approve. */
import { type Approval, approvalRoutes } from '@haris/contract/http/approvals';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconUsers, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApprovalText } from '../../../approvals/about.ts';
import { approvalsQuery } from '../../../approvals/queries.ts';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Card } from '../../../ui/card.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import classes from './approvals-card.module.css';

/** Renders nothing while nobody asks. */
export function ApprovalsCard() {
  const { t } = useTranslation('approvals');
  const { data } = useQuery(approvalsQuery);
  const asked = data?.approvals.filter(({ isOwn }) => !isOwn) ?? [];
  if (asked.length === 0) return null;
  return (
    <Card component="section" className={classes.card ?? ''} aria-labelledby="approvals-title">
      <Group gap="xs" mb="sm">
        <IconUsers size={20} aria-hidden />
        <Title order={2} id="approvals-title" fz="h4">
          {t('title')}
        </Title>
      </Group>
      <ul className={classes.list}>
        {asked.map((approval) => (
          <Question key={approval._id} approval={approval} />
        ))}
      </ul>
    </Card>
  );
}

function Question({ approval }: { approval: Approval }) {
  const { t } = useTranslation('approvals');
  const client = useQueryClient();
  const textOf = useApprovalText();
  const format = useClockFormat();
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'refuse') =>
      call(approvalRoutes.decideApproval, { params: { id: approval._id }, body: { decision } }),
    onSuccess: (_answer, decision) => notifySuccess(t(decision === 'approve' ? 'agreed' : 'refused')),
    onError: (error) => showFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.approvals] }),
  });
  const about = Object.values(approval.query).join(' · ');
  return (
    <li className={classes.question}>
      <Stack gap={2} className={classes.words ?? ''}>
        <Text fw={500}>
          <bdi>{textOf(approval)}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {t('askedBy', {
            name: approval.askedBy.name ?? t('somebody'),
            time: format.timeOfDay(approval.askedAt),
          })}
          {about === '' ? null : (
            <>
              {' · '}
              <bdi>{about}</bdi>
            </>
          )}
        </Text>
      </Stack>
      <Group gap="xs">
        <Button
          size="sm"
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          disabled={decide.isPending}
          onClick={() => decide.mutate('refuse')}
        >
          {t('refuse')}
        </Button>
        <Button
          size="sm"
          leftSection={<IconCheck size={16} aria-hidden />}
          disabled={decide.isPending}
          onClick={() => decide.mutate('approve')}
        >
          {t('agree')}
        </Button>
      </Group>
    </li>
  );
}

/** Shows that a call waits for a second person, and lets the call continue once a colleague has agreed. */
import { approvalRoutes } from '@haris/contract/http/approvals';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApprovalText } from '../approvals/about.ts';
import { approvalQuery } from '../approvals/queries.ts';
import { settleApproval } from '../calls/approval.ts';
import { showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** `id` null: closed. */
export function ApprovalDialog({ id }: { id: string | null }) {
  const { t } = useTranslation('approvals');
  const isSignedOut = useSession().admin.identity === null;
  useEffect(() => {
    if (isSignedOut) settleApproval(false);
  }, [isSignedOut]);
  return (
    <Dialog
      opened={id !== null}
      onClose={() => settleApproval(false)}
      title={t('wait.title')}
      size="sm"
      onTop
    >
      {id === null ? null : <Waiting id={id} />}
    </Dialog>
  );
}

function Waiting({ id }: { id: string }) {
  const { t } = useTranslation('approvals');
  const textOf = useApprovalText();
  const format = useClockFormat();
  const { data } = useQuery(approvalQuery(id));
  const approval = data?.approval;
  const state = approval?.state ?? 'waiting';
  useEffect(() => {
    if (state === 'approved') settleApproval(true);
  }, [state]);
  const withdraw = useMutation({
    mutationFn: () => call(approvalRoutes.withdrawApproval, { params: { id } }),
    onSuccess: () => settleApproval(false),
    onError: (error) => showFailure(error),
  });
  const isOver = state !== 'waiting' && state !== 'approved';
  return (
    <Stack gap="md">
      {approval === undefined ? null : <Text fw={500}>{textOf(approval)}</Text>}
      <Group gap="sm" wrap="nowrap" role="status">
        {isOver ? null : <Loader size="sm" aria-hidden />}
        <Text size="sm">
          {isOver
            ? t(state === 'refused' ? 'wait.refused' : 'wait.over', { name: approval?.decidedBy?.name ?? '' })
            : t('wait.lead', { time: approval === undefined ? '' : format.timeOfDay(approval.expiresAt) })}
        </Text>
      </Group>
      <Group justify="flex-end" gap="sm">
        {isOver ? (
          <Button onClick={() => settleApproval(false)} data-autofocus>
            {t('wait.close')}
          </Button>
        ) : (
          <>
            <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
              {t('wait.withdraw')}
            </Button>
            <Button variant="light" onClick={() => settleApproval(false)}>
              {t('wait.later')}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

/** One question to the parent: to become a guardian of a child, and what that allows. */
import { type GuardianRequest, guardianRoutes } from '@haris/contract/http/guardians';
import { Button, List, Text, Title } from '@mantine/core';
import { IconUserHeart } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import styles from './on-my-way.module.css';

const RIGHTS = ['mayLive', 'mayTake', 'mayEdit', 'mayCollect'] as const;

export interface GuardianRequestCardProps {
  request: GuardianRequest;
  /** Before the card goes. */
  onAnswered: () => void;
}

export function GuardianRequestCard({ request, onAnswered }: GuardianRequestCardProps) {
  const { t } = useTranslation('guardian-request');
  const client = useQueryClient();
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  const [isAnswered, setAnswered] = useState(false);
  const { childId, childName: child, facility } = request;
  const leave = () => {
    setAnswered(true);
    onAnswered();
  };
  const answer = useMutation({
    mutationFn: (accept: boolean) =>
      call(guardianRoutes.answerGuardianRequest, { params: { id: childId }, body: { accept } }),
    onSuccess: (_, accept) => {
      notifySuccess(accept ? t('accepted', { child }) : t('declined'));
      leave();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'not_found') return showFailure(error);
      notifyError(t('gone'));
      leave();
    },
    onSettled: () => {
      setAsking(false);
      // With the child comes its nursery.
      return refetchStale(client, [keys.guardians, keys.children, keys.session, keys.settings]);
    },
  });
  return (
    <Card p="md" component="section" className={styles.announced ?? ''} aria-labelledby={id} mb="md">
      <Title order={2} fz="lg" id={id} style={{ overflowWrap: 'anywhere' }}>
        {t('title', { child, facility })}
      </Title>
      <Text mt={4} mb="xs">
        {t('lead', { child })}
      </Text>
      <List size="sm" withPadding>
        <List.Item>{t('see', { child })}</List.Item>
        {RIGHTS.filter((right) => request[right]).map((right) => (
          <List.Item key={right}>{t(`may.${right}`, { child })}</List.Item>
        ))}
      </List>
      <div className={styles.actions}>
        <Button
          size="md"
          leftSection={<IconUserHeart size={20} aria-hidden />}
          aria-label={t('acceptOf', { child })}
          loading={answer.isPending && answer.variables === true}
          disabled={answer.isPending}
          onClick={() => answer.mutate(true)}
        >
          {t('accept')}
        </Button>
        <Button
          size="md"
          variant="default"
          aria-label={t('declineOf', { child })}
          aria-haspopup="dialog"
          disabled={answer.isPending}
          onClick={() => setAsking(true)}
        >
          {t('decline')}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => answer.mutate(false)}
        title={t('sureTitle')}
        confirmLabel={t('decline')}
        busy={answer.isPending}
        returnFocus={!isAnswered}
        dangerous
      >
        {t('sure', { child })}
      </ConfirmDialog>
    </Card>
  );
}

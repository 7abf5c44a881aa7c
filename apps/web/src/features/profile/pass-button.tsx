/** The one-time pass of a collector: created and sent, or revoked. */
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { Button, Text } from '@mantine/core';
import { IconQrcode } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { isPast, today, useDayFormat } from '../../collectors/days.ts';
import { refreshCollectors } from '../../collectors/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { PassMaker } from './pass-maker.tsx';
import styles from './pickup.module.css';

export interface PassButtonProps {
  /** Name of the child. */
  child: string;
  collector: Collector;
}

/** Renders nothing for a collector whose last day is over. */
export function PassButton({ child, collector }: PassButtonProps) {
  const { t } = useTranslation('collectors');
  const dayText = useDayFormat();
  const [isOpen, setOpen] = useState(false);
  const { name, passDay } = collector;
  if (isPast(collector, today())) return null;
  return (
    <div className={styles.pass}>
      {passDay === null ? null : (
        <Text size="sm" fw={500} className={styles.passDay}>
          <IconQrcode size={18} aria-hidden />
          {t('pass.open', { date: dayText(passDay) })}
        </Text>
      )}
      <Button
        size="sm"
        variant="default"
        aria-haspopup="dialog"
        aria-label={t(passDay === null ? 'pass.sendOf' : 'pass.againOf', { name })}
        onClick={() => setOpen(true)}
      >
        {t(passDay === null ? 'pass.send' : 'pass.again')}
      </Button>
      {passDay === null ? null : <RevokeButton collector={collector} />}
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('pass.title', { name })}>
        <PassMaker child={child} collector={collector} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function RevokeButton({ collector: { _id, name } }: { collector: Collector }) {
  const { t } = useTranslation('collectors');
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(collectorRoutes.revokeCollectorPass, { params: { id: _id } }),
    onSuccess: () => notifySuccess(t('pass.revoked')),
    onError: (error) => showFailure(error),
    onSettled: () => refreshCollectors(client),
  });
  return (
    <Button
      size="sm"
      variant="subtle"
      color="clay"
      loading={revoke.isPending}
      aria-label={t('pass.revokeOf', { name })}
      onClick={() => revoke.mutate()}
    >
      {t('pass.revoke')}
    </Button>
  );
}

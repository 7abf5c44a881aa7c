/** Evacuate on the tablet without sign-in: nobody should have to sign in to save children. */
import { Text } from '@mantine/core';
import { IconAlertTriangle, IconDoorExit } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { momentFormat } from '../../i18n/locale.ts';
import { tabletFailureOf } from '../../tablet/failure.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { HoldButton } from '../../ui/hold-button.tsx';
import styles from './desk.module.css';
import type { DeskCalls } from './desk-calls.ts';

export interface DeskEvacuateProps {
  calls: Pick<DeskCalls, 'evacuate' | 'look'>;
  /** When the open evacuation began; null if there is none. */
  since: string | null;
  onUnpaired: () => void;
}

export function DeskEvacuate({ calls, since, onUnpaired }: DeskEvacuateProps) {
  const { t, i18n } = useTranslation('desk');
  const [isAsking, setAsking] = useState(false);
  const start = useMutation({
    mutationFn: calls.evacuate,
    onSuccess: () => void calls.look().catch(() => {}),
    onError: (error) => {
      if (tabletFailureOf(error) === 'unpaired') onUnpaired();
    },
    onSettled: () => setAsking(false),
  });
  const begun = since ?? start.data?.startedAt ?? null;
  const time = momentFormat(i18n.language, { hour: 'numeric', minute: '2-digit' });
  return (
    <div className={styles.evacuate} data-evacuate>
      <HoldButton
        icon={<IconDoorExit size={24} aria-hidden />}
        hint={t('evacuate.hint')}
        holding={t('evacuate.holding')}
        onHeld={() => start.mutate()}
        onPressed={() => setAsking(true)}
        disabled={start.isPending}
      >
        {t('evacuate.button')}
      </HoldButton>
      <div role="alert" className={styles.alert}>
        {start.isError ? (
          <p className={styles.danger}>
            <IconAlertTriangle size={24} aria-hidden />
            {t('evacuate.failed')}
          </p>
        ) : begun === null ? null : (
          <p className={styles.danger}>
            <IconAlertTriangle size={24} aria-hidden />
            {t('evacuate.since', { time: time.format(new Date(begun)) })}
          </p>
        )}
      </div>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => start.mutate()}
        title={t('evacuate.title')}
        confirmLabel={t('evacuate.confirm')}
        busy={start.isPending}
        dangerous
      >
        <Text>{t('evacuate.question')}</Text>
      </ConfirmDialog>
    </div>
  );
}

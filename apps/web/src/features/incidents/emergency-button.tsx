/** Starts an evacuation: hold for a second and a half, or press and confirm where holding is impossible. */
import { Text } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { HoldButton } from '../../ui/hold-button.tsx';
import { useStartEvacuation } from './use-start-evacuation.ts';

export interface EmergencyButtonProps {
  /** Shows the icon alone; the label stays the accessible name. */
  isCompact?: boolean;
  /** Fills the width of its container. */
  isBlock?: boolean;
}

export function EmergencyButton({ isCompact = false, isBlock = false }: EmergencyButtonProps) {
  const { t } = useTranslation('incidents');
  const [isAsking, setAsking] = useState(false);
  const start = useStartEvacuation(() => setAsking(false));
  return (
    <>
      <span data-evacuate style={{ display: 'contents' }}>
        <HoldButton
          icon={<IconDoorExit size={20} aria-hidden />}
          hint={t('emergency.hint')}
          holding={t('emergency.holding')}
          onHeld={() => start.mutate()}
          onPressed={() => setAsking(true)}
          disabled={start.isPending}
          isCompact={isCompact}
          isBlock={isBlock}
        >
          {t('emergency.button')}
        </HoldButton>
      </span>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => start.mutate()}
        title={t('emergency.title')}
        confirmLabel={t('emergency.confirm')}
        cancelLabel={t('cancel')}
        busy={start.isPending}
        dangerous
      >
        <Text>{t('emergency.question')}</Text>
      </ConfirmDialog>
    </>
  );
}

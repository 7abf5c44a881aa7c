/** The Evacuate button inside the danger dialog, whose confirmation is inline: a dialog of the page would open below it. */
import { Button, Text } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldButton } from '../../../ui/hold-button.tsx';
import { useStartEvacuation } from '../use-start-evacuation.ts';
import classes from './danger-dialog.module.css';

export function EvacuateInDialog() {
  const { t } = useTranslation('incidents');
  const [isAsking, setAsking] = useState(false);
  const start = useStartEvacuation(() => setAsking(false));
  return (
    <div className={classes.evacuate}>
      {/* Above the button, which must not move under a finger. */}
      {isAsking ? (
        <div className={classes.asking} role="alert">
          <Text>{t('emergency.title')}</Text>
          <Button color="clay" onClick={() => start.mutate()} loading={start.isPending}>
            {t('emergency.confirm')}
          </Button>
          <Button variant="default" onClick={() => setAsking(false)} disabled={start.isPending}>
            {t('cancel')}
          </Button>
        </div>
      ) : null}
      <HoldButton
        icon={<IconDoorExit size={22} aria-hidden />}
        hint={t('emergency.hint')}
        holding={t('emergency.holding')}
        onHeld={() => start.mutate()}
        onPressed={() => setAsking(true)}
        disabled={start.isPending}
        isBlock
      >
        {t('emergency.button')}
      </HoldButton>
    </div>
  );
}

/** Links that call for help in the facility's region; nothing where the number is not certain. */
import { Button } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { facilityRegion } from '../../../i18n/locale.ts';
import classes from './danger-dialog.module.css';
import { emergencyNumbersOf } from './emergency-numbers.ts';

/** `hasPolice`: also the police, because somebody is a danger, or a child is missing. */
export function EmergencyCalls({ hasPolice }: { hasPolice: boolean }) {
  const { t } = useTranslation('emergency');
  const numbers = emergencyNumbersOf(facilityRegion()).filter(
    ({ service }) => service !== 'police' || hasPolice,
  );
  if (numbers.length === 0) return null;
  return (
    <div className={classes.calls}>
      {numbers.map(({ service, number }) => (
        <Button
          key={service}
          component="a"
          href={`tel:${number}`}
          variant="default"
          size="md"
          leftSection={<IconPhone size={18} aria-hidden />}
        >
          {t(`call.${service}`, { number })}
        </Button>
      ))}
    </div>
  );
}

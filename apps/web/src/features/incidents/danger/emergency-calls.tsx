/** Links that call the fire brigade and the ambulance of the facility's region; nothing where the number is not certain. */
import { Button } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { facilityRegion } from '../../../i18n/locale.ts';
import classes from './danger-dialog.module.css';
import { emergencyNumbersOf } from './emergency-numbers.ts';

export function EmergencyCalls() {
  const { t } = useTranslation('emergency');
  const numbers = emergencyNumbersOf(facilityRegion());
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

/** The form that extends a stay until a time of day, in the facility's zone. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../../calls/server-clock.ts';
import { nextMomentAt } from '../../../countdown/next-moment.ts';
import { facilityTimeZone } from '../../../i18n/locale.ts';
import classes from './extend.module.css';

export interface ExtendUntilProps {
  /** Gets the moment in ISO 8601. */
  onChoose: (until: string) => void;
  /** The field has the focus as soon as the form is shown. */
  hasFocus?: boolean;
}

export function ExtendUntil({ onChoose, hasFocus = false }: ExtendUntilProps) {
  const { t } = useTranslation('child');
  const [time, setTime] = useState('');

  function submit(event: FormEvent) {
    event.preventDefault();
    const until = nextMomentAt(time, serverNow(), facilityTimeZone());
    if (until !== null) onChoose(new Date(until).toISOString());
  }

  return (
    <form onSubmit={submit}>
      <Stack gap={4}>
        <div className={classes.until}>
          <TextInput
            type="time"
            size="sm"
            label={t('extend.time')}
            value={time}
            required
            withAsterisk={false}
            data-autofocus={hasFocus || undefined}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="light" disabled={time === ''}>
            {t('extend.submit')}
          </Button>
        </div>
        <Text size="xs" c="dimmed">
          {t('extend.timeHint')}
        </Text>
      </Stack>
    </form>
  );
}

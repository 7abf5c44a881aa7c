/** The form for a time of day, in the facility's zone, until which a stay lasts. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { serverNow } from '../../../calls/server-clock.ts';
import { nextMomentAt } from '../../../countdown/next-moment.ts';
import { facilityTimeZone } from '../../../i18n/locale.ts';
import classes from './extend.module.css';

export interface UntilFormProps {
  label: string;
  hint: string;
  /** Text of the button. */
  submit: string;
  /** Gets the moment in ISO 8601. */
  onChoose: (until: string) => void;
  /** The field has the focus as soon as the form is shown. */
  hasFocus?: boolean;
}

export function UntilForm({ label, hint, submit, onChoose, hasFocus = false }: UntilFormProps) {
  const [time, setTime] = useState('');

  function choose(event: FormEvent) {
    event.preventDefault();
    // In React, an event of a portal also reaches the form around the portal.
    event.stopPropagation();
    const until = nextMomentAt(time, serverNow(), facilityTimeZone());
    if (until !== null) onChoose(new Date(until).toISOString());
  }

  return (
    <form onSubmit={choose}>
      <Stack gap={4}>
        <div className={classes.until}>
          <TextInput
            type="time"
            size="sm"
            label={label}
            value={time}
            required
            withAsterisk={false}
            data-autofocus={hasFocus || undefined}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" variant="light" disabled={time === ''}>
            {submit}
          </Button>
        </div>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </Stack>
    </form>
  );
}

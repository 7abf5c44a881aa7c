/** The form for a time of day, in the facility's zone, until which a stay lasts. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../../calls/server-clock.ts';
import { endsOnOtherDay } from '../../../countdown/clock-format.ts';
import { nextMomentAt } from '../../../countdown/next-moment.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useMinute } from '../../../facilities/use-minute.ts';
import { facilityTimeZone } from '../../../i18n/locale.ts';
import classes from './extend.module.css';

const HOUR_MS = 3_600_000;
/** A time further away is most likely one that has just passed: the form asks once whether it is meant. */
const ASK_ABOVE_MS = 16 * HOUR_MS;

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

/** A held Enter or the second tap of a double tap must not answer the question that the first press raised. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
}
function ignoreSecondTap(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

export function UntilForm({ label, hint, submit, onChoose, hasFocus = false }: UntilFormProps) {
  const { t } = useTranslation('dashboard');
  const format = useClockFormat();
  const now = useMinute();
  const [time, setTime] = useState('');
  /** The moment in question, which another press chooses. Milliseconds since 1970. */
  const [asked, setAsked] = useState<number | null>(null);
  const until = nextMomentAt(time, now, facilityTimeZone());
  const isTomorrow = until !== null && endsOnOtherDay(until, now);

  function choose(event: FormEvent) {
    event.preventDefault();
    // In React, an event of a portal also reaches the form around the portal.
    event.stopPropagation();
    const pressed = serverNow();
    const at = nextMomentAt(time, pressed, facilityTimeZone());
    if (at === null) return;
    if (at - pressed > ASK_ABOVE_MS && at !== asked) return setAsked(at);
    setAsked(null);
    onChoose(new Date(at).toISOString());
  }

  return (
    <form onSubmit={choose} onKeyDown={ignoreHeldEnter}>
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
            onChange={(event) => {
              setTime(event.currentTarget.value);
              setAsked(null);
            }}
          />
          <Button type="submit" size="sm" variant="light" disabled={time === ''} onClick={ignoreSecondTap}>
            {submit}
          </Button>
        </div>
        <div aria-live="polite">
          {isTomorrow ? (
            <Text size="sm" fw={500}>
              {t('untilForm.tomorrow', { time: format.endOfStay(until, now) })}
            </Text>
          ) : (
            <Text size="xs" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {asked === null ? null : (
          <Text size="sm" fw={500} c="var(--mantine-color-error)" role="alert">
            {t('untilForm.ask', {
              time: format.endOfStay(asked, now),
              hours: Math.floor((asked - now) / HOUR_MS),
            })}
          </Text>
        )}
      </Stack>
    </form>
  );
}

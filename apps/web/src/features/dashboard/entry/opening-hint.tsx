/** Says at a check-in that the nursery is closed, or closes before the booked time ends. It refuses nothing. */
import type { FacilityHours } from '@haris/contract/http/facilities';
import { openStateAt } from '@haris/contract/open-now';
import { Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hoursFormatOf } from '../../../facilities/hours-format.ts';
import { hoursQuery } from '../../../facilities/queries.ts';
import { useMinute } from '../../../facilities/use-minute.ts';
import classes from './entry.module.css';

/** `endAt`: the end of the stay, in milliseconds since 1970; null if it is not one moment. Without opening hours, and while all is well, it is empty. */
export function OpeningHint({ endAt }: { endAt: number | null }) {
  const here = useQuery(hoursQuery).data?.[0];
  const now = useMinute();
  const words = useWords(here, now, endAt);
  return (
    // It is there before it says something, so that screen readers tell of the change.
    <div aria-live="polite">
      {words === null ? null : (
        <Text size="sm" fw={500} className={classes.opening ?? ''}>
          <IconClock size={16} aria-hidden />
          <span>{words}</span>
        </Text>
      )}
    </div>
  );
}

function useWords(here: FacilityHours | undefined, now: number, endAt: number | null): string | null {
  const { t, i18n } = useTranslation('dashboard');
  const state = here === undefined ? null : openStateAt(here, now);
  if (here === undefined || state === null) return null;
  if (!state.isOpen)
    return state.holiday === null
      ? t('entry.closedNow')
      : t('entry.closedToday', { name: state.holiday.name });
  if (state.until === null || endAt === null || state.until >= endAt) return null;
  return t('entry.closesAt', { time: hoursFormatOf(i18n.language, here).time(state.until) });
}

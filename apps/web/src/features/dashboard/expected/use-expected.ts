/** Who is still expected today, for the figure above the lists. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { expectedQuery } from '../../../bookings/queries.ts';
import { countExpected } from './group-expected.ts';

const KEY = 'haris.desk-has-bookings';

function hadBookings(): boolean {
  try {
    return localStorage.getItem(KEY) === 'true';
  } catch {
    return false;
  }
}

function keepBookings(hasBookings: boolean): void {
  try {
    localStorage.setItem(KEY, String(hasBookings));
  } catch {
    // Without storage, the figure comes a moment later than the others.
  }
}

export interface Expected {
  /** Whether the nursery books children at all; until that is known, what this device saw last. */
  readonly hasBookings: boolean;
  /** Undefined: not known. */
  readonly awaited: number | undefined;
  readonly isLate: boolean;
  readonly isError: boolean;
}

export function useExpected(): Expected {
  const { data, isError } = useQuery(expectedQuery);
  const known = data?.hasBookings;
  useEffect(() => {
    if (known !== undefined) keepBookings(known);
  }, [known]);
  const count = data && countExpected(data.expected);
  return {
    hasBookings: known ?? hadBookings(),
    awaited: count?.awaited,
    isLate: count?.isLate ?? false,
    isError,
  };
}

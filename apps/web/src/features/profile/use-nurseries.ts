/** The nurseries of the family, the number to call, and how much place their hours will take on the home screen. */
import type { FacilityHours } from '@haris/contract/http/facilities';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFacility } from '../../calls/use-facility.ts';
import { hoursQuery } from '../../facilities/queries.ts';

const NONE: readonly FacilityHours[] = [];
const KEY = 'haris.home-has-hours';

function hadHours(): boolean {
  try {
    return localStorage.getItem(KEY) === 'true';
  } catch {
    return false;
  }
}

function keepHours(hasHours: boolean): void {
  try {
    localStorage.setItem(KEY, String(hasHours));
  } catch {
    // Without storage, the screen moves by a line when the hours arrive.
  }
}

export interface Nurseries {
  readonly nurseries: readonly FacilityHours[];
  /** Null if there are several nurseries, because then each has its own. */
  readonly phone: string | null;
  /** The hours are still awaited, and this device showed some the last time: their place is kept. */
  readonly awaitsHours: boolean;
}

export function useNurseries(): Nurseries {
  const { data, isPending } = useQuery(hoursQuery);
  const nurseries = data ?? NONE;
  const facility = useFacility();
  const [first] = nurseries;
  const hasHours = data?.some(({ openingHours }) => openingHours !== null);
  useEffect(() => {
    if (hasHours !== undefined) keepHours(hasHours);
  }, [hasHours]);
  // Until the nurseries are known, the number is that of the installation's own facility.
  const phone = nurseries.length > 1 ? null : ((first ?? facility)?.phone ?? null);
  return { nurseries, phone, awaitsHours: isPending && hadHours() };
}

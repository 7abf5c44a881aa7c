/** Keeps the formats of dates and times at the facility's zone and region; this device remembers them for its next page. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentLanguage, i18n } from '../i18n/i18n.ts';
import { type Place, setPlace } from '../i18n/locale.ts';
import { configAnswerQuery } from './config-answer.ts';

const PLACE_STORAGE_KEY = 'haris.place';

/** Null unless the value has a known time zone and a well-formed region. Checked by hand: schemas load later. */
function toPlace(value: unknown): Place | null {
  if (typeof value !== 'object' || value === null || !('timeZone' in value) || !('region' in value))
    return null;
  const { timeZone, region } = value;
  if (typeof timeZone !== 'string' || typeof region !== 'string' || !/^[A-Z]{2}$/.test(region)) return null;
  return { timeZone, region };
}

function readKept(): string | null {
  try {
    return localStorage.getItem(PLACE_STORAGE_KEY);
  } catch {
    return null;
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(PLACE_STORAGE_KEY, text);
  } catch {
    // Without storage the next page asks the server first.
  }
}

/** Uses the place that this device remembers, before anything is rendered. */
export function restorePlace(): void {
  try {
    const place = toPlace(JSON.parse(readKept() ?? 'null'));
    if (place !== null) setPlace(place);
  } catch {
    // The stored value is damaged, or names a zone that this browser does not know.
  }
}

/** Follows the server's answer. Texts with times are rendered again if the place differs from the remembered one. */
export function useFacilityPlace(): void {
  const { data } = useQuery(configAnswerQuery);
  const facility = typeof data === 'object' && data !== null && 'facility' in data ? data.facility : null;
  const place = toPlace(facility);
  const text = place === null ? null : JSON.stringify(place);
  useEffect(() => {
    if (text === null || text === readKept()) return;
    try {
      setPlace(JSON.parse(text));
    } catch {
      return; // This browser does not know the zone, so times stay in its own.
    }
    keep(text);
    i18n.emit('languageChanged', currentLanguage());
  }, [text]);
}

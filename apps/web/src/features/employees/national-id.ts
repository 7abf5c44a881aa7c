/** What of a national ID is shown. Pure. */

/** The last four digits of an ID, masked or not; null where there is none. Never more than the four. */
export function lastDigits(nationalId: string | null): string | null {
  const digits = /([0-9]{4})$/.exec(nationalId ?? '');
  return digits?.[1] ?? null;
}

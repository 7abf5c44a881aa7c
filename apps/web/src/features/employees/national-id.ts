/** Masks national IDs for display. Pure. */

/** The last four digits of an ID, masked or not; null without an ID. Never more than four digits. */
export function lastDigits(nationalId: string | null): string | null {
  const digits = /([0-9]{4})$/.exec(nationalId ?? '');
  return digits?.[1] ?? null;
}

/** When a backup is overdue. */
const DAY_MS = 24 * 3_600_000;
/** Default number of days without a backup, after the first one, that open an incident. */
const DUE_DAYS = 7;

/**
 * Whether a backup is overdue. `last`: null if there was none; `chosenDays`: null while staff have set no limit, and then
 * the limit applies from the first backup on. Pure.
 */
export function judgeBackup(
  now: number,
  last: number | null,
  chosenDays: number | null,
): { age: number | null; days: number | null; isDue: boolean } {
  const days = chosenDays ?? (last === null ? null : DUE_DAYS);
  const age = last === null ? null : now - last;
  return { age, days, isDue: days !== null && (age === null || age > days * DAY_MS) };
}

/**
 * The value below which the fraction `part` (0–1) of the values lies; values in any order; NaN for none. No
 * interpolation: every result is a measured value.
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

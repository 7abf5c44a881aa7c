/**
 * The value below which so large a part (0–1) of the values lies, in whatever order they come; NaN where there are none. No
 * means between neighbours: what is told was measured.
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The marked row of a list that the arrow keys walk. Pure. */

/** The next row, from the last to the first and back; -1 (nothing marked) goes to the near end. Of no rows: -1. */
export function moveMark(mark: number, step: 1 | -1, rows: number): number {
  if (rows === 0) return -1;
  if (mark < 0) return step === 1 ? 0 : rows - 1;
  return (mark + step + rows) % rows;
}

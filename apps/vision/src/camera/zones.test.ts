import { expect, it } from 'vitest';
import { createZoneFiller } from './zones.ts';

const [width, height] = [32, 16];

/** Draws the filled pixels of a white picture as rows of `#` and `.`. */
function fill(zones: [number, number][][]): string[] {
  const data = Buffer.alloc((width * height * 3) / 2, 200);
  createZoneFiller(zones)({ data, width, height });
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      const at = width * height + Math.floor(y / 2) * (width / 2) + Math.floor(x / 2);
      const isFilled = data[y * width + x] !== 200;
      // Luma, U and V end at the same edge.
      for (const plane of [0, (width * height) / 4]) expect(data[at + plane] !== 200).toBe(isFilled);
      return isFilled ? '#' : '.';
    }).join(''),
  );
}

it('fills every pixel that a zone touches', () => {
  const rows = fill([
    [
      [0.26, 0.26],
      [0.51, 0.26],
      [0.51, 0.51],
      [0.26, 0.51],
    ],
  ]);
  // 8.3 to 16.3 and 4.2 to 8.2 pixels, widened to pairs.
  for (const [y, row] of rows.entries())
    expect(row).toBe(
      y >= 4 && y < 10 ? `${'.'.repeat(8)}${'#'.repeat(10)}${'.'.repeat(14)}` : '.'.repeat(width),
    );
});

it('fills triangles, zones over the edge and several of them, and leaves the hollow of a bent one', () => {
  const triangle = fill([
    [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  ]);
  expect(triangle[0]).toBe('#'.repeat(width));
  expect(triangle.at(-1)).toMatch(/^#{2,6}\.+$/);
  const bent = fill([
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0.75, 1],
      [0.75, 0.25],
      [0.25, 0.25],
      [0.25, 1],
      [0, 1],
    ],
  ]);
  expect(bent[8]).toBe(`${'#'.repeat(8)}${'.'.repeat(16)}${'#'.repeat(8)}`);
  expect(fill([])).toEqual(Array.from({ length: height }, () => '.'.repeat(width)));
});

it('fills the middle of a star, whose lines cross, as the editor draws it', () => {
  const corners = [0, 2, 4, 1, 3].map((corner): [number, number] => {
    const angle = (corner * 2 * Math.PI) / 5;
    return [0.5 + 0.45 * Math.sin(angle), 0.5 - 0.45 * Math.cos(angle)];
  });
  // Either way round.
  for (const star of [corners, corners.toReversed()]) {
    const rows = fill([star]);
    // No gap between the first and the last filled pixel of a row above the lower corners.
    for (const row of rows.slice(0, 11)) expect(row).toMatch(/^\.*#*\.*$/);
    expect(rows[8]?.[width / 2]).toBe('#');
  }
});

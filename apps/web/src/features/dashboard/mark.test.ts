import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveMark } from './mark.ts';

describe('moveMark', () => {
  it('starts at the near end and goes round', () => {
    expect(moveMark(-1, 1, 3)).toBe(0);
    expect(moveMark(-1, -1, 3)).toBe(2);
    expect(moveMark(2, 1, 3)).toBe(0);
    expect(moveMark(0, -1, 3)).toBe(2);
  });

  it('marks nothing where there is nothing', () => {
    expect(moveMark(-1, 1, 0)).toBe(-1);
    expect(moveMark(4, -1, 0)).toBe(-1);
  });

  it('visits every row once in as many steps as there are rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.constantFrom(1 as const, -1 as const), (rows, step) => {
        const visited = new Set<number>();
        let mark = -1;
        for (let count = 0; count < rows; count++) {
          mark = moveMark(mark, step, rows);
          visited.add(mark);
        }
        return visited.size === rows && [...visited].every((row) => row >= 0 && row < rows);
      }),
    );
  });
});

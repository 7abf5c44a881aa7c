/** Which entries a desk tablet sends in one call, and which it may then let go. */
import { expect, test } from 'vitest';
import { nextBatch, sortAnswers } from './batches.ts';

const entry = (id: string, childId = `child-of-${id}`) => ({ id, childId });
const queue = [entry('1'), entry('2', 'omar'), entry('3'), entry('4', 'omar'), entry('5')];
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id).join('');

test('the oldest are sent first, and no more than fit', () => {
  expect(ids(nextBatch(queue, new Set(), 500))).toBe('12345');
  expect(ids(nextBatch(queue, new Set(), 3))).toBe('123');
  expect(nextBatch([], new Set(), 3)).toEqual([]);
});

test('a child of whom an entry must come again waits, and the others do not', () => {
  expect(ids(nextBatch(queue, new Set(['omar']), 2))).toBe('13');
  expect(ids(nextBatch(queue, new Set(['omar']), 500))).toBe('135');
});

test('an entry is told by an answer with its id, whatever became of it, but for “later”', () => {
  const { told, later } = sortAnswers(queue, [
    { id: '3', outcome: 'conflict' },
    { id: '1', outcome: 'applied' },
    { id: '2', outcome: 'later' },
    { id: '4', outcome: 'already' },
    { id: 'of another', outcome: 'applied' },
  ]);
  expect(ids(told)).toBe('134');
  // The fifth has no answer.
  expect(ids(later)).toBe('25');
});

import { expect, test } from 'vitest';
import { nextInterval } from './week.ts';

test.each([
  ['08:00', '12:15', { from: '13:15', to: '14:15' }],
  ['08:00', '21:30', { from: '22:30', to: '23:30' }],
  ['08:00', '22:00', { from: '', to: '' }],
  ['08:00', '24:00', { from: '', to: '' }],
  ['08:00', '', { from: '', to: '' }],
])('after %s–%s', (from, to, next) => {
  expect(nextInterval([{ from, to }])).toEqual(next);
});

/** The offers of a desk end with the session that made them. */
import { expect, test } from 'vitest';
import { setToken } from '../../../calls/token-store.ts';
import { child } from '../../../testing/people.ts';
import { undoOffers } from './undo.ts';

test.each([
  ['the next person signs in', 'token-of-another'],
  ['the session ends', null],
])('when %s, nothing is left to undo', (_when, next) => {
  setToken('token-of-one');
  undoOffers.hold('checkOut', [child()]).open();
  expect(undoOffers.all()).toHaveLength(1);
  setToken(next);
  expect(undoOffers.all()).toEqual([]);
});

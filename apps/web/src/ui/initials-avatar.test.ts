import { expect, it } from 'vitest';
import { initialsOf } from './initials-avatar.tsx';

const apart = '\u200c';

it.each([
  ['Mona Hassan', `M${apart}H`],
  ['  salma  bint  ali ', `S${apart}A`],
  ['Omar', 'O'],
  ['Mona Hassan (sample)', `M${apart}H`],
  ['Mona (sample)', 'M'],
  ['(sample)', '('],
  ['يوسف حسن', `ي${apart}ح`],
  ['👶🏽 Baby', `👶${apart}B`],
  ['', ''],
])('%j → %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

it('unused data is kept as long as the specification says', () => {
  expect(createQueryClient().getDefaultOptions().queries?.gcTime).toBe(60_000);
});

import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

test('an error of a query shows the page', () => {
  render(<p>Room of the bees</p>);
  expect(() => screen.getByText('Room of the ants')).toThrow('Room of the bees');
});

test('what never came shows the page as it is at the end', async () => {
  const { rerender } = render(<p>Room of the bees</p>);
  const wait = waitFor(() => screen.getByText('Room of the ants'), { timeout: 200 });
  rerender(<p>Room of the cats</p>);
  const error: unknown = await wait.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).toContain('Unable to find an element with the text: Room of the ants');
  expect(message).toContain('Room of the cats');
  expect(message).not.toContain('Room of the bees');
});

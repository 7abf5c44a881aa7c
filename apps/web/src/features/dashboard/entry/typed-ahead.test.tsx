/** What is typed before the field of Register Entry is there, while a button of another child has the focus. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { keepTyped, takeTyped } from './typed-ahead.ts';

afterEach(() => void takeTyped());

test('the Enter after a name does not press the button that has the focus', async () => {
  const user = userEvent.setup();
  const onCheckOut = vi.fn();
  render(
    <button type="button" onClick={onCheckOut}>
      Checkout Omar Hassan
    </button>,
  );
  screen.getByRole('button').focus();
  keepTyped();
  await user.keyboard('no ur{Enter}');
  expect(onCheckOut).not.toHaveBeenCalled();
  expect(takeTyped()).toBe('no ur');
  // Afterwards, and where nothing was typed, it is an ordinary Enter.
  await user.keyboard('{Enter}');
  expect(onCheckOut).toHaveBeenCalledTimes(1);
  keepTyped();
  await user.keyboard('{Enter}');
  expect(onCheckOut).toHaveBeenCalledTimes(2);
});

test('an Enter in a dialog is for the dialog, such as one that could not be loaded', async () => {
  const user = userEvent.setup();
  const onRetry = vi.fn();
  render(
    <dialog open>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </dialog>,
  );
  screen.getByRole('button').focus();
  keepTyped();
  await user.keyboard('no{Enter}');
  expect(onRetry).toHaveBeenCalledTimes(1);
});

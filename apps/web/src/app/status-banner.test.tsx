/** The banner about the state of the server: a full disk, and a clock that is ahead or behind. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { admin } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const staff = { admin: admin() };

test('staff read that the clock is behind, until it is right again', async () => {
  const { events } = await renderScreen('/settings/account', { as: staff });
  await events.sendStatus({ clock: 'behind' });
  const banner = await screen.findByText(/it is far behind the time when Haris last ran/);
  await events.sendStatus({ clock: 'ahead' });
  expect(await screen.findByText(/it is far ahead of when Haris last ran/)).toBeVisible();
  await events.sendStatus({ clock: 'ok' });
  await waitFor(() => expect(screen.queryByText(/when Haris last ran/)).toBeNull());
  expect(banner).not.toBeInTheDocument();
});

test('in Arabic too', async () => {
  const { events } = await renderScreen('/settings/account', { as: staff, language: 'ar' });
  await events.sendStatus({ clock: 'behind', storage: 'full' });
  expect(await screen.findByText(/فهي متأخرة كثيرًا عن آخر وقت عمل فيه حارس/)).toBeVisible();
});

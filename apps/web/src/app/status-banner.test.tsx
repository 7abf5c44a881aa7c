/** The banner about the state of the server: a full disk, and a clock that is ahead or behind. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { admin, child } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const staff = { admin: admin() };

test('staff read that the clock is behind, until it is right again', async () => {
  const { events, user } = await renderScreen('/settings/account', { as: staff });
  await events.sendStatus({ clock: 'behind' });
  const banner = await screen.findByText(/it is far behind the time when Haris last ran/);
  // One line, and the rest unfolds.
  expect(screen.getByText(/^The clock of Haris is wrong\./)).toBeVisible();
  expect(banner).not.toBeVisible();
  await events.sendStatus({ clock: 'ahead' });
  await user.click(await screen.findByText(/^The clock of Haris may be wrong\./));
  expect(screen.getByText(/it is far ahead of when Haris last ran/)).toBeVisible();
  await events.sendStatus({ clock: 'ok' });
  await waitFor(() => expect(screen.queryByText(/when Haris last ran/)).toBeNull());
  expect(banner).not.toBeInTheDocument();
});

test('in Arabic too', async () => {
  const { events } = await renderScreen('/settings/account', { as: staff, language: 'ar' });
  await events.sendStatus({ clock: 'behind', storage: 'full' });
  expect(await screen.findByText(/^امتلأت مساحة التخزين\. لا تسجّل الخروج\./)).toBeVisible();
  expect(screen.getByText(/^ساعة حارس خاطئة\./)).toBeVisible();
  expect(screen.getByText(/فهي متأخرة كثيرًا عن آخر وقت عمل فيه حارس/)).toBeInTheDocument();
});

test('while nothing can be saved, the desk is dimmed as without a connection', async () => {
  serveDesk(family({ name: 'Mona Hassan' }, child({ name: 'Omar Hassan', isInside: true })));
  const { events } = await renderScreen('/adminDashboard', { as: staff });
  const button = await screen.findByRole('button', { name: 'Checkout Omar Hassan' });
  expect(button.closest('[data-stale]')).toBeNull();
  await events.sendStatus({ storage: 'full' });
  await waitFor(() => expect(button.closest('[data-stale]')).not.toBeNull());
  await events.sendStatus({ storage: 'ok' });
  await waitFor(() => expect(button.closest('[data-stale]')).toBeNull());
});

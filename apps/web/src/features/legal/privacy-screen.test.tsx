/** The privacy page: plain words first, the tables folded below. */
import { operationRoutes } from '@haris/contract/http/operations';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handle, server } from '../../testing/contract-server.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const config = (name: string | null, phone: string | null) =>
  handle(operationRoutes.getClientConfig, {
    demo: false,
    registerUrl: '',
    facility: { name, phone, timeZone: 'Africa/Cairo', region: 'EG' },
    sendsMail: true,
    oidc: null,
    now: new Date().toISOString(),
  });

test('says who is responsible, how to have data deleted, and folds the tables', async () => {
  server.use(config('Little Ark', '0225551234'));
  const { user } = await renderScreen('/privacy');
  const main = within(await screen.findByRole('main'));
  expect(await main.findByText(/Little Ark.* decides what is kept here/)).toBeVisible();
  expect(main.getByText(/call .0225551234/)).toBeVisible();
  expect(main.getByRole('heading', { name: 'How to have it deleted' })).toBeVisible();
  const cell = main.getByText('database, argon2id hash only');
  expect(cell).not.toBeVisible();
  await user.click(main.getByText(/^Every kind of data/));
  expect(cell).toBeVisible();
});

test('without a name and a phone number it claims neither', async () => {
  server.use(config(null, null));
  await renderScreen('/privacy');
  expect(await screen.findByText(/^The nursery that gave you this page .* ask at the desk\.$/)).toBeVisible();
});

test('in Arabic', async () => {
  server.use(config('Little Ark', null));
  await renderScreen('/privacy', { language: 'ar' });
  expect(await screen.findByText(/Little Ark.* هي التي تقرر ما يُحفظ هنا/)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'كيف تُحذف' })).toBeVisible();
});

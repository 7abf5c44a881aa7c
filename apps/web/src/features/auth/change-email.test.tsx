/** The page of the mail that asks the old address about a new one. */
import { vouchingRoutes } from '@haris/contract/http/vouching';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

test.each([
  { press: 'Yes, change it', agree: true, told: /We sent a link to the new email/ },
  { press: 'No, keep this one', agree: false, told: /stays as it is/ },
])('sends “$press”, once, and says what follows', async ({ press, agree, told }) => {
  const sent: unknown[] = [];
  server.use(
    handle(vouchingRoutes.answerEmailChange, ({ body }) => {
      sent.push(body);
      return { message: 'Saved' };
    }),
  );
  const { user } = await renderScreen('/change-email/some-token');
  await user.click(await screen.findByRole('button', { name: press }));
  expect(await screen.findByText(told)).toBeVisible();
  expect(screen.queryByRole('button', { name: press })).not.toBeInTheDocument();
  expect(sent).toEqual([{ agree }]);
});

test('says that a link has ended, and keeps the question when the server is not reached', async () => {
  server.use(handle(vouchingRoutes.answerEmailChange, offline));
  const { user } = await renderScreen('/change-email/some-token');
  const yes = await screen.findByRole('button', { name: 'Yes, change it' });
  await user.click(yes);
  expect(await screen.findByText('Haris cannot be reached. Please check your connection.')).toBeVisible();
  expect(yes).toBeEnabled();
  server.use(handle(vouchingRoutes.answerEmailChange, () => refuse('invalid_token')));
  await user.click(yes);
  expect(await screen.findByText(/This link is no longer valid/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to login' })).toBeVisible();
});

test('asks in Arabic too', async () => {
  await renderScreen('/change-email/some-token', { language: 'ar' });
  expect(await screen.findByRole('button', { name: 'نعم، غيّره' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'لا، أبقِ هذا البريد' })).toBeVisible();
  await expectAccessible();
});

/** The page of a verification link that no longer works. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

test('tells a parent that the account ends after a week', async () => {
  server.use(handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')));
  await renderScreen('/verify-parent/ended');
  expect(await screen.findByText(/deleted after a week\. Then you can register again\./)).toBeVisible();
});

test('in Arabic too', async () => {
  server.use(handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')));
  await renderScreen('/verify-parent/ended', { language: 'ar' });
  expect(await screen.findByText(/بعد أسبوع، ويمكنك حينها التسجيل من جديد/)).toBeVisible();
});

test('but not an employee, whose account stays', async () => {
  server.use(handle(accountRoutes.verifyAdminEmail, () => refuse('invalid_token')));
  await renderScreen('/verify/ended');
  expect(await screen.findByText(/send you a new link/)).toBeVisible();
  expect(screen.queryByText(/after a week/)).not.toBeInTheDocument();
});

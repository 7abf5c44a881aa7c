/** The page of a verification link that was used before, or no longer works. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { vouchingRoutes } from '@haris/contract/http/vouching';
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
  expect(screen.queryByRole('button', { name: 'I did not register this' })).not.toBeInTheDocument();
  expect(screen.queryByText(/after a week/)).not.toBeInTheDocument();
});

const used = {
  message: 'Your email is already verified.',
  alreadyVerified: true,
  account: { name: 'Mona Hassan', registeredAt: '2026-11-20T08:00:00.000Z' },
} as const;

test('a link that was used says so, and still offers “I did not register this”', async () => {
  const denied: string[] = [];
  server.use(
    handle(accountRoutes.verifyParentEmail, used),
    handle(vouchingRoutes.disownRegistration, ({ params: { token } }) => {
      denied.push(token);
      return { message: 'Told', deleted: false };
    }),
  );
  const { user } = await renderScreen('/verify-parent/used');
  expect(await screen.findByText('Your email is already verified.')).toBeVisible();
  expect(screen.getByText(/This is the account of .*Mona Hassan.*, registered on/)).toBeVisible();
  expect(screen.queryByText(/sign in on this device/)).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'I did not register this' }));
  await user.click(screen.getByRole('button', { name: 'Delete the account' }));
  expect(await screen.findByText(/Nobody can sign in to this account any more/)).toBeVisible();
  expect(denied).toEqual(['used']);
});

test('in Arabic, on a phone', async () => {
  server.use(handle(accountRoutes.verifyParentEmail, used));
  await renderScreen('/verify-parent/used', { language: 'ar', size: 'phone' });
  expect(await screen.findByText('سبق التحقق من بريدك الإلكتروني بهذا الرابط.')).toBeVisible();
  expect(screen.getByText(/هذا حساب .*Mona Hassan.* المسجَّل في/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'لم أسجّل هذا الحساب' })).toBeVisible();
});

test('a link that verifies nothing any more offers it too, and says if it is too late', async () => {
  server.use(
    handle(accountRoutes.verifyParentEmail, () => refuse('invalid_token')),
    handle(vouchingRoutes.disownRegistration, () => refuse('invalid_token')),
  );
  const { user } = await renderScreen('/verify-parent/ended');
  await user.click(await screen.findByRole('button', { name: 'I did not register this' }));
  await user.click(screen.getByRole('button', { name: 'Delete the account' }));
  expect((await screen.findAllByText(/This link is no longer valid/)).length).toBeGreaterThan(1);
  server.use(handle(vouchingRoutes.disownRegistration, { message: 'Told', deleted: false }));
  await user.click(screen.getByRole('button', { name: 'Delete the account' }));
  expect(await screen.findByText(/Nobody can sign in to this account any more/)).toBeVisible();
});

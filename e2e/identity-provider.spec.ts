/** Staff sign in, and prove, at a real identity provider: the browser goes there and comes back. */
import { type IdentityProvider, openIdentityProvider } from '../apps/server/src/testing/identity-provider.ts';
import { expect, test } from './fixtures.ts';

test.use({ hasEngine: false });

let provider: IdentityProvider;
test.afterAll(() => provider?.close());

test('a new colleague signs in at the organisation, and proves there in a second tab', async ({
  server,
  visit,
}) => {
  provider = await openIdentityProvider(server.url());
  provider.visitor = {
    sub: 'nadia',
    claims: {
      email: 'nadia@sunrise.example',
      email_verified: true,
      name: 'Nadia Farouk',
      groups: ['teachers'],
    },
  };
  await server.stop();
  await server.start({
    ...provider.config,
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ROLES: 'teachers=teacher',
  });
  const { page, trap } = await visit();
  await page.goto('/account');
  await expect(page).toHaveURL(/\/login/);
  await page.goto('/login?isAdmin=true');
  // The provider does not say when it asked the person, so the sign-in is no proof.
  provider.rewrite = ({ auth_time: _, ...claims }) => claims;
  await page.getByRole('button', { name: /^Sign in with .*Sunrise Group/ }).click();
  // Two more pages load on the way: that of the provider, and ours.
  await page.waitForURL('/adminDashboard');
  await page.goto('/account');
  await expect(page.getByText('Nadia Farouk').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change password' })).toHaveCount(0);

  provider.rewrite = null;
  trap.expectHttp(403, '/api/account/factors/app');
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: 'Continue', exact: true }).click();
  const tab = await opened;
  await tab.getByText(/^Confirmed/).waitFor();
  await expect.poll(() => new URL(tab.url()).search).toBe('');
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();

  // Pressing Back does not send the answer again.
  await page.goBack();
  await expect(page).not.toHaveURL(/code=/);
});

/** The session ends during use: the login opens with a message, and then returns the person to the same screen. */
import { expect, test } from './fixtures.ts';
import { childCard, fillLogin, notice } from './harness/person.ts';

const ENDED = 'Your session has ended. Please sign in again.';

test('a parent whose token died comes back to the same page', async ({ api, visit }) => {
  const parent = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const { page, trap } = await visit({ size: 'phone', as: parent });
  await page.goto('/profile');
  await expect(childCard(page, 'Omar Hassan').getByText('Outside')).toBeVisible();
  await page.getByRole('link', { name: 'Add Child' }).click();
  await page.getByLabel("Child's name").fill('Layla Hassan');

  trap.expectHttp(401, /^\/api\//);
  await api.call('/api/logout', { method: 'POST', token: parent.token });
  await expect(notice(page, ENDED)).toHaveCount(1);
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate<string | null>("localStorage.getItem('token')")).toBeNull();
  await fillLogin(page, parent);
  await expect(page).toHaveURL('/addChild');
  await page.goto('/profile');
  await expect(childCard(page, 'Omar Hassan')).toBeVisible();
});

test('signing out in one tab signs the other one out', async ({ api, visit }) => {
  const parent = await api.family('Hala Nabil');
  const { page } = await visit({ as: parent });
  await page.goto('/profile');
  const other = await page.context().newPage();
  await other.goto('/profile');
  await expect(other.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(notice(page, 'Logged out successfully')).toBeVisible();
  await expect(other).toHaveURL('/login');
});

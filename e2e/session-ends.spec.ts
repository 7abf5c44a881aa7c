/** The session dies in the middle: to the login with a word, and back to where the person was. */
import { expect, test } from './fixtures.ts';
import { childCard, fillLogin, insideRow, notice } from './harness/person.ts';

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

test('a desk whose token died signs in again and goes on', async ({ server, api, visit }) => {
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 2 });
  await api.checkIn(family.children[0]?._id ?? '');
  const staff = await api.signIn('admin', server.admin);
  const { page, trap } = await visit({ as: staff });
  await page.goto('/viewEmployees');
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(insideRow(page, 'Nour Ibrahim')).toBeVisible();

  trap.expectHttp(401, /^\/api\//);
  await api.call('/api/logout', { method: 'POST', token: staff.token });
  // Whatever is pressed first with a dead token leads to the same place, and says one thing only.
  await expect(page).toHaveURL('/login?isAdmin=true');
  await expect(notice(page, ENDED)).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible();
  await expect(page.getByText('Nour Ibrahim')).toHaveCount(0);
  await fillLogin(page, server.admin);
  await expect(page).toHaveURL('/adminDashboard');
  await insideRow(page, 'Nour Ibrahim').getByRole('button', { name: 'Checkout' }).click();
  await expect(notice(page, 'Child checked out successfully')).toBeVisible();
});

test('an action with a dead token is not lost in silence', async ({ server, api, visit }) => {
  const family = await api.family('Ali Samir', { 'Huda Ali': 3 });
  const child = family.children[0]?._id ?? '';
  await api.checkIn(child);
  const staff = await api.signIn('admin', server.admin);
  const { page, trap } = await visit({ as: staff });
  // The stream would tell first: without it the press itself finds out.
  await page.route('**/api/events', (route) => route.abort());
  trap.expectBlocked(/\/api\/events/);
  // So would a photo that loads late, or what the page asks for by itself without the stream.
  const others = /\/api\/(photos|incidents|evacuations)\b/;
  await page.route(others, (route) => route.abort());
  trap.expectBlocked(others);
  await page.goto('/adminDashboard');
  await expect(insideRow(page, 'Huda Ali')).toBeVisible();
  await api.call('/api/logout', { method: 'POST', token: staff.token });
  trap.expectHttp(401, /\/checkout-child\//);
  await insideRow(page, 'Huda Ali').getByRole('button', { name: 'Checkout' }).click();
  await expect(notice(page, ENDED)).toHaveCount(1);
  await expect(page).toHaveURL('/login?isAdmin=true');
  await expect(page.getByText('Child checked out successfully')).toHaveCount(0);
  expect(await api.countAudit('child.checked_out', child)).toBe(0);
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

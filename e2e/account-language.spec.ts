/** The language of an account: chosen on one device, applied on the next one and in mails. */
import { expect, test } from './fixtures.ts';
import { fillLogin } from './harness/person.ts';
import { wordsOf } from './harness/words.ts';

test.use({ hasEngine: false });

const ar = wordsOf('ar');

test('a parent who chooses Arabic finds Arabic on another device, without a reload', async ({
  api,
  visit,
  mailTo,
}) => {
  const parent = await api.family('Mona Hassan');
  const first = await visit({ as: parent, size: 'phone' });
  await first.page.goto('/profile');
  // A choice of a visitor is the device's alone: the page must know the parent first.
  await expect(first.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  const kept = first.page.waitForResponse('**/api/language');
  await first.page.getByRole('button', { name: /العربية/ }).click();
  await expect(first.page.getByRole('heading', { name: ar('profile:title') })).toBeVisible();
  expect((await kept).status()).toBe(200);

  const second = await visit();
  await second.page.goto('/login');
  await expect(second.page.getByRole('heading', { name: 'Login' })).toBeVisible();
  await second.page.evaluate('window.stillHere = true');
  await fillLogin(second.page, parent);
  await expect(second.page.getByRole('heading', { name: ar('profile:title') })).toBeVisible();
  await expect(second.page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(second.page).toHaveTitle(`${ar('profile:title')} · حارس`);
  expect(await second.page.evaluate('window.stillHere')).toBe(true);

  // A choice on the second device also changes the first one, which is open.
  await second.page.getByRole('button', { name: /English/ }).click();
  await expect(first.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  await expect(first.page).toHaveTitle('My Profile · Haris');
  await first.page.getByRole('button', { name: /العربية/ }).click();
  await expect(second.page.getByRole('heading', { name: ar('profile:title') })).toBeVisible();

  await api.call('/vendor/forgot', { method: 'POST', json: { email: parent.email } });
  expect((await mailTo(parent.email, 2)).subject).toBe('تعيين كلمة مرور جديدة في حارس');
});

test('who never chose gets the language of the device; a visitor’s choice is the device’s alone', async ({
  api,
  visit,
}) => {
  const parent = await api.family('Sara Ibrahim');
  const arabic = await visit({ as: parent, language: 'ar' });
  await arabic.page.goto('/profile');
  await expect(arabic.page.getByRole('heading', { name: ar('profile:title') })).toBeVisible();
  const { page } = await visit();
  await page.goto('/login');
  await page.getByRole('button', { name: /العربية/ }).click();
  await page.getByLabel(ar('auth:email')).fill(parent.email);
  await page.locator('input[type="password"]').fill(parent.password);
  await page.getByRole('button', { name: ar('auth:login.submit'), exact: true }).click();
  await expect(page.getByRole('heading', { name: ar('profile:title') })).toBeVisible();
  const { parent: known } = await api.call<{ parent: { language: string | null } }>('/api/parent/info', {
    token: parent.token,
  });
  expect(known.language).toBeNull();
});

test('staff keep theirs too, and hear when it could not be kept', async ({ server, api, visit }) => {
  const staff = await api.signIn('admin', server.admin);
  const { page, trap } = await visit({ as: staff });
  await page.goto('/viewEmployees');
  await expect(page.getByRole('heading', { name: 'Employee Roster' })).toBeVisible();
  await page.route('**/api/language', (route) => route.abort());
  trap.expectBlocked(/\/api\/language/);
  await page.getByRole('button', { name: /العربية/ }).click();
  await expect(page.getByText(ar('shell:languageNotKept'))).toBeVisible();
  await expect(page.getByRole('heading', { name: ar('employees:title') })).toBeVisible();
  await page.unroute('**/api/language');
  const kept = page.waitForResponse('**/api/language');
  await page.getByRole('button', { name: /English/ }).click();
  await kept;
  const { admin } = await api.call<{ admin: { language: string } }>('/api/admin/info', {
    token: staff.token,
  });
  expect(admin.language).toBe('en');
});

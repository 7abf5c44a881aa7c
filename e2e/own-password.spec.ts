/** A password set by somebody else must be replaced before anything else; everybody can change their own. */
import { expect, test } from './fixtures.ts';
import { changePassword, fillLogin, notice } from './harness/person.ts';
import { wordsOf } from './harness/words.ts';

test.use({ hasEngine: false });

const SET_BY_ANOTHER = 'set-by-the-boss';

test('an employee chooses an own password before anything else, in Arabic on a phone', async ({
  api,
  visit,
  mailTo,
}) => {
  const t = wordsOf('ar');
  const email = 'karim@haris.example';
  const { token } = await api.administrator();
  const json = { name: 'Karim Adel', email, password: SET_BY_ANOTHER, nationalId: '29901010000027' };
  await api.call('/api/admin/create-admin', { method: 'POST', token, json });
  const link = /\/verify\/([\w-]+)/.exec((await mailTo(email)).text)?.[1] ?? '';
  await api.call(`/api/admin/verify/email/${link}`);

  const { page } = await visit({ language: 'ar', size: 'phone' });
  await page.goto('/login?isAdmin=true');
  await page.getByLabel(t('auth:email')).fill(email);
  await page.getByLabel(t('auth:password'), { exact: true }).fill(SET_BY_ANOTHER);
  await page.getByRole('button', { name: t('auth:login.submit'), exact: true }).click();
  const title = page.getByRole('heading', { level: 1, name: t('password:own.title') });
  await expect(title).toBeVisible();
  // No staff screen bypasses it.
  await page.goto('/viewEmployees');
  await expect(title).toBeVisible();
  await changePassword(page, SET_BY_ANOTHER, 'only-mine-9', t);
  await expect(notice(page, t('password:change.success'))).toBeVisible();
  await expect(title).toBeHidden();
  await page.goto('/adminDashboard');
  await expect(page.getByRole('heading', { level: 1, name: t('dashboard:title') })).toBeVisible();
  await api.signIn('admin', { email, password: 'only-mine-9' });
});

test('a parent changes the own password, and is signed out elsewhere', async ({ api, visit }) => {
  const t = wordsOf('en');
  const parent = await api.family('Mona Hassan');
  const elsewhere = await visit({ size: 'phone', as: await api.signIn('parent', parent) });
  await elsewhere.page.goto('/profile');
  await expect(elsewhere.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  const { page } = await visit({ as: parent });
  await page.goto('/account');
  await page.getByRole('link', { name: t('account:changePassword') }).click();
  elsewhere.trap.expectHttp(401, /^\/api\//);
  await changePassword(page, parent.password, 'another-6');
  await expect(notice(page, t('password:change.success'))).toBeVisible();
  await expect(page).toHaveURL('/account');
  await elsewhere.page.reload();
  await expect(elsewhere.page).toHaveURL('/login');
  await fillLogin(elsewhere.page, { ...parent, password: 'another-6' });
  await expect(elsewhere.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
});

/** A password that somebody else set is replaced before anything else; and anybody may change the own one. */
import { expect, test } from './fixtures.ts';
import { changePassword, fillLogin, notice } from './harness/person.ts';
import { wordsOf } from './harness/words.ts';

const SET_BY_ANOTHER = 'set-by-the-boss';

for (const language of ['en', 'ar'] as const) {
  test(`an employee chooses an own password before anything else (${language})`, async ({
    api,
    visit,
    mailTo,
  }) => {
    const t = wordsOf(language);
    const email = `karim-${language}@haris.example`;
    const { token } = await api.administrator();
    const nationalId = language === 'en' ? '29901010000027' : '29901010000037';
    const json = { name: 'Karim Adel', email, password: SET_BY_ANOTHER, nationalId };
    await api.call('/api/admin/create-admin', { method: 'POST', token, json });
    const link = /\/verify\/([\w-]+)/.exec((await mailTo(email)).text)?.[1] ?? '';
    await api.call(`/api/admin/verify/email/${link}`);

    const { page, trap } = await visit({ language, size: language === 'ar' ? 'phone' : 'desk' });
    await page.goto('/login?isAdmin=true');
    await page.getByLabel(t('auth:email')).fill(email);
    await page.getByLabel(t('auth:password'), { exact: true }).fill(SET_BY_ANOTHER);
    await page.getByRole('button', { name: t('auth:login.submit'), exact: true }).click();
    const title = page.getByRole('heading', { level: 1, name: t('password:own.title') });
    await expect(title).toBeVisible();
    // No screen of the staff goes around it.
    for (const path of ['/adminDashboard', '/viewEmployees', '/auditLog', '/notices', '/password']) {
      await page.goto(path);
      await expect(title).toBeVisible();
    }
    trap.expectHttp(403, '/api/session/proof');
    await changePassword(page, 'not it', 'only-mine-9', t);
    await expect(page.getByText(t('errors:wrong_password'))).toBeVisible();
    await changePassword(page, SET_BY_ANOTHER, 'only-mine-9', t);
    await expect(notice(page, t('password:change.success'))).toBeVisible();
    await expect(title).toBeHidden();
    await page.goto('/adminDashboard');
    await expect(page.getByRole('heading', { level: 1, name: t('dashboard:title') })).toBeVisible();
    await api.signIn('admin', { email, password: 'only-mine-9' });
  });
}

test('a parent changes the own password, and is signed out elsewhere', async ({ api, visit }) => {
  const t = wordsOf('en');
  const parent = await api.family('Mona Hassan');
  const elsewhere = await visit({ size: 'phone', as: await api.signIn('parent', parent) });
  await elsewhere.page.goto('/profile');
  await expect(elsewhere.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  const { page } = await visit({ as: parent });
  await page.goto('/profile');
  await page.getByRole('link', { name: t('password:change.title') }).click();
  elsewhere.trap.expectHttp(401, /^\/api\//);
  await changePassword(page, parent.password, 'another-6');
  await expect(notice(page, t('password:change.success'))).toBeVisible();
  await expect(page).toHaveURL('/profile');
  await elsewhere.page.reload();
  await expect(elsewhere.page).toHaveURL('/login');
  await fillLogin(elsewhere.page, { ...parent, password: 'another-6' });
  await expect(elsewhere.page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
});

test('staff find it in the menu of the dashboard', async ({ api, visit }) => {
  const t = wordsOf('en');
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  await page
    .getByRole('navigation', { name: t('dashboard:sidebar.label') })
    .getByRole('link', { name: t('dashboard:sidebar.password') })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: t('password:change.title') })).toBeVisible();
});

/**
 * Navigation: back after the login, the language, and a screen that fails to load. Page tests cover the redirects by
 * account.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { fillLogin } from './harness/person.ts';

test.use({ hasEngine: false });

/** Opens a path and checks where it leads, once the screen is visible. */
async function follow(page: Page, path: string, to: string, heading: string) {
  await test.step(`${path} → ${to}`, async () => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page).toHaveURL(to);
  });
}

const HEADLINE = 'Peace of Mind, Always in Sight';

test('a page opened by its address begins at its top, one that is loaded anew where it was', async ({
  visit,
}) => {
  const { page } = await visit({ size: 'phone' });
  const at = () => page.evaluate<number>('window.scrollY');
  await follow(page, '/privacy', '/privacy', 'Privacy Policy');
  await page.evaluate('window.scrollTo(0, 1500)');
  await page.reload();
  await expect.poll(at).toBe(1500);
  await follow(page, '/', '/', HEADLINE);
  await expect.poll(at).toBe(0);
});

test('after the login the person is where they wanted to go', async ({ server, api, visit }) => {
  const parent = await api.family('Mona Hassan');
  const { page } = await visit();
  await page.goto('/addChild');
  await fillLogin(page, parent);
  await expect(page).toHaveURL('/addChild');
  const { page: desk } = await visit();
  await desk.goto('/viewEmployees');
  await desk.getByRole('link', { name: 'Proceed to Admin Login' }).click();
  await fillLogin(desk, server.admin);
  await expect(desk).toHaveURL('/viewEmployees');
});

test('the language changes in place, and is kept', async ({ visit }) => {
  const { page } = await visit();
  await page.goto('/login');
  await page.getByLabel('Email').fill('mona@family.example');
  const html = page.locator('html');
  await page.getByRole('button', { name: 'Switch to Arabic' }).click();
  await expect(html).toHaveAttribute('dir', 'rtl');
  await expect(html).toHaveAttribute('lang', 'ar');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Arabic}/u);
  // No reload: the typed text is still there.
  await expect(page.locator('input[type="email"]')).toHaveValue('mona@family.example');
  await page.reload();
  await expect(html).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Arabic}/u);
  await page.locator('header button[lang="en"]').click();
  await expect(html).toHaveAttribute('dir', 'ltr');
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
});

test('a screen that fails to load reloads the page once', async ({ visit }) => {
  const { page, trap } = await visit();
  const chunk = /\/assets\/register-screen-[^/]*\.js$/;
  trap.expectBlocked(/register-screen/);
  let loads = 0;
  page.on('load', () => loads++);

  await test.step('once: the reload cures it', async () => {
    await page.goto('/login');
    await page.route(chunk, (route) => route.abort(), { times: 1 });
    loads = 0;
    await page.getByRole('link', { name: 'Register here' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeVisible();
    await expect(page).toHaveURL('/register');
    // The screen may be drawn before the page counts as loaded.
    await expect.poll(() => loads).toBe(1);
  });

  await test.step('again: the page says so and does not reload for ever', async () => {
    await page.evaluate('sessionStorage.clear()');
    await page.goto('/login');
    await page.route(chunk, (route) => route.abort());
    loads = 0;
    await page.getByRole('link', { name: 'Register here' }).click();
    await expect(page.getByText('This screen could not be loaded.')).toBeVisible();
    // The screen may be drawn before the page counts as loaded.
    await expect.poll(() => loads).toBe(1);
  });
});

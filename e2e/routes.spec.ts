/** Ways through the app: who is sent where, unknown paths, the language, and a screen that fails to load. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { fillLogin } from './harness/person.ts';

/** Where a path leads, once the screen stands there. */
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
  expect(await at()).toBe(0);
});

test('a visitor sees the open screens and is asked to sign in for the others', async ({ visit }) => {
  const { page } = await visit();
  await follow(page, '/', '/', HEADLINE);
  await follow(page, '/overview', '/overview', HEADLINE);
  await expect(page.getByText('This page was not found.')).toBeHidden();
  await follow(page, '/no/such/page', '/no/such/page', HEADLINE);
  await expect(page.getByText('This page was not found. Here is where Haris begins.')).toBeVisible();
  await follow(page, '/register', '/register', 'Create Account');
  await follow(page, '/login', '/login', 'Login');
  await follow(page, '/login?isAdmin=true', '/login?isAdmin=true', 'Admin Login');
  await follow(page, '/adminPreLogin', '/adminPreLogin', 'Administrator Access');
  await follow(page, '/profile', '/login', 'Login');
  await follow(page, '/addChild', '/login', 'Login');
  await follow(page, '/addChild?parentId=1', '/adminPreLogin', 'Administrator Access');
  await follow(page, '/adminDashboard', '/adminPreLogin', 'Administrator Access');
  await follow(page, '/viewEmployees', '/adminPreLogin', 'Administrator Access');
});

test('a parent is kept out of the staff screens', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.family('Mona Hassan') });
  await follow(page, '/profile', '/profile', 'My Profile');
  await follow(page, '/addChild', '/addChild', 'Add Child');
  await follow(page, '/login', '/profile', 'My Profile');
  await follow(page, '/adminDashboard', '/adminPreLogin', 'Administrator Access');
  await follow(page, '/viewEmployees', '/adminPreLogin', 'Administrator Access');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Login/Register' })).toBeHidden();
  await page.getByRole('link', { name: 'Mona Hassan' }).click();
  await expect(page).toHaveURL('/profile');
});

test('staff are kept out of the parent screens', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator() });
  await follow(page, '/adminDashboard', '/adminDashboard', 'Admin dashboard');
  await follow(page, '/viewEmployees', '/viewEmployees', 'Employee Roster');
  await follow(page, '/addChild', '/adminDashboard', 'Admin dashboard');
  await follow(page, '/profile', '/login', 'Login');
  await follow(page, '/login?isAdmin=true', '/adminDashboard', 'Admin dashboard');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Login/Register' })).toBeHidden();
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await expect(page).toHaveURL('/adminDashboard');
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
  // No reload: what was typed is still there.
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

/** Light and dark follow the device until the person chooses; the device remembers the choice. */
import { expect, test } from './fixtures.ts';

test.use({ hasEngine: false });

test('a choice of the menu counts at once, is kept, and can be taken back', async ({ visit }) => {
  const { page, trap } = await visit({ colorScheme: 'light' });
  trap.expectBlocked(/\/assets\//);
  await page.goto('/');
  const html = page.locator('html');
  const bar = page.locator('meta[name="theme-color"]').first();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
  // The styles of index.html give way to the style sheets once these have loaded.
  await expect(page.locator('body')).toHaveCSS('font-family', /Readex Pro/);

  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(bar).toHaveAttribute('content', '#141c19');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeHidden();

  // Before our code runs, the page shows the scheme that boot.js found, so nothing flips.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.unroute('**/assets/*.js');
  await page.goto('/');

  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('radio', { name: 'Device' }).check();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('a phone has the same choice in its menu', async ({ visit }) => {
  const { page } = await visit({ size: 'phone', colorScheme: 'dark', language: 'ar' });
  await page.goto('/');
  await page.getByRole('button', { name: 'افتح القائمة' }).click();
  await page.getByRole('radio', { name: 'فاتح' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('before our code is there, the ground is that of the scheme', async ({ visit }) => {
  const { page, trap } = await visit({ colorScheme: 'dark' });
  trap.expectBlocked(/\/assets\//);
  // The style sheets load, but the code does not.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(20, 28, 25)');
  await expect(page.locator('.splash')).toHaveCSS('color', 'rgb(232, 239, 236)');
});

/**
 * What a page shows before its code has loaded: the frame of the dashboard, which the code then draws in the same
 * place.
 */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ hasEngine: false });

/** The visible elements and their positions, in tenths of a pixel. */
async function placesOf(page: Page): Promise<string[]> {
  return page.locator('#root :is(a, button, h1, header, main):visible').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      // The page grows downwards when data arrives.
      const below = element.matches('main') ? '' : ` ${Math.round(height * 10)}`;
      return `${element.tagName} ${[x, y, width].map((side) => Math.round(side * 10)).join(' ')}${below}`;
    }),
  );
}

/** For all letters of the frame: each script has its own file, and the switch of languages is in the other one. */
const FONT_IS_LOADED = `document.fonts.check('16px "Readex Pro Variable"', document.getElementById('root').innerText)`;

const cases = [
  { size: 'phone', language: 'ar', colorScheme: 'dark', title: 'لوحة الإدارة', isFolded: false },
  { size: 'desk', language: 'en', colorScheme: 'light', title: 'Admin dashboard', isFolded: false },
  { size: 'desk', language: 'ar', colorScheme: 'light', title: 'لوحة الإدارة', isFolded: true },
] as const;

for (const { title, isFolded, ...settings } of cases) {
  const name = `${settings.language}, ${settings.size}${isFolded ? ', folded rail' : ''}`;
  test(`the dashboard has its frame before its code, and nothing moves when that comes: ${name}`, async ({
    api,
    visit,
  }) => {
    const { page } = await visit({ as: await api.administrator(), ...settings });
    if (isFolded) await page.addInitScript("localStorage.setItem('haris.sidebar-folded', 'true')");
    let sendCode = () => {};
    const codeWanted = new Promise<void>((resolve) => {
      sendCode = resolve;
    });
    let sendAnswers = () => {};
    const answersWanted = new Promise<void>((resolve) => {
      sendAnswers = resolve;
    });
    await page.route('**/assets/shell-*.js', async (route) => {
      await codeWanted;
      await route.continue();
    });
    await page.route('**/api/**', async (route) => {
      await answersWanted;
      await route.continue();
    });

    await page.goto('/adminDashboard', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('status')).toHaveText(
      settings.language === 'ar' ? 'جارٍ التحميل…' : 'Loading…',
    );
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', settings.colorScheme);
    // On a busy machine the fonts are "ready" before the first text has asked for them.
    await expect.poll(() => page.evaluate(FONT_IS_LOADED)).toBe(true);
    const before = await placesOf(page);
    expect(before.length).toBeGreaterThan(8);

    sendCode();
    // Only the static frame is busy as a whole.
    await expect(page.locator('#root > [aria-busy]')).toHaveCount(0);
    expect(await placesOf(page)).toEqual(before);

    sendAnswers();
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  });
}

test('a visitor, and whoever opens another page, gets no frame', async ({ api, visit }) => {
  const { page: visitor } = await visit();
  await visitor.goto('/adminDashboard');
  await expect(visitor).toHaveURL(/adminPreLogin/);

  const { page: staff, trap } = await visit({ as: await api.administrator() });
  trap.expectBlocked(/\/assets\//);
  await staff.route('**/assets/*.js', (route) => route.abort());
  await staff.goto('/reports');
  await expect(staff.getByText('Haris could not be loaded.')).toBeVisible();
  await expect(staff.getByRole('heading')).toBeHidden();

  // If the code cannot load, the frame gives way to the message.
  await staff.goto('/adminDashboard');
  await expect(staff.getByText('Haris could not be loaded.')).toBeVisible();
  await expect(staff.getByRole('heading')).toBeHidden();
});

/** How many children a desk sees before anybody scrolls, below the pictures of the rooms and with the signs of allergies. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import { careRoutes } from '@haris/contract/http/care';
import { childRoutes } from '@haris/contract/http/children';
import { setupRoutes } from '@haris/contract/http/setup';
import type { Page } from '@playwright/test';
import { camera, stalled } from '../apps/web/src/testing/cameras.ts';
import { child } from '../apps/web/src/testing/people.ts';
import { setup } from '../apps/web/src/testing/settings.ts';
import { expect, test } from './fixtures.ts';

/** Children that must be wholly in sight on 1440 × 900. */
const LEAST_IN_SIGHT = 24;
const NAMES = ['Omar Hassan', 'Layla Adel', 'Adam Nabil', 'Zeina Farid', 'آدم علي', 'سلمى حسن'];

const COUNT_IN_SIGHT = `
  [...document.querySelectorAll('[data-look="tiles"] > li')].filter((tile) => {
    const { top, bottom } = tile.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }).length
`;

/** Answers a list of the API as the server does, with other content. */
async function serve(page: Page, path: string, json: unknown): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => route.fulfill({ response: await route.fetch(), json }),
  );
}

for (const language of ['en', 'ar'] as const)
  test(`24 whole tiles with a sign each, below the rooms with cameras: ${language}`, async ({
    api,
    visit,
  }) => {
    const { page } = await visit({ as: await api.administrator(), size: 'desk', language });
    const children = Array.from({ length: 40 }, (_, n) =>
      child({ _id: `child-${n}`, name: NAMES[n % NAMES.length] ?? '', isInside: true }),
    );
    const signs = children.map(({ _id: childId }) => ({
      childId,
      allergies: ['peanut', 'milk'].map((allergen) => ({ allergen, substance: '', severity: 'severe' })),
      isUnseen: true,
    }));
    const cameras = ['Playroom', 'Garden', 'Nap room'].map((area) =>
      camera({ _id: area, name: area, area, ...stalled }),
    );
    const onePage = { total: children.length, nextCursor: null };
    await serve(page, childRoutes.listChildren.path, { children, ...onePage });
    await serve(page, careRoutes.listCareSigns.path, { signs, onSlip: false });
    await serve(page, cameraRoutes.listCameras.path, { cameras, total: cameras.length, nextCursor: null });
    // The list of first steps is gone.
    await serve(page, setupRoutes.getSetup.path, { setup: setup() });
    await page.goto('/adminDashboard');
    await expect(page.getByText('Nap room').first()).toBeVisible();
    const tiles = page.locator('[data-look="tiles"] > li');
    await expect(tiles.locator('button[data-severity="severe"]')).toHaveCount(children.length);
    const inSight = await page.evaluate<number>(COUNT_IN_SIGHT);
    expect(inSight).toBeGreaterThanOrEqual(LEAST_IN_SIGHT);
  });

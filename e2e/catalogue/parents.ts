/** What parents with children open: their profile, the live feed, notices, an evacuation. */
import { expect } from '../fixtures.ts';
import { moveEntryBack } from '../harness/past.ts';
import { livePicture } from '../harness/room-camera.ts';
import { beginEvacuation, button, dialog, endEvacuation, furnish, go, type Scene } from './stage.ts';
import { LONG_NAME } from './world.ts';

/** So long after its time that it is over in every picture. */
const OVER_MS = 60 * 60_000;

export const parentScenes: readonly Scene[] = [
  {
    name: 'profile',
    as: 'mona',
    async open(stage) {
      await go(stage, '/profile');
      await expect(stage.page.getByRole('main').getByRole('listitem')).toHaveCount(2);
      await expect(stage.page.getByRole('main').locator('li img')).toHaveCount(2);
    },
  },
  ...(['Omar Hassan', 'Layla Hassan'] as const).map(
    (name): Scene => ({
      name: name === 'Omar Hassan' ? 'details-inside' : 'details-outside',
      as: 'mona',
      async open(stage) {
        await go(stage, '/profile');
        await button(stage.page, stage.t('profile:viewDetailsOf', { name })).click();
        await expect(dialog(stage.page).locator('img')).toBeVisible();
      },
    }),
  ),
  {
    name: 'profile-air',
    as: 'mona',
    async open(stage) {
      const { page, t } = stage;
      await furnish(stage);
      await go(stage, '/profile');
      const toggle = page.getByRole('switch', { name: t('environment:readings') });
      if (!(await toggle.isChecked())) await toggle.press('Space');
      await expect(page.getByText(t('environment:history.today')).first()).toBeVisible();
    },
  },
  {
    name: 'profile-long-name',
    as: 'friederike',
    async open(stage) {
      await go(stage, '/profile');
      await expect(stage.page.getByText(LONG_NAME)).toBeVisible();
    },
  },
  {
    name: 'details-over',
    as: 'friederike',
    async open(stage) {
      const { page, t, world } = stage;
      moveEntryBack(world.server.dataDir, world.friederike.children[0]?._id ?? '', OVER_MS);
      await go(stage, '/profile');
      await button(page, t('profile:viewDetailsOf', { name: LONG_NAME })).click();
      await expect(dialog(page).getByText(t('stays:timesUp'))).toBeVisible();
    },
    async close({ world }) {
      moveEntryBack(world.server.dataDir, world.friederike.children[0]?._id ?? '', -OVER_MS);
    },
  },
  {
    name: 'live-feed',
    as: 'mona',
    async open(stage) {
      const { page, t } = stage;
      await furnish(stage);
      await go(stage, '/liveFeed');
      await page.getByRole('checkbox', { name: 'Omar Hassan' }).check();
      await expect(livePicture(page, 'Omar Hassan', t)).toBeVisible({ timeout: 60_000 });
    },
  },
  {
    name: 'live-feed-outside',
    as: 'mona',
    async open(stage) {
      const { page, t } = stage;
      const name = 'Layla Hassan';
      await go(stage, '/liveFeed');
      await page.getByRole('checkbox', { name }).check();
      await expect(page.getByText(t('live-feed:notInside', { name })).first()).toBeAttached();
    },
  },
  {
    name: 'evacuation-parent',
    as: 'mona',
    async open(stage) {
      await beginEvacuation(stage.world);
      await go(stage, '/profile');
      await expect(stage.page.getByText(stage.t('incidents:parents.title'))).toBeVisible();
    },
    close: ({ world }) => endEvacuation(world),
  },
  {
    name: 'notices-parent',
    as: 'mona',
    async open(stage) {
      await go(stage, '/notices');
      await expect(stage.page.getByRole('table')).toBeVisible();
    },
  },
];

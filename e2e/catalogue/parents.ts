/** What parents with children open: their profile, the live feed, notices, an evacuation. */
import { expect } from '../fixtures.ts';
import { portraitFile } from '../harness/camera.ts';
import { moveEntryBack } from '../harness/past.ts';
import { detailAt, livePicture } from '../harness/room-camera.ts';
import { beginEvacuation, button, dialog, endEvacuation, furnish, go, type Scene } from './stage.ts';
import { LONG_NAME, type World } from './world.ts';

/** What a camera shows, and whom the face engine finds in it, comes when the machine gets round to it. */
const FROM_CAMERA_MS = 60_000;
/** So long after its time that it is over in every picture. */
const OVER_MS = 60 * 60_000;

/** By a portrait that no child of the pictures has. */
async function setRecognition({ api, friederike }: World, method: 'PUT' | 'DELETE'): Promise<void> {
  const { id, token } = friederike;
  if (method === 'PUT') {
    const form = new FormData();
    form.set('photo', new Blob([new Uint8Array(await portraitFile(6))], { type: 'image/png' }), 'me.png');
    await api.call(`/api/parent/update-parent/${id}`, { method, token, form });
  }
  await api.call(`/api/parent/${id}/recognition`, { method, token });
  if (method === 'DELETE') return;
  const desk = { token: (await api.administrator()).token, json: { accept: true, confirm: true } };
  await api.call(`/api/parent/${id}/confirm`, { method: 'POST', ...desk });
}

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
    name: 'profile-cameras-refused',
    as: 'newcomer',
    async open(stage) {
      const { page, t } = stage;
      await go(stage, '/profile');
      await page.getByRole('switch', { name: t('recognition:switch') }).press('Space');
      await expect(page.getByText(t('recognition:problems.no_photo'))).toBeVisible();
    },
  },
  {
    name: 'profile-cameras-on',
    as: 'friederike',
    async open(stage) {
      const { page, t, world } = stage;
      await setRecognition(world, 'PUT');
      await go(stage, '/profile');
      const toggle = page.getByRole('switch', { name: t('recognition:switch') });
      await expect(toggle).toBeChecked();
      // A photo is fetched when it comes near.
      await toggle.scrollIntoViewIfNeeded();
      await expect(page.getByRole('region', { name: t('recognition:title') }).locator('img')).toBeVisible();
    },
    close: ({ world }) => setRecognition(world, 'DELETE'),
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
      await expect(livePicture(page, 'Omar Hassan', t)).toBeVisible({ timeout: FROM_CAMERA_MS });
      // He stands on the left; who stands on the right is never sharp.
      const share = async () =>
        (await detailAt(page, 'Omar Hassan', 0.3, 0.42, t)) /
        (await detailAt(page, 'Omar Hassan', 0.7, 0.42, t));
      await expect.poll(share, { timeout: FROM_CAMERA_MS }).toBeGreaterThan(2);
    },
  },
  {
    name: 'live-feed-not-seen',
    as: 'friederike',
    async open(stage) {
      const { page, t } = stage;
      await furnish(stage);
      await go(stage, '/liveFeed');
      await expect(
        page.getByText(t('live-picture:waiting.not_seen_yet', { subject: LONG_NAME })).first(),
      ).toBeVisible({ timeout: FROM_CAMERA_MS });
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

/** Screens of parents with children: profile, live feed, notices, an evacuation. */
import { expect } from '../fixtures.ts';
import { FROM_CAMERA_MS, portraitFile } from '../harness/camera.ts';
import { moveEntryBack } from '../harness/past.ts';
import { childCard, tick } from '../harness/person.ts';
import { detailAt, livePicture } from '../harness/room-camera.ts';
import { bookingHomeScenes } from './bookings.ts';
import { careLogHomeScenes } from './care-log.ts';
import { guardianHomeScenes } from './guardians.ts';
import { handOverHomeScenes } from './hand-over.ts';
import {
  beginEvacuation,
  button,
  dialog,
  endEvacuation,
  furnish,
  go,
  leave,
  openDashboard,
  type Scene,
} from './stage.ts';
import { LONG_NAME, type World } from './world.ts';

/** So far past its due time that the stay is overdue in every screenshot. */
const OVER_MS = 60 * 60_000;

/** Announces that Omar is fetched in ten minutes, or takes it back. */
async function setOnTheWay({ api, mona }: World, isOn: boolean): Promise<void> {
  const id = mona.children.find(({ name }) => name === 'Omar Hassan')?._id ?? '';
  const { token } = mona;
  const arrivesAt = new Date(Date.now() + 600_000).toISOString();
  if (isOn)
    await api.call('/api/children/on-my-way', { method: 'POST', token, json: { children: [id], arrivesAt } });
  else await api.call(`/api/children/${id}/on-my-way`, { method: 'DELETE', token });
}

/** Uses a portrait that no child of the screenshots has. */
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

/** A list with one danger that concerns every room and is not over. */
function heatEverywhere() {
  const incident = {
    _id: 'heat',
    kind: 'temperature',
    severity: 'safety',
    area: null,
    subject: null,
    subjects: [],
    value: 46.5,
    limit: 40,
    raisedAt: new Date(Date.now() - 120_000).toISOString(),
    clearedAt: null,
    acknowledgedAt: new Date(Date.now() - 60_000).toISOString(),
    acknowledgedBy: null,
    timeline: [],
  };
  return { incidents: [incident], total: 1, nextCursor: null };
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
  {
    name: 'profile-on-my-way',
    as: 'mona',
    async open(stage) {
      await go(stage, '/profile');
      await button(stage.page, stage.t('profile:way.open')).click();
      await expect(button(dialog(stage.page), stage.t('profile:way.send'))).toBeVisible();
    },
  },
  {
    name: 'profile-announced',
    as: 'mona',
    async open(stage) {
      await setOnTheWay(stage.world, true);
      await go(stage, '/profile');
      await expect(button(stage.page, stage.t('profile:way.cancel'))).toBeVisible();
    },
    close: ({ world }) => setOnTheWay(world, false),
  },
  {
    name: 'dashboard-on-the-way',
    as: 'staff',
    async open(stage) {
      await setOnTheWay(stage.world, true);
      await openDashboard(stage);
      await expect(
        stage.page.getByRole('region', { name: stage.t('dashboard:onTheWay.title') }),
      ).toBeVisible();
    },
    close: ({ world }) => setOnTheWay(world, false),
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
    name: 'account-parent',
    as: 'mona',
    async open(stage) {
      await go(stage, '/account');
      await expect(stage.page.getByRole('main').getByText('Mona Hassan')).toBeVisible();
    },
  },
  {
    name: 'account-cameras-refused',
    as: 'newcomer',
    async open(stage) {
      const { page, t } = stage;
      await go(stage, '/account');
      await page.getByRole('switch', { name: t('recognition:switch') }).press('Space');
      await expect(page.getByText(t('recognition:problems.no_photo'))).toBeVisible();
    },
  },
  {
    name: 'account-cameras-on',
    as: 'friederike',
    async open(stage) {
      const { page, t, world } = stage;
      await setRecognition(world, 'PUT');
      await go(stage, '/account');
      const toggle = page.getByRole('switch', { name: t('recognition:switch') });
      await expect(toggle).toBeChecked();
      // Photos load only when they come near the viewport.
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
      await expect(childCard(stage.page, LONG_NAME)).toBeVisible();
    },
  },
  {
    name: 'details-over',
    as: 'friederike',
    async open(stage) {
      const { page, t, world } = stage;
      moveEntryBack(world.server.dataDir, world.friederike.children[0]?._id ?? '', OVER_MS);
      await leave(stage);
      await go(stage, '/profile');
      await button(page, t('profile:viewDetailsOf', { name: LONG_NAME })).click();
      await expect(dialog(page).getByText(t('stays:timesUp'))).toBeVisible();
    },
    async close(stage) {
      const { world } = stage;
      moveEntryBack(world.server.dataDir, world.friederike.children[0]?._id ?? '', -OVER_MS);
      await leave(stage);
    },
  },
  {
    name: 'profile-over',
    as: 'friederike',
    async open(stage) {
      const { page, t, world } = stage;
      moveEntryBack(world.server.dataDir, world.friederike.children[0]?._id ?? '', OVER_MS);
      await leave(stage);
      await go(stage, '/profile');
      await expect(page.getByRole('main').getByText(t('stays:timesUp')).first()).toBeVisible();
    },
    async close(stage) {
      const { world } = stage;
      moveEntryBack(world.server.dataDir, world.friederike.children[0]?._id ?? '', -OVER_MS);
      await leave(stage);
    },
  },
  {
    name: 'profile-danger',
    as: 'mona',
    async open(stage) {
      const { page, t } = stage;
      await leave(stage);
      await page.route('**/api/incidents?*', (route) => route.fulfill({ json: heatEverywhere() }));
      await go(stage, '/profile');
      await expect(
        page.getByRole('main').getByText(t('emergency:parents.temperature')).first(),
      ).toBeVisible();
    },
    async close(stage) {
      await stage.page.unroute('**/api/incidents?*');
      await leave(stage);
    },
  },
  {
    name: 'profile-offline',
    as: 'mona',
    async open(stage) {
      const { page, t, trap } = stage;
      await go(stage, '/profile');
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
      trap.expectOutage();
      await page.context().setOffline(true);
      await expect(page.getByText(t('profile:way.offline'))).toBeVisible();
    },
    async close(stage) {
      await stage.page.context().setOffline(false);
      await leave(stage);
    },
  },
  {
    name: 'live-feed',
    as: 'mona',
    async open(stage) {
      const { page, t } = stage;
      await furnish(stage);
      await go(stage, '/liveFeed');
      await tick(page.getByRole('checkbox', { name: 'Omar Hassan' }));
      await expect(livePicture(page, 'Omar Hassan', t)).toBeVisible({ timeout: FROM_CAMERA_MS });
      // The own child stands on the left; the person on the right is never sharp.
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
      await tick(page.getByRole('checkbox', { name }));
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
  ...bookingHomeScenes,
  ...handOverHomeScenes,
  ...guardianHomeScenes,
  ...careLogHomeScenes,
];

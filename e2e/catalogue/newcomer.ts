/** First screens of a parent without a child: the empty screens, and Add Child. */

import { paintEmptyRoom } from '@haris/painter/bad-photos';
import { expect } from '../fixtures.ts';
import { FROM_CAMERA_MS } from '../harness/camera.ts';
import { button, go, type Scene, type Stage } from './stage.ts';

async function choosePhoto({ page, t }: Stage, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await button(page, t('add-child:chooseFile')).click();
  await (await choosing).setFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
}

export const newcomerScenes: readonly Scene[] = [
  {
    name: 'profile-empty',
    as: 'newcomer',
    async open(stage) {
      await go(stage, '/profile');
      await expect(stage.page.getByText(stage.t('profile:empty'))).toBeVisible();
    },
  },
  {
    name: 'add-child',
    as: 'newcomer',
    camera: 'allowed',
    async open(stage) {
      await stage.world.camera.showPerson(6);
      await go(stage, '/addChild');
      await expect(stage.page.getByText(stage.t('add-child:guide.ready'))).toBeVisible({
        timeout: FROM_CAMERA_MS,
      });
    },
  },
  {
    name: 'add-child-advice',
    as: 'newcomer',
    camera: 'allowed',
    async open(stage) {
      await stage.world.camera.showScene({ people: [] });
      await go(stage, '/addChild');
      await expect(stage.page.getByText(stage.t('add-child:guide.look'))).toBeVisible({
        timeout: FROM_CAMERA_MS,
      });
    },
  },
  {
    name: 'add-child-refused-photo',
    as: 'newcomer',
    camera: 'allowed',
    async open(stage) {
      const { page, t, trap, world } = stage;
      trap.expectHttp(422, /\/register-child/);
      await world.camera.showPerson(6);
      await go(stage, '/addChild');
      await page.getByLabel(t('add-child:name')).fill('Adam Ibrahim');
      await choosePhoto(stage, await paintEmptyRoom());
      await button(page, t('add-child:save')).click();
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible({ timeout: FROM_CAMERA_MS });
    },
  },
  {
    name: 'add-child-birth-date',
    as: 'newcomer',
    camera: 'allowed',
    async open(stage) {
      const { page, t, world } = stage;
      await world.camera.showPerson(6);
      await go(stage, '/addChild');
      await page.getByLabel(t('add-child:name')).fill('Adam Ibrahim');
      await page.getByLabel(t('add-child:birthDate')).fill('1900-01-31');
      await choosePhoto(stage, await paintEmptyRoom());
      // The page refuses the date itself.
      await button(page, t('add-child:save')).click();
      await expect(page.getByLabel(t('add-child:birthDate'))).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'add-child-no-camera',
    as: 'newcomer',
    camera: 'refused',
    async open(stage) {
      await go(stage, '/addChild');
      await expect(stage.page.getByText(stage.t('add-child:failed'))).toBeVisible();
    },
  },

  {
    name: 'live-feed-empty',
    as: 'newcomer',
    async open(stage) {
      await go(stage, '/liveFeed');
      await expect(stage.page.getByText(stage.t('live-feed:noChildren'))).toBeVisible();
    },
  },
];

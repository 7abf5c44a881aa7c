/** Work of staff for families at the desk: adding a family, checking in, slips, scanning, deletion, known faces. */
import type { Child } from '@haris/contract/objects';
import { expect } from '../fixtures.ts';
import { FROM_CAMERA_MS, portraitFile } from '../harness/camera.ts';
import { chooseDeletion, scanByKeyboard } from '../harness/person.ts';
import { guardianDeskScenes } from './guardians.ts';
import { handOverDeskScenes } from './hand-over.ts';
import { button, chooseFromMenu, dialog, go, openDashboard, type Scene, type Stage } from './stage.ts';

async function openAddParent(stage: Stage): Promise<void> {
  await openDashboard(stage);
  // The menu has a button for it, too.
  await button(stage.page.getByRole('main'), stage.t('dashboard:families.addParent')).click();
  await expect(dialog(stage.page)).toBeVisible();
}

/** Opens Add Child for a family with a person in front of the camera, and captures a photo. */
async function captureFor(stage: Stage, parentId: string, person: number, name: string): Promise<void> {
  const { page, t, world } = stage;
  await world.camera.showPerson(person);
  await go(stage, `/addChild?parentId=${parentId}`);
  await page.getByLabel(t('add-child:name')).fill(name);
  await expect(page.getByText(t('add-child:guide.ready'))).toBeVisible({ timeout: FROM_CAMERA_MS });
  await button(page, t('add-child:capture')).click();
  await expect(page.getByRole('img', { name: t('add-child:captured') })).toBeVisible();
}

async function openCandidates(stage: Stage): Promise<void> {
  const { page, t, trap, world } = stage;
  trap.expectHttp(409, /\/create-child\//);
  await captureFor(stage, world.newcomer.id, 1, 'Adam Ibrahim');
  await button(page, t('add-child:save')).click();
  await expect(dialog(page).locator('img')).toHaveCount(2, { timeout: FROM_CAMERA_MS });
}

/** Deletes the child that a scene added; otherwise the camera of the next scene would recognise it. */
async function deleteAdam({ world }: Stage): Promise<void> {
  const { token } = world.staff;
  const { children } = await world.api.call<{ children: { _id: string }[] }>(
    '/api/children/get-all-children?search=Adam',
    { token },
  );
  for (const { _id } of children) {
    await world.api.call(`/api/children/delete-child/${_id}`, { method: 'DELETE', token });
  }
}

export const entryScenes: readonly Scene[] = [
  { name: 'add-parent', as: 'staff', open: openAddParent },
  {
    name: 'add-parent-errors',
    as: 'staff',
    async open(stage) {
      await openAddParent(stage);
      await button(dialog(stage.page), stage.t('dashboard:addParent.submit')).click();
      await expect(dialog(stage.page).getByText(stage.t('dashboard:addParent.required'))).toBeVisible();
    },
  },
  {
    name: 'entry',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'frame:entry.registerEntry');
      await expect(dialog(stage.page).getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'entry-errors',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'frame:entry.registerEntry');
      await button(dialog(stage.page), stage.t('dashboard:entry.submit')).click();
      await expect(dialog(stage.page).getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'entry-found',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'frame:entry.registerEntry');
      await dialog(stage.page).getByRole('combobox').first().fill('layla');
      await expect(dialog(stage.page).getByRole('checkbox')).toHaveCount(2);
    },
  },
  {
    name: 'entry-chosen',
    as: 'staff',
    async open(stage) {
      await openDashboard(stage);
      await button(stage.page, stage.t('dashboard:families.checkInOf', { name: 'Layla Hassan' })).click();
      await expect(dialog(stage.page).getByRole('checkbox')).toHaveCount(2);
    },
  },
  {
    name: 'extend',
    as: 'staff',
    async open(stage) {
      await openDashboard(stage);
      await button(stage.page, stage.t('dashboard:inside.moreOf', { name: 'Omar Hassan' })).click();
      await expect(dialog(stage.page).getByRole('group')).toBeVisible();
    },
  },
  {
    name: 'slip',
    as: 'staff',
    async open(stage) {
      await go(stage, `/adminDashboard?child=${stage.world.mona.children[0]?._id}`);
      await button(dialog(stage.page), stage.t('child:slip')).click();
      await expect(dialog(stage.page).getByRole('article')).toBeVisible();
    },
  },
  {
    name: 'scan',
    as: 'staff',
    camera: 'allowed',
    async open(stage) {
      await stage.world.camera.showPerson(6);
      await openDashboard(stage);
      await button(stage.page, stage.t('dashboard:scan.open')).filter({ visible: true }).click();
      await expect(dialog(stage.page).getByText(stage.t('entry-slip:scan.hint'))).toBeVisible();
      await expect(dialog(stage.page).getByRole('status').getByText(/\S/)).toHaveCount(0);
    },
  },
  {
    name: 'scanned',
    as: 'staff',
    async open(stage) {
      const { page, world } = stage;
      await openDashboard(stage);
      const { children } = await world.api.call<{ children: Child[] }>(
        '/api/children/get-all-children?inside=true&search=Omar',
        { token: world.staff.token },
      );
      await scanByKeyboard(page, children[0]?.uniqueEntryId ?? '');
      await expect(button(dialog(page), stage.t('dashboard:scan.checkout'))).toBeVisible();
    },
  },
  {
    name: 'scanned-unknown',
    as: 'staff',
    async open(stage) {
      stage.trap.expectHttp(404, '/api/children/find-entry');
      await openDashboard(stage);
      await scanByKeyboard(stage.page, 'x'.repeat(43));
      await expect(dialog(stage.page).getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'delete-parent',
    as: 'staff',
    async open(stage) {
      await openDashboard(stage);
      await chooseDeletion(stage.page, 'Mona Hassan', stage.t);
      await expect(dialog(stage.page)).toBeVisible();
    },
  },
  { name: 'known-face', as: 'staff', camera: 'allowed', open: openCandidates },
  {
    name: 'look-alike',
    as: 'staff',
    camera: 'allowed',
    async open(stage) {
      await openCandidates(stage);
      await button(dialog(stage.page), stage.t('add-child:known.confirm')).click();
      await expect(dialog(stage.page).getByText(stage.t('add-child:lookalikes.title'))).toBeVisible({
        timeout: FROM_CAMERA_MS,
      });
    },
    close: deleteAdam,
  },
  {
    name: 'entry-look-alike',
    as: 'staff',
    async open(stage) {
      const { page, t, trap, world } = stage;
      trap.expectHttp(409, /\/checkin-child\//);
      const form = new FormData();
      form.set('name', 'Adam Ibrahim');
      form.set('photo', new Blob([new Uint8Array(await portraitFile(1))], { type: 'image/png' }), 'adam.png');
      const { id, token } = world.newcomer;
      await world.api.call(`/api/children/create-child/${id}`, { method: 'POST', token, form });
      await openDashboard(stage);
      await button(page, t('dashboard:families.checkInOf', { name: 'Adam Ibrahim' })).click();
      await button(dialog(page), t('dashboard:entry.confirmOne')).click();
      await expect(dialog(page).getByRole('alert')).toBeVisible({ timeout: FROM_CAMERA_MS });
    },
    close: deleteAdam,
  },
  ...handOverDeskScenes,
  ...guardianDeskScenes,
];

/** Definition of a scene, and the steps that scenes share. */
import type { Locator, Page } from '@playwright/test';
import { expect, type OpenOptions } from '../fixtures.ts';
import { clearRoom, type FurnishedRoom, furnishRoom } from '../harness/furnished-room.ts';
import type { Trap } from '../harness/trap.ts';
import type { Language, Words } from '../harness/words.ts';
import type { World } from './world.ts';

export interface Stage {
  page: Page;
  trap: Trap;
  t: Words;
  language: Language;
  world: World;
}

export interface Scene {
  name: string;
  as: 'visitor' | 'mona' | 'newcomer' | 'friederike' | 'staff';
  /** The scene exists only at a desk, or only on phones (of any size). */
  only?: 'phone' | 'desk';
  /** Camera of the device; without one the cheaper browser is used. */
  camera?: OpenOptions['camera'];
  /** Resolves when everything is visible. */
  open(stage: Stage): Promise<void>;
  /** Undoes changes that would affect other scenes. */
  close?(stage: Stage): Promise<void>;
}

/** The person who opens a scene, for the `visit` fixture. */
export function visitorOf(scene: Scene, world: World): Pick<OpenOptions, 'as' | 'camera'> {
  const as = scene.as === 'visitor' ? null : world[scene.as];
  return { as, ...(scene.camera && { camera: scene.camera }) };
}

export const dialog = (page: Page): Locator => page.getByRole('dialog');
export const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** On a busy machine the first screen of a browser, or of a newly loaded page, has needed longer than the default. */
export const FIRST_SCREEN = { timeout: 60_000 };

/** Follows an address inside the app, as the browser's Back does. */
async function follow(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(path);
  await page.evaluate(
    `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/**
 * Goes to the path without loading the page, by way of another screen, which ends the one before with its dialogs.
 * False if the page does not show the app in the language, or if a dialog outlives its screen.
 */
async function goInside({ page, t, language }: Stage, path: string): Promise<boolean> {
  // Another browser of the account may have changed its language.
  if ((await page.locator(`html[lang="${language}"] #root h1`).count()) === 0) return false;
  // Not by role: a dialog may hide the screen below it from assistive technology.
  const between = page.locator('h1').filter({ hasText: t('legal:terms.title') });
  await follow(page, '/terms');
  await expect(between).toBeVisible();
  if ((await page.locator('dialog[open], [role="dialog"], [role="alertdialog"]').count()) > 0) return false;
  if (path === '/terms') return true;
  await follow(page, path);
  await expect(between).toHaveCount(0);
  return true;
}

/** Goes to a path and waits for the screen's title. Loading the page is the longest part of a scene, so it is avoided. */
export async function go(stage: Stage, path: string): Promise<void> {
  if (!(await goInside(stage, path))) await stage.page.goto(path);
  await expect(stage.page.getByRole('heading', { level: 1 })).toBeVisible(FIRST_SCREEN);
}

/** Leaves the app, so that the next scene loads it anew: for changes on the server that the page is not notified of. */
export async function leave({ page }: Stage): Promise<void> {
  await page.goto('about:blank');
}

export async function openDashboard(stage: Stage): Promise<void> {
  await go(stage, '/adminDashboard');
  await expect(stage.page.getByRole('timer')).toHaveCount(3, FIRST_SCREEN);
  await expect(stage.page.getByText('Mona Hassan').first()).toBeVisible();
}

/** Chooses a menu item: in the rail, or in the sheet of a phone. */
export async function chooseFromMenu(stage: Stage, key: string): Promise<void> {
  const { page, t } = stage;
  await openDashboard(stage);
  const more = button(page, t('frame:bar.more'));
  const rail = page.getByRole('navigation', { name: t('frame:rail.label') });
  // The frame may come after the lists.
  await expect(more.or(rail).filter({ visible: true }).first()).toBeVisible();
  // The bar of phones has the most frequent action itself, under a shorter name.
  if (await more.isVisible()) {
    if (key === 'frame:entry.registerEntry') await button(page, t('frame:bar.checkIn')).first().click();
    else {
      await more.click();
      await button(dialog(page), t(key)).click();
    }
  } else await button(rail, t(key)).click();
  await expect(
    dialog(page).getByRole('textbox').or(dialog(page).getByRole('combobox')).first(),
  ).toBeVisible();
}

/** Sets up the room, which all scenes with cameras and sensors share; other scenes begin with {@link emptyRoom}. */
export async function furnish({ world }: Stage): Promise<FurnishedRoom> {
  world.room ??= await furnishRoom(world.api, world.server, [1, 3]);
  return world.room;
}

export async function emptyRoom({ world }: Stage): Promise<void> {
  const { room } = world;
  world.room = null;
  if (room !== null) await clearRoom(world.api, room);
}

export async function beginEvacuation({ api, staff: { token } }: World): Promise<void> {
  await api.call('/api/evacuations', { method: 'POST', token, json: {} });
}

export async function endEvacuation({ api, staff: { token } }: World): Promise<void> {
  const { evacuation } = await api.call<{ evacuation: { _id: string } | null }>('/api/evacuations/current', {
    token,
  });
  if (evacuation === null) return;
  await api.call(`/api/evacuations/${evacuation._id}/end`, { method: 'POST', token, json: {} });
}

/** Waits until nothing moves: fonts are loaded, and finite animations have ended. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.ready.then(() => Promise.allSettled(
    document.getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished),
  ))`);
}

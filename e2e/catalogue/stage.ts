/** What a scene is, and the steps that scenes share. */
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
  /** Is there at a desk only, or on phones of any size. */
  only?: 'phone' | 'desk';
  /** Of the device; none is the cheaper browser. */
  camera?: OpenOptions['camera'];
  /** Ends when all of it is to be seen. */
  open(stage: Stage): Promise<void>;
  /** Takes back what opening it changed for others. */
  close?(stage: Stage): Promise<void>;
}

/** Who opens a scene, for the `visit` fixture. */
export function visitorOf(scene: Scene, world: World): Pick<OpenOptions, 'as' | 'camera'> {
  const as = scene.as === 'visitor' ? null : world[scene.as];
  return { as, ...(scene.camera && { camera: scene.camera }) };
}

export const dialog = (page: Page): Locator => page.getByRole('dialog');
export const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Goes to a path and waits for the screen's title. */
export async function go({ page }: Stage, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

export async function openDashboard(stage: Stage): Promise<void> {
  await go(stage, '/adminDashboard');
  await expect(stage.page.getByRole('timer')).toHaveCount(3);
  await expect(stage.page.getByText('Mona Hassan').first()).toBeVisible();
}

/** The same for all scenes that show cameras and sensors; others begin with {@link emptyRoom}. */
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

/** Waits until nothing moves any more: fonts are there, finite animations have ended. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.ready.then(() => Promise.allSettled(
    document.getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished),
  ))`);
}

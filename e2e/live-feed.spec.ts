/** The Live Feed of a parent, with the real face engine and a browser as the room's camera. */

import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import type { Family } from './harness/api.ts';
import { FROM_CAMERA_MS, seedOf } from './harness/camera.ts';
import { tick } from './harness/person.ts';
import {
  addDeviceCamera,
  becomeCamera,
  detailAt,
  detailOf,
  livePicture,
  pairingCode,
} from './harness/room-camera.ts';

/** A room with two children of different families: one on the left, one on the right. */
const LEFT = { x: 0.28, y: 0.42 };
const RIGHT = { x: 0.72, y: 0.42 };
const HEAD = 0.4;
/** A sharp face has at least this many times the detail of a coarse one. */
const MUCH_MORE = 3;
/** Largest detail of a coarse face. */
const COARSE_DETAIL = 1;

/** Simulates a proxy without WebSocket support: each socket is refused. */
const NO_SOCKETS = `
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 3;
    constructor() { setTimeout(() => this.onclose?.({ code: 1006 }), 20); }
    close() {}
  };
`;

interface Room {
  mona: Family;
  sara: Family;
  device: import('@playwright/test').Page;
}

let room: Room | null = null;

/** The same room for all tests of this file; the device's page is new each time. */
async function openRoom(
  parts: Pick<Parameters<Parameters<typeof test>[2]>[0], 'api' | 'server' | 'camera' | 'visit'>,
) {
  const { api, server, camera, visit } = parts;
  await server.engineReady();
  const mona = room?.mona ?? (await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Zeina Hassan': 3 }));
  const sara = room?.sara ?? (await api.family('Sara Ibrahim', { 'Adam Ibrahim': 2 }));
  if (room === null) {
    await api.checkIn(mona.children[0]?._id ?? '', 240);
    await api.checkIn(sara.children[0]?._id ?? '', 240);
  }
  await camera.showScene({
    people: [
      { seed: seedOf(1), ...LEFT, head: HEAD },
      { seed: seedOf(2), ...RIGHT, head: HEAD },
    ],
  });
  const { page: device } = await visit({ size: 'phone', camera: 'allowed' });
  const added = await addDeviceCamera(api, `Room ${Date.now()}`, 'Play room');
  await becomeCamera(device, await pairingCode(api, added));
  room = { mona, sara, device };
  return room;
}

test('a parent sees the own child sharp and nobody else; the picture ends at the checkout and comes back', async ({
  api,
  server,
  camera,
  visit,
}) => {
  test.setTimeout(160_000);
  const { mona } = await openRoom({ api, server, camera, visit });
  const child = mona.children[0]?._id ?? '';
  const { page } = await visit({ size: 'phone', as: mona });
  await page.goto('/profile');
  await page.getByRole('link', { name: 'View Live Feed' }).click();

  await test.step('the first child is chosen, and is sharp', async () => {
    await expect(page.getByRole('checkbox', { name: 'Omar Hassan' })).toBeChecked();
    await expect(livePicture(page, 'Omar Hassan')).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(page.getByText(/^Live · \d+\.\d s$/)).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect
      .poll(
        async () =>
          (await detailAt(page, 'Omar Hassan', LEFT.x, LEFT.y)) /
          (await detailAt(page, 'Omar Hassan', RIGHT.x, RIGHT.y)),
        { timeout: FROM_CAMERA_MS },
      )
      .toBeGreaterThan(MUCH_MORE);
  });

  await test.step('a still is kept, of the own child alone, under a name that says nothing of it', async () => {
    const keep = async (): Promise<number> => {
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save a snapshot' }).click();
      const saved = await saving;
      expect(saved.suggestedFilename()).toMatch(/^haris-\d{4}(-\d\d){5}\.jpg$/);
      const still = await readFile(await saved.path());
      const other = await detailOf(still, RIGHT.x, RIGHT.y);
      expect(other).toBeLessThan(COARSE_DETAIL);
      return (await detailOf(still, LEFT.x, LEFT.y)) / other;
    };
    // In some pictures the parent's child is not found.
    await expect.poll(keep, { timeout: FROM_CAMERA_MS }).toBeGreaterThan(MUCH_MORE);
  });

  await test.step('only one is chosen at a time; one who is not inside says so', async () => {
    await tick(page.getByRole('checkbox', { name: 'Zeina Hassan' }));
    await expect(page.getByRole('checkbox', { name: 'Omar Hassan' })).not.toBeChecked();
    await expect(
      page.getByRole('status').filter({ hasText: 'Zeina Hassan is not checked in.' }),
    ).toBeAttached();
    await tick(page.getByRole('checkbox', { name: 'Omar Hassan' }));
    await expect(livePicture(page, 'Omar Hassan')).toBeVisible({ timeout: FROM_CAMERA_MS });
  });

  await test.step('checked out: the picture is gone from the screen; checked in again it is back', async () => {
    await api.checkOut(child);
    await expect(livePicture(page, 'Omar Hassan')).toBeHidden();
    await expect(
      page.getByRole('status').filter({ hasText: 'Omar Hassan is not checked in.' }),
    ).toBeAttached();
    await api.checkIn(child, 240);
    await expect(livePicture(page, 'Omar Hassan')).toBeVisible({ timeout: FROM_CAMERA_MS });
  });

  await test.step('Back to Profile leads back', async () => {
    await page.getByRole('link', { name: 'Back to Profile' }).click();
    await expect(page).toHaveURL('/profile');
  });
});

test('without a socket the picture comes as MJPEG', async ({ api, server, camera, visit }) => {
  test.setTimeout(160_000);
  const { mona } = await openRoom({ api, server, camera, visit });
  const { page, trap } = await visit({ as: mona });
  // While the camera sends nothing for a moment, there is no picture, and the page asks again.
  trap.allowHttp(503, '/video_feed');
  await page.addInitScript(NO_SOCKETS);
  await page.goto('/liveFeed');
  const picture = livePicture(page, 'Omar Hassan');
  await expect(picture).toBeVisible({ timeout: FROM_CAMERA_MS });
  expect(await picture.evaluate((element) => element.tagName)).toBe('IMG');
  expect(await picture.getAttribute('src')).toMatch(/^\/video_feed\?target_id=[^&]+&ticket=/);
  await expect(page.getByText(/^(Live|No change since .+)$/).first()).toBeVisible();
  await expect
    .poll(
      async () =>
        (await detailAt(page, 'Omar Hassan', LEFT.x, LEFT.y)) /
        (await detailAt(page, 'Omar Hassan', RIGHT.x, RIGHT.y)),
      { timeout: FROM_CAMERA_MS },
    )
    .toBeGreaterThan(MUCH_MORE);
  await api.checkOut(mona.children[0]?._id ?? '');
  await expect(picture).toBeHidden();
  await api.checkIn(mona.children[0]?._id ?? '', 240);
});

test('without a socket the page says since when nothing has changed, and is live again by itself', async ({
  api,
  server,
  camera,
  visit,
}) => {
  test.setTimeout(160_000);
  const { mona, device } = await openRoom({ api, server, camera, visit });
  const { page } = await visit({ as: mona });
  await page.addInitScript(NO_SOCKETS);
  await page.goto('/liveFeed');
  await expect(livePicture(page, 'Omar Hassan')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await device.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/^No change since \d/).first()).toBeVisible({ timeout: FROM_CAMERA_MS });
  await camera.showScene({ people: [{ seed: seedOf(1), x: 0.5, y: 0.5, head: HEAD }] });
  await device.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible({ timeout: FROM_CAMERA_MS });
});

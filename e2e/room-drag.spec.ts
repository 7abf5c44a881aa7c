/** A child is dragged to another room with the mouse and with a finger; another desk and the parent's phone see it. */

import type { Child } from '@haris/contract/objects';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { notice } from './harness/person.ts';

/** The list has its tools from eight children on: seven more that only this page sees. */
async function addOthers(page: Page): Promise<void> {
  await page.route(/\/api\/children\/get-all-children\?.*inside=true/, async (route) => {
    const response = await route.fetch();
    const answer: { children: Child[] } = await response.json();
    const [first] = answer.children;
    const others = first
      ? Array.from({ length: 7 }, (_, n) => ({ ...first, _id: `other-${n}`, name: `Other ${n}` }))
      : [];
    await route.fulfill({ response, json: { ...answer, children: [...answer.children, ...others] } });
  });
}

/** Where the child's link is, once nothing moves it any more: what loads later above the list pushes it down. */
const startOn = async (link: Locator) => {
  await link.click({ trial: true });
  return middleOf(link);
};

const middleOf = async (place: Locator) => {
  const box = await place.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** The room in the strip that appears while a child is dragged. */
const dockRoom = (page: Page, id: string) => page.locator(`[data-room="${id}"]:not(section)`);
const rowIn = (page: Page, room: string, child: string) =>
  page
    .getByRole('region', { name: new RegExp(`^${room} \\d`) })
    .locator('[data-child]')
    .filter({ hasText: child });

test('a child is dragged to another room, by mouse and by finger', async ({ api, visit }) => {
  const staff = await api.administrator();
  const { token } = staff;
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 1 });
  const child = family.children[0]?._id ?? '';
  const rooms: Record<string, string> = {};
  for (const name of ['Ants', 'Bees']) {
    const json = { name };
    const { room } = await api.call<{ room: { _id: string } }>('/api/rooms', { method: 'POST', token, json });
    rooms[name] = room._id;
  }
  const { Ants: ants = '', Bees: bees = '' } = rooms;
  await api.call(`/api/children/checkin-child/${child}`, { method: 'POST', token, json: { roomId: ants } });

  const { page: desk } = await visit({ as: staff });
  const { page: other } = await visit({ as: staff });
  const { page: phone } = await visit({ as: family, size: 'phone' });
  for (const page of [desk, other]) {
    await addOthers(page);
    await page.goto('/adminDashboard');
    await page.getByRole('button', { name: 'Group by room' }).click();
  }
  await phone.goto('/profile');
  await expect(phone.getByText(/In .Ants./)).toBeVisible();
  await expect(desk.locator('[data-draggable]')).toBeVisible();

  await test.step('with the mouse, and back by Undo', async () => {
    const from = await startOn(
      rowIn(desk, 'Ants', 'Nour Ibrahim').getByRole('link', { name: 'Nour Ibrahim' }),
    );
    await desk.mouse.move(from.x, from.y);
    await desk.mouse.down();
    await desk.mouse.move(from.x + 20, from.y + 20, { steps: 4 });
    const to = await middleOf(dockRoom(desk, bees));
    await desk.mouse.move(to.x, to.y, { steps: 4 });
    await expect(dockRoom(desk, bees)).toHaveAttribute('data-over');
    await desk.mouse.up();
    await expect(notice(desk, 'Moved to Bees')).toBeVisible();
    for (const page of [desk, other]) await expect(rowIn(page, 'Bees', 'Nour Ibrahim')).toBeVisible();
    await expect(phone.getByText(/In .Bees./)).toBeVisible();
    // The drag ended on a link, which it did not follow.
    await expect(desk).toHaveURL(/\/adminDashboard$/);
    await desk.keyboard.press('u');
    await expect(rowIn(other, 'Ants', 'Nour Ibrahim')).toBeVisible();
    await expect(phone.getByText(/In .Ants./)).toBeVisible();
  });

  await test.step('Escape drops the child nowhere', async () => {
    const from = await startOn(
      rowIn(desk, 'Ants', 'Nour Ibrahim').getByRole('link', { name: 'Nour Ibrahim' }),
    );
    await desk.mouse.move(from.x, from.y);
    await desk.mouse.down();
    await desk.mouse.move(from.x + 20, from.y + 20, { steps: 4 });
    await expect(dockRoom(desk, bees)).toBeVisible();
    await desk.keyboard.press('Escape');
    await expect(dockRoom(desk, bees)).toBeHidden();
    await desk.mouse.up();
  });

  await test.step('with a finger that holds', async () => {
    const cdp = await desk.context().newCDPSession(desk);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
    const from = await startOn(
      rowIn(desk, 'Ants', 'Nour Ibrahim').getByRole('link', { name: 'Nour Ibrahim' }),
    );
    await touch('touchStart', from);
    await expect(dockRoom(desk, bees)).toBeVisible();
    await touch('touchMove', await middleOf(dockRoom(desk, bees)));
    await expect(dockRoom(desk, bees)).toHaveAttribute('data-over');
    await touch('touchEnd');
    await expect(rowIn(other, 'Bees', 'Nour Ibrahim')).toBeVisible();
  });
  // A list on its way must not outlive the page.
  for (const page of [desk, other]) await page.unrouteAll({ behavior: 'wait' });
});

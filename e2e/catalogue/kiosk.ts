/** The kiosk as families see it, and what staff see of it. */
import { expect } from '../fixtures.ts';
import { makeColleague, makeDesk } from '../harness/desk.ts';
import { askAtKiosk, type MadeKiosk, makeKiosk, removeKiosk } from '../harness/kiosk.ts';
import { scanByKeyboard } from '../harness/person.ts';
import { endRooms, makeRooms } from '../harness/rooms.ts';
import { button, dialog, go, leave, type Scene, type Stage } from './stage.ts';

let kiosk: MadeKiosk | null = null;

async function addKiosk({ world }: Stage): Promise<MadeKiosk> {
  kiosk = await makeKiosk(world.api, world.server);
  return kiosk;
}

async function removeMade({ world }: Stage): Promise<void> {
  if (kiosk !== null) await removeKiosk(world.api, kiosk);
  kiosk = null;
}

/** Ends the page that is the kiosk, and removes it. The page asks the server all the time, and would be refused. */
async function endKiosk(stage: Stage): Promise<void> {
  await leave(stage);
  await removeMade(stage);
}

async function openKiosk(stage: Stage): Promise<void> {
  const { code } = await addKiosk(stage);
  // A window in full screen cannot be resized.
  await stage.page.addInitScript('Element.prototype.requestFullscreen = undefined');
  await stage.page.goto(`/kiosk/${code}`);
  await expect(stage.page.getByText(stage.t('kiosk:start.title'), { exact: true })).toBeVisible();
}

async function openKeypad(stage: Stage): Promise<void> {
  await openKiosk(stage);
  await stage.page.getByRole('button', { name: stage.t('kiosk:start.pin') }).click();
  await expect(stage.page.getByText(stage.t('kiosk:pin.titleDigits'))).toBeVisible();
}

/** Identifies Mona's family with the code of her phone. */
async function openFamily(stage: Stage): Promise<void> {
  await openKiosk(stage);
  const { api, mona } = stage.world;
  const { code } = await api.call<{ code: string }>('/api/account/kiosk-code', {
    method: 'POST',
    token: mona.token,
  });
  const family = stage.page.waitForResponse('**/api/kiosk/identify');
  await scanByKeyboard(stage.page, code);
  await family;
  await expect(stage.page.getByText(stage.t('kiosk:children.title'))).toBeVisible();
}

async function openDesk(stage: Stage): Promise<void> {
  const { world } = stage;
  kiosk = await makeDesk(world.api, world.server);
  await stage.page.addInitScript('Element.prototype.requestFullscreen = undefined');
  await stage.page.goto(`/desk/${kiosk.code}`);
  await expect(stage.page.getByText(stage.t('desk:who.title'), { exact: true })).toBeVisible();
}

async function openDeskPin(stage: Stage): Promise<void> {
  const name = `Nadia ${Date.now()}`;
  await makeColleague(stage.world.api, stage.world.server, name, '830561');
  await openDesk(stage);
  await stage.page.getByRole('button', { name }).click();
  await expect(stage.page.getByText(stage.t('desk:pin.label'), { exact: true })).toBeVisible();
}

async function setDeskOffline({ world }: Stage, deskOffline: boolean): Promise<void> {
  const { token } = await world.api.signIn('admin', world.server.admin);
  await world.api.call('/api/settings', { method: 'PUT', token, json: { deskOffline } });
}

/** A desk tablet at which somebody is signed in, whose connection is gone, and which has a list. */
async function openCutDesk(stage: Stage): Promise<void> {
  const { page, trap, t } = stage;
  await setDeskOffline(stage, true);
  await openDeskPin(stage);
  const list = page.waitForResponse('**/api/desk/offline**');
  await page.keyboard.type('830561');
  await expect(page.getByText(t('desk:bar.handOver'), { exact: true })).toBeVisible();
  await (await list).finished();
  // No event reports that the list is on disk.
  await page.waitForTimeout(1_000);
  trap.expectOutage();
  await page.context().setOffline(true);
  await expect(button(page, t('desk:list.open'))).toBeVisible({ timeout: 60_000 });
}

async function endCutDesk(stage: Stage): Promise<void> {
  await stage.page.context().setOffline(false);
  await setDeskOffline(stage, false);
  await endKiosk(stage);
}

/** The check-in of Layla, who is outside, at such a tablet. */
async function openCutCheckIn(stage: Stage): Promise<void> {
  const { page, t, world } = stage;
  await openCutDesk(stage);
  await button(page, t('desk:list.open')).click();
  const { name } = world.mona.children[1] ?? { name: '' };
  await page.getByRole('searchbox', { name: t('desk:list.search') }).fill(name);
  await button(dialog(page), t('desk:checkIn.buttonOf', { name })).click();
  await expect(page.getByText(t('desk:checkIn.period'), { exact: true })).toBeVisible();
}

/** Ends the tablet before it can send what it wrote, which would be on the screens of other scenes. */
async function endWrittenDesk(stage: Stage): Promise<void> {
  await stage.page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.deleteDatabase('haris-desk-entries');
    request.onsuccess = resolve;
    request.onerror = resolve;
  })`);
  await leave(stage);
  await endCutDesk(stage);
}

export const kioskScenes: readonly Scene[] = [
  {
    name: 'kiosk-pair',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/kiosk');
    },
  },
  { name: 'kiosk-start', as: 'visitor', open: openKiosk, close: endKiosk },
  { name: 'kiosk-keypad', as: 'visitor', open: openKeypad, close: endKiosk },
  {
    name: 'kiosk-leave',
    as: 'visitor',
    async open(stage) {
      await openKiosk(stage);
      await button(stage.page, stage.t('kiosk:leave.open')).click();
      await expect(stage.page.getByText(stage.t('kiosk:leave.about'))).toBeVisible();
    },
    close: endKiosk,
  },
  {
    name: 'kiosk-scan',
    as: 'visitor',
    camera: 'allowed',
    async open(stage) {
      await stage.world.camera.showPerson(6);
      await openKiosk(stage);
      await stage.page.getByRole('button', { name: stage.t('kiosk:start.scan') }).click();
      await expect(stage.page.locator('video')).toBeVisible();
    },
    close: endKiosk,
  },
  { name: 'kiosk-family', as: 'visitor', open: openFamily, close: endKiosk },
  {
    name: 'kiosk-waiting',
    as: 'visitor',
    async open(stage) {
      await openFamily(stage);
      // Omar is inside, Layla is outside: either may be asked for.
      const ask = stage.t('kiosk:children.pick_up.button', { names: 'Omar' });
      await stage.page.getByRole('button', { name: ask }).click();
      await expect(stage.page.getByText(stage.t('kiosk:visit.waiting'))).toBeVisible();
    },
    close: endKiosk,
  },
  {
    name: 'desk-pair',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/desk');
    },
  },
  { name: 'desk-who', as: 'visitor', open: openDesk, close: endKiosk },
  { name: 'desk-pin', as: 'visitor', open: openDeskPin, close: endKiosk },
  {
    name: 'desk-work',
    as: 'visitor',
    async open(stage) {
      await openDeskPin(stage);
      await stage.page.keyboard.type('830561');
      await expect(stage.page.getByText(stage.t('desk:bar.handOver'), { exact: true })).toBeVisible();
    },
    async close(stage) {
      await button(stage.page, stage.t('desk:bar.handOver')).click();
      await expect(stage.page.getByText(stage.t('desk:who.title'), { exact: true })).toBeVisible();
      await endKiosk(stage);
    },
  },
  {
    name: 'account-desk',
    as: 'staff',
    async open(stage) {
      const { world } = stage;
      kiosk = await makeDesk(world.api, world.server);
      const json = { code: kiosk.code, kind: 'desk' };
      await world.api.call('/api/kiosk/pair', { method: 'POST', json });
      await go(stage, '/account');
      await button(stage.page, stage.t('desk:account.set')).click();
      await expect(stage.page.getByText(stage.t('desk:account.rules'))).toBeVisible();
    },
    close: removeMade,
  },
  {
    name: 'kiosks',
    as: 'staff',
    async open(stage) {
      await addKiosk(stage);
      await go(stage, '/kiosks');
      await expect(stage.page.getByRole('heading', { name: 'Entrance' })).toBeVisible();
    },
    close: removeMade,
  },
  {
    name: 'dashboard-kiosk',
    as: 'staff',
    async open(stage) {
      const made = await addKiosk(stage);
      const { api, mona } = stage.world;
      await askAtKiosk(api, made, mona, [mona.children[1]?._id ?? '']);
      await go(stage, '/adminDashboard');
      await expect(stage.page.getByText(stage.t('kiosks:queue.title'), { exact: true })).toBeVisible();
    },
    close: removeMade,
  },
  {
    name: 'dashboard-kiosk-rooms',
    as: 'staff',
    async open(stage) {
      const { api, mona } = stage.world;
      await makeRooms(stage.world);
      const made = await addKiosk(stage);
      await askAtKiosk(api, made, mona, [mona.children[1]?._id ?? '']);
      await go(stage, '/adminDashboard');
      await expect(stage.page.getByLabel(stage.t('dashboard:entry.room'), { exact: true })).toBeVisible();
    },
    async close(stage) {
      await removeMade(stage);
      await endRooms(stage.world);
    },
  },
  {
    name: 'account-kiosk',
    as: 'mona',
    async open(stage) {
      const made = await addKiosk(stage);
      const { api } = stage.world;
      // Parents see the card once a tablet is paired.
      await api.call('/api/kiosk/pair', { method: 'POST', json: { code: made.code } });
      await go(stage, '/account');
      await button(stage.page, stage.t('kiosk-pin:showCode')).click();
      await expect(stage.page.getByRole('img', { name: stage.t('kiosk-pin:codeQr') })).toBeVisible();
    },
    close: removeMade,
  },
  // Each waits for the tablet to miss its server.
  { name: 'desk-cut', as: 'visitor', open: openCutDesk, close: endCutDesk },
  {
    name: 'desk-inside',
    as: 'visitor',
    async open(stage) {
      await openCutDesk(stage);
      await button(stage.page, stage.t('desk:list.open')).click();
      await expect(dialog(stage.page).getByRole('listitem').first()).toBeVisible();
    },
    close: endCutDesk,
  },
  { name: 'desk-check-in', as: 'visitor', open: openCutCheckIn, close: endCutDesk },
  {
    name: 'desk-checked-in',
    as: 'visitor',
    async open(stage) {
      const { page, t, world } = stage;
      await openCutCheckIn(stage);
      await button(page, t('desk:checkIn.button')).click();
      const { name } = world.mona.children[1] ?? { name: '' };
      await expect(button(page, t('desk:checkIn.slipOf', { name })).first()).toBeVisible();
    },
    close: endWrittenDesk,
  },
];

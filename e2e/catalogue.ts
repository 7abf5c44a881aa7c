/** Every screen and dialog of the product, and how one gets there: for the accessibility check and the pictures. */
import type { Camera } from '@haris/contract/http/cameras';
import type { Child } from '@haris/contract/objects';
import type { Locator, Page } from '@playwright/test';
import { expect, type OpenOptions, type sizes } from './fixtures.ts';
import type { Account, Api, Family } from './harness/api.ts';
import { type FakeCamera, portraitFile } from './harness/camera.ts';
import { clearRoom, type FurnishedRoom, furnishRoom } from './harness/furnished-room.ts';
import type { ReceivedMail } from './harness/outbox.ts';
import { moveEntryBack } from './harness/past.ts';
import { scanByKeyboard } from './harness/person.ts';
import {
  addDeviceCamera,
  becomeCamera,
  livePicture,
  pairingCode,
  removeCamera,
} from './harness/room-camera.ts';
import type { HarisServer } from './harness/server.ts';
import type { Trap } from './harness/trap.ts';
import type { Language, Words } from './harness/words.ts';

/** The people of the pictures. */
export interface World {
  staff: Account;
  mona: Family;
  newcomer: Family;
  /** Her child has a long name. */
  friederike: Family;
  api: Api;
  server: HarisServer;
  camera: FakeCamera;
  mailTo: (address: string, count?: number) => Promise<ReceivedMail>;
  /** Cameras and sensors, while a scene wants them; null while there are none. */
  room: FurnishedRoom | null;
}

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
  /** Is there at one size only. */
  only?: keyof typeof sizes;
  /** Without permission for the camera. */
  withoutCamera?: boolean;
  /** Ends when all of it is to be seen. */
  open(stage: Stage): Promise<void>;
  /** Takes back what opening it changed for others. */
  close?(stage: Stage): Promise<void>;
}

/** What a camera shows, and whom the face engine finds in it, comes when the machine gets round to it. */
const FROM_CAMERA_MS = 60_000;
const LONG_NAME = 'Maximilian Alexander Theodor von Hohenlohe-Langenburg';
/** So long after its time that it is over in every picture. */
const OVER_MS = 60 * 60_000;
const MONAS_CHILDREN = { 'Omar Hassan': 1, 'Layla Hassan': 2 };
const AHMEDS_CHILDREN = { 'يوسف أحمد': 3, 'مريم أحمد': 4 };

/** Families with children inside, outside and over time, in a server that has none yet. */
export async function makeWorld(
  parts: Omit<World, 'staff' | 'mona' | 'newcomer' | 'friederike' | 'room'>,
): Promise<World> {
  const { api, server } = parts;
  const staff = await api.administrator();
  const mona = await api.family('Mona Hassan', MONAS_CHILDREN);
  const ahmed = await api.family('أحمد علي', AHMEDS_CHILDREN);
  const friederike = await api.family('Friederike Wilhelmine von Hohenlohe-Langenburg', { [LONG_NAME]: 5 });
  const newcomer = await api.family('Sara Ibrahim');
  for (const [family, index, minutes, agoMs] of [
    [mona, 0, 60, 3 * 60_000 + 12_000],
    [ahmed, 0, 30, 42 * 60_000],
    [friederike, 0, 120, 113 * 60_000],
  ] as const) {
    const childId = family.children[index]?._id ?? '';
    await api.checkIn(childId, minutes);
    moveEntryBack(server.dataDir, childId, agoMs);
  }
  // Not verified yet.
  await api.call('/api/parent/create-parent', {
    method: 'POST',
    token: staff.token,
    json: { name: 'Karim Adel', email: 'karim@haris.example' },
  });
  for (const [name, nationalId] of [
    ['Nadia Farouk', '29503120101234'],
    ['سامي يوسف', '29107250105678'],
  ]) {
    await api.call('/api/admin/create-admin', {
      method: 'POST',
      token: staff.token,
      json: { name, email: `${nationalId}@haris.example`, password: 'front-desk-1', nationalId },
    });
  }
  return { ...parts, staff, mona, newcomer, friederike, room: null };
}

/** Who opens a scene, for the `visit` fixture. */
export function visitorOf(scene: Scene, world: World): Pick<OpenOptions, 'as' | 'camera'> {
  const as = scene.as === 'visitor' ? null : world[scene.as];
  return { as, camera: scene.withoutCamera !== true };
}

const dialog = (page: Page): Locator => page.getByRole('dialog');
const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Goes to a path and waits for the screen's title. */
async function go({ page }: Stage, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

async function openDashboard(stage: Stage): Promise<void> {
  await go(stage, '/adminDashboard');
  await expect(stage.page.getByRole('timer')).toHaveCount(3);
  await expect(stage.page.getByText('Mona Hassan').first()).toBeVisible();
}

/** The same for all scenes that show cameras and sensors; others begin with {@link emptyRoom}. */
async function furnish({ world }: Stage): Promise<FurnishedRoom> {
  world.room ??= await furnishRoom(world.api, world.server, [1, 3]);
  return world.room;
}

async function emptyRoom({ world }: Stage): Promise<void> {
  const { room } = world;
  world.room = null;
  if (room !== null) await clearRoom(world.api, room);
}

/** A camera's page. */
async function openCamera(stage: Stage, which: 'camera' | 'broken' | 'tablet'): Promise<void> {
  const room = await furnish(stage);
  await go(stage, `/cameras/${room[which]._id}`);
}

/** The menu's entry: in the rail, or in the header's menu on a small screen. */
async function chooseFromMenu(stage: Stage, key: string): Promise<void> {
  const { page, t } = stage;
  await openDashboard(stage);
  const menu = button(page, t('shell:menu.open'));
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole('navigation', { name: t('dashboard:sidebar.label') })
    .getByRole('button', { name: t(key), exact: true })
    .click();
  await expect(
    dialog(page).getByRole('textbox').or(dialog(page).getByRole('combobox')).first(),
  ).toBeVisible();
}

async function openAddParent(stage: Stage): Promise<void> {
  await openDashboard(stage);
  await button(stage.page, stage.t('dashboard:families.addParent')).click();
  await expect(dialog(stage.page)).toBeVisible();
}

/** A sensor sends what raises both alarms of the air. */
async function raiseAlarms({ api, server, staff: { token } }: World): Promise<void> {
  const { sensor, deviceKey } = await api.call<{ sensor: { _id: string }; deviceKey: string }>(
    '/api/sensors',
    {
      method: 'POST',
      token,
      json: { name: 'Kitchen', area: 'Kitchen', kind: 'haris', period: 600 },
    },
  );
  await fetch(`${server.url()}/api/sensors/${sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify({ temperature: 41.5, humidity: 30, mq2: 1240 }),
  });
}

async function acknowledgeAll({ api, staff: { token } }: World): Promise<void> {
  const { sensors } = await api.call<{ sensors: { _id: string; area: string }[] }>('/api/sensors', { token });
  for (const { _id, area } of sensors)
    if (area === 'Kitchen') await api.call(`/api/sensors/${_id}`, { method: 'DELETE', token });
  const { incidents } = await api.call<{ incidents: { _id: string }[] }>('/api/incidents', { token });
  for (const { _id } of incidents)
    await api.call(`/api/incidents/${_id}/acknowledge`, { method: 'POST', token, json: {} });
}

async function beginEvacuation({ api, staff: { token } }: World): Promise<void> {
  await api.call('/api/evacuations', { method: 'POST', token, json: {} });
}

async function endEvacuation({ api, staff: { token } }: World): Promise<void> {
  const { evacuation } = await api.call<{ evacuation: { _id: string } | null }>('/api/evacuations/current', {
    token,
  });
  if (evacuation === null) return;
  await api.call(`/api/evacuations/${evacuation._id}/end`, { method: 'POST', token, json: {} });
}

/** Add Child for a family with somebody in front of the camera, up to the captured photo. */
async function captureFor(stage: Stage, parentId: string, person: number, name: string): Promise<void> {
  const { page, t, world } = stage;
  await world.camera.showPerson(person);
  await go(stage, `/addChild?parentId=${parentId}`);
  await page.getByLabel(t('add-child:name')).fill(name);
  await expect(page.getByText(t('add-child:guide.ready'))).toBeVisible();
  await button(page, t('add-child:capture')).click();
  await expect(page.getByRole('img', { name: t('add-child:captured') })).toBeVisible();
}

async function choosePhoto({ page, t }: Stage, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await button(page, t('add-child:chooseFile')).click();
  await (await choosing).setFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
}

async function openCandidates(stage: Stage): Promise<void> {
  const { page, t, trap, world } = stage;
  trap.expectHttp(409, /\/create-child\//);
  await captureFor(stage, world.newcomer.id, 1, 'Adam Ibrahim');
  await button(page, t('add-child:save')).click();
  await expect(dialog(page).locator('img')).toHaveCount(2);
}

/** The camera that the device of a scene is. */
let sending: Camera | null = null;

let registrations = 0;

/** Registers somebody new and answers the mailed link. */
async function registerSomebody({ world }: Stage): Promise<string> {
  const email = `new-${++registrations}@haris.example`;
  await world.api.call('/api/parent/add', {
    method: 'POST',
    json: { name: 'Huda Samir', email, phone: '01012345678', password: 'secret-6' },
  });
  return (await world.mailTo(email)).link;
}

export const scenes: readonly Scene[] = [
  { name: 'home', as: 'visitor', open: (stage) => go(stage, '/') },
  { name: 'not-found', as: 'visitor', open: (stage) => go(stage, '/no/such/page') },
  {
    name: 'menu',
    as: 'visitor',
    only: 'phone',
    async open(stage) {
      await go(stage, '/');
      await button(stage.page, stage.t('shell:menu.open')).click();
      await expect(stage.page.getByRole('link', { name: stage.t('shell:adminPanel') })).toBeVisible();
    },
  },
  {
    name: 'screen-not-here',
    as: 'visitor',
    async open(stage) {
      // Before any scene that loads the other screen: the browser has it then.
      await go(stage, '/');
      stage.trap.expectOutage();
      stage.trap.expectBlocked(/\/assets\//);
      await stage.page.context().setOffline(true);
      await stage.page.getByRole('link', { name: stage.t('shell:footer.terms') }).click();
      await expect(stage.page.getByText(stage.t('shell:offlineScreen'))).toBeVisible();
    },
    // The page comes by itself then; whoever goes elsewhere meanwhile is in its way.
    async close({ page, t }) {
      await page.context().setOffline(false);
      await expect(page.getByRole('heading', { level: 1, name: t('legal:terms.title') })).toBeVisible();
    },
  },
  {
    name: 'appearance',
    as: 'visitor',
    only: 'desk',
    async open(stage) {
      await go(stage, '/terms');
      await button(stage.page, stage.t('shell:appearance.title')).click();
      await expect(stage.page.getByRole('radio').first()).toBeVisible();
    },
  },
  {
    name: 'no-connection',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/');
      stage.trap.expectOutage();
      await stage.page.context().setOffline(true);
      await expect(stage.page.getByText(stage.t('shell:offline'))).toBeVisible();
    },
    close: ({ page }) => page.context().setOffline(false),
  },
  { name: 'privacy', as: 'visitor', open: (stage) => go(stage, '/privacy') },
  { name: 'terms', as: 'visitor', open: (stage) => go(stage, '/terms') },
  { name: 'login', as: 'visitor', open: (stage) => go(stage, '/login') },
  {
    name: 'login-refused',
    as: 'visitor',
    async open(stage) {
      const { page, t, trap } = stage;
      trap.expectHttp(401, '/api/parent/get-parent-by-email-and-password');
      await go(stage, '/login');
      // An address of its own each time: many failures for one are throttled.
      await page.getByLabel(t('auth:email')).fill(`nobody-${++registrations}@haris.example`);
      await page.locator('input[type="password"]').fill('wrong-password');
      await button(page, t('auth:login.submit')).click();
      await expect(page.getByText(t('errors:invalid_credentials'))).toBeVisible();
    },
  },
  { name: 'login-admin', as: 'visitor', open: (stage) => go(stage, '/login?isAdmin=true') },
  { name: 'pre-login', as: 'visitor', open: (stage) => go(stage, '/adminPreLogin') },
  { name: 'register', as: 'visitor', open: (stage) => go(stage, '/register') },
  {
    name: 'register-errors',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/register');
      await stage.page.getByLabel(stage.t('auth:email')).fill('mona@nowhere');
      await button(stage.page, stage.t('auth:register.submit')).click();
      await expect(stage.page.getByText(stage.t('fields:Invalid email format'))).toBeVisible();
    },
  },
  { name: 'forgot', as: 'visitor', open: (stage) => go(stage, '/forgot-password') },
  {
    name: 'forgot-sent',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/forgot-password');
      await stage.page.getByLabel(stage.t('auth:email')).fill('nobody@haris.example');
      await button(stage.page, stage.t('auth:forgot.submit')).click();
      await expect(stage.page.getByText(stage.t('auth:forgot.sent'))).toBeVisible();
    },
  },
  {
    name: 'reset-errors',
    as: 'visitor',
    async open(stage) {
      await go(stage, '/reset-password/abc');
      await stage.page.locator('input[type="password"]').first().fill('abc');
      await button(stage.page, stage.t('auth:reset.submit')).click();
      await expect(stage.page.getByText(stage.t('auth:reset.mismatch'))).toBeVisible();
    },
  },
  {
    name: 'verified',
    as: 'visitor',
    async open(stage) {
      await go(stage, new URL(await registerSomebody(stage)).pathname);
      await expect(stage.page.getByText(stage.t('auth:verify.success'))).toBeVisible();
    },
  },
  {
    name: 'not-verified',
    as: 'visitor',
    async open(stage) {
      stage.trap.expectHttp(400, /\/verify\/email\//);
      await go(stage, '/verify-parent/no-such-token');
      await expect(stage.page.getByText(stage.t('auth:verify.failure'))).toBeVisible();
    },
  },

  {
    name: 'profile-empty',
    as: 'newcomer',
    async open(stage) {
      await go(stage, '/profile');
      await expect(stage.page.getByText(stage.t('profile:empty'))).toBeVisible();
    },
  },
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
    name: 'add-child',
    as: 'newcomer',
    async open(stage) {
      await stage.world.camera.showPerson(6);
      await go(stage, '/addChild');
      await expect(stage.page.getByText(stage.t('add-child:guide.ready'))).toBeVisible();
    },
  },
  {
    name: 'add-child-advice',
    as: 'newcomer',
    async open(stage) {
      await stage.world.camera.showScene({ people: [] });
      await go(stage, '/addChild');
      await expect(stage.page.getByText(stage.t('add-child:guide.look'))).toBeVisible();
    },
  },
  {
    name: 'add-child-refused-photo',
    as: 'newcomer',
    async open(stage) {
      const { page, t, trap, world } = stage;
      trap.expectHttp(409, /\/create-child\//);
      await world.camera.showPerson(6);
      await go(stage, '/addChild');
      await page.getByLabel(t('add-child:name')).fill('Adam Ibrahim');
      await choosePhoto(stage, await portraitFile(1));
      await button(page, t('add-child:save')).click();
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'add-child-no-camera',
    as: 'newcomer',
    withoutCamera: true,
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
  { name: 'device-camera', as: 'visitor', open: (stage) => go(stage, '/camera') },
  {
    name: 'device-camera-sending',
    as: 'visitor',
    async open({ page, t, world }) {
      await world.camera.showPerson(6);
      sending = await addDeviceCamera(world.api, 'Tablet on the shelf', 'Playroom');
      await becomeCamera(page, await pairingCode(world.api, sending), t);
    },
    async close({ world }) {
      if (sending !== null) await removeCamera(world.api, sending);
      sending = null;
    },
  },
  {
    name: 'cameras-empty',
    as: 'staff',
    async open(stage) {
      await emptyRoom(stage);
      await go(stage, '/cameras');
      await expect(stage.page.getByText(stage.t('cameras:empty'))).toBeVisible();
    },
  },
  {
    name: 'add-camera',
    as: 'staff',
    async open(stage) {
      await go(stage, '/cameras');
      await button(stage.page, stage.t('cameras:add')).click();
      await expect(dialog(stage.page).getByRole('radio').first()).toBeVisible();
    },
  },

  { name: 'dashboard', as: 'staff', open: openDashboard },
  {
    name: 'dashboard-folded',
    as: 'staff',
    only: 'desk',
    async open(stage) {
      await openDashboard(stage);
      await button(stage.page, stage.t('dashboard:sidebar.collapse')).click();
      await expect(button(stage.page, stage.t('dashboard:sidebar.expand'))).toBeVisible();
    },
    async close(stage) {
      await button(stage.page, stage.t('dashboard:sidebar.expand')).click();
    },
  },
  {
    name: 'dashboard-menu',
    as: 'staff',
    only: 'phone',
    async open(stage) {
      await openDashboard(stage);
      await button(stage.page, stage.t('shell:menu.open')).click();
      await expect(dialog(stage.page).getByText(stage.t('dashboard:sidebar.logout'))).toBeVisible();
    },
  },
  {
    name: 'dashboard-nobody-found',
    as: 'staff',
    async open(stage) {
      await openDashboard(stage);
      await stage.page.getByLabel(stage.t('dashboard:families.search')).fill('zzz');
      await expect(stage.page.getByText(stage.t('dashboard:families.noResultsHint'))).toBeVisible();
    },
  },
  { name: 'add-parent', as: 'staff', open: openAddParent },
  {
    name: 'add-parent-errors',
    as: 'staff',
    async open(stage) {
      await openAddParent(stage);
      await button(dialog(stage.page), stage.t('dashboard:addParent.submit')).click();
      await expect(dialog(stage.page).getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'entry',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'dashboard:sidebar.registerEntry');
      await expect(dialog(stage.page).getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'entry-errors',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'dashboard:sidebar.registerEntry');
      await button(dialog(stage.page), stage.t('dashboard:entry.submit')).click();
      await expect(dialog(stage.page).getByRole('alert')).toBeVisible();
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
    name: 'slip',
    as: 'staff',
    async open(stage) {
      await openDashboard(stage);
      const name = 'Omar Hassan';
      await button(stage.page, stage.t('dashboard:inside.printSlipOf', { name })).click();
      await expect(dialog(stage.page).getByRole('article')).toBeVisible();
    },
  },
  {
    name: 'scan',
    as: 'staff',
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
      await button(stage.page, stage.t('dashboard:families.deleteParentOf', { name: 'Mona Hassan' })).click();
      await expect(dialog(stage.page)).toBeVisible();
    },
  },
  {
    name: 'add-employee-errors',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'dashboard:sidebar.addEmployee');
      await dialog(stage.page).getByLabel(stage.t('employees:addDialog.nationalId')).fill('1234');
      await button(dialog(stage.page), stage.t('employees:addDialog.submit')).click();
      await expect(dialog(stage.page).getByText(stage.t('fields:Invalid national ID format'))).toBeVisible();
    },
  },
  {
    name: 'employees',
    as: 'staff',
    async open(stage) {
      await go(stage, '/viewEmployees');
      await expect(stage.page.getByText('Nadia Farouk')).toBeVisible();
    },
  },
  {
    name: 'delete-employee',
    as: 'staff',
    async open(stage) {
      await go(stage, '/viewEmployees');
      await button(stage.page, stage.t('employees:deleteOf', { name: 'Nadia Farouk' })).click();
      await expect(dialog(stage.page)).toBeVisible();
    },
  },
  {
    name: 'attendance',
    as: 'staff',
    async open(stage) {
      await go(stage, '/reports?period=week');
      await expect(stage.page.getByRole('table')).toHaveCount(2);
    },
  },
  {
    name: 'attendance-empty',
    as: 'staff',
    async open(stage) {
      await go(stage, '/reports?date=2020-02-03');
      await expect(stage.page.getByText(stage.t('reports:empty'))).toBeVisible();
    },
  },
  {
    name: 'attendance-time-zone',
    as: 'staff',
    async open(stage) {
      await go(stage, '/reports');
      await button(stage.page, stage.t('reports:zone.change')).click();
      await expect(dialog(stage.page).getByRole('combobox')).toBeVisible();
    },
  },
  { name: 'import', as: 'staff', open: (stage) => go(stage, '/importFamilies') },
  {
    name: 'import-errors',
    as: 'staff',
    async open(stage) {
      await go(stage, '/importFamilies');
      const buffer = Buffer.from(
        'Name,Email,Phone\nهدى سمير,huda@haris.example,1012345678\nAli,nowhere,12\nTwice,huda@haris.example,\n',
      );
      await stage.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'families.csv', mimeType: 'text/csv', buffer });
      await expect(stage.page.getByRole('table')).toHaveCount(2);
    },
  },
  {
    name: 'audit-log',
    as: 'staff',
    async open(stage) {
      await go(stage, '/auditLog');
      const log = stage.page.getByRole('list', { name: stage.t('audit:title') });
      await expect(log.getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'sensors-empty',
    as: 'staff',
    async open(stage) {
      await emptyRoom(stage);
      await go(stage, '/sensors');
      await expect(stage.page.getByText(stage.t('environment:empty'))).toBeVisible();
    },
  },
  {
    name: 'add-sensor',
    as: 'staff',
    async open(stage) {
      await go(stage, '/sensors');
      await button(stage.page, stage.t('environment:add.open')).first().click();
      await expect(dialog(stage.page).getByText(stage.t('environment:add.areaHint'))).toBeVisible();
    },
  },
  {
    name: 'incidents',
    as: 'staff',
    async open(stage) {
      await go(stage, '/incidents');
      // Two children have been inside for longer than they should.
      const list = stage.page.getByRole('list', { name: stage.t('incidents:screen.title') });
      await list.getByText(stage.t('incidents:timeline.title')).first().click();
      await expect(list.getByText(stage.t('incidents:timeline.raised')).first()).toBeVisible();
    },
  },
  {
    name: 'alarm-settings',
    as: 'staff',
    async open(stage) {
      await go(stage, '/alarmSettings');
      await expect(stage.page.getByText(stage.t('incidents:settings.areasHint'))).toBeVisible();
    },
  },
  {
    name: 'alarms',
    as: 'staff',
    async open(stage) {
      const { page, world } = stage;
      await go(stage, '/incidents');
      await raiseAlarms(world);
      await expect(page.getByRole('alertdialog')).toHaveCount(2, { timeout: 60_000 });
    },
    close: ({ world }) => acknowledgeAll(world),
  },
  {
    name: 'roll-call',
    as: 'staff',
    async open(stage) {
      await beginEvacuation(stage.world);
      await stage.page.goto('/incidents');
      await expect(dialog(stage.page).getByRole('checkbox')).toHaveCount(3);
    },
    close: ({ world }) => endEvacuation(world),
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
    name: 'notices',
    as: 'staff',
    async open(stage) {
      await go(stage, '/notices');
      await expect(stage.page.getByText(stage.t('notices:failed.none'))).toBeVisible();
      await expect(stage.page.getByRole('table')).toBeVisible();
    },
  },
  {
    name: 'notices-parent',
    as: 'mona',
    async open(stage) {
      await go(stage, '/notices');
      await expect(stage.page.getByRole('table')).toBeVisible();
    },
  },
  { name: 'known-face', as: 'staff', open: openCandidates },
  {
    name: 'look-alike',
    as: 'staff',
    async open(stage) {
      await openCandidates(stage);
      await button(dialog(stage.page), stage.t('add-child:known.confirm')).click();
      await expect(dialog(stage.page).getByText(stage.t('add-child:lookalikes.title'))).toBeVisible();
    },
    // Found by the next one's camera otherwise.
    async close({ world }) {
      const { token } = world.staff;
      const { children } = await world.api.call<{ children: { _id: string }[] }>(
        '/api/children/get-all-children?search=Adam',
        { token },
      );
      for (const { _id } of children) {
        await world.api.call(`/api/children/delete-child/${_id}`, { method: 'DELETE', token });
      }
    },
  },

  {
    name: 'cameras',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await go(stage, '/cameras');
      const live = stage.page.getByText(stage.t('cameras:state.live'), { exact: true });
      await expect(live).toBeVisible({ timeout: FROM_CAMERA_MS });
      await expect(stage.page.getByText(stage.t('cameras:problem.refused'))).toBeVisible();
    },
  },
  {
    name: 'wall',
    as: 'staff',
    async open(stage) {
      const { camera } = await furnish(stage);
      await go(stage, '/cameras/wall');
      await expect(livePicture(stage.page, camera.name, stage.t)).toBeVisible({ timeout: FROM_CAMERA_MS });
    },
  },
  {
    name: 'camera',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'camera');
      await expect(stage.page.getByRole('list', { name: stage.t('live-picture:faces') })).toContainText(
        'Omar Hassan',
        { timeout: FROM_CAMERA_MS },
      );
    },
  },
  {
    name: 'camera-zones',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'camera');
      await button(stage.page, stage.t('cameras:zones.edit')).click({ timeout: FROM_CAMERA_MS });
      await expect(button(stage.page, stage.t('cameras:zones.save'))).toBeVisible();
    },
  },
  {
    name: 'camera-refused',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'broken');
      await expect(stage.page.getByText(stage.t('cameras:problem.refused')).first()).toBeVisible();
    },
  },
  {
    name: 'camera-pairing',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'tablet');
      await button(stage.page, stage.t('cameras:pairing.pair')).click();
      await expect(stage.page.getByRole('img', { name: stage.t('cameras:pairing.qr') })).toBeVisible();
    },
  },
  {
    name: 'sensors',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await go(stage, '/sensors');
      await expect(stage.page.getByText(stage.t('environment:truth.stale')).first()).toBeVisible();
    },
  },
  {
    name: 'sensor-history',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await furnish(stage);
      await go(stage, '/sensors');
      await button(page, t('environment:actionsOf', { name: 'By the window' })).click();
      await page.getByRole('menuitem', { name: t('environment:action.history') }).click();
      await expect(dialog(page).locator('.recharts-surface').first()).toBeVisible();
    },
  },
  {
    name: 'home-assistant',
    as: 'staff',
    async open(stage) {
      await go(stage, '/sensors');
      await button(stage.page, stage.t('environment:homeAssistant.open')).click();
      await expect(dialog(stage.page).getByText(stage.t('environment:homeAssistant.empty'))).toBeVisible();
    },
  },
  {
    name: 'dashboard-air',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await openDashboard(stage);
      const air = stage.page.getByRole('region', { name: stage.t('environment:glance') });
      await expect(air.getByText('Playroom')).toBeVisible();
    },
    close: emptyRoom,
  },
];

/** Waits until nothing moves any more: fonts are there, finite animations have ended. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.ready.then(() => Promise.allSettled(
    document.getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished),
  ))`);
}

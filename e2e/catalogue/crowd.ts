/** Screens of a full nursery: a hundred children inside, in four rooms, some of them over their time. For the pictures only. */
import type { Room } from '@haris/contract/http/rooms';
import { expect, test } from '../fixtures.ts';
import { moveEntryBack } from '../harness/past.ts';
import {
  beginEvacuation,
  button,
  dialog,
  endEvacuation,
  FIRST_SCREEN,
  go,
  type Scene,
  type Stage,
} from './stage.ts';
import type { World } from './world.ts';

const CHILDREN = 100;
/** Twenty families of five children, half of them written in Arabic. */
const FAMILIES = [
  {
    parent: 'Dina',
    children: ['Hana', 'Adam', 'Zeina', 'Seif', 'Malak'],
    surnames: 'Badawi Mansour Helmy Wahba Shawky Rizk Naguib Tawfik Kamel Lotfy'.split(' '),
  },
  {
    parent: 'دينا',
    children: ['سلمى', 'آدم', 'مريم', 'حمزة', 'جنى'],
    surnames: 'فاروق السيد زكي مصطفى جابر حلمي الشريف رمضان سليمان منصور'.split(' '),
  },
];
/** Families that the dashboard shows before somebody asks for more. */
const FIRST_PAGE = 20;
const ROOMS = ['Butterflies', 'Ducklings', 'قوس قزح', 'Sunflowers'];
/** Faces of test persons that are used again and again: nothing here recognises anybody. */
const FACES = [7, 8, 9, 10, 11];
const STAY_MINUTES = 120;
/** From one check-in to the next one: the last seven are over their time, eight more are due within ten minutes. */
const APART_MS = 1.3 * 60_000;
/** A hundred photos are judged one after the other. */
const GATHER_MS = 900_000;

const gathered = new WeakSet<World>();

/** Checks the children in once; they stay, so these scenes come after all others. */
async function gather(world: World): Promise<void> {
  if (gathered.has(world)) return;
  test.setTimeout(GATHER_MS);
  const { api, server, staff } = world;
  const { token } = staff;
  const roomIds: string[] = [];
  for (const name of ROOMS) {
    const { room } = await api.call<{ room: Room }>('/api/rooms', { method: 'POST', token, json: { name } });
    roomIds.push(room._id);
  }
  let place = 0;
  for (const { parent, children, surnames } of FAMILIES)
    for (const surname of surnames) {
      const faces = children.map((name, index) => [`${name} ${surname}`, FACES[index] ?? 1] as const);
      const family = await api.family(`${parent} ${surname}`, Object.fromEntries(faces));
      for (const { _id } of family.children) {
        await api.call(`/api/children/checkin-child/${_id}`, {
          method: 'POST',
          token,
          json: { durationInMinutes: STAY_MINUTES, roomId: roomIds[place % roomIds.length] },
        });
        moveEntryBack(server.dataDir, _id, Math.round(place * APART_MS));
        place++;
      }
    }
  gathered.add(world);
}

async function openCrowd(stage: Stage): Promise<void> {
  await gather(stage.world);
  await go(stage, '/adminDashboard');
  // The list grows while the page is idle.
  await expect(stage.page.getByRole('timer').nth(CHILDREN - 1)).toBeAttached(FIRST_SCREEN);
}

export const crowdScenes: readonly Scene[] = [
  { name: 'crowd-tiles', as: 'staff', open: openCrowd },
  {
    name: 'crowd-rows',
    as: 'staff',
    async open(stage) {
      await openCrowd(stage);
      await button(stage.page, stage.t('dashboard:inside.look.rows')).click();
      await expect(button(stage.page, stage.t('dashboard:inside.look.tiles'))).toBeVisible();
    },
  },
  {
    name: 'crowd-families',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await openCrowd(stage);
      // With the few who are over time above them: on phones a hundred children would leave no room for the families.
      const figures = page.getByRole('region', { name: t('dashboard:glance.label') });
      await figures.getByRole('button', { name: t('dashboard:glance.overTime') }).click();
      const families = page.getByRole('region', { name: t('dashboard:families.title') });
      await expect(families.getByRole('heading', { level: 3 }).nth(FIRST_PAGE - 1)).toBeAttached();
    },
  },
  {
    name: 'crowd-roll-call',
    as: 'staff',
    async open(stage) {
      await gather(stage.world);
      await beginEvacuation(stage.world);
      await stage.page.goto('/incidents');
      const boxes = dialog(stage.page).getByRole('checkbox');
      await expect(boxes.nth(CHILDREN - 1)).toBeAttached(FIRST_SCREEN);
    },
    close: ({ world }) => endEvacuation(world),
  },
];

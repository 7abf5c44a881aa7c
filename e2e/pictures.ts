/** Makes the pictures of README.md: `docs/<name>.png`, of the demo with thirty more painted children and two more cameras. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Camera } from '@haris/contract/http/cameras';
import type { Evacuation } from '@haris/contract/http/incidents';
import type { Room } from '@haris/contract/http/rooms';
import type { Child, Parent } from '@haris/contract/objects';
import { type Walker, writeClip } from '@haris/painter/clip';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { settle } from './catalogue/stage.ts';
import { test as base, expect } from './fixtures.ts';
import type { Api } from './harness/api.ts';
import { moveEntryBack } from './harness/past.ts';
import { childCard } from './harness/person.ts';
import { createServer, type HarisServer } from './harness/server.ts';

const folder = fileURLToPath(new URL('../docs/', import.meta.url));
/** A reader of the README loads all four. */
const MOST_BYTES = 400_000;
const MINUTE_MS = 60_000;
/** So many faces are tried at most. */
const LAST_SEED = 1_300;

/** First names of the children by their parent. */
const FAMILIES = {
  'Yasmin Badawi': ['Hana', 'Lina', 'Yassin'],
  'Hany Farouk': ['Mariam', 'Basma', 'Rana'],
  'Tamer Mansour': ['Malak', 'Ziad', 'Judy'],
  'Khaled El-Sayed': ['Zeina', 'Omar'],
  'Dina Helmy': ['Nada', 'Selim', 'Dalia'],
  'Amira Zaki': ['Iman', 'Jomana', 'Aser'],
  'Sherif Wahba': ['Farida', 'Tarek', 'Seif'],
  'Heba Mostafa': ['Adam', 'Laila', 'Hamza'],
  'Walid Shawky': ['Emad', 'Salma', 'Malek'],
  'Amr Gaber': ['Kenzy', 'Jana'],
  'Hoda Rizk': ['Fares', 'Karim'],
} as const;

/** The booked minutes of the first children, and how many have passed: two are over time, and two are due soon. */
const FIRST_STAYS = [
  [60, 66],
  [60, 62],
  [60, 56],
  [60, 53],
] as const;

/** The demo has the first five children. The next four walk before the two more cameras. */
const DEMO_CHILDREN = 5;
const ROOMS = [
  { name: 'Garden', walkers: [0, 1] },
  { name: 'Nap room', walkers: [2, 3] },
] as const;

// The demo in place of the empty server of the other files.
const test = base.extend<{ server: HarisServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const server = await createServer({ isDemo: true });
      try {
        await server.start();
        await use(server);
      } finally {
        await server.remove();
      }
    },
    { scope: 'test', timeout: 300_000 },
  ],
});

const walker = (seed: number, middle: number): Walker => ({
  seed,
  x: { middle, swing: 0.06 },
  y: { middle: 0.42 },
  head: 0.27,
});

/** Adds the two cameras, and returns the ids of the three rooms that have one. */
async function addRooms(api: Api, server: HarisServer, token: string): Promise<string[]> {
  const media = join(server.dataDir, 'media');
  await mkdir(media, { recursive: true });
  for (const { name, walkers } of ROOMS) {
    const file = `${name}.mp4`;
    const people = walkers.map((child, place) =>
      walker(chosenSeeds[DEMO_CHILDREN + child] ?? 0, 0.35 + 0.3 * place),
    );
    await writeClip({ width: 960, height: 540, fps: 10, frames: 60, people }, join(media, file));
    await api.call<{ camera: Camera }>('/api/cameras', {
      method: 'POST',
      token,
      json: { name, area: name, kind: 'file', url: file },
    });
  }
  const { rooms } = await api.call<{ rooms: Room[] }>('/api/rooms', { token });
  return ['Garden', 'Nap room', 'Playroom'].map((wanted) => {
    const room = rooms.find(({ name }) => name === wanted);
    if (room === undefined) throw new Error(`there is no room ${wanted}`);
    return room._id;
  });
}

/** Adds a child with the next painted face that the face engine accepts. */
async function addChild(api: Api, token: string, parentId: string, name: string, seeds: Iterator<number>) {
  for (;;) {
    const { value: seed } = seeds.next();
    const form = new FormData();
    form.set('name', name);
    form.set('confirm', 'true');
    const photo = new Uint8Array(await paintPortrait({ seed }));
    form.set('photo', new Blob([photo], { type: 'image/png' }), 'photo.png');
    try {
      const path = `/api/children/create-child/${parentId}`;
      return (await api.call<{ child: Child }>(path, { method: 'POST', token, form })).child;
    } catch (error) {
      // Too much like another, or no good portrait.
      if (!/answered (409|422)/.test(String(error)) || seed > LAST_SEED) throw error;
    }
  }
}

function* seedsFrom(): Generator<number, never> {
  yield* chosenSeeds.slice(DEMO_CHILDREN);
  for (let seed = 1_001; ; seed++) yield seed;
}

/** Adds the families, and checks all their children in. */
async function fill(api: Api, server: HarisServer, token: string): Promise<void> {
  const roomIds = await addRooms(api, server, token);
  const seeds = seedsFrom();
  let place = 0;
  for (const [name, children] of Object.entries(FAMILIES)) {
    const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@demo.example`;
    const phone = `010${15_000_000 + 37_463 * (place + 1)}`;
    const { parent } = await api.call<{ parent: Parent }>('/api/parent/create-parent', {
      method: 'POST',
      token,
      json: { name, email, phone, password: 'secret-6' },
    });
    await api.call(`/api/parent/mark-verified/${parent._id}`, { method: 'POST', token });
    for (const first of children) {
      const surname = name.slice(name.indexOf(' ') + 1);
      const child = await addChild(api, token, parent._id, `${first} ${surname}`, seeds);
      const [minutes, passed] = FIRST_STAYS[place] ?? [120, 120 - 11 - 3.3 * (place - 3)];
      // Those in the clips are in their rooms.
      const room = place < 4 ? Math.floor(place / 2) : place % 3;
      await api.call(`/api/children/checkin-child/${child._id}`, {
        method: 'POST',
        token,
        json: { durationInMinutes: minutes, roomId: roomIds[room] },
      });
      moveEntryBack(server.dataDir, child._id, Math.round(passed * MINUTE_MS));
      place++;
    }
  }
}

/** Whether all pictures in sight are drawn. */
const ARE_DRAWN = `[...document.images]
  .filter((image) => { const { top, bottom } = image.getBoundingClientRect(); return bottom > 0 && top < innerHeight; })
  .every((image) => image.complete && image.naturalWidth > 0)`;
/** Live pictures and recognised children come some seconds after the page, and no event tells it. */
const LIVE_MS = 8_000;

async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(LIVE_MS);
  await expect(page.getByText('Connecting…')).toHaveCount(0);
  await expect.poll(() => page.evaluate(ARE_DRAWN)).toBe(true);
  await settle(page);
  const taken = await page.screenshot();
  const picture = await sharp(taken).png({ palette: true, colours: 256, effort: 10 }).toBuffer();
  expect(picture.byteLength, `${name}.png is too large`).toBeLessThan(MOST_BYTES);
  await writeFile(join(folder, `${name}.png`), picture);
}

test('the pictures of README.md', async ({ api, server, visit }) => {
  const staff = await api.administrator();
  const { token } = staff;
  await fill(api, server, token);

  const { page } = await visit({ as: staff, reducedMotion: 'reduce' });
  await page.goto('/cameras');
  await expect(page.getByText('Live', { exact: true })).toHaveCount(3);
  await take(page, 'cameras');

  await page.goto('/adminDashboard');
  await expect(page.getByText('Hana Badawi').first()).toBeVisible();
  await expect(page.getByText('6 min over').first()).toBeVisible();
  await take(page, 'dashboard');
  await page.goto('about:blank');

  const mona = await api.signIn('parent', { email: 'mona@demo.example', password: 'haris-demo' });
  const { page: phone } = await visit({ as: mona, size: 'phone', density: 1.5, reducedMotion: 'reduce' });
  await phone.goto('/profile');
  await expect(childCard(phone, 'Omar Hassan').getByText('Live', { exact: true })).toBeVisible();
  // A care log that waits for a signature stands above the children.
  await phone.evaluate(
    `document.querySelector('main li:has([role="timer"])').scrollIntoView({ block: 'center' })`,
  );
  await take(phone, 'parent-home');
  await phone.goto('about:blank');

  const { evacuation } = await api.call<{ evacuation: Evacuation }>('/api/evacuations', {
    method: 'POST',
    token,
    json: {},
  });
  const at = new Date().toISOString();
  const here = evacuation.children.filter((_, index) => index % 5 === 2);
  await api.call(`/api/evacuations/${evacuation._id}/ticks`, {
    method: 'POST',
    token,
    json: { device: 'Tablet', ticks: here.map(({ childId }) => ({ childId, state: 'present', at })) },
  });
  const { page: tablet } = await visit({ as: staff, size: 'tablet', reducedMotion: 'reduce' });
  await tablet.goto('/incidents');
  const roll = tablet.getByRole('dialog', { name: 'Evacuation: roll call' });
  await expect(roll.getByRole('button', { name: `Here ${here.length}` })).toBeVisible();
  await take(tablet, 'roll-call');
});

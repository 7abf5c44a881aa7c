/**
 * Measures the age of a picture when it is on the screen: `npm run bench:glass`. A camera paints the time into each
 * picture as black and white blocks and sends it as MJPEG over HTTP. Chromium shows our page of that camera to staff
 * and reads the blocks back from the canvas in the frame that shows them, by the same clock. Face detection runs
 * meanwhile. The figure includes the camera's painting and encoding time, which is also printed separately. Exits
 * with 1 if the target is missed.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clip, paintClip } from '@haris/painter/clip';
import { chosenSeeds } from '@haris/painter/seeds';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { nurseryStaff } from '../apps/server/src/testing/nursery.ts';
import { startProgram } from '../apps/server/src/testing/program.ts';
import { quantile } from './quantile.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const FPS = 15;
const TARGET_P50_MS = 150;
const START_WITHIN_MS = 60_000;
/** Blocks from the top left: 16 bits of milliseconds, then 8 check bits; sizes in pixels. */
const BITS = 24;
const BLOCK = 48;
const CHECK = 0x5a;

const clip: Clip = {
  width: 1280,
  height: 720,
  fps: FPS,
  frames: 45,
  people: [
    { seed: chosenSeeds[0], x: { middle: 0.2, swing: 0.1 }, y: { middle: 0.5 }, head: 0.22 },
    { seed: chosenSeeds[1], x: { middle: 0.5, swing: 0.1, phase: 0.3 }, y: { middle: 0.52 }, head: 0.24 },
    { seed: chosenSeeds[2], x: { middle: 0.8, swing: 0.1, phase: 0.6 }, y: { middle: 0.5 }, head: 0.22 },
  ],
};

/** Paints the time into RGB pixels, in place. */
function paintMoment(pixels: Buffer, at: number): void {
  const low = at & 0xff;
  const high = (at >> 8) & 0xff;
  const code = (high << 16) | (low << 8) | (low ^ high ^ CHECK);
  for (let bit = 0; bit < BITS; bit++) {
    const shade = (code >> (BITS - 1 - bit)) & 1 ? 255 : 0;
    for (let y = 0; y < BLOCK; y++) {
      const from = (y * clip.width + bit * BLOCK) * 3;
      pixels.fill(shade, from, from + BLOCK * 3);
    }
  }
}

/** Runs in the page before its own scripts: reads the blocks in every frame, and reports the age of each new time. */
const WATCH = `
  let last = -1;
  const look = () => {
    requestAnimationFrame(look);
    const canvas = document.querySelector('canvas');
    if (!canvas || canvas.width < ${BITS * BLOCK}) return;
    const row = canvas.getContext('2d').getImageData(0, ${BLOCK / 2}, ${BITS * BLOCK}, 1).data;
    let code = 0;
    for (let bit = 0; bit < ${BITS}; bit++)
      code = code * 2 + (row[(bit * ${BLOCK} + ${BLOCK / 2}) * 4] > 127 ? 1 : 0);
    const [high, low, sum] = [(code >> 16) & 0xff, (code >> 8) & 0xff, code & 0xff];
    const moment = high * 256 + low;
    if (sum !== (low ^ high ^ ${CHECK}) || moment === last) return;
    last = moment;
    window.momentSeen((Date.now() - moment) & 0xffff);
  };
  requestAnimationFrame(look);
`;

const pictures: Buffer[] = [];
for await (const pixels of paintClip(clip)) pictures.push(Buffer.from(pixels));
const encoding: number[] = [];
const camera = createServer((_request, answer) => {
  answer.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=picture' });
  let sent = 0;
  let busy = false;
  const timer = setInterval(async () => {
    const pixels = pictures[sent++ % pictures.length];
    if (busy || !pixels) return;
    busy = true;
    const at = Date.now();
    paintMoment(pixels, at);
    const { width, height } = clip;
    const raw = { width, height, channels: 3 as const };
    const jpeg = await sharp(pixels, { raw }).jpeg({ quality: 85 }).toBuffer();
    encoding.push(Date.now() - at);
    answer.write(`--picture\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`);
    answer.write(jpeg);
    answer.write('\r\n');
    busy = false;
  }, 1_000 / FPS);
  answer.on('close', () => clearInterval(timer));
});
camera.listen(0, '127.0.0.1');
await once(camera, 'listening');

const dataDir = mkdtempSync(join(tmpdir(), 'haris-glass-'));
const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal', ...nurseryStaff });
try {
  const call = async <T>(path: string, body?: object, token?: string): Promise<T> => {
    const answer = await fetch(program.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = nurseryStaff;
  const { token } = await call<{ token: string }>('/api/admin/login', { email, password });
  while (!(await fetch(`${program.url}/readyz`)).ok) await sleep(200);
  const url = `http://127.0.0.1:${(camera.address() as AddressInfo).port}/`;
  const added = await call<{ camera: { _id: string } }>(
    '/api/cameras',
    { name: 'Glass', area: 'Room', kind: 'mjpeg', url },
    token,
  );
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    // Uses a binding, because our Content-Security-Policy forbids evaluating strings in the page.
    let ages: number[] = [];
    await page.exposeBinding('momentSeen', (_source, age: number) => ages.push(age));
    await page.addInitScript(WATCH);
    await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    await page.goto(`${program.url}/cameras/${added.camera._id}`);
    for (const until = Date.now() + START_WITHIN_MS; ages.length < FPS; await sleep(200))
      if (Date.now() > until) throw new Error('the page showed no moment');
    ages = [];
    encoding.length = 0;
    await sleep(SECONDS * 1_000);
    const p50 = quantile(ages, 0.5);
    console.table({
      [`camera paints → page shows, ms (target p50 ≤ ${TARGET_P50_MS})`]: { p50, p99: quantile(ages, 0.99) },
      'of it the camera’s own encoding, ms': {
        p50: quantile(encoding, 0.5),
        p99: quantile(encoding, 0.99),
      },
    });
    console.log(`${(ages.length / SECONDS).toFixed(1)} pictures a second were seen of ${FPS} sent`);
    process.exitCode = p50 <= TARGET_P50_MS ? 0 : 1;
  } finally {
    await browser.close();
  }
} finally {
  program.kill('SIGTERM');
  await program.ended;
  camera.closeAllConnections();
  camera.close();
  rmSync(dataDir, { recursive: true, force: true });
}

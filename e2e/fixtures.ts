/** Fixtures of all browser tests: a server with fresh data per file, a fake camera, pages with an error trap. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, test as base, type Page } from '@playwright/test';
import { type Account, type Api, createApi } from './harness/api.ts';
import { createCamera, type FakeCamera } from './harness/camera.ts';
import { type ReceivedMail, readMail } from './harness/outbox.ts';
import { watchPage } from './harness/page-state.ts';
import { createServer, type HarisServer } from './harness/server.ts';
import { setTrap, type Trap } from './harness/trap.ts';

export { expect } from '@playwright/test';

/** Screen widths under test, in CSS pixels. */
export const sizes = {
  /** The narrowest phone on sale. */
  small: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desk: { width: 1440, height: 900 },
} as const;

export interface OpenOptions {
  size?: keyof typeof sizes;
  /** Pixels of the device for each CSS pixel; 1 by default. */
  density?: number;
  /** Already signed in, as if on an earlier visit. */
  as?: Account | null;
  language?: 'en' | 'ar';
  /** Gives the device a camera (by default it has none), and says whether the browser lets the page use it. */
  camera?: 'allowed' | 'refused';
  /** Lets the device show push notifications; the cheaper browser cannot. */
  notifications?: 'allowed';
  /**
   * Lets the page install its service worker. That is a fifth of the time of opening a page, and the worker answers
   * for the shell before a `route` of the test can.
   */
  worker?: 'allowed';
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce' | 'no-preference';
}

/** A separate browser, as on another person's device. */
export interface Visitor {
  page: Page;
  trap: Trap;
}

interface TestFixtures {
  /** Whether the server of the file has the face engine. Files without faces, photos and cameras do without it. */
  hasEngine: boolean;
  server: HarisServer;
  api: Api;
  /** Opens a page of the product. At the end of the test it is closed, and its trap is checked. */
  visit: (options?: OpenOptions) => Promise<Visitor>;
  /** The newest mail to this address, after `count` have arrived. */
  mailTo: (address: string, count?: number) => Promise<ReceivedMail>;
}

interface WorkerFixtures {
  scratch: string;
  camera: FakeCamera;
  wholeBrowser: () => Promise<Browser>;
  serverOf: (file: string, outputDir: string, hasEngine: boolean) => Promise<HarisServer>;
}

/**
 * Starts the server of a test file. A start that failed is noted in the output folder, because the next test runs in
 * another process: it fails at once instead of waiting as long again.
 */
async function startFor(file: string, server: HarisServer, outputDir: string): Promise<void> {
  const note = join(outputDir, `no-server-for-${basename(file)}`);
  if (existsSync(note)) throw new Error('The server did not start for an earlier test of this file');
  try {
    await server.start();
  } catch (error) {
    await mkdir(outputDir, { recursive: true });
    await writeFile(note, String(error));
    throw error;
  }
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  hasEngine: [true, { option: true }],

  scratch: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'haris-e2e-camera-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],

  camera: [
    async ({ scratch }, use) => {
      const camera = createCamera(scratch);
      await camera.showPerson(1);
      await use(camera);
    },
    { scope: 'worker' },
  ],

  // The complete Chromium, for pages with a camera or notifications. `browser` is the headless shell: the same engine
  // at half the processor time, but without either.
  wholeBrowser: [
    async ({ playwright, launchOptions, camera }, use) => {
      let launched: Promise<Browser> | null = null;
      await use(() => {
        launched ??= playwright.chromium.launch({
          ...launchOptions,
          executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
          args: [
            ...(launchOptions.args ?? []),
            '--use-fake-device-for-media-stream',
            `--use-file-for-fake-video-capture=${camera.file}`,
          ],
        });
        return launched;
      });
      // TypeScript narrows this to null, because it does not see the assignment in the closure.
      await (await (launched as Promise<Browser> | null))?.close();
    },
    { scope: 'worker' },
  ],

  serverOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      let current: { file: string; server: HarisServer } | null = null;
      await use(async (file, outputDir, hasEngine) => {
        if (current?.file !== file) {
          await current?.server.remove();
          current = null;
          const server = await createServer({ hasEngine });
          current = { file, server };
          await startFor(file, server, outputDir);
        }
        return current.server;
      });
      // TypeScript narrows this to null, because it does not see the assignment in the closure.
      await (current as { server: HarisServer } | null)?.server.remove();
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  server: [
    async ({ serverOf, hasEngine }, use, testInfo) => {
      const file = testInfo.titlePath[0] ?? testInfo.file;
      const server = await serverOf(file, testInfo.project.outputDir, hasEngine);
      const logged = server.log().length;
      await use(server);
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('server log', { body: server.log().slice(logged), contentType: 'text/plain' });
      }
    },
    // Apart from the test's own time: a slow start takes none of it.
    { timeout: 180_000 },
  ],

  api: async ({ server }, use) => use(createApi(server)),

  mailTo: async ({ server }, use) => use((address, count) => readMail(server.dataDir, address, count)),

  visit: async ({ browser, wholeBrowser, server }, use, testInfo) => {
    const traps: Trap[] = [];
    const looks: (() => Promise<string>)[] = [];
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (options = {}) => {
      const { size = 'desk', as = null, language = 'en', camera, notifications } = options;
      const origin = server.url();
      const device = camera || notifications ? await wholeBrowser() : browser;
      const context = await device.newContext({
        baseURL: origin,
        viewport: sizes[size],
        deviceScaleFactor: options.density ?? 1,
        locale: language === 'ar' ? 'ar-EG' : 'en-GB',
        timezoneId: 'Africa/Cairo',
        serviceWorkers: options.worker === 'allowed' ? 'allow' : 'block',
        colorScheme: options.colorScheme ?? 'light',
        reducedMotion: options.reducedMotion ?? 'no-preference',
        storageState: {
          cookies: [],
          origins: [{ origin, localStorage: as === null ? [] : [{ name: 'token', value: as.token }] }],
        },
      });
      contexts.push(context);
      const granted = [
        ...(camera === 'allowed' ? ['camera'] : []),
        ...(notifications === 'allowed' ? ['notifications'] : []),
      ];
      // An empty list would deny all permissions permanently.
      if (granted.length > 0) await context.grantPermissions(granted, { origin });
      const trap = setTrap(context);
      traps.push(trap);
      const page = await context.newPage();
      looks.push(watchPage(page));
      return { page, trap };
    });
    if (testInfo.status !== testInfo.expectedStatus) {
      const body = (await Promise.all(looks.map((look) => look()))).join('\n');
      await testInfo.attach('pages', { body, contentType: 'text/plain' });
    }
    await Promise.all(contexts.map((context) => context.close()));
    for (const trap of traps) trap.check();
  },
});

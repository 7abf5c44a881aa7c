/**
 * Measures what moves while a page loads: the layout shifts of every main page of the demo, on a phone and at a desk,
 * each loaded by a browser with an empty cache: `npm run bench:shifts [-- PATH ...]`. Exits with 1 if a page is above
 * the target.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { DEMO_PASSWORD } from '../apps/server/src/config.ts';
import { startProgram } from '../apps/server/src/testing/program.ts';

/** Largest score of one page; Lighthouse calls up to 0.1 good. */
const MOST = 0.02;
/** Late content (air values, the first live picture, a seen face) has arrived by then. Milliseconds. */
const WATCHED_MS = 6_000;

const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const;
const ACCOUNTS = {
  visitor: null,
  staff: { path: '/api/admin/login', email: 'director@demo.example' },
  parent: { path: '/api/parent/get-parent-by-email-and-password', email: 'mona@demo.example' },
} as const;
type Who = keyof typeof ACCOUNTS;

/** `:camera` and `:parent` stand for ids of the demo. */
const PAGES: Readonly<Record<Who, readonly string[]>> = {
  visitor: [
    '/',
    '/login',
    '/register',
    '/adminPreLogin',
    '/forgot-password',
    '/privacy',
    '/terms',
    '/camera',
  ],
  staff: [
    '/adminDashboard',
    '/viewEmployees',
    '/addChild?parentId=:parent',
    '/importFamilies',
    '/cameras',
    '/cameras/wall',
    '/cameras/:camera',
    '/sensors',
    '/reports',
    '/auditLog',
  ],
  parent: ['/profile', '/liveFeed', '/addChild'],
};

interface Shift {
  readonly value: number;
  /** Description of what moved, for readers of the table. */
  readonly moved: string;
}

/** Runs in the page: records each layout shift without a preceding click or key press. */
const WATCH = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const name = element ? element.localName + '.' + (element.getAttribute('class') ?? '') : '?';
        return name + ' ' + Math.round(previousRect.y) + '→' + Math.round(currentRect.y);
      });
      shifts.push({ value, moved: moved.join(', ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

async function signIn(url: string, who: Who): Promise<string | null> {
  const account = ACCOUNTS[who];
  if (account === null) return null;
  const answer = await fetch(url + account.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: DEMO_PASSWORD }),
  });
  if (!answer.ok) throw new Error(`${account.path} answered ${answer.status}`);
  return ((await answer.json()) as { token: string }).token;
}

async function firstId(url: string, token: string, path: string, list: string): Promise<string> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const body = (await answer.json()) as Record<string, { _id: string }[]>;
  const id = body[list]?.[0]?._id;
  if (id === undefined) throw new Error(`the demo has no ${list}`);
  return id;
}

async function shiftsOf(
  browser: Browser,
  address: string,
  size: keyof typeof SIZES,
  token: string | null,
): Promise<Shift[]> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    isMobile: size === 'phone',
    permissions: ['camera'],
  });
  try {
    await context.addInitScript(WATCH);
    if (token !== null)
      await context.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`);
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForTimeout(WATCHED_MS);
    return await page.evaluate<Shift[]>('shifts');
  } finally {
    await context.close();
  }
}

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'haris-shifts-'));
try {
  // The demo's sensor publishes to the broker, which uses any other port if this one is taken.
  const demo = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'fatal', MQTT_PORT: '1883' };
  const program = await startProgram(demo, ['--demo']);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  });
  try {
    const staff = (await signIn(program.url, 'staff')) ?? '';
    const ids: Readonly<Record<string, string>> = {
      ':camera': await firstId(program.url, staff, '/api/cameras', 'cameras'),
      ':parent': await firstId(program.url, staff, '/api/parent/get-all-parents', 'parents'),
    };
    console.log(`layout shift of each page in ${WATCHED_MS / 1000} s, target ≤ ${MOST}`);
    for (const who of Object.keys(PAGES) as Who[]) {
      const token = await signIn(program.url, who);
      for (const path of PAGES[who].filter((each) => wanted.length === 0 || wanted.includes(each))) {
        const address = program.url + path.replace(/:[a-z]+/, (name) => ids[name] ?? name);
        for (const size of ['phone', 'desk'] as const) {
          const shifts = await shiftsOf(browser, address, size, token);
          const sum = shifts.reduce((total, { value }) => total + value, 0);
          console.log(`${sum.toFixed(3)} ${sum <= MOST ? 'yes' : 'NO '} ${path} (${who}, ${size})`);
          if (sum <= MOST) continue;
          process.exitCode = 1;
          for (const { value, moved } of shifts) console.log(`        ${value.toFixed(3)} ${moved}`);
        }
      }
    }
  } finally {
    await browser.close();
    program.kill('SIGTERM');
    await program.ended;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

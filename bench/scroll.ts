/**
 * Measures how many of 200 children inside are in sight before anybody scrolls, and how smoothly the desk scrolls:
 * `npm run bench:scroll`. Chromium scrolls the list as a person does, at a desk and on a phone, and a trace says how
 * long the page's main thread was busy in each frame of 16.7 ms. Exits with 1 if a target is missed. Counts busy time, not dropped frames, because a machine without a
 * graphics processor draws slowly whatever the page does.
 */
import { type Browser, chromium } from '@playwright/test';
import { CHILDREN, withDesk } from './desk.ts';
import { quantile } from './quantile.ts';

const FRAME_MS = 1_000 / 60;
/** Share of tasks of the main thread that must fit into a frame. */
const LEAST_SHARE = 0.99;
const MOST_SHIFT = 0.02;
const SCROLL = { speed: 1_200, distance: 6_000 } as const;
/** Children that are wholly in sight on the first view, in either language. */
const LEAST_IN_SIGHT = { desk: 24, phone: 8 } as const;
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly dur?: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
}

const COUNT_IN_SIGHT = `
  [...document.querySelectorAll('[role="timer"]')].filter((timer) => {
    const { top, bottom } = timer.closest('li').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }).length
`;

const WATCH_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

async function measure(
  browser: Browser,
  url: string,
  token: string,
  size: keyof typeof SIZES,
): Promise<boolean> {
  const page = await browser.newPage({ viewport: SIZES[size], serviceWorkers: 'block' });
  await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)});${WATCH_SHIFTS}`);
  await page.goto(`${url}/adminDashboard`);
  await page
    .locator('[role="timer"]')
    .nth(CHILDREN - 1)
    .waitFor({ state: 'attached' });
  const inSight = await page.evaluate<number>(COUNT_IN_SIGHT);
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline'],
    },
  });
  for (const yDistance of [-SCROLL.distance, SCROLL.distance]) {
    await session.send('Input.synthesizeScrollGesture', {
      x: SIZES[size].width / 3,
      y: SIZES[size].height * 0.7,
      yDistance,
      speed: SCROLL.speed,
    });
  }
  await session.send('Tracing.end');
  await ended;
  const main = events.find(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  )?.tid;
  const tasks = events
    .filter(({ name, ph, tid }) => name === 'RunTask' && ph === 'X' && tid === main)
    .map(({ dur = 0 }) => dur / 1_000)
    .sort((a, b) => a - b);
  const share = tasks.filter((ms) => ms <= FRAME_MS).length / tasks.length;
  const shift = await page.evaluate<number>('window.shifts');
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    `${size}: ${inSight} children in sight, ${tasks.length} tasks, within a frame ${(share * 100).toFixed(2)} %, p99 ${ms(quantile(tasks, 0.99))}, ` +
      `longest ${ms(tasks.at(-1) ?? 0)}, layout shift ${shift.toFixed(4)}`,
  );
  await page.close();
  return tasks.length > 0 && share >= LEAST_SHARE && shift <= MOST_SHIFT && inSight >= LEAST_IN_SIGHT[size];
}

await withDesk(CHILDREN, async ({ url, token }) => {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell';
  const browser = await chromium.launch({ executablePath });
  try {
    const desk = await measure(browser, url, token, 'desk');
    const phone = await measure(browser, url, token, 'phone');
    return desk && phone;
  } finally {
    await browser.close();
  }
});

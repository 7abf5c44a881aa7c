/**
 * Measures the cost of the web app on a phone: Lighthouse on the built product, each page several times, the median
 * of each figure beside its target: `npm run bench:web [-- RUNS]`. Exits with 1 if a target is missed.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { withDesk } from './desk.ts';

const RUNS = Number(process.argv[2] ?? 5);
const INSIDE = 60;

/** Figures of one page: Lighthouse scores 0–100, the others in the unit of their name. */
interface Figures {
  performance: number;
  accessibility: number;
  'best practices': number;
  seo: number;
  'first paint, ms': number;
  'largest paint, ms': number;
  'blocked, ms': number;
  'layout shift': number;
  'script, kB on the wire': number;
  'all, kB on the wire': number;
}
type Name = keyof Figures;
type Targets = Partial<Record<Name, { least: number } | { most: number }>>;

/**
 * Staff pages are not for search engines; docs/design.md says what keeps their best practices below 100.
 */
const targets: Readonly<Record<'landing page' | 'dashboard', Targets>> = {
  'landing page': {
    performance: { least: 95 },
    accessibility: { least: 100 },
    'best practices': { least: 100 },
    seo: { least: 100 },
    'layout shift': { most: 0.02 },
    'script, kB on the wire': { most: 150 },
  },
  dashboard: {
    performance: { least: 90 },
    accessibility: { least: 100 },
    'layout shift': { most: 0.02 },
  },
};

function figuresOf({ categories, audits }: Result): Figures {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  const details = audits['network-requests']?.details;
  const requests = (details?.type === 'table' ? details.items : []) as {
    resourceType?: string;
    transferSize?: number;
  }[];
  const kilobytes = (wanted: typeof requests) =>
    wanted.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1000;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    seo: score('seo'),
    'first paint, ms': value('first-contentful-paint'),
    'largest paint, ms': value('largest-contentful-paint'),
    'blocked, ms': value('total-blocking-time'),
    'layout shift': value('cumulative-layout-shift'),
    'script, kB on the wire': kilobytes(requests.filter(({ resourceType }) => resourceType === 'Script')),
    'all, kB on the wire': kilobytes(requests),
  };
}

/** Prints the elements that fail an audit of accessibility, and the scripts that keep the page busy longest. */
function printFindings({ categories, audits }: Result): void {
  for (const { id } of categories.accessibility?.auditRefs ?? []) {
    const audit = audits[id];
    if (audit?.score === 0) console.log(`${id}: ${JSON.stringify(audit.details).slice(0, 600)}`);
  }
  const busy = audits['bootup-time']?.details;
  for (const item of busy?.type === 'table' ? busy.items.slice(0, 6) : [])
    console.log(`busy: ${Math.round(Number(item.total))} ms ${String(item.url).replace(/.*\//, '')}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Lighthouse's default mobile phone: its screen, a slow processor and slow 4G. */
async function measure(url: string, port: number): Promise<Figures> {
  const runs: Figures[] = [];
  for (let failed = 0; runs.length < RUNS; ) {
    const result = await lighthouse(url, { port, output: 'json', logLevel: 'error' });
    const error = result === undefined ? { message: 'it said nothing' } : result.lhr.runtimeError;
    if (result !== undefined && error === undefined) {
      runs.push(figuresOf(result.lhr));
      printFindings(result.lhr);
    }
    // On a busy machine the browser sometimes loses the beginning of a recording.
    else if (++failed > RUNS) throw new Error(`Lighthouse could not measure ${url}: ${error?.message}`);
  }
  const names = Object.keys(runs[0] ?? {}) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, median(runs.map((run) => run[name]))]),
  ) as unknown as Figures;
}

/** Prints the figures of a page beside their targets; returns whether all are met. */
function report(page: keyof typeof targets, figures: Figures): boolean {
  let isGood = true;
  console.log(`\n${page}, median of ${RUNS}`);
  console.table(
    Object.fromEntries(
      Object.entries(figures).map(([name, figure]: [string, number]) => {
        const target = targets[page][name as Name];
        if (target === undefined) return [name, { figure: Number(figure.toFixed(3)), target: '', met: '' }];
        const isMet = 'least' in target ? figure >= target.least : figure <= target.most;
        isGood &&= isMet;
        const wanted = 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`;
        return [name, { figure: Number(figure.toFixed(3)), target: wanted, met: isMet ? 'yes' : 'NO' }];
      }),
    ),
  );
  return isGood;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function keepToken(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(token)})`);
  // Pending fetches of this page must not affect the measurement.
  await page.goto('about:blank');
}

await withDesk(INSIDE, async ({ url, token, folder }) => {
  const port = await freePort();
  const browser = await chromium.launchPersistentContext(join(folder, 'browser'), {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    const landing = report('landing page', await measure(url, port));
    const [page = await browser.newPage()] = browser.pages();
    await keepToken(page, url, token);
    const dashboard = report('dashboard', await measure(`${url}/adminDashboard`, port));
    return landing && dashboard;
  } finally {
    await browser.close();
  }
});

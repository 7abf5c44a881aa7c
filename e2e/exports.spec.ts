/** Attendance and the audit log: read, paged through, printed and downloaded. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Api } from './harness/api.ts';
import { notice } from './harness/person.ts';
import { wordsOf } from './harness/words.ts';

const DAY_MS = 86_400_000;

interface PastStay {
  childId: string;
  adminId: string;
  /** Milliseconds since 1970. */
  entry: number;
  minutes: number;
  booked: number;
}

/** Adds past stays to the database of the running server, since a test cannot wait for them. */
function addStays(dataDir: string, stays: readonly PastStay[]): void {
  const db = new DatabaseSync(join(dataDir, 'haris.db'));
  try {
    db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
    const insert = db.prepare(
      `INSERT INTO stays (id, unique_entry_id, child_id, checked_in_by, entry_time, duration, checked_out_by, exit_time)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const { childId, adminId, entry, minutes, booked } of stays)
      insert.run(
        randomUUID(),
        randomUUID(),
        childId,
        adminId,
        entry,
        booked,
        adminId,
        entry + minutes * 60_000,
      );
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** Sets the facility's time zone; the test may be the first on its server. */
async function standInCairo(api: Api): Promise<void> {
  const { token } = await api.administrator();
  await api.call('/api/settings', { method: 'PUT', token, json: { timeZone: 'Africa/Cairo' } });
}

/** Presses the button and returns the downloaded file: its name and its lines. */
async function download(page: Page, name: string): Promise<{ file: string; lines: string[] }> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name, exact: true }).click();
  const file = await saved;
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  return { file: file.suggestedFilename(), lines: text.slice(1).trimEnd().split('\r\n') };
}

test('a week of attendance: on the screen, as a file, and on paper', async ({ api, server, visit }) => {
  const staff = await api.administrator();
  await standInCairo(api);
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const ahmed = await api.family('أحمد علي', { 'يوسف أحمد': 2 });
  const [omar, yusuf] = [mona.children[0]?._id ?? '', ahmed.children[0]?._id ?? ''];
  const at = (time: string) => Date.parse(`2026-03-${time}+02:00`);
  addStays(server.dataDir, [
    { childId: omar, adminId: staff.id, entry: at('16T08:00:00'), minutes: 90, booked: 60 },
    { childId: omar, adminId: staff.id, entry: at('17T08:00:00'), minutes: 30, booked: 30 },
    { childId: yusuf, adminId: staff.id, entry: at('18T23:30:00'), minutes: 60, booked: 60 },
    // Previous week.
    { childId: yusuf, adminId: staff.id, entry: at('13T08:00:00'), minutes: 60, booked: 60 },
  ]);

  const { page } = await visit({ as: staff });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/adminDashboard');
  await page.getByRole('link', { name: 'Attendance' }).click();
  await expect(page.getByRole('heading', { name: 'Attendance', level: 1 })).toBeVisible();
  await expect(page.getByText('No visits in this period.')).toBeVisible();
  await page.getByText('Week', { exact: true }).click();
  await page.getByLabel('Date').fill('2026-03-18');
  await expect(page.getByRole('heading', { name: /^14\W+20 March 2026$/ })).toBeVisible();
  const totals = page.getByRole('region', { name: 'Per child' });
  await expect(totals.getByRole('row', { name: 'Omar Hassan' })).toHaveText(
    /Omar Hassan.*Mona Hassan.*2.*1:30.*2:00.*0:30/,
  );
  await expect(totals.getByRole('row', { name: 'Total' })).toHaveText(/3.*2:30.*3:00.*0:30/);
  const visits = page.getByRole('region', { name: 'Visits' });
  await expect(visits.getByRole('row')).toHaveCount(4);
  // Past midnight: the exit shows its own day.
  await expect(visits.getByRole('row', { name: 'يوسف أحمد' })).toHaveText(/11:30.PM.*19 Mar 12:30.AM/);

  // The notice goes away by itself.
  const [{ file, lines }] = await Promise.all([
    download(page, 'Download CSV'),
    expect(notice(page, '3 rows saved')).toBeVisible(),
  ]);
  expect(file).toBe('attendance-2026-03-14-to-2026-03-20.csv');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^Date,Child,Parent,Entry \(Africa\/Cairo\)/);
  expect(lines[1]).toMatch(
    /^2026-03-16,Omar Hassan,Mona Hassan,2026-03-16 08:00:00,2026-03-16 09:30:00,60,90,30,/,
  );
  expect(lines[3]).toMatch(/^2026-03-18,يوسف أحمد,أحمد علي,2026-03-18 23:30:00,2026-03-19 00:30:00,60,60,0,/);

  // Selects one of the children, then the week before.
  await page.getByRole('combobox', { name: 'Child' }).fill('يوسف');
  await page.getByRole('option', { name: /يوسف أحمد/ }).click();
  await expect(visits.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Previous week' }).click();
  await expect(page.getByRole('heading', { name: /^7\W+13 March 2026$/ })).toBeVisible();
  await expect(visits.getByRole('row')).toHaveCount(2);
  expect((await download(page, 'Download CSV')).lines).toHaveLength(2);
  // The address contains the day, but neither the child nor the token.
  await expect(page).toHaveURL(/period=week&date=2026-03-11$/);
  for (const url of asked) expect(url).not.toContain(staff.token);

  // Prints only the report.
  await page.evaluate('window.print = () => { document.title = "printed"; }');
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page).toHaveTitle('printed');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByText(/^Printed on/)).toBeVisible();
  await expect(totals).toBeVisible();
});

test('in Arabic: right to left, weeks from Saturday, the file in Arabic', async ({ api, server, visit }) => {
  const t = wordsOf('ar');
  const staff = await api.administrator();
  await standInCairo(api);
  const family = await api.family('منى حسن', { 'ليلى حسن': 3 });
  addStays(server.dataDir, [
    {
      childId: family.children[0]?._id ?? '',
      adminId: staff.id,
      entry: Date.parse('2026-02-14T10:00:00+02:00'),
      minutes: 65,
      booked: 60,
    },
  ]);
  const { page } = await visit({ as: staff, language: 'ar', size: 'phone' });
  await page.goto('/reports?period=week&date=2026-02-18');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(/١٤.*٢٠ فبراير ٢٠٢٦/);
  await expect(page.getByRole('region', { name: t('reports:totals') })).toContainText('١:٠٥');
  const { lines } = await download(page, t('common:csv.download'));
  expect(lines[0]).toMatch(/^التاريخ,الطفل,وليّ الأمر,/);
  expect(lines[1]).toMatch(/^2026-02-14,ليلى حسن,منى حسن,2026-02-14 10:00:00,2026-02-14 11:05:00,60,65,5,/);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});

test('a long export shows how far it is and can be stopped', async ({ api, server, visit }) => {
  const staff = await api.administrator();
  await standInCairo(api);
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 4 });
  const childId = family.children[0]?._id ?? '';
  const start = Date.parse('2026-01-01T08:00:00+02:00');
  addStays(
    server.dataDir,
    Array.from({ length: 20_000 }, (_, n) => ({
      childId,
      adminId: staff.id,
      entry: start + n * 60_000,
      minutes: 30,
      booked: 30,
    })),
  );
  const { page } = await visit({ as: staff });
  await page.goto('/reports?period=month&date=2026-01-05');
  await expect(page.getByText('20,000 visits')).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: 50_000,
    uploadThroughput: -1,
  });
  let saved = 0;
  page.on('download', () => {
    saved++;
  });
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect(page.getByText(/of 20,000 rows/)).toBeVisible();
  await expect
    .poll(async () => Number(await page.getByRole('progressbar').getAttribute('aria-valuenow')))
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel the download' }).click();
  await expect(notice(page, 'The download was cancelled.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible();
  expect(saved).toBe(0);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  expect((await download(page, 'Download CSV')).lines).toHaveLength(20_001);
});

test('the audit log: searched, followed, and taken away', async ({ api, visit }) => {
  const staff = await api.administrator();
  const family = await api.family('Hala Nabil');
  const { page } = await visit({ as: staff, size: 'phone' });
  await page.goto('/auditLog');
  const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
  await page.getByLabel('Search the audit log').fill('marked_verified');
  await expect(rows.first()).toContainText("Parent's email marked as verified");
  // Everything that was done to this parent.
  await rows
    .first()
    .getByRole('button', { name: /^Show only this record/ })
    .click();
  await page.getByLabel('Search the audit log').fill('');
  await expect(rows).toHaveText([/Parent's email marked as verified/, /Parent added/]);
  const { file, lines } = await download(page, 'Download CSV');
  expect(file).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(`parent,${family.id}`);
  // The log includes the export and the reading.
  await page.getByRole('button', { name: 'All records' }).click();
  await expect(rows.first()).toContainText(/Audit log (read|exported)/);
  await page
    .getByLabel('To', { exact: true })
    .fill(new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10));
  await expect(page.getByText('No entries found.')).toBeVisible();
});

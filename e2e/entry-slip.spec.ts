/** The entry slip: printed at check-in, read at checkout by the camera or by a scanner that acts as a keyboard. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS } from './harness/camera.ts';
import { moveEntryBack } from './harness/past.ts';
import { insideRow, notice, scanByKeyboard } from './harness/person.ts';

/** PDF points per millimetre. */
const POINTS_PER_MM = 72 / 25.4;

const checkout = (page: Page) => page.getByRole('dialog', { name: 'Confirm Child Checkout' });
const slip = (page: Page) => page.getByRole('dialog', { name: 'Entry slip' });

async function openSlip(page: Page, child: string) {
  await insideRow(page, child)
    .getByRole('button', { name: `Print slip of ${child}` })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Print slip' });
  await expect(dialog.getByRole('article', { name: `Entry slip of ${child}` })).toBeVisible();
  return dialog;
}

/** Width and height in millimetres of each printed page. */
async function printedPages(page: Page): Promise<number[][]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  return [...pdf.matchAll(/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((points) => Math.round(Number(points) / POINTS_PER_MM)),
  );
}

test('a slip is printed on a label or a page, and opens the checkout of its child', async ({
  api,
  camera,
  visit,
}) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const omar = await api.checkIn(family.children[0]?._id ?? '', 60);
  const { page } = await visit({ as: await api.administrator(), camera: 'allowed' });
  await page.goto('/adminDashboard');

  await test.step('on a label of 62 mm at first, on a page when that is chosen; the device remembers', async () => {
    const dialog = await openSlip(page, 'Omar Hassan');
    await expect(dialog.getByText('Please show this slip at checkout.')).toBeVisible();
    expect(await printedPages(page)).toEqual([[62, 100]]);
    await dialog.getByText('Page, A4').click();
    await expect(dialog.getByRole('radio', { name: 'Page, A4' })).toBeChecked();
    expect(await printedPages(page)).toEqual([[210, 297]]);
    await page.reload();
    const again = await openSlip(page, 'Omar Hassan');
    await expect(again.getByRole('radio', { name: 'Page, A4' })).toBeChecked();
  });

  await test.step('nothing but the slip is printed', async () => {
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { name: 'Admin dashboard', includeHidden: true })).toBeHidden();
    await expect(page.locator('[data-print-sheet]').getByText('Omar Hassan')).toBeVisible();
    await page.emulateMedia({ media: null });
  });

  await test.step('neither address nor history know of it', async () => {
    const kept = await page.evaluate<string>('location.href + JSON.stringify(history.state)');
    expect(kept).not.toContain(String(omar.uniqueEntryId));
    expect(kept).not.toContain('Omar');
  });

  await test.step('the camera reads it; the person at the desk compares and checks out', async () => {
    const drawn = page.getByRole('dialog').getByRole('img', { name: 'QR code of this entry' });
    await camera.showPicture(await drawn.screenshot());
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Scan slip' }).filter({ visible: true }).click();
    await expect(checkout(page).getByText('Mona Hassan')).toBeVisible({ timeout: FROM_CAMERA_MS });
    await expect(checkout(page).getByRole('timer')).toBeVisible();
    await checkout(page).getByRole('button', { name: 'Checkout', exact: true }).click();
    await expect(notice(page, 'Child checked out successfully')).toBeVisible();
    await expect(checkout(page)).toBeHidden();
    await expect(page.getByText('No children currently detected.')).toBeVisible();
  });

  await test.step('the slip is used now', async () => {
    await page.getByRole('button', { name: 'Scan slip' }).filter({ visible: true }).click();
    await expect(slip(page).getByText(/^Slip already used: checked out at/)).toBeVisible({
      timeout: FROM_CAMERA_MS,
    });
    await expect(slip(page).getByRole('button', { name: 'Checkout' })).toHaveCount(0);
  });
});

test("the browser's own detector is used where there is one", async ({ api, visit }) => {
  const family = await api.family('Hoda Ali', { 'Huda Ali': 2 });
  const huda = await api.checkIn(family.children[0]?._id ?? '');
  const { page } = await visit({ as: await api.administrator(), size: 'phone', camera: 'allowed' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.addInitScript(
    `globalThis.BarcodeDetector = class {
      static async getSupportedFormats() { return ['qr_code']; }
      async detect() { return [{ rawValue: ${JSON.stringify(huda.uniqueEntryId)} }]; }
    };`,
  );
  await page.goto('/adminDashboard');
  await page.getByRole('button', { name: 'Scan slip' }).filter({ visible: true }).click();
  await expect(checkout(page).getByText('Huda Ali')).toBeVisible({ timeout: FROM_CAMERA_MS });
  expect(asked.filter((url) => /decode/.test(url))).toEqual([]);
});

test('without a camera the scan says so', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator(), camera: 'refused' });
  await page.goto('/adminDashboard');
  await page.getByRole('button', { name: 'Scan slip' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Scan slip' });
  await expect(dialog.getByText('Cam access denied/failed.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Try Again' })).toBeVisible();
});

test('a scanner that types like a keyboard needs no window', async ({ server, api, visit }) => {
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 3, 'Adam Ibrahim': 4 });
  const [first, second] = family.children;
  const nour = await api.checkIn(first?._id ?? '');
  const adam = await api.checkIn(second?._id ?? '');
  const code = String(nour.uniqueEntryId);
  const { page, trap } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  await expect(insideRow(page, 'Nour Ibrahim')).toBeVisible();

  await test.step('with no field focused', async () => {
    await scanByKeyboard(page, code);
    await expect(checkout(page).getByText('Nour Ibrahim')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(checkout(page)).toBeHidden();
  });

  await test.step('with the focus on the Checkout of another child, which is not pressed', async () => {
    await insideRow(page, 'Adam Ibrahim').getByRole('button', { name: 'Checkout' }).focus();
    await scanByKeyboard(page, code);
    await expect(checkout(page).getByText('Nour Ibrahim')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(checkout(page)).toBeHidden();
    expect(await api.countAudit('child.checked_out', adam._id)).toBe(0);
  });

  await test.step('in the search box, which keeps what was typed', async () => {
    const search = page.getByRole('searchbox', { name: 'Search parents and children' });
    const searches: string[] = [];
    page.on('request', (request) => searches.push(request.url()));
    await search.fill('sara');
    await search.focus();
    await page.keyboard.press('End');
    await scanByKeyboard(page, code);
    await expect(checkout(page).getByText('Nour Ibrahim')).toBeVisible();
    await expect(search).toHaveValue('sara');
    expect(searches.filter((url) => url.includes(code))).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(checkout(page)).toBeHidden();
  });

  await test.step('another slip while the first one is open', async () => {
    await scanByKeyboard(page, code);
    await expect(checkout(page).getByText('Nour Ibrahim')).toBeVisible();
    await scanByKeyboard(page, String(adam.uniqueEntryId));
    await expect(checkout(page).getByText('Adam Ibrahim')).toBeVisible();
  });

  await test.step('checked out by another desk meanwhile: the window says so', async () => {
    await api.checkOut(adam._id);
    await expect(slip(page).getByText(/^Slip already used/)).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('an old slip of a child who is inside anew opens nothing', async () => {
    moveEntryBack(server.dataDir, nour._id, 3_600_000);
    await api.checkOut(nour._id);
    await api.checkIn(nour._id);
    await scanByKeyboard(page, code);
    await expect(slip(page).getByText('The child is inside again with a newer slip.')).toBeVisible();
    await expect(slip(page).getByRole('button', { name: 'Checkout' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('an unknown code', async () => {
    trap.expectHttp(404, '/api/children/find-entry');
    await scanByKeyboard(page, `${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}`);
    await expect(slip(page).getByText('Unknown slip: not from this facility')).toBeVisible();
    await page.keyboard.press('Escape');
  });
});

/** What staff open at the desk: dashboard, entry, slips, families, employees, reports, import, audit log, known faces. */
import type { Child } from '@haris/contract/objects';
import { expect } from '../fixtures.ts';
import { scanByKeyboard } from '../harness/person.ts';
import { button, dialog, go, openDashboard, type Scene, type Stage } from './stage.ts';

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

async function openCandidates(stage: Stage): Promise<void> {
  const { page, t, trap, world } = stage;
  trap.expectHttp(409, /\/create-child\//);
  await captureFor(stage, world.newcomer.id, 1, 'Adam Ibrahim');
  await button(page, t('add-child:save')).click();
  await expect(dialog(page).locator('img')).toHaveCount(2);
}

export const deskScenes: readonly Scene[] = [
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
    camera: 'allowed',
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
    name: 'own-cameras',
    as: 'staff',
    async open(stage) {
      await go(stage, '/viewEmployees');
      await button(stage.page, stage.t('recognition:title')).click();
      await expect(button(dialog(stage.page), stage.t('recognition:staff.start'))).toBeVisible();
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
    name: 'proof',
    as: 'staff',
    async open(stage) {
      const { page, t, trap } = stage;
      // A sign-in is a proof for ten minutes; the server is not asked.
      const json = { code: 'proof_required', message: 'Please confirm.', methods: ['password'] };
      await page.route('**/api/audit.csv*', (route) => route.fulfill({ status: 403, json }));
      trap.expectHttp(403, /\/api\/audit\.csv/);
      await go(stage, '/auditLog');
      await button(page, t('common:csv.download')).click();
      await expect(dialog(page).getByLabel(t('password:proof.password'), { exact: true })).toBeFocused();
    },
    close: ({ page }) => page.unroute('**/api/audit.csv*'),
  },
  {
    name: 'own-password',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await page.route('**/api/admin/info', async (route) => {
        const answer = await route.fetch();
        const { admin } = (await answer.json()) as { admin: object };
        await route.fulfill({ response: answer, json: { admin: { ...admin, setUpBy: 'another' } } });
      });
      await go(stage, '/auditLog');
      await expect(page.getByRole('heading', { name: t('password:own.title') })).toBeVisible();
    },
    // The browser is used for the scenes that follow.
    close: ({ page }) => page.unroute('**/api/admin/info'),
  },
  {
    name: 'change-password',
    as: 'staff',
    open: (stage) => go(stage, '/password'),
  },
  { name: 'known-face', as: 'staff', camera: 'allowed', open: openCandidates },
  {
    name: 'look-alike',
    as: 'staff',
    camera: 'allowed',
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
];

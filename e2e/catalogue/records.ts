/** Lists and settings of staff: employees, reports, settings, import, audit log, passwords, the account page, conflicts of desks. */
import { expect } from '../fixtures.ts';
import { deskConflictScenes } from './desk-conflicts.ts';
import { facilityScenes } from './facilities.ts';
import { roleScenes } from './roles.ts';
import { secondFactorScenes } from './second-factor.ts';
import { button, chooseFromMenu, dialog, go, leave, type Scene } from './stage.ts';

export const recordScenes: readonly Scene[] = [
  {
    name: 'add-employee-errors',
    as: 'staff',
    async open(stage) {
      await chooseFromMenu(stage, 'frame:entry.addEmployee');
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
  { name: 'settings-start', as: 'staff', open: (stage) => go(stage, '/settings') },
  { name: 'settings-facility', as: 'staff', open: (stage) => go(stage, '/settings/facility') },
  {
    name: 'settings-hours',
    as: 'staff',
    async open(stage) {
      await go(stage, '/settings/facility');
      await button(stage.page, stage.t('settings:hours.enter')).click();
      await button(stage.page, stage.t('settings:holidays.add')).click();
      await expect(stage.page.getByLabel(stage.t('settings:holidays.to'))).toBeVisible();
    },
  },
  { name: 'settings-mail', as: 'staff', open: (stage) => go(stage, '/settings/mail') },
  { name: 'settings-phones', as: 'staff', open: (stage) => go(stage, '/settings/phones') },
  { name: 'settings-health', as: 'staff', open: (stage) => go(stage, '/settings/health') },
  { name: 'settings-sample', as: 'staff', open: (stage) => go(stage, '/settings/sample') },
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
      const log = stage.page.getByRole('list', { name: new RegExp(`^${stage.t('audit:title')}`) });
      await expect(log.getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'proof',
    as: 'staff',
    async open(stage) {
      const { page, t, trap } = stage;
      // A sign-in counts as a proof for ten minutes, so this response is faked.
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
    name: 'proof-provider',
    as: 'staff',
    async open(stage) {
      const { page, t, trap } = stage;
      // The server of the scenes has no identity provider.
      const json = { code: 'proof_required', message: 'Please confirm.', methods: ['oidc'] };
      await page.route('**/api/audit.csv*', (route) => route.fulfill({ status: 403, json }));
      await page.route('**/api/session/proof/oidc', (route) =>
        route.fulfill({ json: { url: 'https://login.sunrise.example/' } }),
      );
      trap.expectHttp(403, /\/api\/audit\.csv/);
      await go(stage, '/auditLog');
      await button(page, t('common:csv.download')).click();
      await expect(dialog(page).getByRole('link', { name: t('password:proof.atProvider') })).toBeVisible();
    },
    async close({ page }) {
      await page.unroute('**/api/audit.csv*');
      await page.unroute('**/api/session/proof/oidc');
    },
  },
  {
    name: 'own-password',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await leave(stage);
      await page.route('**/api/admin/info', async (route) => {
        const answer = await route.fetch();
        const { admin } = (await answer.json()) as { admin: object };
        await route.fulfill({ response: answer, json: { admin: { ...admin, setUpBy: 'another' } } });
      });
      await go(stage, '/auditLog');
      await expect(page.getByRole('heading', { name: t('password:own.title') })).toBeVisible();
    },
    // Later scenes use the same browser.
    async close(stage) {
      await stage.page.unroute('**/api/admin/info');
      await leave(stage);
    },
  },
  {
    name: 'change-password',
    as: 'staff',
    open: (stage) => go(stage, '/password'),
  },
  { name: 'account-staff', as: 'staff', open: (stage) => go(stage, '/account') },
  ...deskConflictScenes,
  ...facilityScenes,
  ...roleScenes,
  ...secondFactorScenes,
];

/** Roles of staff, screens that a role does not include, and a colleague's approval. */
import { expect } from '../fixtures.ts';
import { button, dialog, go, leave, type Scene } from './stage.ts';

const approval = (more: object) => ({
  _id: 'approval',
  action: 'deleteParent',
  subject: { kind: 'parent', _id: 'mona', name: 'Mona Hassan' },
  query: {},
  askedBy: { _id: 'nadia', name: 'Nadia Farouk' },
  askedAt: new Date().toISOString(),
  expiresAt: new Date(Date.now() + 30 * 60_000).toISOString(),
  state: 'waiting',
  decidedBy: null,
  isOwn: false,
  ...more,
});

export const roleScenes: readonly Scene[] = [
  {
    name: 'roles',
    as: 'staff',
    async open(stage) {
      await go(stage, '/roles');
      await expect(stage.page.getByText(stage.t('roles:roleLead.teacher'))).toBeVisible();
      await stage.page.locator('summary').first().click();
    },
  },
  {
    name: 'new-role',
    as: 'staff',
    async open(stage) {
      await go(stage, '/roles');
      await button(stage.page, stage.t('roles:add')).click();
      await button(dialog(stage.page), stage.t('roles:dialog.submitNew')).click();
      await expect(dialog(stage.page).getByText(stage.t('roles:dialog.chooseOne'))).toBeVisible();
    },
  },
  {
    name: 'employee-role',
    as: 'staff',
    async open(stage) {
      await go(stage, '/viewEmployees');
      await button(stage.page, stage.t('roles:give.buttonOf', { name: 'Nadia Farouk' })).click();
      await expect(dialog(stage.page).getByText(stage.t('roles:roleLead.manager'))).toBeVisible();
    },
  },
  {
    name: 'approvals',
    as: 'staff',
    async open(stage) {
      await leave(stage);
      const asked = [approval({}), approval({ _id: 'export', action: 'exportAttendance', subject: null })];
      await stage.page.route('**/api/approvals', (route) => route.fulfill({ json: { approvals: asked } }));
      await go(stage, '/adminDashboard');
      await expect(stage.page.getByRole('heading', { name: stage.t('approvals:title') })).toBeVisible();
    },
    async close(stage) {
      await stage.page.unroute('**/api/approvals');
      await leave(stage);
    },
  },
  {
    name: 'no-access',
    as: 'staff',
    async open(stage) {
      await leave(stage);
      await stage.page.route('**/api/admin/info', async (route) => {
        const answer = await route.fetch();
        const { admin } = (await answer.json()) as { admin: object };
        await route.fulfill({ json: { admin: { ...admin, permissions: ['families.view'] } } });
      });
      await go(stage, '/reports');
      await expect(stage.page.getByText(stage.t('frame:noAccess.text'))).toBeVisible();
    },
    async close(stage) {
      await stage.page.unroute('**/api/admin/info');
      await leave(stage);
    },
  },
];

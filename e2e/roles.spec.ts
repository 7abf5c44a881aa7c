/** Roles in the browser: a role that is given counts on the open page, and a colleague agrees to a deletion. */
import { expect, test } from './fixtures.ts';
import type { Account, Api } from './harness/api.ts';
import { chooseDeletion } from './harness/person.ts';

test.use({ hasEngine: false });

let made = 0;

/** A colleague with this role, who has chosen a password. */
async function colleague(api: Api, name: string, roleId: string): Promise<Account> {
  const owner = await api.administrator();
  const credentials = { email: `roles-${++made}@haris.example`, password: `first-password-${made}` };
  const { admin } = await api.call<{ admin: { _id: string } }>('/api/admin/create-admin', {
    method: 'POST',
    token: owner.token,
    json: { name, ...credentials, nationalId: `2950312010${2000 + made}`, roleId },
  });
  await api.call(`/api/admin/mark-verified/${admin._id}`, { method: 'POST', token: owner.token });
  const first = await api.signIn('admin', credentials);
  const password = `own-password-${made}`;
  await api.call('/api/account/password', {
    method: 'PUT',
    token: first.token,
    json: { current: credentials.password, password },
  });
  return api.signIn('admin', { ...credentials, password });
}

test('a teacher becomes a manager while the page is open, and agrees to a deletion', async ({
  api,
  visit,
}) => {
  const owner = await api.administrator();
  const teacher = await colleague(api, 'Nadia Farouk', 'teacher');
  const family = await api.family('Mona Hassan');
  const { page: hers, trap: herTrap } = await visit({ as: teacher });
  const { page: ours, trap } = await visit({ as: owner });
  herTrap.expectHttp(403, '/api/reports/attendance');

  await test.step('a teacher sees the children, and neither staff nor reports', async () => {
    await hers.goto('/reports');
    await expect(hers.getByText('Your role does not include this page.')).toBeVisible();
    const menu = hers.getByRole('navigation', { name: 'Dashboard menu' });
    await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await expect(menu.getByRole('link', { name: 'View Employees' })).toHaveCount(0);
    const refused = await hers.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` };
      return (await fetch('/api/reports/attendance?period=day&date=2026-11-22', { headers })).status;
    });
    expect(refused).toBe(403);
  });

  await test.step('the owner makes her a manager: her page shows the report at once', async () => {
    await ours.goto('/viewEmployees');
    await ours.getByRole('button', { name: 'Change the role of Nadia Farouk' }).click();
    const dialog = ours.getByRole('dialog', { name: 'Role of Nadia Farouk' });
    await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveValue('Teacher');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await ours.getByRole('option', { name: 'Manager' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(hers.getByRole('heading', { level: 1, name: 'Attendance' })).toBeVisible();
  });

  await test.step('with a second person, a deletion waits until she agrees', async () => {
    const partner = await colleague(api, 'Samir Adel', 'owner');
    // Both must be able to switch the rule off again.
    await api.call(`/api/admin/${partner.id}/roles`, {
      method: 'PUT',
      token: owner.token,
      json: { roles: [{ roleId: 'owner', facilityId: null }] },
    });
    await api.call('/api/settings', { method: 'PUT', token: owner.token, json: { secondPerson: true } });
    trap.expectHttp(403, /^\/api\/parent\/delete-parent\//);
    await ours.goto('/adminDashboard');
    await chooseDeletion(ours, 'Mona Hassan');
    await ours.getByRole('dialog').getByRole('button', { name: 'Delete Parent' }).click();
    const waiting = ours.getByRole('dialog', { name: 'A second person has to agree' });
    await expect(waiting.getByText('Delete the family of Mona Hassan')).toBeVisible();
    await hers.goto('/adminDashboard');
    const card = hers.getByRole('region', { name: 'A colleague needs you to agree' });
    await card.getByRole('button', { name: 'Agree' }).click();
    await expect(card).toBeHidden();
    await expect(waiting).toBeHidden();
    await expect(ours.getByRole('button', { name: 'Delete Parent Mona Hassan' })).toHaveCount(0);
    expect(await api.countAudit('parent.deleted', family.id)).toBe(1);
  });
});

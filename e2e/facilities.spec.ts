/** Facilities in the browser: an owner adds one, and its manager, its teacher and the owner each see what is theirs. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Account, Api } from './harness/api.ts';

let made = 0;

/** A colleague with one role at one facility, who has chosen a password. */
async function colleague(api: Api, name: string, roleId: string, facilityId: string): Promise<Account> {
  const owner = await api.administrator();
  const credentials = { email: `house-${++made}@haris.example`, password: `first-password-${made}` };
  const { admin } = await api.call<{ admin: { _id: string } }>('/api/admin/create-admin', {
    method: 'POST',
    token: owner.token,
    json: { name, ...credentials, nationalId: `2950312010${3000 + made}` },
  });
  await api.call(`/api/admin/mark-verified/${admin._id}`, { method: 'POST', token: owner.token });
  await api.call(`/api/admin/${admin._id}/roles`, {
    method: 'PUT',
    token: owner.token,
    json: { roles: [{ roleId, facilityId }] },
  });
  const first = await api.signIn('admin', credentials);
  const password = `own-password-${made}`;
  await api.call('/api/account/password', {
    method: 'PUT',
    token: first.token,
    json: { current: credentials.password, password },
  });
  return api.signIn('admin', { ...credentials, password });
}

const familyOf = (page: Page, name: string) => page.getByRole('button', { name: `Delete Parent ${name}` });

test('an owner with two facilities, and a manager and a teacher of the second', async ({ api, visit }) => {
  const owner = await api.administrator();
  await api.call('/api/settings', {
    method: 'PUT',
    token: owner.token,
    json: { facilityName: 'Little Stars' },
  });
  const first = await api.family('Mona Hassan', { 'Layla Hassan': 1 });
  const { page: ours } = await visit({ as: owner });
  const chooser = ours.getByRole('button', { name: /^Facility: / });

  await test.step('with one facility nobody sees a chooser', async () => {
    await ours.goto('/facilities');
    await expect(ours.getByRole('heading', { level: 1, name: 'Facilities' })).toBeVisible();
    await expect(ours.getByText('You are here')).toBeVisible();
    await expect(chooser).toHaveCount(0);
  });

  await test.step('the owner adds the second one', async () => {
    await ours.getByRole('button', { name: 'Add facility' }).click();
    const dialog = ours.getByRole('dialog', { name: 'Add facility' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Little Moons');
    await dialog.getByRole('button', { name: 'Add facility' }).click();
    await expect(ours.getByRole('heading', { name: 'Little Moons' })).toBeVisible();
    await expect(chooser).toBeVisible();
  });

  const { facilities } = await api.call<{ facilities: { _id: string; name: string }[] }>('/api/facilities', {
    token: owner.token,
  });
  const second = facilities.find(({ name }) => name === 'Little Moons')?._id ?? '';
  const manager = await colleague(api, 'Nadia Farouk', 'manager', second);
  const teacher = await colleague(api, 'Samir Adel', 'teacher', second);
  await api.family('Sara Ibrahim', { 'Nour Ibrahim': 2 }, manager);

  await test.step('its manager sees its family alone, and no chooser', async () => {
    const { page, trap } = await visit({ as: manager });
    await page.goto('/adminDashboard');
    await expect(familyOf(page, 'Sara Ibrahim')).toBeVisible();
    await expect(familyOf(page, 'Mona Hassan')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Facility: / })).toHaveCount(0);
    trap.expectHttp(404, `/api/children/checkin-child/${first.children[0]?._id}`);
    const status = await page.evaluate(async (id) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` };
      return (await fetch(`/api/children/checkin-child/${id}`, { method: 'POST', headers })).status;
    }, first.children[0]?._id);
    expect(status).toBe(404);
  });

  await test.step('its teacher sees the child, and neither staff nor facilities', async () => {
    const { page } = await visit({ as: teacher });
    await page.goto('/adminDashboard');
    const menu = page.getByRole('navigation', { name: 'Dashboard menu' });
    await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Facilities' })).toHaveCount(0);
    await expect(page.getByText('Nour Ibrahim').first()).toBeVisible();
    await expect(page.getByText('Layla Hassan')).toHaveCount(0);
  });

  await test.step('the owner sees the first one, switches, and sees the second', async () => {
    await ours.goto('/adminDashboard');
    await expect(familyOf(ours, 'Mona Hassan')).toBeVisible();
    await expect(familyOf(ours, 'Sara Ibrahim')).toHaveCount(0);
    await chooser.click();
    await ours.getByRole('menuitemradio', { name: 'Little Moons' }).click();
    await expect(familyOf(ours, 'Sara Ibrahim')).toBeVisible();
    await expect(familyOf(ours, 'Mona Hassan')).toHaveCount(0);
  });
});

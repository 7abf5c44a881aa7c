/** Facilities in the browser: an owner adds one with its staff, and its manager, its teacher and the owner each see what is theirs. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { changePassword, fillLogin, insideRow } from './harness/person.ts';
import type { Credentials } from './harness/server.ts';

interface Colleague extends Credentials {
  readonly name: string;
  readonly role: string;
  readonly nationalId: string;
  /** What the owner typed, and the person replaces. */
  readonly first: string;
}

const MANAGER: Colleague = {
  name: 'Nadia Farouk',
  email: 'nadia@haris.example',
  role: 'Manager',
  nationalId: '29503120103001',
  first: 'typed-by-the-owner-1',
  password: 'only-nadia-knows-1',
};
const TEACHER: Colleague = {
  name: 'Samir Adel',
  email: 'samir@haris.example',
  role: 'Teacher',
  nationalId: '29503120103002',
  first: 'typed-by-the-owner-2',
  password: 'only-samir-knows-2',
};

/** Adds a colleague to the facility at which the page works. */
async function addColleague(page: Page, { name, email, role, nationalId, first }: Colleague): Promise<void> {
  await page.goto('/viewEmployees');
  // The sidebar has one of that name, too.
  await page.getByRole('main').getByRole('button', { name: 'Add Employee' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Employee' });
  await dialog.getByLabel('Full name').fill(name);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel(/^Password/).fill(first);
  await dialog.getByLabel('National ID').fill(nationalId);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await dialog.getByRole('button', { name: 'Add Employee' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: `Change the role of ${name}` })).toBeVisible();
}

/** Opens the mailed link, signs in, and chooses a password, as on the first day. */
async function begin(page: Page, link: string, { email, first, password }: Colleague): Promise<void> {
  await page.goto(new URL(link).pathname);
  await page.getByRole('link', { name: 'Go to login' }).click();
  await fillLogin(page, { email, password: first });
  const title = page.getByRole('heading', { level: 1, name: 'Choose your own password' });
  await expect(title).toBeVisible();
  await changePassword(page, first, password);
  await expect(title).toBeHidden();
}

async function expectOpen(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}

async function expectRefused(page: Page, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByText('Your role does not include this page.'), path).toBeVisible();
  }
}

/** The status of a call that the page makes with its session. */
function callFrom(page: Page, method: 'GET' | 'POST', path: string): Promise<number> {
  return page.evaluate(
    async ([how, where]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` };
      return (await fetch(where, { method: how, headers })).status;
    },
    [method, path] as const,
  );
}

const familyOf = (page: Page, name: string) => page.getByRole('button', { name: `Delete Parent ${name}` });

test('an owner with two facilities, and a manager and a teacher of the second', async ({
  api,
  mailTo,
  visit,
}) => {
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

  await test.step('the owner goes there, and adds a manager and a teacher', async () => {
    await chooser.click();
    await ours.getByRole('menuitemradio', { name: 'Little Moons' }).click();
    await expect(ours.getByRole('button', { name: 'Facility: Little Moons' })).toBeVisible();
    await addColleague(ours, MANAGER);
    await addColleague(ours, TEACHER);
  });

  const { page: hers, trap: herTrap } = await visit();
  const { page: his, trap: hisTrap } = await visit();
  await test.step('both open their links, and choose passwords of their own', async () => {
    await begin(hers, (await mailTo(MANAGER.email)).link, MANAGER);
    await begin(his, (await mailTo(TEACHER.email)).link, TEACHER);
  });

  await api.family('Sara Ibrahim', { 'Nour Ibrahim': 2 }, await api.signIn('admin', MANAGER));
  const foreign = `/api/children/checkin-child/${first.children[0]?._id}`;

  await test.step('its manager sees its family alone, runs it, and has no chooser', async () => {
    await hers.goto('/adminDashboard');
    await expect(familyOf(hers, 'Sara Ibrahim')).toBeVisible();
    await expect(familyOf(hers, 'Mona Hassan')).toHaveCount(0);
    await expect(hers.getByRole('button', { name: /^Facility: / })).toHaveCount(0);
    herTrap.expectHttp(404, foreign);
    expect(await callFrom(hers, 'POST', foreign)).toBe(404);
    await expectOpen(hers, '/reports', 'Attendance');
    await expectOpen(hers, '/viewEmployees', 'Employee Roster');
    await expect(hers.getByText(TEACHER.name).first()).toBeVisible();
    await expectRefused(hers, '/facilities');
  });

  await test.step('its teacher checks the child in, deletes no family, and opens neither reports, staff nor facilities', async () => {
    await his.goto('/adminDashboard');
    await expect(his.getByText('Nour Ibrahim').first()).toBeVisible();
    await expect(his.getByText('Layla Hassan')).toHaveCount(0);
    await expect(familyOf(his, 'Sara Ibrahim')).toHaveCount(0);
    await his.getByRole('button', { name: 'Check in Nour Ibrahim' }).click();
    await his.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
    await expect(insideRow(his, 'Nour Ibrahim')).toBeVisible();
    await expectRefused(his, '/reports', '/viewEmployees', '/facilities', '/importFamilies');
    hisTrap.expectHttp(404, foreign);
    expect(await callFrom(his, 'POST', foreign)).toBe(404);
    hisTrap.expectHttp(403, '/api/admin/get-all-admins');
    expect(await callFrom(his, 'GET', '/api/admin/get-all-admins')).toBe(403);
  });

  await test.step('the owner may do all of it, at both', async () => {
    await expectOpen(ours, '/reports', 'Attendance');
    await expectOpen(ours, '/facilities', 'Facilities');
    await ours.goto('/adminDashboard');
    await expect(familyOf(ours, 'Sara Ibrahim')).toBeVisible();
    await expect(familyOf(ours, 'Mona Hassan')).toHaveCount(0);
    await chooser.click();
    await ours.getByRole('menuitemradio', { name: 'Little Stars' }).click();
    await expect(familyOf(ours, 'Mona Hassan')).toBeVisible();
    await expect(familyOf(ours, 'Sara Ibrahim')).toHaveCount(0);
  });
});

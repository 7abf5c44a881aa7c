/** Roles: the list, an own role, the role of an employee, and what somebody with few rights sees. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { type Role, roleRoutes } from '@haris/contract/http/roles';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const owner = { admin: admin() };
const as = (role: keyof typeof BUILT_IN_ROLES) => ({
  admin: admin({
    roles: [{ roleId: role, name: null, facilityId: 'main' }],
    permissions: [...BUILT_IN_ROLES[role]],
  }),
});
const cook: Role = { _id: 'cook', name: 'Cook', permissions: ['visitors.view'], members: 0 };

function serveRoles(...own: Role[]) {
  const roles = [...own];
  server.use(handle(roleRoutes.listRoles, () => ({ roles })));
  return roles;
}

describe('the list of roles', () => {
  test('says what each allows; a new role is made of chosen permissions', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(roleRoutes.createRole, ({ body }) => {
        sent.push(body);
        return { role: { ...cook, ...body } };
      }),
    );
    const { user } = await renderScreen('/roles', { as: owner });
    const list = await screen.findByRole('region', { name: 'Comes with Haris' });
    expect(
      within(list)
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Owner', 'Manager', 'Front desk', 'Teacher', 'Inspector']);
    expect(within(list).queryByRole('button', { name: 'Change role Teacher' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'New role' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New role' }));
    await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Cook');
    await user.click(dialog.getByRole('button', { name: 'Make role' }));
    expect(await dialog.findByText(/Choose at least one permission/)).toBeDefined();
    await expectAccessible();
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('checkbox', { name: 'See visitors' }));
    await user.click(dialog.getByRole('button', { name: 'Make role' }));
    await waitFor(() => expect(sent).toEqual([{ name: 'Cook', permissions: ['visitors.view'] }]));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New role' })).toBeNull());
  });

  test('an own role is changed and deleted; one in use says so', async () => {
    serveRoles(cook);
    const sent: unknown[] = [];
    server.use(
      handle(roleRoutes.updateRole, ({ body }) => {
        sent.push(body);
        return { role: { ...cook, ...body } };
      }),
      handle(roleRoutes.deleteRole, () => refuse('role_in_use')),
    );
    const { user } = await renderScreen('/roles', { as: owner });
    await user.click(await screen.findByRole('button', { name: 'Change role Cook' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change role' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Sign visitors in and out' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent).toEqual([{ name: 'Cook', permissions: ['visitors.view', 'visitors.sign_in'] }]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change role' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Delete role Cook' }));
    const sure = within(await screen.findByRole('dialog', { name: 'Delete role' }));
    await user.click(sure.getByRole('button', { name: 'Delete role' }));
    expect(await screen.findByText(/Somebody still has this role/)).toBeDefined();
  });

  test('whoever does not manage roles only looks', async () => {
    await renderScreen('/roles', { as: as('manager') });
    expect(await screen.findByText('Only an owner makes and changes roles.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'New role' })).toBeNull();
  });
});

test('an employee gets another role; one beyond the own rights cannot be chosen', async () => {
  const nadia = admin({
    _id: 'nadia',
    name: 'Nadia Farouk',
    roles: [{ roleId: 'teacher', name: null, facilityId: 'main' }],
  });
  const sent: unknown[] = [];
  server.use(
    handle(accountRoutes.listAdmins, { admins: [nadia], total: 1, nextCursor: null }),
    handle(roleRoutes.setStaffRoles, ({ body }) => {
      sent.push(body);
      return { admin: nadia };
    }),
  );
  const { user } = await renderScreen('/viewEmployees', { as: as('manager') });
  await user.click(await screen.findByRole('button', { name: 'Change the role of Nadia Farouk' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Role of Nadia Farouk' }));
  const select = dialog.getByRole('combobox', { name: 'Role' });
  await waitFor(() => expect(select).toHaveValue('Teacher'));
  await expectAccessible();
  await user.click(select);
  expect(await screen.findByRole('option', { name: 'Owner' })).toHaveAttribute(
    'data-combobox-disabled',
    'true',
  );
  await user.click(screen.getByRole('option', { name: 'Front desk' }));
  expect(dialog.queryByRole('switch')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ roles: [{ roleId: 'desk', facilityId: 'main' }] }]));
});

describe('whoever has few rights', () => {
  test('a teacher has neither reports nor staff in the menu, and a page beyond the role says so', async () => {
    await renderScreen('/reports', { as: as('teacher') });
    expect(await screen.findByText('Your role does not include this page.')).toBeDefined();
    const menu = within(await screen.findByRole('navigation', { name: 'Dashboard menu' }));
    expect(menu.getByRole('link', { name: 'Dashboard' })).toBeDefined();
    for (const name of ['Attendance', 'View Employees', 'Audit Log', 'Roles', 'Kiosks'])
      expect(menu.queryByRole('link', { name })).toBeNull();
    await expectAccessible();
  });

  test('an inspector can neither check in nor evacuate', async () => {
    await renderScreen('/sensors', { as: as('inspector') });
    const menu = within(await screen.findByRole('navigation', { name: 'Dashboard menu' }));
    expect(menu.queryByRole('button', { name: 'Register Entry' })).toBeNull();
    expect(document.querySelector('[data-evacuate]')).toBeNull();
  });

  test('a role that is given while the page is open counts at once', async () => {
    const { events, be } = await renderScreen('/viewEmployees', { as: as('teacher') });
    await screen.findByText('Your role does not include this page.');
    be(as('desk'));
    events.send({ type: 'admin.updated' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Employee Roster' })).toBeDefined();
  });
});

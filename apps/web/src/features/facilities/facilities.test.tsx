/** Facilities: the chooser in the frame, the screen, roles at several, and settings that all facilities share. */
import { FACILITY_HEADER } from '@haris/contract/constants';
import { accountRoutes } from '@haris/contract/http/accounts';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { notificationRoutes } from '@haris/contract/http/notifications';
import { operationRoutes } from '@haris/contract/http/operations';
import { roleRoutes } from '@haris/contract/http/roles';
import type { Admin } from '@haris/contract/objects';
import { BUILT_IN_ROLES, type Permission } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const left: string[] = [];
vi.mock('../../session/leave.ts', () => ({ leaveFor: (url: string) => left.push(url) }));
afterEach(() => {
  left.length = 0;
});

const stars = { _id: 'main', name: 'Little Stars' };
const moon = { _id: 'moon', name: 'Full Moon' };
const owner = admin();
const everything = owner.permissions ?? [];

/** The owner of both, now at Little Stars. */
const ofBoth = (more: Partial<Admin> = {}) => ({
  admin: admin({
    work: { facilityId: 'main', facilities: [stars, moon], everywhere: [...everything] },
    ...more,
  }),
});

describe('the chooser', () => {
  test('is not there with one facility', async () => {
    await renderScreen('/viewEmployees', { as: { admin: owner } });
    await screen.findByRole('navigation', { name: 'Dashboard menu' });
    expect(screen.queryByRole('button', { name: /^Facility:/ })).toBeNull();
  });

  test.each(['desk', 'phone'] as const)(
    'on a %s it says where one is; a change starts the page over, and is kept',
    async (size) => {
      const { user } = await renderScreen('/viewEmployees', { as: ofBoth(), size });
      if (size === 'phone') await user.click(await screen.findByRole('button', { name: 'More' }));
      const menu =
        size === 'phone'
          ? await screen.findByRole('dialog', { name: 'All sections' })
          : await screen.findByRole('navigation', { name: 'Dashboard menu' });
      await user.click(await within(menu).findByRole('button', { name: 'Facility: Little Stars. Change' }));
      const items = await screen.findAllByRole('menuitemradio');
      expect(items.map((item) => [item.textContent, item.getAttribute('aria-checked')])).toEqual([
        ['Little Stars', 'true'],
        ['Full Moon', 'false'],
      ]);
      await expectAccessible();
      await user.click(screen.getByRole('menuitemradio', { name: 'Full Moon' }));
      expect(left).toEqual(['/adminDashboard']);
      expect(localStorage.getItem('haris.facility')).toBe('moon');
      expect(localStorage.getItem(`haris.facility.${owner._id}`)).toBe('moon');
    },
  );
});

describe('the choice', () => {
  const seen: (string | null)[] = [];
  const answer = (facilityId: string) => ofBoth({ work: { ...ofBoth().admin.work, facilityId } as never });

  test('of this account is sent again from its next sign-in on, and ends with the session', async () => {
    localStorage.setItem(`haris.facility.${owner._id}`, 'moon');
    const { user } = await renderScreen('/login?isAdmin=true');
    seen.length = 0;
    server.use(
      handle(accountRoutes.adminLogin, { token: 'another-token', ...answer('main') }),
      handle(accountRoutes.adminInfo, ({ headers }) => {
        seen.push(headers.get(FACILITY_HEADER));
        return answer('moon');
      }),
      handle(accountRoutes.logout, undefined),
    );
    await user.type(await screen.findByLabelText('Email'), 'salma@haris.example');
    await user.type(screen.getByLabelText(/^Password/), 'a password of hers');
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByRole('button', { name: 'Facility: Full Moon. Change' })).toBeDefined();
    expect(seen).toEqual(['moon']);
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(localStorage.getItem('haris.facility')).toBeNull());
    expect(localStorage.getItem(`haris.facility.${owner._id}`)).toBe('moon');
  });

  test('that the server no longer knows is forgotten, and the page starts over', async () => {
    localStorage.setItem(`haris.facility.${owner._id}`, 'moon');
    localStorage.setItem('haris.facility', 'moon');
    const { events } = await renderScreen('/viewEmployees', { as: answer('moon') });
    await screen.findByRole('button', { name: 'Facility: Full Moon. Change' });
    server.use(handle(accountRoutes.adminInfo, refuse('unknown_facility' as never)));
    await events.send({ type: 'admin.updated' });
    await waitFor(() => expect(left).toContain('/adminDashboard'));
    expect(localStorage.getItem('haris.facility')).toBeNull();
    expect(localStorage.getItem(`haris.facility.${owner._id}`)).toBeNull();
  });
});

describe('the screen', () => {
  test('lists them; a new one is added with its name and time zone', async () => {
    const facilities = [stars];
    const sent: unknown[] = [];
    server.use(
      handle(facilityRoutes.listFacilities, () => ({ facilities, current: 'main' })),
      handle(facilityRoutes.createFacility, ({ body }) => {
        sent.push(body);
        if (body.name === 'Little Stars') return refuse('facility_name_taken');
        facilities.push(moon);
        return { facility: moon };
      }),
    );
    const { user } = await renderScreen('/facilities', { as: { admin: owner } });
    const list = await screen.findByRole('list', { name: 'Facilities' });
    expect(within(list).getByText('You are here')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Add facility' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add facility' }));
    await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Little Stars');
    await user.click(dialog.getByRole('button', { name: 'Add facility' }));
    expect(await dialog.findByText('A facility with this name already exists.')).toBeDefined();
    await expectAccessible();
    await user.clear(dialog.getByRole('textbox', { name: /^Name/ }));
    await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Full Moon');
    await user.click(dialog.getByRole('button', { name: 'Add facility' }));
    await user.click(await screen.findByRole('button', { name: 'Switch to Full Moon' }));
    expect(sent.at(-1)).toEqual({ name: 'Full Moon', timeZone: 'Africa/Cairo' });
    expect(left).toEqual(['/adminDashboard']);
  });
});

describe('roles at several facilities', () => {
  const nadia = admin({
    _id: 'nadia',
    name: 'Nadia Farouk',
    roles: [
      { roleId: 'teacher', name: null, facilityId: 'main' },
      { roleId: 'desk', name: null, facilityId: 'gone' },
    ],
  });

  test('the roster names where each counts; each facility gets a role, or all the same', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(accountRoutes.listAdmins, { admins: [nadia], total: 1, nextCursor: null }),
      handle(roleRoutes.setStaffRoles, ({ body }) => {
        sent.push(body);
        return { admin: nadia };
      }),
    );
    const { user } = await renderScreen('/viewEmployees', { as: ofBoth() });
    expect(await screen.findByText('Teacher · Little Stars')).toBeDefined();
    expect(screen.getByText('Front desk at another facility')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Change the role of Nadia Farouk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Roles of Nadia Farouk' }));
    const there = dialog.getByRole('combobox', { name: 'At Full Moon' });
    await waitFor(() => expect(there).toHaveValue('No role'));
    await user.click(there);
    await user.click(await screen.findByRole('option', { name: 'Manager' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          roles: expect.arrayContaining([
            { roleId: 'teacher', facilityId: 'main' },
            { roleId: 'desk', facilityId: 'gone' },
            { roleId: 'manager', facilityId: 'moon' },
          ]),
        },
      ]),
    );
  });
});

describe('settings that all facilities share', () => {
  const manager: Permission[] = [...BUILT_IN_ROLES.manager];
  const ofOne = () =>
    ofBoth({
      roles: [{ roleId: 'manager', name: null, facilityId: 'main' }],
      permissions: manager,
      work: { facilityId: 'main', facilities: [stars], everywhere: [] },
    });

  const why = 'Set for all facilities. Ask an owner to change it.';
  const LIST = /^Keep a list of the children on desk tablets/;
  /** Only the switch of the facility's own value can be pressed. */
  const expectOwnSwitch = () => {
    for (const one of screen.getAllByRole('switch')) {
      if (one === screen.getByRole('switch', { name: LIST })) expect(one).toBeEnabled();
      else expect(one).toBeDisabled();
    }
  };
  const shared = /^(Days between backups|Keep alerts for)/;
  const fields = async () => ({
    shared: await screen.findAllByRole('textbox', { name: shared }),
    own: screen.getByRole('textbox', { name: /^Maximum children inside/ }),
  });
  /** Serves a webhook; the other parts of its screen keep waiting. */
  const serveWebhook = () =>
    server.use(
      handle(notificationRoutes.getWebhook, {
        webhook: { origin: 'https://example.org', updatedAt: '2026-11-22T08:00:00.000Z' },
      }),
      handle(notificationRoutes.listPushDevices, pending),
      handle(notificationRoutes.getNoticePreferences, pending),
      handle(notificationRoutes.listFailedNotices, pending),
    );

  test('in the alert settings a manager of one of them reads them, and saves the others', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(operationRoutes.updateSettings, ({ body }) => {
        sent.push(body);
        return refuse('internal_error');
      }),
    );
    const { user } = await renderScreen('/alarmSettings', { as: ofOne() });
    const { shared: locked, own } = await fields();
    expect(locked).toHaveLength(2);
    for (const one of locked) expect(one).toBeDisabled();
    expect(screen.getAllByText(why)).toHaveLength(1);
    expect(own).toBeEnabled();
    await user.type(own, '30');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toMatchObject([{ alarms: { capacity: 30 }, incidentDays: 365 }]));
  });

  test('in the alert settings an owner changes them, and so does a manager where there is one facility', async () => {
    for (const as of [ofBoth(), { admin: admin({ permissions: manager }) }]) {
      const { unmount } = await renderScreen('/alarmSettings', { as });
      const { shared: open } = await fields();
      for (const one of open) expect(one).toBeEnabled();
      expect(screen.queryByText(why)).toBeNull();
      await unmount();
    }
  });

  test('whoever only reads is told so once, without a word about facilities', async () => {
    const as = { admin: admin({ permissions: ['settings.view'] }) };
    const { router } = await renderScreen('/alarmSettings', { as });
    for (const path of ['/alarmSettings', '/settings/facility', '/settings/sign-in']) {
      await router.navigate(path);
      expect(await screen.findAllByText(/^Your role shows this/)).toHaveLength(1);
      expect(screen.queryByText(why)).toBeNull();
    }
  });

  test('where there is one facility, a manager reads about signing in, and nothing about facilities', async () => {
    await renderScreen('/settings/sign-in', { as: { admin: admin({ permissions: manager }) } });
    expect(await screen.findAllByText(/^Your role shows this/)).toHaveLength(1);
    expectOwnSwitch();
    expect(screen.queryByText(why)).toBeNull();
  });

  test('the webhook is changed by who may do so at every facility', async () => {
    serveWebhook();
    const { unmount } = await renderScreen('/notices', { as: ofOne() });
    expect(await screen.findByRole('button', { name: 'Remove webhook' })).toBeDisabled();
    expect(screen.getByRole('textbox', { name: 'Another address' })).toBeDisabled();
    expect(screen.getAllByText(why)).toHaveLength(1);
    await unmount();
    serveWebhook();
    await renderScreen('/notices', { as: ofBoth() });
    expect(await screen.findByRole('button', { name: 'Remove webhook' })).toBeEnabled();
    expect(screen.queryByText(why)).toBeNull();
  });

  test('a manager of one of them only reads, and the own facility is saved without them', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(operationRoutes.updateSettings, ({ body }) => {
        sent.push(body);
        return refuse('internal_error');
      }),
    );
    const { user, router } = await renderScreen('/settings/sign-in', { as: ofOne() });
    expect(await screen.findByText(why)).toBeDefined();
    expectOwnSwitch();
    expect(screen.getByRole('textbox', { name: /Lock a desk tablet/ })).toBeEnabled();
    await router.navigate('/settings/facility');
    expect(await screen.findByRole('textbox', { name: /^Keep names of visitors/ })).toBeDisabled();
    expect(screen.getAllByText(why)).toHaveLength(1);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Little Stars');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).not.toHaveProperty('visitorDays');
  });
});

test('a parent who works at no single one chooses the nursery of a new child', async () => {
  server.use(handle(facilityRoutes.listFacilities, { facilities: [stars, moon], current: null }));
  const { user } = await renderScreen('/addChild', { as: { parent: parent() } });
  await user.click(await screen.findByRole('combobox', { name: /^Nursery/ }));
  await user.click(await screen.findByRole('option', { name: 'Full Moon' }));
  expect(screen.getByRole('combobox', { name: /^Nursery/ })).toHaveValue('Full Moon');
});

/** The frame around the screens: staff's sidebar and bar, a parent's four ways, the own account; nothing for visitors. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import manifest from '../../../../../package.json';
import { expectAccessible } from '../../testing/accessibility.ts';
import { admin, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const staff = { admin: admin() };
const rail = (name = 'Dashboard menu') => screen.findByRole('navigation', { name });

describe('staff', () => {
  test('the sidebar is beside every screen, says where one is, and leads on', async () => {
    const { user, router } = await renderScreen('/viewEmployees', { as: staff });
    const current = within(await rail()).getByRole('link', { name: 'View Employees' });
    expect(current).toHaveAttribute('aria-current', 'page');
    for (const group of ['Today', 'Families', 'Rooms', 'Records', 'Settings'])
      expect(within(await rail()).getByRole('list', { name: group })).toBeInTheDocument();
    await user.click(within(await rail()).getByRole('link', { name: 'Cameras' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/cameras'));
    const next = within(await rail()).getByRole('link', { name: 'Cameras' });
    await waitFor(() => expect(next).toHaveAttribute('aria-current', 'page'));
    expect(screen.queryByRole('link', { name: 'Pricing' })).not.toBeInTheDocument();
  });

  test('on a short screen the list shows the entry where one is', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
    await renderScreen('/viewEmployees', { as: staff });
    const current = within(await rail()).getByRole('link', { name: 'View Employees' });
    await waitFor(() => expect(shown.mock.contexts).toContain(current.closest('li')));
    expect(shown).toHaveBeenCalledWith({ block: 'nearest' });
    shown.mockRestore();
  });

  // The screens behind the sign-in are in evacuate.test.tsx.
  test.each(['/overview', '/privacy', '/terms'])(
    'the evacuation can be started on %s, from one place',
    async (path) => {
      await renderScreen(path, { as: staff });
      expect(await screen.findAllByRole('button', { name: /^Evacuate/ })).toHaveLength(1);
    },
  );

  test('Register Entry opens over any screen', async () => {
    const { user, router } = await renderScreen('/viewEmployees', { as: staff });
    await user.click(within(await rail()).getByRole('button', { name: 'Register Entry' }));
    expect(await screen.findByRole('dialog', { name: 'Register Child Entry' })).toBeInTheDocument();
    expect(router.state.location.pathname).toBe('/viewEmployees');
  });

  test('folded, the ways keep their names, and the next page is folded too', async () => {
    const { user, unmount } = await renderScreen('/viewEmployees', { as: staff });
    await user.click(within(await rail()).getByRole('button', { name: 'Collapse menu' }));
    expect(within(await rail()).getByRole('link', { name: 'View Employees' })).toBeInTheDocument();
    await unmount();
    await renderScreen('/cameras', { as: staff });
    expect(within(await rail()).getByRole('button', { name: 'Expand menu' })).toBeInTheDocument();
    await expectAccessible();
  });

  test('on a phone "More" has everything, and gives the focus back', async () => {
    const { user } = await renderScreen('/viewEmployees', { as: staff, size: 'phone' });
    const bar = await rail('Main menu');
    const more = within(bar).getByRole('button', { name: 'More' });
    await user.click(more);
    const sheet = await screen.findByRole('dialog', { name: 'All sections' });
    for (const name of ['Add Employee', 'Register Entry', 'Logout'])
      expect(within(sheet).getByRole('button', { name })).toBeInTheDocument();
    for (const name of ['View Employees', 'Site Overview'])
      expect(within(sheet).getByRole('link', { name })).toBeInTheDocument();
    await expectAccessible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(more).toHaveFocus());
  });

  test('whose password somebody else set has no way but to choose the own', async () => {
    await renderScreen('/viewEmployees', { as: { admin: admin({ setUpBy: 'admin-boss' }) } });
    await screen.findByRole('heading', { level: 1, name: 'Choose your own password' });
    expect(screen.queryByRole('navigation', { name: 'Dashboard menu' })).not.toBeInTheDocument();
    // The frame is there by now: its part that anybody signed in has.
    await screen.findByRole('button', { name: 'Your account' });
    expect(screen.queryByRole('button', { name: /Search/ })).not.toBeInTheDocument();
    await expectAccessible();
  });
});

describe('a parent', () => {
  test.each(['phone', 'desk'] as const)('has four ways on a %s, and none of the staff', async (size) => {
    await renderScreen('/account', { as: { parent: parent() }, size });
    const [ways] = await screen.findAllByRole('navigation', { name: 'Main menu' });
    expect(
      within(ways as HTMLElement)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['Home', 'Live', 'Notifications', 'Account']);
    expect(within(ways as HTMLElement).getByRole('link', { name: 'Account' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect(screen.queryByRole('navigation', { name: 'Dashboard menu' })).not.toBeInTheDocument();
  });

  test('the account says who is signed in, and changes the language in place', async () => {
    const { user } = await renderScreen('/account', { as: { parent: parent({ name: 'Mona Hassan' }) } });
    expect(await screen.findByRole('heading', { level: 1, name: 'Account' })).toBeInTheDocument();
    expect(screen.getAllByText('Mona Hassan').length).toBeGreaterThan(0);
    expect(screen.getByRole('link', { name: 'Change password' })).toHaveAttribute('href', '/password');
    await expectAccessible();
    await user.click(screen.getByRole('radio', { name: 'العربية' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'الحساب' })).toBeInTheDocument();
  });
});

test('the version is in the footer, and in the menu of the account', async () => {
  const { unmount } = await renderScreen('/login');
  expect(await screen.findByRole('contentinfo')).toHaveTextContent(`Haris ${manifest.version}`);
  await unmount();
  const { user } = await renderScreen('/viewEmployees', { as: staff });
  expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Your account' }));
  const menu = await screen.findByRole('dialog', { name: 'Your account' });
  expect(within(menu).getByText(`Haris ${manifest.version}`)).toBeInTheDocument();
  await expectAccessible();
});

test('visitors have the sections of the landing page and no frame', async () => {
  await renderScreen('/login');
  expect((await screen.findAllByRole('link', { name: 'Pricing' })).length).toBeGreaterThan(0);
  expect(screen.queryByRole('navigation', { name: 'Main menu' })).not.toBeInTheDocument();
});

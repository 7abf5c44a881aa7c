/** The search over everything: what it finds, what Enter does, and what it says without a connection. */
import { searchRoutes } from '@haris/contract/http/search';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { allShortcuts } from '../../../keys/shortcuts.ts';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, pending, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const sara = { _id: 'parent-sara', name: 'Sara Ibrahim', email: 'sara@haris.example' };
const nour = (more = {}) => child({ _id: 'child-nour', name: 'Nour Ibrahim', ...more });
const adam = (more = {}) => child({ _id: 'child-adam', name: 'Adam Ibrahim', ...more });
const omar = (more = {}) => child({ _id: 'child-omar', name: 'Omar Hassan', ...more });

/** Opens a staff screen and the search on it, with `/`. */
async function openSearch(path = '/adminDashboard', options = {}) {
  const page = await renderScreen(path, { as: { admin: admin() }, ...options });
  await waitFor(() => expect(allShortcuts().map(({ keys }) => keys)).toContain('/'));
  await userEvent.setup({ delay: 60 }).keyboard('/');
  const field = await screen.findByRole('combobox', { name: /^(Search|البحث)$/ });
  await waitFor(() => expect(field).toHaveFocus());
  return { ...page, field };
}
const option = (name: string | RegExp) => screen.findByRole('option', { name });
const marked = () =>
  screen.getAllByRole('option').find((one) => one.getAttribute('aria-selected') === 'true');

describe('the search', () => {
  test('finds a child, opens the sheet, and remembers the child', async () => {
    serveDesk(family(sara, nour(), adam()), family({}, omar({ isInside: true })));
    const { user, router, field } = await openSearch();
    await user.type(field, 'adma');
    await waitFor(() => expect(marked()).toHaveAccessibleName(/Adam Ibrahim.*Sara Ibrahim.*Outside/));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.search).toBe('?child=child-adam'));
    await waitFor(() => expect(field).not.toBeInTheDocument());
    act(() => void router.navigate('/adminDashboard'));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('group', { name: 'Recent' })).toHaveTextContent('Adam Ibrahim');
    await expectAccessible();
  });

  test('by arrows: check in with the siblings of last time, and checkout with its undo', async () => {
    const desk = serveDesk(family(sara, nour(), adam()), family({}, omar({ isInside: true })));
    desk.cameLast(['child-nour', 'child-adam'], 60);
    const { user, field } = await openSearch();
    await user.type(field, 'adam');
    await waitFor(() => expect(marked()).toHaveAccessibleName(/^Adam Ibrahim/));
    await user.keyboard('{ArrowDown}');
    expect(marked()).toHaveAccessibleName('Check in Adam Ibrahim');
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Register Child Entry' });
    expect(within(dialog).getByRole('checkbox', { name: 'Nour Ibrahim' })).toBeChecked();
    expect(within(dialog).getByRole('radio', { name: '1 hour' })).toBeChecked();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(desk.done).toEqual(['check-in child-nour 60', 'check-in child-adam 60']));

    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Search' }), 'omar');
    await user.click(await option('Checkout Omar Hassan'));
    expect(await screen.findByText('Child checked out successfully')).toBeInTheDocument();
    expect(desk.done.at(-1)).toBe('checkout child-omar');
  });

  test('shows a child that it remembers as the child is now', async () => {
    serveDesk(family({}, omar({ isInside: true })));
    const { user, field } = await openSearch();
    await user.type(field, 'omar');
    await user.click(await option('Checkout Omar Hassan'));
    expect(await screen.findByText('Child checked out successfully')).toBeInTheDocument();
    await user.keyboard('{Control>}k{/Control}');
    const recent = within(await screen.findByRole('group', { name: 'Recent' }));
    expect(await recent.findByRole('option', { name: 'Check in Omar Hassan' })).toBeInTheDocument();
    expect(recent.queryByRole('option', { name: 'Checkout Omar Hassan' })).not.toBeInTheDocument();
  });

  test('a remembered child leads to its sheet only, while it is not known whether it is inside', async () => {
    serveDesk(family({}, omar({ isInside: true })));
    const { user, field } = await openSearch();
    await user.type(field, 'omar');
    await user.click(await option('Checkout Omar Hassan'));
    expect(await screen.findByText('Child checked out successfully')).toBeInTheDocument();
    server.use(handle(sheetRoutes.getChild, () => refuse('internal_error')));
    await user.keyboard('{Control>}k{/Control}');
    const recent = within(await screen.findByRole('group', { name: 'Recent' }));
    expect(recent.getAllByRole('option')).toHaveLength(1);
  });

  test('a family opens its sheet, also without children', async () => {
    serveDesk(family(sara));
    const { user, router, field } = await openSearch();
    await user.type(field, 'sara{Enter}');
    await waitFor(() => expect(router.state.location.search).toBe('?family=parent-sara'));
  });

  test('leads to screens and actions; Evacuate is only reached', async () => {
    const { user, router, field } = await openSearch();
    await user.type(field, 'atendance');
    await waitFor(() => expect(marked()).toHaveAccessibleName('Attendance'));
    await user.clear(field);
    await user.type(field, 'audit');
    await waitFor(() => expect(marked()).toHaveAccessibleName('Audit Log'));
    await user.clear(field);
    await user.type(field, 'evac');
    await waitFor(() => expect(marked()).toHaveAccessibleName('Evacuate'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Evacuate' })).toHaveFocus());
    expect(router.state.location.pathname).toBe('/adminDashboard');
  });

  test('Enter before the answer opens the first result as soon as it arrives', async () => {
    serveDesk(family(sara, adam()));
    const { user, router, field } = await openSearch();
    await user.type(field, 'adam{Enter}');
    await waitFor(() => expect(router.state.location.search).toBe('?child=child-adam'));
  });

  test('while it searches, and when nobody matches', async () => {
    serveDesk(family(sara, adam()));
    const { user, field } = await openSearch();
    await user.type(field, 'zzzz');
    expect(await screen.findByText('No match for “zzzz”.')).toBeInTheDocument();
    await expectAccessible();
    server.use(handle(searchRoutes.search, pending));
    await user.type(field, 'y');
    expect(await screen.findByText('Searching…')).toBeInTheDocument();
  });

  test.each(['without a connection', 'when the server fails'])(
    '%s it finds whom the page knows, and says so',
    async (why) => {
      serveDesk(family(sara, adam()), family({}, omar({ isInside: true })));
      const page = await renderScreen('/adminDashboard', { as: { admin: admin() } });
      await screen.findByRole('heading', { name: 'Sara Ibrahim' });
      await waitFor(() => expect(allShortcuts().map(({ keys }) => keys)).toContain('/'));
      if (why === 'without a connection') {
        vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
        act(() => void dispatchEvent(new Event('offline')));
      } else server.use(handle(searchRoutes.search, refuse('internal_error')));
      await page.user.keyboard('{Control>}k{/Control}');
      await page.user.type(await screen.findByRole('combobox', { name: 'Search' }), 'adma');
      expect(await option(/^Adam Ibrahim/)).toBeInTheDocument();
      expect(screen.getByText(/^You are offline\. Searching only the families/)).toBeInTheDocument();
      vi.restoreAllMocks();
      act(() => void dispatchEvent(new Event('online')));
    },
  );

  test('in Arabic, full screen on a phone, with a button to close', async () => {
    serveDesk(family({ _id: 'parent-mona', name: 'منى حسن' }, omar({ name: 'عمر حسن' })));
    const page = await renderScreen('/adminDashboard', {
      as: { admin: admin() },
      language: 'ar',
      size: 'phone',
    });
    await page.user.click(await screen.findByRole('button', { name: 'البحث' }));
    const field = await screen.findByRole('combobox', { name: 'البحث' });
    await page.user.type(field, 'omar');
    expect(await option(/^عمر حسن/)).toBeInTheDocument();
    await expectAccessible();
    await page.user.click(screen.getByRole('button', { name: 'إغلاق' }));
    await waitFor(() => expect(field).not.toBeInTheDocument());
  });
});

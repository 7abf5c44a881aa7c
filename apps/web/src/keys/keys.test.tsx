/** Keys of staff: where they lead, when they are silent, and the list of them. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { expectAccessible } from '../testing/accessibility.ts';
import { admin } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { closeKeyList } from './key-list-store.ts';
import { allShortcuts } from './shortcuts.ts';

// The list belongs to the page, not to a screen: open, it silences the keys of the next test.
afterEach(closeKeyList);

/** Opens a screen of staff and waits until its keys work. */
async function open(path: string, options = {}) {
  const page = await renderScreen(path, { as: { admin: admin() }, ...options });
  await waitFor(() => expect(allShortcuts().map(({ keys }) => keys)).toContain('?'));
  return page;
}
/** Presses keys as slowly as a person. */
async function press(...keys: readonly string[]): Promise<void> {
  const { userEvent } = await import('@testing-library/user-event');
  await userEvent.setup({ delay: 60 }).keyboard(keys.join(''));
}

/**
 * Presses g and a letter until the page has this path. Two keys are a pair only within a short time, which a busy machine may
 * miss: a person presses again.
 */
async function go(router: Awaited<ReturnType<typeof open>>['router'], letter: string, path: string) {
  const isThere = () => expect(router.state.location.pathname).toMatch(new RegExp(`^${path}`));
  for (let came = false; !came; ) {
    await press('g', letter);
    came = await waitFor(isThere, { timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  }
}

describe('keys of staff', () => {
  test('g and a letter lead to a screen; ? lists the keys of this one', async () => {
    const { router } = await open('/adminDashboard');
    await go(router, 'e', '/viewEmployees');
    await go(router, 'o', '/settings');
    await press('?');
    const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(list).getByText('Attendance')).toBeInTheDocument();
    expect(within(list).getByText('Undo the last check-in or checkout')).toBeInTheDocument();
    await expectAccessible();
  });

  test('g and a letter open Rooms, Facilities and Roles, and the list of keys says so', async () => {
    const { router } = await open('/adminDashboard');
    for (const [letter, path] of [
      ['h', '/rooms'],
      ['b', '/facilities'],
      ['p', '/roles'],
    ] as const)
      await go(router, letter, path);
    await press('?');
    const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const [label, letter] of [
      ['Rooms', 'H'],
      ['Facilities', 'B'],
      ['Roles', 'P'],
    ] as const) {
      const row = within(list).getByText(label, { selector: 'dt' }).closest('div');
      expect(row, label).toHaveTextContent(new RegExp(`G\\s*then\\s*${letter}$`));
    }
  });

  test('each has a pair of keys of its own', async () => {
    await open('/adminDashboard');
    const pairs = allShortcuts().flatMap(({ keys }) => (keys.startsWith('g ') ? [keys] : []));
    expect(pairs).toEqual([...new Set(pairs)]);
  });

  test('are silent while somebody types, in a dialog, and from a scanner of slips', async () => {
    const { router, user } = await open('/adminDashboard');
    await user.click(await screen.findByRole('searchbox', { name: 'Search parents and children' }));
    await press('g', 'a');
    expect(screen.getByRole('searchbox', { name: 'Search parents and children' })).toHaveValue('ga');
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('ga?');
    await press('?');
    const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    within(list).getByRole('switch').blur();
    await press('g', 'a');
    expect(router.state.location.pathname).toBe('/adminDashboard');
  });

  test('of one letter can be switched off on this device', async () => {
    const { router, user } = await open('/adminDashboard');
    await press('?');
    const single = await screen.findByRole('switch', { name: /^Single-key shortcuts/ });
    await user.click(single);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await press('g', 'a');
    expect(router.state.location.pathname).toBe('/adminDashboard');
    expect(localStorage.getItem('haris.keys')).toBe('off');
  });
});

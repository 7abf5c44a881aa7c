/** The key for Register Entry works as soon as the desk is seen, before the code of the other keys has come. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { admin, child } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { allShortcuts } from './shortcuts.ts';

const tools = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock('../app/staff-tools.tsx', async (load) => {
  await tools.promise;
  return load();
});

/** Presses keys as slowly as a person. */
async function press(keys: string): Promise<void> {
  const { userEvent } = await import('@testing-library/user-event');
  await userEvent.setup({ delay: 60 }).keyboard(keys);
}

const teacher = admin({ permissions: ['families.view'] });

beforeEach(() => {
  serveDesk(family({}, child({ _id: 'child-omar', name: 'Omar Hassan' })));
});

const desk = () => screen.findByRole('searchbox', { name: 'Search parents and children' });

test('not without the right, nor where letters are typed', async () => {
  const { unmount } = await renderScreen('/adminDashboard', { as: { admin: teacher } });
  await desk();
  await press('n');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await unmount();
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
  await user.click(await desk());
  await press('n');
  expect(await desk()).toHaveValue('n');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

test('opens Register Entry before the tools are there, with what was typed after it, and once', async () => {
  await renderScreen('/adminDashboard', { as: { admin: admin() } });
  await desk();
  expect(allShortcuts().map(({ keys }) => keys)).toContain('n');
  expect(allShortcuts().map(({ keys }) => keys)).not.toContain('?');
  await press('nom');
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await waitFor(async () => expect(await dialog.findByRole('combobox')).toHaveValue('om'));
  tools.resolve();
  await waitFor(() => expect(allShortcuts().map(({ keys }) => keys)).toContain('?'));
  expect(allShortcuts().filter(({ keys }) => keys === 'n')).toHaveLength(1);
});

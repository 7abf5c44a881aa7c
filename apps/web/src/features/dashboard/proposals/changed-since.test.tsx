/** What changed since a child's last stay, where staff compare: the check-in and the hand-over. */
import { handOverRoutes } from '@haris/contract/http/hand-over';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handle, server } from '../../../testing/contract-server.ts';
import { admin, child, entryId } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const mona = { _id: 'parent-mona', name: 'Mona Hassan', email: 'mona@haris.example' };
const changes = [
  { what: 'parentPhone' as const, at: '2025-11-12T08:00:00.000Z' },
  { what: 'photo' as const, at: '2025-11-13T08:00:00.000Z' },
];
const PHONE = 'Phone changed on 12 Nov 2025';
const staff = { as: { admin: admin() } };

test('registering an entry names it beside the child', async () => {
  const omar = child({ _id: 'child-omar', name: 'Omar Hassan', changes });
  serveDesk(family(mona, omar, child({ _id: 'child-lina', name: 'Lina Hassan' })));
  const { user } = await renderScreen('/adminDashboard', staff);
  await user.click((await screen.findAllByRole('button', { name: 'Register Entry' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Register Child Entry' }));
  await waitFor(async () => expect(await dialog.findByRole('combobox', { name: 'Parent' })).toHaveFocus());
  await user.keyboard('mona');
  expect(await dialog.findByText(PHONE)).toBeVisible();
  expect(dialog.getByText('Photo changed on 13 Nov 2025')).toBeVisible();
  // Nothing of Lina's own is named.
  expect(dialog.getAllByText(/changed on/)).toHaveLength(2);
});

test('the hand-over names it', async () => {
  const omar = child({
    _id: 'child-omar',
    name: 'Omar Hassan',
    isInside: true,
    uniqueEntryId: entryId(),
    asksTaker: true,
    changes,
  });
  serveDesk(family(mona, omar));
  server.use(
    handle(handOverRoutes.getHandOver, {
      mode: 'record',
      mustName: false,
      mustProve: false,
      hasBarred: false,
      namesakes: [],
      staffProofs: ['known'],
      adults: [],
      colleagues: [],
    }),
  );
  const { user } = await renderScreen('/adminDashboard', staff);
  await user.click(await screen.findByRole('button', { name: 'Checkout Omar Hassan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Who takes Omar Hassan?' }));
  expect(await dialog.findByText(PHONE)).toBeVisible();
});

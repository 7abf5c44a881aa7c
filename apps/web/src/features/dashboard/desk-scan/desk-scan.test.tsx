/** A slip scanned at the desk by a keyboard-like scanner: the checkout, every reason against it, no connection, Arabic. */
import { type Entry, stayRoutes } from '@haris/contract/http/stays';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child, entryId, LONG_NAME } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const mona = { _id: 'parent-mona', name: 'Mona Hassan', email: 'mona@haris.example' };
const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });

/** Types like a scanner: all keys and Enter at once. */
function scan(text: string): void {
  for (const key of [...text, 'Enter']) fireEvent.keyDown(document.body, { key, code: '' });
}

/** Scans a slip until the page, which may still be loading its dialogs, shows one. */
async function scanSlip(text: string): Promise<void> {
  await waitFor(() => {
    scan(text);
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
}

/** Opens the dashboard with Omar inside. */
async function openDesk(options = {}) {
  const desk = serveDesk(family(mona, omar));
  const page = await renderScreen('/adminDashboard', { as: { admin: admin() }, ...options });
  await screen.findAllByText('Omar Hassan');
  return { ...page, desk };
}

/** Answers the search for the scanned entry. */
function serveEntry(more: Partial<Entry> = {}): void {
  const entryTime = omar.entryTime ?? '';
  server.use(
    handle(stayRoutes.findEntry, {
      entry: { state: 'inside', entryTime, exitTime: null, child: omar, ...more },
    }),
  );
}

const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('the child of the slip is checked out by one press, and never by the Enter of a second scan', async () => {
  const { user, desk } = await openDesk();
  serveEntry();
  await scanSlip(omar.uniqueEntryId ?? '');
  const dialog = await dialogOf('Confirm Child Checkout');
  expect(await dialog.findByText('Omar Hassan')).toBeInTheDocument();
  expect(dialog.queryByText('Not confirmed yet')).not.toBeInTheDocument();
  expect(dialog.getByText('Mona Hassan')).toBeInTheDocument();
  await expectAccessible();
  scan(omar.uniqueEntryId ?? '');
  expect(desk.done).toEqual([]);
  await user.click(await dialog.findByRole('button', { name: 'Checkout' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(desk.done).toEqual(['checkout child-omar']);
});

test('the child of the slip is marked if staff never confirmed it', async () => {
  await openDesk();
  serveEntry({ child: { ...omar, unconfirmed: ['photo', 'name'] } });
  await scanSlip(omar.uniqueEntryId ?? '');
  const dialog = await dialogOf('Confirm Child Checkout');
  expect(await dialog.findByText('Not confirmed yet')).toBeVisible();
});

test('while the entry is looked up, nothing can be pressed but Close', async () => {
  await openDesk();
  server.use(handle(stayRoutes.findEntry, pending));
  await scanSlip(entryId());
  const dialog = await dialogOf('Confirm Child Checkout');
  expect(dialog.getByRole('status', { name: 'Looking up the slip…' })).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: 'Checkout' })).not.toBeInTheDocument();
});

test.each([
  ['used', { state: 'left', exitTime: new Date().toISOString() }, /^Slip already used: /],
  [
    'of an earlier visit',
    { state: 'left', exitTime: '2020-02-03T09:00:00.000Z' },
    /^This slip is from an earlier visit/,
  ],
  ['void', { state: 'void' }, /^This slip is void/],
] as const)('a slip that is %s says so and offers no checkout', async (_why, more, text) => {
  await openDesk();
  serveEntry(more);
  await scanSlip(entryId());
  const dialog = await dialogOf('Entry slip');
  expect(await dialog.findByRole('alert')).toHaveTextContent(text);
  expect(dialog.queryByRole('button', { name: 'Checkout' })).not.toBeInTheDocument();
});

test('an unknown code is refused; anything else that is scanned is no slip', async () => {
  const { user } = await openDesk();
  server.use(handle(stayRoutes.findEntry, refuse('not_found')));
  await scanSlip(entryId());
  const dialog = await dialogOf('Entry slip');
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^Unknown slip: /);
  await expectAccessible();
  // The dialog has a cross of the same name above it.
  for (const close of dialog.getAllByRole('button', { name: 'Close' }).slice(-1)) await user.click(close);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  scan('6221031492584');
  expect(await screen.findByText('That is not an entry slip.')).toBeInTheDocument();
});

test('without a connection it says so, and the same slip can be tried again', async () => {
  const { user } = await openDesk();
  server.use(handle(stayRoutes.findEntry, offline));
  await scanSlip(entryId());
  const again = await screen.findByRole('button', { name: 'Try Again' });
  serveEntry({ child: { ...omar, name: LONG_NAME } });
  await user.click(again);
  const dialog = await dialogOf('Confirm Child Checkout');
  expect(await dialog.findByText(LONG_NAME)).toBeInTheDocument();
});

test('in Arabic', async () => {
  await openDesk({ language: 'ar' });
  serveEntry();
  await scanSlip(entryId());
  const dialog = await dialogOf('تأكيد انصراف الطفل');
  expect(await dialog.findByRole('button', { name: 'تسجيل انصراف' })).toBeInTheDocument();
});

/** The list of kiosks: empty, failed, pairing with a code, renaming and removing. */
import { type Kiosk, kioskRoutes } from '@haris/contract/http/kiosk';
import { setupRoutes } from '@haris/contract/http/setup';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { reach, setup } from '../../testing/settings.ts';

const entrance = (more: Partial<Kiosk> = {}): Kiosk => ({
  _id: 'kiosk-1',
  kind: 'kiosk',
  name: 'Entrance',
  isPaired: false,
  pairedAt: null,
  lastUsedAt: null,
  failures: 0,
  ...more,
});
const open = (options = {}) => renderScreen('/kiosks', { as: { admin: admin() }, ...options });

test('without kiosks it says what they are for, and one is added', async () => {
  let kiosks: Kiosk[] = [];
  server.use(
    handle(kioskRoutes.listKiosks, () => ({ kiosks })),
    handle(kioskRoutes.createKiosk, ({ body }) => {
      kiosks = [entrance({ name: body.name })];
      return { message: 'Kiosk added successfully', kiosk: entrance({ name: body.name }) };
    }),
  );
  const { user } = await open();
  expect(await screen.findByText('No kiosks yet.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add kiosk' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add a kiosk' });
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Name is required')).toBeVisible();
  await expectAccessible();
  await user.type(within(dialog).getByLabelText(/Name/), 'Garden door');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('heading', { name: 'Garden door' })).toBeVisible();
  expect(screen.getByText('Not used yet')).toBeVisible();
});

test('a code to pair is shown once, with an address and how long it holds', async () => {
  server.use(
    handle(kioskRoutes.listKiosks, { kiosks: [entrance()] }),
    handle(kioskRoutes.createKioskPairing, () => ({
      code: 'ABCDEFGHJK',
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
    })),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Pair a tablet' }));
  expect(await screen.findByText('ABCDE-FGHJK')).toBeVisible();
  expect(screen.getByText(/\/kiosk\/ABCDEFGHJK$/)).toBeVisible();
  expect(screen.getByRole('img', { name: 'QR code of the link for the device' })).toBeVisible();
  await expectAccessible();
});

test('the address is one that a tablet can open, not that of the machine at the desk', async () => {
  const address = { url: 'https://haris.example', kind: 'public', secure: true } as const;
  server.use(
    handle(kioskRoutes.listKiosks, { kiosks: [entrance()] }),
    handle(kioskRoutes.createKioskPairing, () => ({
      code: 'ABCDEFGHJK',
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
    })),
    handle(setupRoutes.getSetup, {
      setup: setup({ reach: reach({ addresses: [address], listensToNetwork: true }) }),
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Pair a tablet' }));
  expect(await screen.findByText('https://haris.example/kiosk/ABCDEFGHJK')).toBeVisible();
  expect(screen.queryByText(/HTTPS/)).toBeNull();
});

test('a paired kiosk says when it was used and how many tries failed; it is removed after a question', async () => {
  let removed = 0;
  const lastUsedAt = '2026-03-18T08:15:00.000Z';
  server.use(
    handle(kioskRoutes.listKiosks, () => ({
      kiosks:
        removed === 0 ? [entrance({ isPaired: true, pairedAt: lastUsedAt, lastUsedAt, failures: 6 })] : [],
    })),
    handle(kioskRoutes.deleteKiosk, () => {
      removed++;
      return { message: 'Kiosk removed successfully' };
    }),
  );
  const { user } = await open();
  expect(await screen.findByText(/^Last used .*10:15/)).toBeVisible();
  expect(screen.getByText('6 failed attempts in the last 15 minutes')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove Entrance' }));
  await user.click(await screen.findByRole('button', { name: 'Yes, remove it' }));
  expect(await screen.findByText('No kiosks yet.')).toBeVisible();
  expect(removed).toBe(1);
});

test('a desk tablet is added and paired in the same way, with its own page', async () => {
  let kiosks: Kiosk[] = [];
  server.use(
    handle(kioskRoutes.listKiosks, () => ({ kiosks })),
    handle(kioskRoutes.createKiosk, ({ body }) => {
      kiosks = [entrance({ name: body.name, kind: body.kind ?? 'kiosk' })];
      return { message: 'Kiosk added successfully', kiosk: entrance({ name: body.name, kind: 'desk' }) };
    }),
    handle(kioskRoutes.createKioskPairing, () => ({
      code: 'ABCDEFGHJK',
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
    })),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Add desk tablet' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add a desk tablet' });
  await user.type(within(dialog).getByLabelText(/Name/), 'Front desk');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Shared desk')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Pair a tablet' }));
  expect(await screen.findByText(/\/desk\/ABCDEFGHJK$/)).toBeVisible();
});

test('a failure can be tried again; Arabic', async () => {
  server.use(handle(kioskRoutes.listKiosks, refuse('internal_error')));
  const { user } = await open({ language: 'ar' });
  const again = await screen.findByRole('button', { name: 'حاول مرة أخرى' });
  server.use(handle(kioskRoutes.listKiosks, { kiosks: [entrance()] }));
  await user.click(again);
  expect(await screen.findByRole('heading', { name: 'Entrance' })).toBeVisible();
});

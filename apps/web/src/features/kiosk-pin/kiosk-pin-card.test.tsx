/** A parent's PIN and code for the kiosk, on the account page. */
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const open = (options = {}) => renderScreen('/account', { as: { parent: parent() }, ...options });
const card = () => screen.findByRole('region', { name: 'Kiosk' });
const noPin = { setAt: null, digits: '4567', hasKiosk: true };

test('a facility without a kiosk shows nothing of it', async () => {
  await open();
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Kiosk' })).toBeNull();
});

test('a PIN is checked before it is sent, and set', async () => {
  let state: { setAt: string | null; digits: string; hasKiosk: boolean } = noPin;
  const sent: unknown[] = [];
  server.use(
    handle(kioskRoutes.getKioskPin, () => state),
    handle(kioskRoutes.setKioskPin, ({ body }) => {
      sent.push(body);
      state = { ...noPin, setAt: '2026-03-18T08:15:00.000Z' };
      return { message: 'Your PIN is set.', setAt: state.setAt ?? '' };
    }),
  );
  const { user } = await open();
  await user.click(within(await card()).getByRole('button', { name: 'Set a PIN' }));
  const dialog = await screen.findByRole('dialog', { name: 'Set a PIN' });
  const [pin, again] = [
    within(dialog).getByLabelText(/^New PIN/),
    within(dialog).getByLabelText(/^Repeat the PIN/),
  ];
  await user.type(pin, '1234');
  await user.type(again, '1235');
  await user.click(within(dialog).getByRole('button', { name: 'Save PIN' }));
  expect(await within(dialog).findByText(/too easy to guess/)).toBeVisible();
  expect(within(dialog).getByText('The PINs do not match')).toBeVisible();
  await expectAccessible();
  await user.clear(pin);
  await user.clear(again);
  await user.type(pin, '8305');
  await user.type(again, '8305');
  await user.click(within(dialog).getByRole('button', { name: 'Save PIN' }));
  expect(await screen.findByText('PIN saved. We sent you an email about it.')).toBeVisible();
  expect(sent).toEqual([{ pin: '8305' }]);
  expect(await within(await card()).findByText(/Your digits are 4567/)).toBeVisible();
});

test('the code for the kiosk is a picture, no link and no text', async () => {
  server.use(
    handle(kioskRoutes.getKioskPin, noPin),
    handle(kioskRoutes.createKioskCode, () => ({
      code: 'c'.repeat(43),
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    })),
  );
  const { user } = await open();
  await user.click(within(await card()).getByRole('button', { name: 'Code for the kiosk' }));
  expect(await screen.findByRole('img', { name: 'QR code for the kiosk' })).toBeVisible();
  expect(document.body.textContent).not.toContain('cccc');
  await expectAccessible();
});

test.each([
  ['no connection', offline, 'Haris cannot be reached. Please check your connection.'],
  ['too many codes', refuse('too_many_attempts'), 'Too many attempts. Please try again later.'],
] as const)('without a code because of %s it says so', async (_why, answer, words) => {
  server.use(handle(kioskRoutes.getKioskPin, noPin), handle(kioskRoutes.createKioskCode, answer));
  const { user } = await open();
  await user.click(within(await card()).getByRole('button', { name: 'Code for the kiosk' }));
  expect(await screen.findByText(words)).toBeVisible();
});

test('without a phone there is only the code; an own PIN is removed', async () => {
  let setAt: string | null = '2026-03-18T08:15:00.000Z';
  server.use(
    handle(kioskRoutes.getKioskPin, () => ({ setAt, digits: null, hasKiosk: true })),
    handle(kioskRoutes.removeKioskPin, () => {
      setAt = null;
      return { message: 'Your PIN was removed.' };
    }),
  );
  const { user } = await open();
  expect(within(await card()).getByText(/add your phone number/)).toBeVisible();
  await user.click(within(await card()).getByRole('button', { name: 'Remove PIN' }));
  expect(await screen.findByText('PIN removed')).toBeVisible();
});

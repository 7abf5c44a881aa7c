/** The pass on the phone of whoever picks a child up: opened by a link, without an account. */
import { collectorRoutes } from '@haris/contract/http/collectors';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const valid = {
  childFirstName: 'Omar',
  collector: 'Samia Hassan',
  day: '2026-11-23',
  facility: 'Little Stars',
  state: 'valid' as const,
};
const qr = () => screen.queryByRole('img', { name: 'QR code of the pass' });

test('shows whose pass it is, for which child and day, and the code; the token is in no address', async () => {
  const sent: unknown[] = [];
  server.use(
    handle(collectorRoutes.showPass, ({ body, headers }) => {
      sent.push([body, headers.get('authorization')]);
      return valid;
    }),
  );
  const fetched = vi.spyOn(globalThis, 'fetch');
  await renderScreen('/pass#T0ken', { size: 'phone' });
  expect(await screen.findByText('Show this at the desk')).toBeVisible();
  expect(qr()).toBeVisible();
  for (const text of ['Valid today', 'Omar', 'Samia Hassan', 'Little Stars'])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText(/23 November 2026/)).toBeVisible();
  expect(sent).toEqual([[{ token: 'T0ken' }, null]]);
  for (const [address] of fetched.mock.calls) expect(String(address)).not.toContain('T0ken');
  expect(document.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  await expectAccessible();
  fetched.mockRestore();
});

test('a parent’s own session is not sent along', async () => {
  const tokens: unknown[] = [];
  server.use(
    handle(collectorRoutes.showPass, ({ headers }) => {
      tokens.push(headers.get('authorization'));
      return valid;
    }),
  );
  await renderScreen('/pass#T0ken', { as: { parent: parent() } });
  await screen.findByText('Show this at the desk');
  expect(tokens).toEqual([null]);
});

test.each([
  ['early', 'Not valid yet', true],
  ['past', 'This pass has expired', false],
  ['used', 'Already used', false],
  ['revoked', 'No longer valid', false],
] as const)('a pass that is %s says so', async (state, words, hasCode) => {
  const names = hasCode ? {} : { childFirstName: '', collector: '' };
  server.use(handle(collectorRoutes.showPass, { ...valid, ...names, facility: null, state }));
  await renderScreen('/pass#T0ken');
  expect(await screen.findByText(words)).toBeVisible();
  expect(qr() !== null).toBe(hasCode);
  expect(screen.queryByText('Nursery')).toBeNull();
  expect(screen.queryByText('Child') !== null).toBe(hasCode);
});

test('an unknown token, and a link without one', async () => {
  server.use(handle(collectorRoutes.showPass, refuse('invalid_token')));
  const page = await renderScreen('/pass#wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent('This pass is not known.');
  await expectAccessible();
  await page.unmount();
  await renderScreen('/pass');
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has no pass.');
});

test('without a connection it can be tried again; meanwhile it loads', async () => {
  server.use(handle(collectorRoutes.showPass, offline));
  const { user } = await renderScreen('/pass#T0ken');
  const again = await screen.findByRole('button', { name: 'Try Again' });
  server.use(handle(collectorRoutes.showPass, valid));
  await user.click(again);
  expect(await screen.findByText('Valid today')).toBeVisible();
});

test('while it is read it says so', async () => {
  server.use(handle(collectorRoutes.showPass, pending));
  await renderScreen('/pass#T0ken');
  expect(await screen.findByRole('status', { name: 'Opening the pass' })).toBeVisible();
});

test('in Arabic', async () => {
  server.use(handle(collectorRoutes.showPass, valid));
  await renderScreen('/pass#T0ken', { language: 'ar', size: 'phone' });
  expect(await screen.findByText('اعرض هذا في الاستقبال')).toBeVisible();
  expect(screen.getByText(/٢٣ نوفمبر ٢٠٢٦/)).toBeVisible();
  await waitFor(() => expect(document.documentElement).toHaveAttribute('dir', 'rtl'));
  await expectAccessible();
});

/** The live picture on a child's card: shown, paused, off on devices that save data, and its placeholder. */
import { childRoutes } from '@haris/contract/http/children';
import { ticketRoutes } from '@haris/contract/http/tickets';
import type { Child } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveCanvas } from '../../testing/canvas.ts';
import { handle, server } from '../../testing/contract-server.ts';
import { createLiveSocket } from '../../testing/live-socket.ts';
import { child, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { seeEverything } from '../../testing/sight.ts';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
const lastSeen = { cameraId: 'camera-1', area: 'Playroom', at: new Date().toISOString() };
const tickets = handle(ticketRoutes.createTicket, {
  ticket: 'ticket',
  expiresAt: '2026-03-18T08:00:00.000Z',
});

/** The profile of a parent whose child is inside, in a facility with cameras. */
async function open(seen: typeof lastSeen | null = lastSeen, more: Partial<Child> = {}) {
  const socket = createLiveSocket();
  const shown = { ...omar, ...more };
  const listed = { children: [{ ...shown, lastSeen: seen }], total: 1, nextCursor: null };
  server.use(tickets, socket.handler, handle(childRoutes.listChildren, listed));
  const { user, router } = await renderScreen('/profile', { as: { parent: parent({ children: [shown] }) } });
  const card = (await screen.findByText('Omar Hassan')).closest('li') as HTMLElement;
  return { socket, user, router, card };
}

const picture = (card: HTMLElement) => within(card).findByRole('img', { name: 'Live picture: Omar Hassan' });

beforeEach(() => {
  giveCanvas();
  seeEverything();
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'connection');
});

test('the picture is live, can be paused for good, and shown again; it leads to the live feed of this child', async () => {
  const { socket, user, router, card } = await open();
  await socket.picture({ sharp: [omar._id] });
  expect(await picture(card)).toBeVisible();
  expect(within(card).getByText('Live')).toBeVisible();
  await user.click(within(card).getByRole('button', { name: 'Pause live pictures' }));
  expect(within(card).queryByRole('img', { name: 'Live picture: Omar Hassan' })).not.toBeInTheDocument();
  expect(localStorage.getItem('haris.home-pictures')).toBe('false');
  await user.click(within(card).getByRole('button', { name: 'Show live pictures' }));
  await socket.picture({ sharp: [omar._id] });
  expect(await picture(card)).toBeVisible();
  await user.click(within(card).getByRole('link', { name: 'Live picture of Omar Hassan' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/liveFeed'));
  expect(router.state.location.state).toEqual({ childId: omar._id });
});

test.each([
  ['not_seen_yet', 'Not seen by a camera yet'],
  ['camera_down', 'Camera offline'],
  ['no_camera', 'No camera'],
] as const)('without a picture the card says why: %s', async (reason, words) => {
  const { socket, card } = await open(null);
  await socket.note({ type: 'waiting', reason });
  expect(await within(card).findByText(words)).toBeVisible();
  expect(card).toHaveTextContent('Room unknown');
});

test('a child that staff never confirmed is not awaited by any camera', async () => {
  const { socket, card } = await open(null, { pending: ['photo'], unconfirmed: ['photo'] });
  await socket.note({ type: 'waiting', reason: 'not_seen_yet' });
  expect(await within(card).findByText('Photo not confirmed yet')).toBeVisible();
});

test('a device that saves data gets a picture only when it is wanted', async () => {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  const { user, socket, card } = await open();
  const play = await within(card).findByRole('button', { name: 'Show live pictures' });
  await user.click(play);
  await socket.picture({ sharp: [omar._id] });
  expect(await picture(card)).toBeVisible();
});

test('a facility without cameras has no room for a picture', async () => {
  server.use(handle(childRoutes.listChildren, { children: [omar], total: 1, nextCursor: null }));
  await renderScreen('/profile', { as: { parent: parent({ children: [omar] }) } });
  expect(await screen.findByRole('timer', { name: 'Time left Omar Hassan' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Live picture of/ })).not.toBeInTheDocument();
});

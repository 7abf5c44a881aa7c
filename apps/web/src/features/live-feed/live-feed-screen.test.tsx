/** Live Feed: the choice of a child, and the messages about the picture and its absence. */
import { childRoutes } from '@haris/contract/http/children';
import { ticketRoutes } from '@haris/contract/http/tickets';
import { videoRoutes } from '@haris/contract/http/video';
import type { Child } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { giveCanvas } from '../../testing/canvas.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { createLiveSocket } from '../../testing/live-socket.ts';
import { child, LONG_NAME, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
const zeina = child({ _id: 'child-zeina', name: 'Zeina Hassan' });
const mona = (...children: Child[]) => ({ parent: parent({ children }) });

/** Returns a ticket for every request. */
const tickets = handle(ticketRoutes.createTicket, {
  ticket: 'ticket',
  expiresAt: '2026-03-18T08:00:00.000Z',
});

const picture = () => screen.findByRole('img', { name: 'Live picture: Omar Hassan' });
/** Finds an announcement about the picture. The same text lies over the picture, hidden from screen readers. */
const said = (words: string | RegExp) => screen.findByText(words, { selector: '[role="status"]' });

beforeEach(giveCanvas);

test('a parent without children is led to add one', async () => {
  const { user, router } = await renderScreen('/liveFeed', { as: mona() });
  expect(await screen.findByText('No children added yet.')).toBeVisible();
  await expectAccessible();
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Add Child' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/addChild'));
});

test('a child of another family can be watched, too; until the list is there, nothing is said of no children', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler, handle(childRoutes.listChildren, pending));
  const first = await renderScreen('/liveFeed', { as: mona() });
  expect(await screen.findByRole('status', { name: 'Loading…' })).toBeVisible();
  expect(screen.queryByText('No children added yet.')).not.toBeInTheDocument();
  await first.unmount();
  server.use(handle(childRoutes.listChildren, { children: [omar], total: 1, nextCursor: null }));
  await renderScreen('/liveFeed', { as: mona() });
  expect(await screen.findByRole('checkbox', { name: 'Omar Hassan' })).toBeChecked();
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
});

test('who is inside comes first and is chosen; one at a time, always one', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  const { user } = await renderScreen('/liveFeed', { as: mona(zeina, omar) });
  const boxes = await screen.findAllByRole('checkbox');
  expect(boxes.map((box) => box.getAttribute('aria-label'))).toEqual(['Omar Hassan', 'Zeina Hassan']);
  expect(boxes[0]).toBeChecked();
  await user.click(screen.getByRole('checkbox', { name: 'Zeina Hassan' }));
  expect(screen.getByRole('checkbox', { name: 'Omar Hassan' })).not.toBeChecked();
  expect(await said(/^Zeina Hassan is not checked in\./)).toBeInTheDocument();
  await expectAccessible();
  await user.click(screen.getByRole('checkbox', { name: 'Zeina Hassan' }));
  expect(screen.getByRole('checkbox', { name: 'Zeina Hassan' })).toBeChecked();
  expect(screen.getByRole('heading', { name: 'Zeina Hassan' })).toBeVisible();
  // There is nothing to stop for a child outside.
  expect(screen.queryByRole('button', { name: 'Stop the picture' })).not.toBeInTheDocument();
});

test('the picture is stopped by its own button, and starts again with it or with another choice', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  const { user } = await renderScreen('/liveFeed', { as: mona(zeina, omar) });
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Stop the picture' }));
  expect(await said('The picture is stopped.')).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: 'Live picture: Omar Hassan' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Start the picture' }));
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
});

test('pictures are live, then frozen, and live again', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  await renderScreen('/liveFeed', { as: mona(omar) });
  expect(await said('Opening the live picture…')).toBeInTheDocument();
  await socket.note({ type: 'camera', cameraId: 'camera-1', area: 'Play room', name: 'Door' });
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
  expect(screen.getByText(/^Live · \d+\.\d s$/)).toBeVisible();
  expect(await said('Live: Play room')).toBeInTheDocument();
  await expectAccessible();
  expect(await said(/^Frozen since \d/)).toBeInTheDocument();
  await socket.picture({ sharp: [omar._id] });
  expect(await screen.findByText(/^Live · \d+\.\d s$/)).toBeVisible();
});

test('a picture in which the child is not found says so', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  await renderScreen('/liveFeed', { as: mona(omar) });
  await socket.picture();
  // Pictures continue, but the child is in none of them.
  const timer = setInterval(() => void socket.picture().catch(() => {}), 300);
  try {
    expect(await said('Omar Hassan is not recognised right now.')).toBeInTheDocument();
  } finally {
    clearInterval(timer);
  }
});

test.each([
  ['not_seen_yet', 'No camera has recognised Omar Hassan yet.'],
  ['camera_down', 'The camera is offline.'],
  ['no_camera', 'No camera is on right now.'],
] as const)('while there is no picture the page says why: %s', async (reason, words) => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  await renderScreen('/liveFeed', { as: mona(omar) });
  await socket.note({ type: 'waiting', reason });
  expect(await said(new RegExp(`^${words}`))).toBeInTheDocument();
});

test.each([
  ['en', 'Staff have not confirmed the photo yet. Ask at the desk.'],
  ['ar', 'لم يؤكّد الموظفون الصورة بعد. اسأل عند الاستقبال.'],
] as const)(
  'a child that staff never confirmed is not promised a sharp picture (%s)',
  async (language, words) => {
    const socket = createLiveSocket();
    server.use(tickets, socket.handler);
    const unknown = child({ ...omar, pending: ['photo', 'name'], unconfirmed: ['photo', 'name'] });
    await renderScreen('/liveFeed', { as: mona(unknown), language });
    await socket.note({ type: 'waiting', reason: 'not_seen_yet' });
    expect(await said(words)).toBeInTheDocument();
    await socket.note({ type: 'waiting', reason: 'camera_down' });
    await waitFor(() => expect(screen.queryByText(words)).not.toBeInTheDocument());
  },
);

test('a new photo of a child that cameras know changes nothing in the words', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  await renderScreen('/liveFeed', { as: mona(child({ ...omar, pending: ['photo'] })) });
  await socket.note({ type: 'waiting', reason: 'not_seen_yet' });
  expect(await said(/^No camera has recognised Omar Hassan yet\./)).toBeInTheDocument();
  await expectAccessible();
});

test.each([
  ['checked_out', 'Omar Hassan was checked out. The live picture has ended.'],
  ['signed_out', 'You are signed out. Sign in again to see the picture.'],
  ['no_right', 'The live picture was closed.'],
] as const)('a picture that has ended is gone, and the page says why: %s', async (reason, words) => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  await renderScreen('/liveFeed', { as: mona(omar) });
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
  await socket.note({ type: 'end', reason });
  expect(await said(words)).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: 'Live picture: Omar Hassan' })).not.toBeInTheDocument();
});

test('at a checkout the picture is gone, at the next check-in it is opened again', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  const { events, be } = await renderScreen('/liveFeed', { as: mona(omar) });
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
  be(mona(child({ ...zeina, _id: omar._id, name: omar.name })));
  await events.send({ type: 'child.checked_out', childId: omar._id });
  expect(await said(/^Omar Hassan is not checked in\./)).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: 'Live picture: Omar Hassan' })).not.toBeInTheDocument();
  be(mona(omar));
  await events.send({ type: 'child.checked_in', childId: omar._id, child: omar });
  await socket.picture({ sharp: [omar._id] });
  expect(await picture()).toBeVisible();
});

test('a child that the server does not show to this account', async () => {
  server.use(
    handle(ticketRoutes.createTicket, refuse('not_found')),
    handle(videoRoutes.getVideoFeed, refuse('not_found')),
  );
  await renderScreen('/liveFeed', { as: mona(omar) });
  expect(await said('The live picture was closed.')).toBeInTheDocument();
});

test('without a connection the page says that it tries again', async () => {
  server.use(handle(ticketRoutes.createTicket, offline));
  await renderScreen('/liveFeed', { as: mona(omar) });
  expect(await said('Connection lost. Reconnecting…')).toBeInTheDocument();
});

test('without a socket the picture comes as MJPEG, with a ticket of its own', async () => {
  const socket = createLiveSocket({ isRefused: true });
  let given = 0;
  server.use(
    socket.handler,
    handle(ticketRoutes.createTicket, () => ({
      ticket: `ticket-${++given}`,
      expiresAt: '2026-03-18T08:00:00.000Z',
    })),
    handle(videoRoutes.getVideoFeed, 'picture'),
  );
  await renderScreen('/liveFeed', { as: mona(omar) });
  const image = await screen.findByAltText('Live picture: Omar Hassan');
  expect(image).toHaveAttribute('src', '/video_feed?target_id=child-omar&ticket=ticket-2');
});

test('in Arabic: right to left, a long name, Arabic numerals in the age', async () => {
  const socket = createLiveSocket();
  server.use(tickets, socket.handler);
  await renderScreen('/liveFeed', {
    as: mona(child({ ...omar, name: LONG_NAME })),
    language: 'ar',
    size: 'phone',
  });
  await socket.picture({ sharp: [omar._id] });
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(await screen.findByRole('checkbox', { name: LONG_NAME })).toBeChecked();
  expect(await screen.findByText(/[٠-٩]٫[٠-٩]/)).toBeVisible();
});

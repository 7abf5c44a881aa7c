/** The list of cameras: its states, a small picture of each that is live, and a sign in the place of the others. */
import { type Camera, cameraRoutes } from '@haris/contract/http/cameras';
import { ticketRoutes } from '@haris/contract/http/tickets';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { camera } from '../../testing/cameras.ts';
import { giveCanvas } from '../../testing/canvas.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { createLiveSocket } from '../../testing/live-socket.ts';
import { admin, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { seeEverything } from '../../testing/sight.ts';

beforeEach(() => {
  giveCanvas();
  seeEverything();
});
afterEach(() => vi.unstubAllGlobals());

test('a live camera shows its picture; one that is off opens no stream', async () => {
  const asked: unknown[] = [];
  const socket = createLiveSocket();
  const cameras = [camera({}), camera({ _id: 'camera-2', name: 'Garden', state: 'off', enabled: false })];
  server.use(
    socket.handler,
    handle(cameraRoutes.listCameras, { cameras, total: 2, nextCursor: null }),
    handle(ticketRoutes.createTicket, ({ body }) => {
      asked.push(body);
      return { ticket: 'ticket', expiresAt: '2026-03-18T08:00:00.000Z' };
    }),
  );
  await renderScreen('/cameras', { as: { admin: admin() } });
  await screen.findByRole('heading', { name: 'Garden' });
  const list = screen.getByRole('list', { name: 'Cameras' });
  const sent = socket.picture();
  expect(await within(list).findByRole('img', { name: 'Live picture: Door' })).toBeVisible();
  expect(within(list).queryByRole('img', { name: 'Live picture: Garden' })).not.toBeInTheDocument();
  expect(asked).toEqual([{ for: 'video', cameraId: 'camera-1' }]);
  // The picture is acknowledged after the pause; the test does not wait for it.
  sent.catch(() => {});
  await expectAccessible();
});

const open = (options = {}) => renderScreen('/cameras', { as: { admin: admin() }, ...options });
const off = (more: Partial<Camera>): Camera => camera({ enabled: false, state: 'off', ...more });
const serveCameras = (...cameras: Camera[]) =>
  server.use(handle(cameraRoutes.listCameras, () => ({ cameras, total: cameras.length, nextCursor: null })));
const list = () => screen.findByRole('list', { name: 'Cameras' });

test('the list is loading, and then there are no cameras', async () => {
  server.use(handle(cameraRoutes.listCameras, pending));
  const { unmount } = await open();
  expect(await screen.findByRole('status', { name: 'Loading…' })).toBeInTheDocument();
  await unmount();
  server.resetHandlers();
  await open();
  expect(await screen.findByText('No cameras yet.')).toBeInTheDocument();
  await expectAccessible();
});

test.each([
  ['the server fails', refuse('internal_error')],
  ['there is no connection', offline],
] as const)('when %s the list says so, and can be loaded again', async (_why, answer) => {
  server.use(handle(cameraRoutes.listCameras, answer));
  const { user } = await open();
  const again = await screen.findByRole('button', { name: 'Try Again' });
  expect(screen.getByRole('alert')).toHaveTextContent(/\S/);
  serveCameras(off({ name: 'Garden' }));
  await user.click(again);
  expect(within(await list()).getByRole('heading', { name: 'Garden' })).toBeInTheDocument();
});

test('each camera says why it has no picture, and a hundred stand in the list', async () => {
  const many = Array.from({ length: 97 }, (_, n) => off({ _id: `camera-${n}`, name: `${LONG_NAME}${n}` }));
  serveCameras(
    camera({ _id: 'refused', name: 'Door', state: 'connecting', problem: 'refused', fps: null }),
    camera({ _id: 'tablet', name: 'Shelf', kind: 'browser', state: 'connecting', problem: 'not_paired' }),
    camera({ _id: 'stalled', name: 'Hall', state: 'stalled', problem: null }),
    ...many,
  );
  await open({ size: 'phone' });
  const items = within(await list()).getAllByRole('listitem');
  expect(items).toHaveLength(100);
  expect(items[0]).toHaveTextContent('The camera refused the connection.');
  expect(items[1]).toHaveTextContent('No device is paired with this camera yet.');
  expect(items[2]).toHaveTextContent('No picture for some time. Trying again…');
  expect(items[99]).toHaveTextContent(`${LONG_NAME}96`);
  expect(items[99]).toHaveTextContent('This camera is switched off.');
});

test('a camera is switched on in the list; a refusal takes the switch back', async () => {
  const garden = off({ _id: 'camera-2', name: 'Garden' });
  let known = garden;
  let refused = true;
  server.use(
    handle(cameraRoutes.listCameras, () => ({ cameras: [known], total: 1, nextCursor: null })),
    handle(cameraRoutes.updateCamera, ({ body }) => {
      if (refused) return refuse('internal_error');
      known = { ...known, enabled: body.enabled ?? known.enabled, state: 'connecting' };
      return { message: 'Camera changed', camera: known };
    }),
  );
  const { user } = await open();
  const toggle = await screen.findByRole('switch', { name: 'Enabled: Garden' });
  await user.click(toggle);
  await waitFor(() => expect(toggle).not.toBeChecked());
  refused = false;
  await user.click(toggle);
  await waitFor(() => expect(toggle).toBeChecked());
  expect(known.enabled).toBe(true);
});

test('a privacy zone is there only once it was added, because it hides whoever is behind it', async () => {
  const socket = createLiveSocket();
  const sent: unknown[] = [];
  let known = camera({});
  server.use(
    socket.handler,
    handle(ticketRoutes.createTicket, { ticket: 'ticket', expiresAt: '2026-03-18T08:00:00.000Z' }),
    handle(cameraRoutes.getCamera, () => ({ camera: known })),
    handle(cameraRoutes.updateCamera, ({ body }) => {
      known = { ...known, zones: body.zones ?? [] };
      sent.push(known.zones.length);
      return { message: 'Camera changed', camera: known };
    }),
  );
  const { user } = await renderScreen('/cameras/camera-1', { as: { admin: admin() } });
  await user.click(await screen.findByRole('button', { name: 'Edit Zones' }));
  expect(screen.queryByRole('button', { name: 'Zone 1' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Save Zones' }));
  await waitFor(() => expect(sent).toEqual([0]));
  await user.click(await screen.findByRole('button', { name: 'Edit Zones' }));
  await user.click(screen.getByRole('button', { name: 'Add Zone' }));
  expect(screen.getByRole('button', { name: 'Zone 1' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: 'Save Zones' }));
  await waitFor(() => expect(sent).toEqual([0, 1]));
});

test('in Arabic: right to left, in its own words', async () => {
  await open({ language: 'ar' });
  expect(await screen.findByText('لا توجد كاميرات بعد.')).toBeInTheDocument();
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
});

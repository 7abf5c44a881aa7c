/** The rooms of the dashboard: camera, children and air of each, folded and open, empty, failed and in danger. */
import { type Camera, cameraRoutes } from '@haris/contract/http/cameras';
import { incidentRoutes } from '@haris/contract/http/incidents';
import type { ReadingMessage } from '@haris/contract/live/readings';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { camera as liveCamera, stalled } from '../../../testing/cameras.ts';
import { handle, offline, server } from '../../../testing/contract-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { incident } from '../../incidents/testing/incidents.ts';
import { family, serveDesk } from '../testing/desk.ts';

const camera = (more: Partial<Camera>) => liveCamera({ ...stalled, ...more });

function reading(area: string, more: Partial<ReadingMessage> = {}): ReadingMessage {
  const until = new Date(Date.now() + 60_000).toISOString();
  return {
    sensorId: `sensor-${area}`,
    area,
    temperature: 22.5,
    humidity: 45,
    mq2: 120,
    at: new Date().toISOString(),
    truth: { temperature: 'live', humidity: 'live', mq2: 'live' },
    freshUntil: { temperature: until, humidity: until, mq2: until },
    ...more,
  };
}

const open = (options = {}) => renderScreen('/adminDashboard', { as: { admin: admin() }, ...options });
const rooms = () => screen.findByRole('region', { name: 'Rooms' });
const cards = async () => within(await rooms()).findAllByRole('link');

function serveRooms(...cameras: Camera[]): void {
  const at = new Date().toISOString();
  const seen = (_id: string, area: string | null) =>
    child({
      _id,
      name: `Child ${_id}`,
      isInside: true,
      lastSeen: area === null ? null : { cameraId: 'camera-1', area, at },
    });
  serveDesk(family({}, seen('a', 'Hall'), seen('b', 'Hall'), seen('c', null)));
  server.use(handle(cameraRoutes.listCameras, { cameras, total: cameras.length, nextCursor: null }));
}

test('each room says who was seen there and how its air is, and leads to its camera', async () => {
  serveRooms(camera({}), camera({ _id: 'camera-2', name: 'Swing', area: 'Garden' }));
  const { readings, user, router } = await open();
  await waitFor(async () => expect(await cards()).toHaveLength(2));
  await readings.send(reading('Hall'));
  await waitFor(async () => expect((await cards())[1]).toHaveTextContent('Hall22 childrenGood air22.5°C'));
  expect((await cards())[0]).toHaveTextContent('Garden00 children');
  expect((await cards())[0]).not.toHaveTextContent('air');
  expect(await rooms()).toHaveTextContent('1 not seen by a camera yet');
  const stale = { temperature: 'stale', humidity: 'stale', mq2: 'stale' } as const;
  await readings.send(reading('Hall', { truth: stale }));
  await waitFor(async () => expect((await cards())[1]).toHaveTextContent('Air unknown'));
  expect((await cards())[1]).not.toHaveTextContent('22.5');
  await user.click((await cards())[1] as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe('/cameras/camera-1'));
});

test('they fold to names and numbers, which the device remembers; a phone begins folded', async () => {
  serveRooms(camera({}));
  const { user, unmount } = await open({ size: 'phone' });
  const show = await screen.findByRole('button', { name: 'Show rooms' });
  await waitFor(async () => expect((await cards())[0]).toHaveTextContent('Hall22 children'));
  await user.click(show);
  expect(show).toHaveAttribute('aria-expanded', 'true');
  expect(localStorage.getItem('haris.rooms-folded')).toBe('false');
  await unmount();
  serveRooms(camera({}));
  await open({ size: 'phone' });
  expect(await screen.findByRole('button', { name: 'Hide rooms' })).toBeInTheDocument();
});

test('without cameras and sensors the next step is offered; a failure is said', async () => {
  const { unmount } = await open();
  expect(await within(await rooms()).findByText('No cameras or sensors yet.')).toBeInTheDocument();
  expect(within(await rooms()).getByRole('link', { name: 'Add a camera' })).toHaveAttribute(
    'href',
    '/cameras',
  );
  await unmount();
  server.use(handle(cameraRoutes.listCameras, offline));
  await open();
  expect(await within(await rooms()).findByText('The rooms could not be loaded.')).toBeInTheDocument();
});

test('a room in danger says so in words, folded too', async () => {
  serveRooms(camera({}), camera({ _id: 'camera-2', name: 'Swing', area: 'Garden' }));
  const fire = incident({ area: 'Hall', acknowledgedAt: new Date().toISOString() });
  server.use(handle(incidentRoutes.listIncidents, { incidents: [fire], total: 1, nextCursor: null }));
  const { user } = await open();
  await waitFor(async () => expect((await cards())[1]).toHaveTextContent('Temperature alert'));
  expect((await cards())[0]).not.toHaveTextContent('Temperature alert');
  await user.click(screen.getByRole('button', { name: 'Hide rooms' }));
  expect((await cards())[1]).toHaveTextContent(/^HallTemperature alert2/);
});

test('in Arabic, with Arabic numerals', async () => {
  serveRooms(camera({}));
  await open({ language: 'ar' });
  const section = await screen.findByRole('region', { name: 'الغرف' });
  await waitFor(() => expect(section).toHaveTextContent('٢طفلان'));
  expect(section).toHaveTextContent('طفل واحد لم يظهر أمام أي كاميرا بعد');
});

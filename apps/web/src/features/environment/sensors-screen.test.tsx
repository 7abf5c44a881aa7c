/** The list of sensors: its states, values with their age, refused readings, removal, a hundred rows, Arabic. */
import { type Sensor, sensorRoutes, sensorSchema } from '@haris/contract/http/sensors';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, LONG_NAME } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const nothing = { value: null, truth: 'none', at: null, freshUntil: null } as const;

/** A sensor that has sent nothing yet. */
function sensor(more: Partial<Sensor> = {}): Sensor {
  return sensorSchema.parse({
    _id: 'sensor-1',
    name: 'By the window',
    area: 'Playroom',
    kind: 'haris',
    demo: false,
    username: 'sensor-1',
    topic: 'haris/sensor-1',
    state: 'none',
    temperature: nothing,
    humidity: nothing,
    mq2: nothing,
    period: null,
    periodInForce: 60,
    refused: { count: 0, lastAt: null, lastReason: null },
    createdAt: '2026-03-18T08:00:00.000Z',
    ...more,
  });
}

function serveSensors(sensors: readonly Sensor[], brokerState: 'ok' | 'down' | 'off' = 'ok') {
  const known = { sensors: [...sensors] };
  server.use(
    handle(sensorRoutes.listSensors, () => ({
      sensors: known.sensors,
      total: known.sensors.length,
      nextCursor: null,
      broker: null,
      brokerState,
    })),
    handle(sensorRoutes.deleteSensor, ({ params: { id } }) => {
      known.sensors = known.sensors.filter(({ _id }) => _id !== id);
      return { message: 'Sensor deleted' };
    }),
  );
}

const open = (options = {}) => renderScreen('/sensors', { as: { admin: admin() }, ...options });
const items = async () =>
  within(await screen.findByRole('list', { name: 'Sensors' }))
    .getAllByRole('listitem')
    .filter((item) => item.parentElement?.getAttribute('aria-label') === 'Sensors');

test('the list is loading, and then there are no sensors', async () => {
  server.use(handle(sensorRoutes.listSensors, pending));
  const { unmount } = await open();
  expect(await screen.findByRole('status', { name: 'Loading…' })).toBeInTheDocument();
  await unmount();
  server.resetHandlers();
  serveSensors([]);
  await open();
  expect(await screen.findByText('No sensors yet.')).toBeInTheDocument();
  await expectAccessible();
});

test.each([
  ['the server fails', refuse('internal_error')],
  ['there is no connection', offline],
] as const)('when %s the list says so, and can be loaded again', async (_why, answer) => {
  server.use(handle(sensorRoutes.listSensors, answer));
  const { user } = await open();
  const again = await screen.findByRole('button', { name: 'Try Again' });
  serveSensors([sensor()]);
  await user.click(again);
  expect(await items()).toHaveLength(1);
});

test('a silent sensor shows no number, an old value is marked as old, refused readings are counted', async () => {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const old = { value: 21.5, truth: 'stale', at, freshUntil: at } as const;
  serveSensors(
    [
      sensor({ name: 'Silent' }),
      sensor({ _id: 'sensor-2', name: 'Old', state: 'stale', temperature: old }),
      sensor({ _id: 'sensor-3', name: 'Odd', refused: { count: 2, lastAt: at, lastReason: 'out_of_range' } }),
    ],
    'down',
  );
  await open();
  const [silent, stale, odd] = await items();
  expect(silent).toHaveTextContent('No data yet.');
  expect(silent).not.toHaveTextContent(/\d°C/);
  expect(stale).toHaveTextContent('Out of date');
  expect(odd).toHaveTextContent('2 values refused · out of range');
  expect(screen.getByText('The MQTT broker is not responding')).toBeInTheDocument();
  await expectAccessible();
});

test('that MQTT is off is said to whoever manages sensors only', async () => {
  serveSensors([sensor()], 'off');
  const { unmount } = await open();
  expect(await screen.findByText('MQTT is switched off')).toBeInTheDocument();
  await unmount();
  await open({ as: { admin: admin({ permissions: ['sensors.view'] }) } });
  expect(await items()).toHaveLength(1);
  expect(screen.queryByText('MQTT is switched off')).not.toBeInTheDocument();
});

test('a hundred sensors with long names stand in the list, also on a phone', async () => {
  serveSensors(Array.from({ length: 100 }, (_, n) => sensor({ _id: `s-${n}`, name: `${LONG_NAME}${n}` })));
  await open({ size: 'phone' });
  await waitFor(async () => expect(await items()).toHaveLength(100));
  expect(screen.getByRole('heading', { name: `${LONG_NAME}99` })).toBeInTheDocument();
});

test('a sensor is removed after a question; a reading for it that is still under way brings nothing back', async () => {
  serveSensors([sensor()]);
  const { user, readings } = await open();
  await user.click(await screen.findByRole('button', { name: 'Actions for By the window' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove sensor' }));
  expect(dialog.getByText(/^Remove By the window with its credentials/)).toBeInTheDocument();
  await expectAccessible();
  await user.click(dialog.getByRole('button', { name: 'Remove sensor' }));
  expect(await screen.findByText('No sensors yet.')).toBeInTheDocument();
  await readings.send({ sensorId: 'sensor-1', gone: true });
  expect(screen.queryByText('By the window')).not.toBeInTheDocument();
});

test('in Arabic: right to left, in its own words', async () => {
  serveSensors([sensor()]);
  await open({ language: 'ar' });
  expect(await screen.findByRole('heading', { level: 1, name: 'المستشعرات' })).toBeInTheDocument();
  expect(await screen.findByText('By the window')).toBeInTheDocument();
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
});

/** Incidents on every screen: dialogs of staff and parents, and the page's own findings. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import type { ReadingMessage } from '@haris/contract/live/readings';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { child, LONG_NAME, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { incident, serveIncidents, staff } from './testing/incidents.ts';

/** Longer than the interval of either of the page's own checks. */
const A_CHECK_MS = 13_000;

function reading(more: Partial<ReadingMessage> = {}): ReadingMessage {
  const freshUntil = new Date(Date.now() + 600_000).toISOString();
  return {
    sensorId: 'sensor-1',
    area: 'Playroom',
    temperature: 21,
    humidity: 40,
    mq2: 100,
    at: new Date().toISOString(),
    truth: { temperature: 'live', humidity: 'live', mq2: 'live' },
    freshUntil: { temperature: freshUntil, humidity: freshUntil, mq2: freshUntil },
    ...more,
  };
}

const dialog = (name: string) => screen.findByRole('alertdialog', { name });
const noDialog = () => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();

describe('staff', () => {
  test('each is acknowledged by itself', async () => {
    const { acknowledged } = serveIncidents(
      incident(),
      incident({ _id: 'incident-2', kind: 'air', value: 1500, limit: 1000 }),
    );
    const { user } = await renderScreen('/importFamilies', { as: staff });
    const air = await dialog('Air quality alert');
    expect(air).toHaveTextContent('The gas sensor in Playroom reads 1,500.');
    await user.click(within(air).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(() => expect(air).not.toBeInTheDocument());
    expect(await dialog('Temperature alert')).toBeInTheDocument();
    expect(acknowledged).toEqual(['incident-2']);
  });

  test('what another desk has taken on closes here, and its name is said', async () => {
    const { open } = serveIncidents(incident());
    const { events } = await renderScreen('/importFamilies', { as: staff });
    await dialog('Temperature alert');
    open[0] = incident({
      acknowledgedAt: new Date().toISOString(),
      acknowledgedBy: { _id: 'admin-other', name: 'Karim Adel' },
    });
    await events.send({ type: 'alert.acknowledged', incidentId: 'incident-1' });
    await waitFor(noDialog);
    await screen.findByText('Temperature alert: acknowledged by Karim Adel');
  });

  test('without a connection it closes at once, and the server hears of it later', async () => {
    const { acknowledged } = serveIncidents(incident());
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    const alert = await dialog('Temperature alert');
    let isDown = true;
    server.use(
      handle(incidentRoutes.acknowledgeIncident, ({ params: { id } }) => {
        if (isDown) return offline;
        acknowledged.push(id);
        return { incident: incident({ acknowledgedAt: new Date().toISOString() }) };
      }),
    );
    await user.click(within(alert).getByRole('button', { name: 'Acknowledge' }));
    await waitFor(noDialog);
    expect(acknowledged).toEqual([]);
    isDown = false;
    await events.send({ type: 'alert.updated', incidentId: 'incident-1' });
    await waitFor(() => expect(acknowledged).toEqual(['incident-1']));
    noDialog();
  });

  test('a refusal is said in words, and the dialog is back', async () => {
    serveIncidents(incident());
    server.use(handle(incidentRoutes.acknowledgeIncident, refuse('storage_full')));
    const { user } = await renderScreen('/importFamilies', { as: staff });
    await user.click(within(await dialog('Temperature alert')).getByRole('button', { name: 'Acknowledge' }));
    await screen.findByText(/^Storage is full/);
    expect(await dialog('Temperature alert')).toBeInTheDocument();
  });

  test('what is no danger is a quiet line and no dialog', async () => {
    const { open, asked } = serveIncidents();
    const { events } = await renderScreen('/importFamilies', { as: staff });
    await waitFor(() => expect(asked()).toBe(1));
    await events.send({ type: 'alert.cleared', incidentId: 'incident-0' });
    await waitFor(() => expect(asked()).toBe(2));
    open.push(
      incident({
        kind: 'camera_down',
        severity: 'care',
        subject: { kind: 'camera', _id: 'camera-1', name: 'Door' },
      }),
    );
    await events.send({ type: 'alert.raised', incidentId: 'incident-1' });
    expect(await screen.findByText('1 alert')).toBeInTheDocument();
    expect(screen.getByText(/Camera offline/)).toBeInTheDocument();
    noDialog();
  });

  test('in Arabic: right to left, Arabic numerals, a long name of a place', async () => {
    serveIncidents(incident({ area: LONG_NAME }));
    await renderScreen('/importFamilies', { as: staff, language: 'ar', size: 'phone' });
    const alert = await screen.findByRole('alertdialog');
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
    expect(alert).toHaveTextContent(LONG_NAME);
    expect(alert).toHaveTextContent('٤١٫٥');
  });
});

describe('what the page finds itself', () => {
  test('with readings alone it raises both alarms; the end of one opens nothing', async () => {
    const clock = stopClock();
    server.use(handle(incidentRoutes.listIncidents, offline));
    const { user, readings } = await renderScreen('/importFamilies', { as: staff });
    await readings.send(reading({ temperature: 39.9, mq2: 999 }));
    await clock.pass(A_CHECK_MS);
    noDialog();
    await readings.send(reading({ temperature: 40, mq2: 1000 }));
    await clock.pass(A_CHECK_MS);
    expect(await dialog('Temperature alert')).toHaveTextContent('It is 40°C in Playroom.');
    const air = await dialog('Air quality alert');
    expect(air).toHaveTextContent('The gas sensor in Playroom reads 1,000.');
    await user.click(within(air).getByRole('button', { name: 'Acknowledge' }));
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
    await waitFor(noDialog);
    // After the acknowledgement neither the same condition nor its end opens a dialog.
    await clock.pass(A_CHECK_MS);
    await readings.send(reading());
    await clock.pass(A_CHECK_MS);
    noDialog();
  });

  test('the server’s incident and the page’s own finding are one dialog', async () => {
    const clock = stopClock();
    const { open, asked } = serveIncidents();
    const { user, events, readings } = await renderScreen('/importFamilies', { as: staff });
    await readings.send(reading({ temperature: 41.5 }));
    await clock.pass(A_CHECK_MS);
    await dialog('Temperature alert');
    open.push(incident());
    await events.send({ type: 'alert.raised', incidentId: 'incident-1' });
    await waitFor(() => expect(asked()).toBe(2));
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
    await clock.pass(A_CHECK_MS);
    noDialog();
  });

  test('one that is over before anybody took it on still asks for that, with what is shown now', async () => {
    const clock = stopClock();
    server.use(handle(incidentRoutes.listIncidents, offline));
    const { readings } = await renderScreen('/importFamilies', { as: staff });
    await readings.send(reading({ temperature: 43 }));
    await clock.pass(A_CHECK_MS);
    await dialog('Temperature alert');
    await readings.send(reading({ temperature: 20 }));
    await clock.pass(A_CHECK_MS);
    expect(await dialog('Temperature alert')).toHaveTextContent(
      /It was 40°C or more in Playroom\..*It now reads 20°C\./,
    );
  });
});

describe('a parent', () => {
  const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });
  const mona = (isInside: boolean) => ({
    parent: parent({ children: [isInside ? child({ ...omar, isInside, status: 'Inside' }) : omar] }),
  });

  test('hears of the air while the own child is in it, and not before', async () => {
    const clock = stopClock();
    const { events, readings, be } = await renderScreen('/addChild', { as: mona(false) });
    await screen.findByRole('heading', { level: 1 });
    await clock.pass(A_CHECK_MS);
    noDialog();
    be(mona(true));
    await events.send({ type: 'child.updated', childId: omar._id });
    await readings.send(reading({ temperature: 41.5 }));
    await waitFor(async () => {
      await clock.pass(A_CHECK_MS);
      expect(screen.getByRole('alertdialog', { name: 'Temperature alert' })).toHaveTextContent(
        'It is 41.5°C in Playroom.',
      );
    });
  });

  test('sees no dialog for a child that no camera has seen', async () => {
    const { asked } = serveIncidents(incident({ kind: 'not_seen', subject: null, value: null, limit: null }));
    await renderScreen('/addChild', { as: mona(true) });
    await screen.findByRole('heading', { level: 1 });
    await waitFor(() => expect(asked()).toBeGreaterThan(0));
    noDialog();
  });

  test('sees a calm line of an evacuation, and nothing of the roll call', async () => {
    serveIncidents(incident({ kind: 'evacuation', area: null, value: null, limit: null }));
    await renderScreen('/addChild', { as: mona(false) });
    expect(await screen.findByText('The building is being evacuated.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await expectAccessible();
  });
});

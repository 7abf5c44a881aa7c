/** The settings of alerts: rooms for "not seen", digits of the language, and changes that others save meanwhile. */
import { type Camera, cameraRoutes } from '@haris/contract/http/cameras';
import { operationRoutes } from '@haris/contract/http/operations';
import type { Settings } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { camera as liveCamera } from '../../testing/cameras.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/settings.ts';
import { staff } from './testing/incidents.ts';

const camera = (more: Partial<Camera>) =>
  liveCamera({ name: 'Camera', area: 'Playroom', kind: 'browser', url: null, lastFrameAt: null, ...more });

/** Serves settings that others can change, and records what is saved. */
function serveSettings(first: Partial<Settings> = {}) {
  const known = { settings: settings(first), revision: '1' };
  const saved: object[] = [];
  server.use(
    handle(operationRoutes.getSettings, () => known),
    handle(operationRoutes.updateSettings, ({ body: { revision, ...body } }) => {
      if (revision !== known.revision) return refuse('settings_changed');
      saved.push(body);
      known.settings = settings({ ...known.settings, ...(body as Partial<Settings>) });
      known.revision = `${Number(known.revision) + 1}`;
      return known;
    }),
    handle(cameraRoutes.listCameras, {
      cameras: [camera({ area: 'Playroom' }), camera({ _id: 'camera-2', area: 'Hall' })],
      total: 2,
      nextCursor: null,
    }),
  );
  return {
    saved,
    /** Somebody else saves. */
    change(next: Partial<Settings>) {
      known.settings = settings({ ...known.settings, ...next });
      known.revision = `${Number(known.revision) + 1}`;
    },
  };
}

const card = (name: string) => screen.findByRole('region', { name });
const save = () => screen.getByRole('button', { name: 'Save' });

test('children not seen are off until a room is switched on, with its own minutes', async () => {
  const { saved } = serveSettings();
  const { user } = await renderScreen('/alarmSettings', { as: staff });
  const notSeen = await card('Children not seen');
  const playroom = await within(notSeen).findByRole('switch', { name: 'Playroom' });
  expect(playroom).not.toBeChecked();
  await user.click(playroom);
  const minutes = within(notSeen).getByLabelText('Minutes in Playroom');
  expect(minutes).toHaveValue('15');
  await user.clear(minutes);
  await user.type(minutes, '500');
  await user.click(save());
  expect(await within(notSeen).findByText('Enter a number within the range.')).toBeInTheDocument();
  await waitFor(() => expect(minutes).toHaveFocus());
  await user.clear(minutes);
  await user.type(minutes, '30');
  await user.click(save());
  await screen.findByText('Saved.');
  expect(saved).toMatchObject([{ areaAlarms: [{ area: 'Playroom', notSeenAfterMinutes: 30 }] }]);
  await user.click(playroom);
  await user.click(save());
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ areaAlarms: [] }));
});

test('a room that is only watched for children not seen has no limits of its own', async () => {
  serveSettings({ areaAlarms: [{ area: 'Hall', notSeenAfterMinutes: 20 }] });
  await renderScreen('/alarmSettings', { as: staff });
  const notSeen = await card('Children not seen');
  expect(await within(notSeen).findByRole('switch', { name: 'Hall' })).toBeChecked();
  expect(within(await card('Room settings')).queryByRole('group', { name: 'Hall' })).not.toBeInTheDocument();
});

test('the limit of children of a room is not here; a link leads to Rooms for whoever may see them', async () => {
  const hall = { area: 'Hall', unknownPerson: true };
  serveSettings({ areaAlarms: [hall] });
  const { unmount } = await renderScreen('/alarmSettings', { as: staff });
  const rooms = await card('Room settings');
  const group = within(rooms).getByRole('group', { name: 'Hall' });
  expect(within(group).queryByRole('textbox')).not.toBeInTheDocument();
  const link = { name: 'The capacity of each room is set under Rooms' };
  expect(within(rooms).getByRole('link', link)).toHaveAttribute('href', '/rooms');
  await unmount();
  await renderScreen('/alarmSettings', {
    as: { admin: admin({ permissions: ['settings.view', 'settings.manage'] }) },
  });
  expect(within(await card('Room settings')).queryByRole('link')).not.toBeInTheDocument();
});

test('in Arabic the fields and their hints have the same digits, and take both', async () => {
  const { saved } = serveSettings();
  const { user } = await renderScreen('/alarmSettings', { as: staff, language: 'ar' });
  const heat = await card('تنبيه درجة الحرارة');
  const from = within(heat).getByLabelText('التنبيه عند بلوغ');
  expect(from).toHaveValue('٤٠');
  expect(heat).toHaveTextContent('القيمة الافتراضية ٤٠');
  await user.clear(from);
  await user.type(from, '٤1٫5');
  expect(from).toHaveValue('٤١٫٥');
  await user.click(screen.getByRole('button', { name: 'حفظ' }));
  await waitFor(() => expect(saved).toMatchObject([{ alarms: { temperature: { from: 41.5 } } }]));
});

test('what somebody else saves meanwhile comes in, and what was typed here stays', async () => {
  const { saved, change } = serveSettings();
  const { user, events } = await renderScreen('/alarmSettings', { as: staff });
  const heat = await card('Temperature alert');
  const from = within(heat).getByLabelText('Alert at or above');
  await user.clear(from);
  await user.type(from, '45');
  change({ incidentDays: 30 });
  await events.send({ type: 'settings.updated' });
  await screen.findByText(/^Someone else changed the settings\./);
  expect(screen.getByLabelText('Keep alerts for (days)')).toHaveValue('30');
  expect(from).toHaveValue('45');
  await user.click(save());
  await screen.findByText('Saved.');
  expect(saved).toMatchObject([{ incidentDays: 30, alarms: { temperature: { from: 45 } } }]);
});

test('a save over newer settings is refused, joined, and can be sent again', async () => {
  const { saved, change } = serveSettings();
  const { user } = await renderScreen('/alarmSettings', { as: staff });
  const days = await screen.findByLabelText('Keep alerts for (days)');
  await user.clear(days);
  await user.type(days, '90');
  // The event of the change is lost.
  change({ backupDueDays: 3 });
  await user.click(save());
  await screen.findByText(/^Someone else saved other settings\./);
  expect(saved).toEqual([]);
  await waitFor(() => expect(screen.getByLabelText('Days between backups')).toHaveValue('3'));
  expect(days).toHaveValue('90');
  await user.click(save());
  await waitFor(() => expect(saved).toMatchObject([{ incidentDays: 90, backupDueDays: 3 }]));
});

test('while it loads, with an error, and without a connection', async () => {
  server.use(handle(operationRoutes.getSettings, pending));
  const { unmount } = await renderScreen('/alarmSettings', { as: staff });
  expect(await screen.findByRole('status', { name: 'Loading…' })).toBeInTheDocument();
  await unmount();
  server.use(handle(operationRoutes.getSettings, offline));
  const { user } = await renderScreen('/alarmSettings', { as: staff });
  const problem = await screen.findByRole('alert');
  serveSettings();
  await user.click(within(problem).getByRole('button', { name: 'Try Again' }));
  const days = await screen.findByLabelText('Keep alerts for (days)');
  await user.clear(days);
  await user.type(days, '90');
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
  try {
    dispatchEvent(new Event('offline'));
    await screen.findByText(/^You are offline\. Your changes are kept/);
    expect(save()).toBeDisabled();
    expect(days).toHaveValue('90');
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
    dispatchEvent(new Event('online'));
  }
  await waitFor(() => expect(save()).toBeEnabled());
});

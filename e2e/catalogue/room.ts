/** What staff open to see the place: cameras, sensors, incidents, alarms, notices, an evacuation. */
import { expect } from '../fixtures.ts';
import { livePicture } from '../harness/room-camera.ts';
import {
  beginEvacuation,
  button,
  dialog,
  emptyRoom,
  endEvacuation,
  furnish,
  go,
  openDashboard,
  type Scene,
  type Stage,
} from './stage.ts';
import type { World } from './world.ts';

/** What a camera shows, and whom the face engine finds in it, comes when the machine gets round to it. */
const FROM_CAMERA_MS = 60_000;

/** A camera's page. */
async function openCamera(stage: Stage, which: 'camera' | 'broken' | 'tablet'): Promise<void> {
  const room = await furnish(stage);
  await go(stage, `/cameras/${room[which]._id}`);
}

/** A sensor sends what raises both alarms of the air. */
async function raiseAlarms({ api, server, staff: { token } }: World): Promise<void> {
  const { sensor, deviceKey } = await api.call<{ sensor: { _id: string }; deviceKey: string }>(
    '/api/sensors',
    {
      method: 'POST',
      token,
      json: { name: 'Kitchen', area: 'Kitchen', kind: 'haris', period: 600 },
    },
  );
  await fetch(`${server.url()}/api/sensors/${sensor._id}/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': deviceKey },
    body: JSON.stringify({ temperature: 41.5, humidity: 30, mq2: 1240 }),
  });
}

async function acknowledgeAll({ api, staff: { token } }: World): Promise<void> {
  const { sensors } = await api.call<{ sensors: { _id: string; area: string }[] }>('/api/sensors', { token });
  for (const { _id, area } of sensors)
    if (area === 'Kitchen') await api.call(`/api/sensors/${_id}`, { method: 'DELETE', token });
  const { incidents } = await api.call<{ incidents: { _id: string }[] }>('/api/incidents', { token });
  for (const { _id } of incidents)
    await api.call(`/api/incidents/${_id}/acknowledge`, { method: 'POST', token, json: {} });
}

export const roomScenes: readonly Scene[] = [
  {
    name: 'cameras-empty',
    as: 'staff',
    async open(stage) {
      await emptyRoom(stage);
      await go(stage, '/cameras');
      await expect(stage.page.getByText(stage.t('cameras:empty'))).toBeVisible();
    },
  },
  {
    name: 'add-camera',
    as: 'staff',
    async open(stage) {
      await go(stage, '/cameras');
      await button(stage.page, stage.t('cameras:add')).click();
      await expect(dialog(stage.page).getByRole('radio').first()).toBeVisible();
    },
  },
  {
    name: 'sensors-empty',
    as: 'staff',
    async open(stage) {
      await emptyRoom(stage);
      await go(stage, '/sensors');
      await expect(stage.page.getByText(stage.t('environment:empty'))).toBeVisible();
    },
  },
  {
    name: 'add-sensor',
    as: 'staff',
    async open(stage) {
      await go(stage, '/sensors');
      await button(stage.page, stage.t('environment:add.open')).first().click();
      await expect(dialog(stage.page).getByText(stage.t('environment:add.areaHint'))).toBeVisible();
    },
  },
  {
    name: 'incidents',
    as: 'staff',
    async open(stage) {
      await go(stage, '/incidents');
      // Two children have been inside for longer than they should.
      const list = stage.page.getByRole('list', { name: stage.t('incidents:screen.title') });
      await list.getByText(stage.t('incidents:timeline.title')).first().click();
      await expect(list.getByText(stage.t('incidents:timeline.raised')).first()).toBeVisible();
    },
  },
  {
    name: 'alarm-settings',
    as: 'staff',
    async open(stage) {
      await go(stage, '/alarmSettings');
      await expect(stage.page.getByText(stage.t('incidents:settings.areasHint'))).toBeVisible();
    },
  },
  {
    name: 'alarms',
    as: 'staff',
    async open(stage) {
      const { page, world } = stage;
      await go(stage, '/incidents');
      await raiseAlarms(world);
      await expect(page.getByRole('alertdialog')).toHaveCount(2, { timeout: 60_000 });
    },
    close: ({ world }) => acknowledgeAll(world),
  },
  {
    name: 'roll-call',
    as: 'staff',
    async open(stage) {
      await beginEvacuation(stage.world);
      await stage.page.goto('/incidents');
      await expect(dialog(stage.page).getByRole('checkbox')).toHaveCount(3);
    },
    close: ({ world }) => endEvacuation(world),
  },
  {
    name: 'notices',
    as: 'staff',
    async open(stage) {
      await go(stage, '/notices');
      await expect(stage.page.getByText(stage.t('notices:failed.none'))).toBeVisible();
      await expect(stage.page.getByRole('table')).toBeVisible();
    },
  },
  {
    name: 'cameras',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await go(stage, '/cameras');
      const live = stage.page.getByText(stage.t('cameras:state.live'), { exact: true });
      await expect(live).toBeVisible({ timeout: FROM_CAMERA_MS });
      await expect(stage.page.getByText(stage.t('cameras:problem.refused'))).toBeVisible();
    },
  },
  {
    name: 'wall',
    as: 'staff',
    async open(stage) {
      const { camera } = await furnish(stage);
      await go(stage, '/cameras/wall');
      await expect(livePicture(stage.page, camera.name, stage.t)).toBeVisible({ timeout: FROM_CAMERA_MS });
    },
  },
  {
    name: 'camera',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'camera');
      await expect(stage.page.getByRole('list', { name: stage.t('live-picture:faces') })).toContainText(
        'Omar Hassan',
        { timeout: FROM_CAMERA_MS },
      );
    },
  },
  {
    name: 'camera-zones',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'camera');
      await button(stage.page, stage.t('cameras:zones.edit')).click({ timeout: FROM_CAMERA_MS });
      await expect(button(stage.page, stage.t('cameras:zones.save'))).toBeVisible();
    },
  },
  {
    name: 'camera-refused',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'broken');
      await expect(stage.page.getByText(stage.t('cameras:problem.refused')).first()).toBeVisible();
    },
  },
  {
    name: 'camera-pairing',
    as: 'staff',
    async open(stage) {
      await openCamera(stage, 'tablet');
      await button(stage.page, stage.t('cameras:pairing.pair')).click();
      await expect(stage.page.getByRole('img', { name: stage.t('cameras:pairing.qr') })).toBeVisible();
    },
  },
  {
    name: 'sensors',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await go(stage, '/sensors');
      await expect(stage.page.getByText(stage.t('environment:truth.stale')).first()).toBeVisible();
    },
  },
  {
    name: 'sensor-history',
    as: 'staff',
    async open(stage) {
      const { page, t } = stage;
      await furnish(stage);
      await go(stage, '/sensors');
      await button(page, t('environment:actionsOf', { name: 'By the window' })).click();
      await page.getByRole('menuitem', { name: t('environment:action.history') }).click();
      await expect(dialog(page).locator('.recharts-surface').first()).toBeVisible();
    },
  },
  {
    name: 'home-assistant',
    as: 'staff',
    async open(stage) {
      await go(stage, '/sensors');
      await button(stage.page, stage.t('environment:homeAssistant.open')).click();
      await expect(dialog(stage.page).getByText(stage.t('environment:homeAssistant.empty'))).toBeVisible();
    },
  },
  {
    name: 'dashboard-air',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await openDashboard(stage);
      const air = stage.page.getByRole('region', { name: stage.t('environment:glance') });
      await expect(air.getByText('Playroom')).toBeVisible();
    },
    close: emptyRoom,
  },
];

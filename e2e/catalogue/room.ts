/** Screens with which staff see the facility: cameras, sensors, incidents, alarms, notices, an evacuation. */
import { expect } from '../fixtures.ts';
import { FROM_CAMERA_MS } from '../harness/camera.ts';
import { livePicture } from '../harness/room-camera.ts';
import { cancelHeadCounts, endRooms, makeRooms, startHeadCount } from '../harness/rooms.ts';
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

/** Opens a camera's page. */
async function openCamera(stage: Stage, which: 'camera' | 'broken' | 'tablet'): Promise<void> {
  const room = await furnish(stage);
  await go(stage, `/cameras/${room[which]._id}`);
}

/** Sends a reading that raises both air alarms. */
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
  // The next scene's reading would join an incident that is still open, and acknowledged.
  await expect
    .poll(
      async () => {
        const { incidents: open } = await api.call<{ incidents: { area: string | null }[] }>(
          '/api/incidents?state=open',
          { token },
        );
        return open.filter(({ area }) => area === 'Kitchen');
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
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
      // Two children are overdue.
      const list = stage.page.getByRole('list', { name: stage.t('incidents:screen.title') });
      await list.getByRole('button', { expanded: false }).first().click();
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
    name: 'dangers-minimised',
    as: 'staff',
    async open(stage) {
      const { page, t, world } = stage;
      await go(stage, '/adminDashboard');
      await raiseAlarms(world);
      await expect(page.getByRole('alertdialog')).toHaveCount(2, { timeout: 60_000 });
      await page.keyboard.press('Escape');
      await expect(
        page.getByRole('region', { name: t('emergency:banner.label'), exact: true }),
      ).toBeVisible();
    },
    close: ({ world }) => acknowledgeAll(world),
  },
  {
    name: 'roll-call',
    as: 'staff',
    async open(stage) {
      await beginEvacuation(stage.world);
      await stage.page.goto('/incidents');
      await expect(dialog(stage.page).getByRole('checkbox').nth(2)).toBeVisible();
    },
    close: ({ world }) => endEvacuation(world),
  },
  {
    name: 'roll-call-add',
    as: 'staff',
    async open(stage) {
      await beginEvacuation(stage.world);
      await stage.page.goto('/incidents');
      await button(dialog(stage.page), stage.t('emergency:rollCall.add')).click();
      await expect(button(dialog(stage.page), stage.t('emergency:visitors.signIn'))).toBeVisible();
    },
    close: ({ world }) => endEvacuation(world),
  },
  {
    name: 'visitors',
    as: 'staff',
    async open(stage) {
      const { world, page, t } = stage;
      const { token } = world.staff;
      const name = 'Hany Fathy';
      await world.api.call('/api/visitors', {
        method: 'POST',
        token,
        json: { _id: '7d3f1f3e-6a77-4a8e-9d0e-0b6a2d9c4a11', name, phone: '01001112223', reason: 'Boiler' },
      });
      await go(stage, '/visitors');
      await expect(page.getByText(name)).toBeVisible();
      await button(page, t('emergency:visitors.add')).click();
    },
  },
  {
    name: 'notices',
    as: 'staff',
    async open(stage) {
      await go(stage, '/notices');
      await expect(stage.page.getByText(stage.t('notifications:failed.noneKept'))).toBeVisible();
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
      await button(stage.page, stage.t('cameras:zones.add')).click();
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
      await expect(stage.page.getByRole('img', { name: stage.t('pairing:qr') })).toBeVisible();
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
      await button(page, t('environment:history.title', { name: 'By the window' })).click();
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
    name: 'dashboard-rooms',
    as: 'staff',
    async open(stage) {
      await furnish(stage);
      await openDashboard(stage);
      const rooms = stage.page.getByRole('region', { name: stage.t('dashboard:rooms.title'), exact: true });
      await expect(rooms.getByText('Playroom')).toBeVisible();
    },
    close: emptyRoom,
  },
  {
    name: 'rooms',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await go(stage, '/rooms');
      await expect(stage.page.getByText(stage.t('rooms:over'))).toBeVisible();
    },
    close: ({ world }) => endRooms(world),
  },
  {
    name: 'room-change',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await go(stage, '/rooms');
      await button(stage.page, stage.t('rooms:editOf', { name: 'Nest' })).click();
      await expect(dialog(stage.page).getByText(stage.t('rooms:ratiosHint'))).toBeVisible();
    },
    close: ({ world }) => endRooms(world),
  },
  {
    name: 'room-in-use',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await go(stage, '/rooms');
      await button(stage.page, stage.t('rooms:deleteOf', { name: 'Nest' })).click();
      await expect(button(dialog(stage.page), stage.t('rooms:understood'))).toBeVisible();
    },
    close: ({ world }) => endRooms(world),
  },
  {
    name: 'head-counts',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await go(stage, '/headCounts');
      await expect(button(stage.page, stage.t('head-counts:start.submit'))).toBeVisible();
    },
    close: ({ world }) => endRooms(world),
  },
  {
    name: 'head-count',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await go(stage, `/headCounts/${await startHeadCount(stage.world)}`);
      const here = stage.page.getByRole('region', { name: stage.t('head-counts:section.here'), exact: true });
      await expect(here).toBeVisible();
    },
    async close({ world }) {
      await cancelHeadCounts(world);
      await endRooms(world);
    },
  },
  {
    name: 'children-to-move',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await openDashboard(stage);
      await stage.page.locator('[data-child]').first().waitFor();
      const where = dialog(stage.page).getByText(stage.t('dashboard:move.where'));
      // The keys work once their code has loaded.
      await expect(async () => {
        if (await where.isHidden()) await stage.page.keyboard.press('m');
        expect(await where.isVisible()).toBe(true);
      }).toPass({ intervals: [500] });
    },
    close: ({ world }) => endRooms(world),
  },
  {
    name: 'child-in-a-room',
    as: 'staff',
    async open(stage) {
      await makeRooms(stage.world);
      await openDashboard(stage);
      await stage.page.locator('[data-more]').first().click();
      await expect(dialog(stage.page).getByText(stage.t('dashboard:move.title'))).toBeVisible();
    },
    close: ({ world }) => endRooms(world),
  },
];

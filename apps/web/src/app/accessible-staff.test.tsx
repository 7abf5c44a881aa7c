/**
 * Accessibility of states of staff that no other page test opens; those ask for it where they are. The screens themselves are in
 * accessibility.test.tsx.
 */
import { accountRoutes } from '@haris/contract/http/accounts';
import { cameraRoutes } from '@haris/contract/http/cameras';
import { deskRoutes } from '@haris/contract/http/desk';
import { oidcRoutes } from '@haris/contract/http/oidc';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { sensorRoutes } from '@haris/contract/http/sensors';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { busyHouse } from '../testing/busy-house.ts';
import { giveCamera } from '../testing/camera.ts';
import { camera } from '../testing/cameras.ts';
import { handle, server } from '../testing/contract-server.ts';
import { admin } from '../testing/people.ts';
import { renderScreen, type Screen, type ScreenOptions } from '../testing/render-screen.tsx';

const AT = '2026-03-18T08:00:00.000Z';
const open = (path: string, options: ScreenOptions = {}) =>
  renderScreen(path, { as: { admin: admin() }, ...options });

/** Presses the first of the buttons with this name: the sidebar may have the same one. */
async function press({ user }: Screen, name: string | RegExp): Promise<void> {
  const [button] = await screen.findAllByRole('button', { name });
  if (button !== undefined) await user.click(button);
}

beforeEach(() => {
  const recognition = { on: false, since: null, problem: null, pending: false };
  server.use(handle(recognitionRoutes.getOwnRecognition, { recognition }));
});

describe('on the dashboard', () => {
  test('a parent is added without name and email', async () => {
    const page = await open('/adminDashboard');
    await press(page, 'Add New Parent');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add New Parent' }));
    await page.user.click(await dialog.findByRole('button', { name: 'Add Parent' }));
    await dialog.findByText("Parent's name and email are required.");
    await expectAccessible();
  });

  test('a slip is scanned', async () => {
    giveCamera();
    const page = await open('/adminDashboard');
    await press(page, 'Scan slip');
    await screen.findByText('Hold the code on the entry slip inside the frame.');
    await expectAccessible();
  });

  test('a family is blocked, and its second factor is reset', async () => {
    serveDesk(family({ blockedAt: AT }));
    const page = await open('/adminDashboard?family=parent-mona');
    await screen.findByRole('button', { name: 'Unblock account' });
    await screen.findByText(/^This account is blocked/);
    await expectAccessible();
    await press(page, 'Reset second factor');
    await screen.findByRole('dialog', { name: 'Reset second factor' });
    await expectAccessible();
  });
});

describe('about oneself', () => {
  test('the own face for the cameras', async () => {
    server.use(handle(accountRoutes.listAdmins, { admins: [admin()], total: 1, nextCursor: null }));
    const page = await open('/viewEmployees');
    await press(page, 'Face recognition');
    await screen.findByRole('button', { name: 'Take or choose a photo' });
    await expectAccessible();
  });

  test('a PIN for desk tablets, in Arabic on a phone', async () => {
    server.use(handle(deskRoutes.getDeskPin, { setAt: null, hasDesk: true }));
    const page = await open('/account', { language: 'ar', size: 'phone' });
    await press(page, 'تعيين رمز PIN');
    await screen.findByText(/^ستة أرقام لا يسهل تخمينها/);
    await expectAccessible();
  });

  test('the account of the organisation, and its removal', async () => {
    const links = [
      { _id: 'link-1', provider: 'login.sunrise.example', linkedAt: AT, endedAt: null },
      { _id: 'link-2', provider: 'old.sunrise.example', linkedAt: AT, endedAt: AT },
    ];
    server.use(handle(oidcRoutes.listOwnLinks, { links, isOnlyWay: false }));
    const page = await open('/account');
    await screen.findByRole('region', { name: 'Organisation account' });
    await press(page, /^Remove the link to .*login\.sunrise/);
    await screen.findByText(/^You then sign in with your password\./);
    await expectAccessible();
  });
});

describe('of the rooms', () => {
  test('a camera that refuses', async () => {
    const refused = { state: 'connecting', problem: 'refused', fps: null } as const;
    server.use(handle(cameraRoutes.getCamera, { camera: camera(refused) }));
    await open('/cameras/camera-1', { size: 'phone' });
    await screen.findAllByText('The camera refused the connection.');
    await expectAccessible();
  });

  test('a device that is paired as a camera', async () => {
    const unpaired = { kind: 'browser', url: null, state: 'connecting', problem: 'not_paired' } as const;
    server.use(
      handle(cameraRoutes.getCamera, { camera: camera(unpaired) }),
      handle(cameraRoutes.createPairing, () => ({
        code: 'ABCDEFGHJK',
        expiresAt: new Date(Date.now() + 600_000).toISOString(),
      })),
    );
    const page = await open('/cameras/camera-1');
    await press(page, 'Pair a Device');
    await screen.findByRole('img', { name: 'QR code of the link for the device' });
    await expectAccessible();
  });

  test('the history of a sensor', async () => {
    // Without readings: assistive technology does not see the chart.
    server.use(handle(sensorRoutes.getSensorHistory, { points: [] }), ...busyHouse());
    const page = await open('/sensors');
    await press(page, 'History: By the window');
    await screen.findByText('No readings in this period.');
    await expectAccessible();
  });

  test('the accounts of Home Assistant, in Arabic on a phone', async () => {
    server.use(...busyHouse());
    const page = await open('/sensors', { language: 'ar', size: 'phone' });
    await press(page, 'Home Assistant');
    await screen.findByText('لا توجد حسابات بعد.');
    await expectAccessible();
  });
});

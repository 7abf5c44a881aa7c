/**
 * Accessibility of states of visitors, parents and devices that no other page test opens; those ask for it where they are. The
 * screens themselves are in accessibility.test.tsx.
 */
import { accountRoutes } from '@haris/contract/http/accounts';
import { collectorRoutes } from '@haris/contract/http/collectors';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { notificationRoutes } from '@haris/contract/http/notifications';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { setupRoutes } from '@haris/contract/http/setup';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectAccessible } from '../testing/accessibility.ts';
import { giveCamera } from '../testing/camera.ts';
import { handle, refuse, server } from '../testing/contract-server.ts';
import { child, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

/** Ends the connection until the test ends. */
function cutOff(): void {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void dispatchEvent(new Event('offline')));
  onTestFinished(() => {
    onLine.mockRestore();
    dispatchEvent(new Event('online'));
  });
}

const CODE = 'c'.repeat(43);

describe('a visitor', () => {
  test('in the menu of a phone, in Arabic', async () => {
    const { user } = await renderScreen('/', { language: 'ar', size: 'phone' });
    await user.click(await screen.findByRole('button', { name: 'افتح القائمة' }));
    await screen.findByRole('dialog', { name: 'القائمة' });
    await expectAccessible();
  });

  test('on the landing page without a connection', async () => {
    await renderScreen('/');
    await screen.findByRole('heading', { level: 1 });
    cutOff();
    await screen.findByText('No connection. What you see may be out of date.');
    await expectAccessible();
  });

  test('whose password is wrong', async () => {
    server.use(handle(accountRoutes.parentLogin, refuse('invalid_credentials')));
    const { user } = await renderScreen('/login');
    await user.type(await screen.findByLabelText('Email'), 'mona@haris.example');
    await user.type(screen.getByLabelText(/^Password/), 'a password of hers');
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await screen.findAllByText('Invalid email or password');
    await expectAccessible();
  });

  test('who fills the registration in wrong, in Arabic on a phone', async () => {
    const { user } = await renderScreen('/register', { language: 'ar', size: 'phone' });
    const email = await screen.findByRole('textbox', { name: /البريد/ });
    await user.type(email, 'mona@nowhere');
    await user.click(screen.getByRole('button', { name: 'إنشاء حساب' }));
    await waitFor(() => expect(email).toBeInvalid());
    await expectAccessible();
  });

  test('who has forgotten the password', async () => {
    server.use(handle(accountRoutes.forgotPassword, { message: 'Asked' }));
    const { user } = await renderScreen('/forgot-password');
    await user.type(await screen.findByRole('textbox'), 'mona@haris.example{Enter}');
    await screen.findByRole('status');
    await expectAccessible();
  });

  test('whose two new passwords differ', async () => {
    const { user } = await renderScreen('/reset-password/link');
    await user.type(await screen.findByLabelText(/^New password/, { selector: 'input' }), 'chosen-by-huda');
    await user.click(screen.getByRole('button', { name: 'Set password' }));
    await screen.findByText('The two passwords do not match');
    await expectAccessible();
  });

  test('whose phone reaches Haris, and whose code was used', async () => {
    const reached = { url: 'http://192.168.1.5:3000', secure: false, facility: 'Little Stars' };
    server.use(handle(setupRoutes.confirmReach, reached));
    const { unmount } = await renderScreen(`/reach/${CODE}`, { size: 'phone' });
    await screen.findByText(/^Camera and notifications do not work at this address/);
    await expectAccessible();
    await unmount();
    server.use(handle(setupRoutes.confirmReach, refuse('invalid_token')));
    await renderScreen(`/reach/${CODE}`, { size: 'phone', language: 'ar' });
    await screen.findByRole('heading', { level: 1 });
    await expectAccessible();
  });

  test('with a pass that was used', async () => {
    const nobody = { childFirstName: '', collector: '', facility: null };
    server.use(handle(collectorRoutes.showPass, { ...nobody, day: '2026-11-23', state: 'used' }));
    await renderScreen('/pass#T0ken');
    await screen.findByText('Already used');
    await expectAccessible();
  });
});

describe('a device', () => {
  test('that becomes a camera, and one that was stopped', async () => {
    const { unmount } = await renderScreen('/camera');
    await screen.findByRole('textbox', { name: 'Code' });
    await expectAccessible();
    await unmount();
    const device = { token: 'token-of-the-device', cameraId: 'c1', name: 'Door', area: 'Hall' };
    localStorage.setItem('haris.device-camera', JSON.stringify({ ...device, lensId: null, isStopped: true }));
    await renderScreen('/camera', { language: 'ar', size: 'phone' });
    await screen.findByRole('button', { name: 'تشغيل' });
    await expectAccessible();
  });

  test('that is a kiosk and scans', async () => {
    giveCamera();
    const paired = { token: 'token-of-the-kiosk', name: 'Door', language: 'en' };
    localStorage.setItem('haris.kiosk', JSON.stringify(paired));
    server.use(handle(kioskRoutes.getKiosk, { name: 'Door' }));
    const { user } = await renderScreen('/kiosk');
    await user.click(await screen.findByRole('button', { name: /Code on my phone/ }));
    await waitFor(() => expect(document.querySelector('video')).not.toBeNull());
    await expectAccessible();
  });
});

describe('a parent', () => {
  const inside = child({ name: 'Omar Hassan', isInside: true });

  test('without a connection', async () => {
    await renderScreen('/profile', { as: { parent: parent({ children: [inside] }) }, size: 'phone' });
    await screen.findByRole('button', { name: "I'm on my way" });
    cutOff();
    await screen.findByText(/^You are offline\. Call the nursery/);
    await expectAccessible();
  });

  test('with notifications, in Arabic', async () => {
    vi.stubGlobal('isSecureContext', false);
    server.use(
      handle(notificationRoutes.listPushDevices, { devices: [] }),
      handle(notificationRoutes.getNoticePreferences, {
        preferences: { kinds: {}, quietHours: null, areas: null, locked: [] },
      }),
    );
    await renderScreen('/notices', { as: { parent: parent() }, language: 'ar' });
    await screen.findByRole('table');
    await expectAccessible();
  });

  test('without a photo for the cameras', async () => {
    const { user } = await renderScreen('/account', { as: { parent: parent() } });
    await user.click(await screen.findByRole('switch', { name: /^Show my name in live pictures/ }));
    await screen.findByText(/^There is no photo in your account yet/);
    await expectAccessible();
  });

  test('whom the cameras recognise, in Arabic on a phone', async () => {
    const recognition = { on: true, since: '2026-03-18T08:00:00.000Z', problem: null, pending: false };
    server.use(handle(recognitionRoutes.getParentRecognition, { recognition }));
    const mona = parent({ photo: '/api/photos/of-mona' });
    await renderScreen('/account', { as: { parent: mona }, language: 'ar', size: 'phone' });
    await waitFor(() => expect(screen.getByRole('switch')).toBeChecked());
    await expectAccessible();
  });
});

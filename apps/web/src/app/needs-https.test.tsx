/** What browsers give to secure pages only says so on a page without HTTPS: camera, push notifications, passkeys. */
import { deskRoutes } from '@haris/contract/http/desk';
import { factorRoutes } from '@haris/contract/http/factors';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { notificationRoutes } from '@haris/contract/http/notifications';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { handle, server } from '../testing/contract-server.ts';
import { parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const mona = { parent: parent() };
const said = {
  en: {
    camera: 'The camera works only over HTTPS. Ask the person who runs Haris at the nursery.',
    passkey: 'Passkeys work only over HTTPS. Ask the person who runs Haris at the nursery.',
    push: 'They work only over HTTPS. Ask the person who runs Haris at the nursery.',
    device:
      'The camera works only over HTTPS. Open this page over https://, or ask the person who runs Haris.',
    kiosk: 'The camera works only over HTTPS. Please use your PIN, or ask at the desk.',
  },
  ar: {
    camera: 'لا تعمل الكاميرا إلا عبر HTTPS. اسأل المسؤول عن تشغيل حارس في الحضانة.',
    passkey: 'لا تعمل مفاتيح المرور إلا عبر HTTPS. اسأل المسؤول عن تشغيل حارس في الحضانة.',
    push: 'لا تعمل الإشعارات إلا عبر HTTPS. اسأل المسؤول عن تشغيل حارس في الحضانة.',
    device: 'لا تعمل الكاميرا إلا عبر HTTPS. افتح هذه الصفحة عبر ⁦https://⁩ أو اسأل المسؤول عن تشغيل حارس.',
    kiosk: 'لا تعمل الكاميرا إلا عبر HTTPS. من فضلك استخدم رمز PIN أو اسأل في الاستقبال.',
  },
} as const;
const languages = ['en', 'ar'] as const;

beforeEach(() => void vi.stubGlobal('isSecureContext', false));

test.each(languages)('the camera for a photo: %s', async (language) => {
  await renderScreen('/addChild', { as: mona, language });
  expect(await screen.findByText(said[language].camera)).toBeVisible();
});

test.each(languages)('a device that is a camera of a room: %s', async (language) => {
  const device = { token: 'token-of-the-device', cameraId: 'c1', name: 'Door', area: 'Hall' };
  localStorage.setItem('haris.device-camera', JSON.stringify({ ...device, lensId: null, isStopped: false }));
  await renderScreen('/camera', { language });
  expect(await screen.findByText(said[language].device)).toBeVisible();
});

test.each(languages)('the scanner of a kiosk: %s', async (language) => {
  localStorage.setItem(
    'haris.kiosk',
    JSON.stringify({ token: 'token-of-the-kiosk', name: 'Door', language }),
  );
  server.use(handle(kioskRoutes.getKiosk, { name: 'Door' }));
  const { user } = await renderScreen('/kiosk', { language });
  const name = language === 'en' ? /Code on my phone/ : /الرمز على هاتفي/;
  await user.click(await screen.findByRole('button', { name }));
  expect(await screen.findByText(said[language].kiosk)).toBeVisible();
});

test.each(languages)('push notifications: %s', async (language) => {
  server.use(
    handle(notificationRoutes.listPushDevices, { devices: [] }),
    handle(notificationRoutes.getNoticePreferences, {
      preferences: { kinds: {}, quietHours: null, areas: null, locked: [] },
    }),
  );
  await renderScreen('/notices', { as: mona, language });
  expect(await screen.findByText(said[language].push)).toBeVisible();
  expect(screen.queryByRole('switch', { name: /on this device|على هذا الجهاز/ })).toBeNull();
});

test.each(languages)('passkeys of an account: %s', async (language) => {
  server.use(handle(factorRoutes.listFactors, { factors: [], recoveryCodesLeft: 0, isRequired: false }));
  await renderScreen('/account', { as: mona, language });
  expect(await screen.findByText(said[language].passkey)).toBeVisible();
});

test('a passkey at a desk tablet, only for a person who has one', async () => {
  localStorage.setItem(
    'haris.desk',
    JSON.stringify({ token: 'token-of-the-desk', name: 'Desk', language: 'en' }),
  );
  const person = { photoId: null, hasPin: true };
  server.use(
    handle(deskRoutes.getDesk, {
      name: 'Desk',
      facility: 'Sunshine Nursery',
      staff: [
        { ...person, _id: 'nadia', name: 'Nadia Farouk', hasPasskey: true },
        { ...person, _id: 'omar', name: 'Omar Sayed', hasPasskey: false },
      ],
      evacuatingSince: null,
      dangers: [],
    }),
  );
  const { user } = await renderScreen('/desk');
  await user.click(await screen.findByRole('button', { name: /Omar Sayed/ }));
  expect(await screen.findByRole('button', { name: 'Back' })).toBeVisible();
  expect(screen.queryByText(said.en.passkey)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await user.click(await screen.findByRole('button', { name: /Nadia Farouk/ }));
  expect(await screen.findByText(said.en.passkey)).toBeVisible();
});

test('with HTTPS none of it is said', async () => {
  vi.stubGlobal('isSecureContext', true);
  server.use(handle(factorRoutes.listFactors, { factors: [], recoveryCodesLeft: 0, isRequired: false }));
  await renderScreen('/account', { as: mona });
  expect(await screen.findByRole('button', { name: 'Add an authenticator app' })).toBeVisible();
  expect(screen.queryByText(/HTTPS/)).toBeNull();
});

/** Desk tablets and the staff at them, made through the product's API; and how staff take over such a tablet. */
import { expect, type Page } from '@playwright/test';
import type { Api } from './api.ts';
import type { MadeKiosk } from './kiosk.ts';
import type { HarisServer } from './server.ts';

/** Adds a desk tablet with a pairing code for `/desk/{code}`. Signs in, because making keys needs a fresh proof. */
export async function makeDesk(api: Api, server: HarisServer, name = 'Front desk'): Promise<MadeKiosk> {
  const { token } = await api.signIn('admin', server.admin);
  const { kiosk } = await api.call<{ kiosk: { _id: string } }>('/api/kiosks', {
    method: 'POST',
    token,
    json: { name, kind: 'desk' },
  });
  const path = `/api/kiosks/${kiosk._id}/pairing`;
  const { code } = await api.call<{ code: string }>(path, { method: 'POST', token });
  return { id: kiosk._id, code };
}

/** Waits until the tablet asks who is there. */
export async function isAsking(tablet: Page): Promise<void> {
  await expect(tablet.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
}

/** Signs somebody in at a tablet that is asking. */
export async function takeOver(tablet: Page, name: string, pin: string): Promise<void> {
  await tablet.getByRole('button', { name }).click();
  await expect(tablet.getByText('Your PIN', { exact: true })).toBeVisible();
  await tablet.keyboard.type(pin);
  await expect(tablet.getByRole('complementary', { name: 'Shared desk' })).toContainText(name);
}

let made = 0;

/** A colleague with a password and a PIN of their own. Returns the id. */
export async function makeColleague(
  api: Api,
  server: HarisServer,
  name: string,
  pin: string,
): Promise<string> {
  made++;
  const { token } = await api.signIn('admin', server.admin);
  const email = `colleague${Date.now()}-${made}@haris.example`;
  const first = 'a-first-password';
  const { admin } = await api.call<{ admin: { _id: string } }>('/api/admin/create-admin', {
    method: 'POST',
    token,
    json: { name, email, password: first, nationalId: `2990101${String(Date.now() + made).slice(-7)}` },
  });
  await api.call(`/api/admin/mark-verified/${admin._id}`, { method: 'POST', token });
  const own = await api.signIn('admin', { email, password: first });
  const json = { current: first, password: 'a-password-of-my-own' };
  await api.call('/api/account/password', { method: 'PUT', token: own.token, json });
  await api.call('/api/account/desk-pin', { method: 'PUT', token: own.token, json: { pin } });
  return admin._id;
}

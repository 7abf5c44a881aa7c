/** A new version is ready: what is typed comes back after the reload, once and to the same person; passwords and photos never. */
import { visitorRoutes } from '@haris/contract/http/visitors';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handle, server } from '../testing/contract-server.ts';
import { admin, parent } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { page, postponeUpdate, watchForUpdates } from './update.ts';

const { browser, FakeWorkbox } = vi.hoisted(() => {
  const listeners = new Map<string, (event: { sw: object }) => void>();
  const browser = {
    reloads: 0,
    fire: (type: string) => listeners.get(type)?.({ sw: {} }),
  };
  class FakeWorkbox {
    addEventListener(type: string, listener: (event: { sw: object }) => void) {
      listeners.set(type, listener);
    }
    async register() {}
    messageSkipWaiting() {
      browser.fire('controlling');
    }
  }
  return { browser, FakeWorkbox };
});

vi.mock('workbox-window', () => ({ Workbox: FakeWorkbox, messageSW: async () => false }));

const KEY = 'haris.drafts';
const kept = () => sessionStorage.getItem(KEY);
const staff = { admin: admin() };
const notice = (text: string) => screen.findByText(text).then((found) => within(found));
const READY = 'A new version of Haris is ready.';

beforeEach(() => {
  browser.reloads = 0;
  vi.spyOn(page, 'reload').mockImplementation(() => {
    browser.reloads += 1;
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: {}, configurable: true });
});
afterEach(() => {
  act(postponeUpdate);
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

/** The browser has fetched a newer version. */
async function offerUpdate(): Promise<void> {
  await act(async () => {
    await watchForUpdates();
    browser.fire('waiting');
  });
}

/** Presses Reload. The page stays, as this browser only counts its reloads. */
async function reload(user: UserEvent, text = READY, button = 'Reload'): Promise<void> {
  await user.click((await notice(text)).getByRole('button', { name: button }));
}

async function openVisitors() {
  server.use(handle(visitorRoutes.listVisitors, { visitors: [], total: 0, nextCursor: null }));
  return renderScreen('/visitors', { as: staff });
}

const nameField = () => screen.getByRole('textbox', { name: /^Name/ });

async function openForm(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Sign in visitor' }));
}

/** Types a visitor, reloads for the new version, and closes the form as the reload does. */
async function typeAndReload(user: UserEvent): Promise<void> {
  await openForm(user);
  await user.click(screen.getByRole('radio', { name: 'Colleague' }));
  await user.type(nameField(), 'Hany Fathy');
  await offerUpdate();
  await reload(user);
  await waitFor(() => expect(browser.reloads).toBe(1));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
}

/** Changes the stored draft. */
function change(more: object): void {
  const [draft] = JSON.parse(kept() ?? '[]');
  sessionStorage.setItem(KEY, JSON.stringify([{ ...draft, ...more }]));
}

describe('what was typed', () => {
  test('comes back once after the reload, with what depends on it', async () => {
    const { user } = await openVisitors();
    await typeAndReload(user);
    await openForm(user);
    await waitFor(() => expect(nameField()).toHaveValue('Hany Fathy'));
    expect(screen.getByRole('radio', { name: 'Colleague' })).toBeChecked();
    await waitFor(() => expect(screen.queryByLabelText(/^Reason/)).toBeNull());
    expect(await screen.findByText('What you typed before the reload is back.')).toBeVisible();
    expect(kept()).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await openForm(user);
    expect(nameField()).toHaveValue('');
  });

  test('is stored by the press alone', async () => {
    const { user } = await openVisitors();
    await openForm(user);
    await user.type(nameField(), 'Hany Fathy');
    await offerUpdate();
    await user.click((await notice(READY)).getByRole('button', { name: 'Later' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(kept()).toBeNull();
  });

  test.each([
    ['of another account', () => change({ account: 'admin-other@facility-1' })],
    ['older than an hour', () => change({ at: Date.now() - 3_600_001 })],
    ['from the future', () => change({ at: Date.now() + 60_000 })],
    ['over a value that has changed since', () => change({ over: { name: 'Somebody', kind: 'visitor' } })],
    ['with a value that the form cannot hold', () => change({ typed: { name: 7 } })],
    ['with a field that the form does not have', () => change({ typed: { name: 'Hany', badge: '7' } })],
    ['that is no draft', () => sessionStorage.setItem(KEY, '{"name":')],
  ])('is ignored and removed: %s', async (_, spoil) => {
    const { user } = await openVisitors();
    await typeAndReload(user);
    expect(kept()).toContain('Hany Fathy');
    spoil();
    await openForm(user);
    await waitFor(() => expect(kept()).toBeNull());
    expect(nameField()).toHaveValue('');
    expect(screen.queryByText('What you typed before the reload is back.')).toBeNull();
  });

  test('ends with the session', async () => {
    const { user, unmount } = await openVisitors();
    await typeAndReload(user);
    expect(kept()).toContain('Hany Fathy');
    await unmount();
    expect(kept()).toBeNull();
  });

  test('is not kept at a desk tablet, and the notice says so', async () => {
    const { user } = await openVisitors();
    await openForm(user);
    await user.type(nameField(), 'Hany Fathy');
    localStorage.setItem('haris.desk', '{}');
    await offerUpdate();
    await reload(user);
    await reload(user, LOSES, 'Reload anyway');
    await waitFor(() => expect(browser.reloads).toBe(1));
    expect(kept()).toBeNull();
  });
});

const LOSES =
  'Some of what you typed here will be lost: photos, passwords and codes are never kept, and some forms cannot be. Save it first, or reload anyway.';

describe('what cannot be kept', () => {
  test('a password: the notice says so, and it is not stored', async () => {
    const { user } = await renderScreen('/register');
    await user.type(await screen.findByLabelText('Full name'), 'Mona Hassan');
    await user.type(screen.getByLabelText('Password'), 'a-secret-of-mona');
    await offerUpdate();
    await reload(user);
    expect(browser.reloads).toBe(0);
    await reload(user, LOSES, 'Reload anyway');
    await waitFor(() => expect(browser.reloads).toBe(1));
    expect(kept()).toContain('Mona Hassan');
    expect(kept()).not.toContain('secret');
  });

  test('a photo, in Arabic', async () => {
    const { user } = await renderScreen('/addChild', { as: { parent: parent() }, language: 'ar' });
    await screen.findByRole('button', { name: 'اختر صورة من الجهاز' });
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (input === null) throw new Error('there is no field for a file');
    await user.upload(input, new File(['photo'], 'omar.jpg', { type: 'image/jpeg' }));
    await screen.findByRole('button', { name: 'إعادة التقاط الصورة' });
    await offerUpdate();
    await reload(user, 'نسخة جديدة من حارس جاهزة.', 'إعادة التحميل');
    expect(browser.reloads).toBe(0);
    expect(await screen.findByText(/سيضيع بعض ما أدخلته هنا/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'إعادة التحميل على أي حال' })).toBeVisible();
  });
});

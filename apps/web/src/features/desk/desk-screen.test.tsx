/** The shared desk: pairing, who is there, PINs, lock-outs, Evacuate, handing over, and what stays of a person. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { deskRoutes } from '@haris/contract/http/desk';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getTokenState } from '../../calls/token-store.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const PAIRED = { token: 'token-of-the-desk-tablet', name: 'Front desk', language: 'en' };
const nadia = { _id: 'staff-nadia', name: 'Nadia Farouk', photoId: null, hasPin: true, hasPasskey: false };
const omar = { _id: 'staff-omar', name: 'Omar Sayed', photoId: null, hasPin: true, hasPasskey: false };
const sara = { _id: 'staff-sara', name: 'Sara Without', photoId: null, hasPin: false, hasPasskey: false };
const desk = (more = {}) => ({
  name: 'Front desk',
  facility: 'Sunshine Nursery',
  staff: [nadia, omar, sara],
  evacuatingSince: null,
  dangers: [],
  ...more,
});
const signedIn = (name: string) => ({
  token: `token-of-${name}-${'x'.repeat(30)}`,
  admin: admin({ _id: `staff-${name}`, name: name === 'nadia' ? nadia.name : omar.name }),
  idleMinutes: 2,
});

beforeEach(() => {
  localStorage.setItem('haris.desk', JSON.stringify(PAIRED));
  server.use(handle(deskRoutes.getDesk, desk()));
});

const open = (options = {}) => renderScreen('/desk', options);
const press = (user: UserEvent, name: string | RegExp) =>
  screen.findByRole('button', { name }).then((button) => user.click(button));
const isAsking = () => screen.findByRole('heading', { name: 'Who are you?' });

test('alone it shows the clock, Evacuate and names; who has no PIN is there, and cannot be chosen', async () => {
  await open();
  expect(await screen.findByRole('button', { name: /Nadia Farouk/ })).toBeEnabled();
  expect(screen.getByRole('button', { name: /Sara Without.*No PIN yet/ })).toBeDisabled();
  expect(screen.getByText('Sunshine Nursery')).toBeVisible();
  expect(document.querySelector('time')?.textContent).toMatch(/\d/);
  expect(screen.getByRole('button', { name: 'Evacuate' })).toBeVisible();
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.queryByRole('searchbox')).toBeNull();
  await expectAccessible();
});

test('from twelve people on they are searched, in Arabic as well', async () => {
  const staff = Array.from({ length: 11 }, (_, index) => ({
    ...omar,
    _id: `s${index}`,
    name: `Person ${index}`,
  }));
  server.use(handle(deskRoutes.getDesk, desk({ staff: [...staff, { ...nadia, name: 'نادية فاروق' }] })));
  localStorage.setItem('haris.desk', JSON.stringify({ ...PAIRED, language: 'ar' }));
  const { user } = await open({ language: 'ar' });
  await user.type(await screen.findByRole('searchbox', { name: 'ابحث عن اسمك' }), 'ناديه');
  expect(screen.getAllByRole('button', { name: /نادية/ })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Person 1' })).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'س');
  expect(screen.getByText('لا أحد بهذا الاسم.')).toBeVisible();
});

describe('a PIN', () => {
  test('goes with its last digit, typed by keys or keyboard, and opens the dashboard with the name above it', async () => {
    const sent: unknown[] = [];
    server.use(
      handle(deskRoutes.signInAtDesk, ({ body, headers }) => {
        sent.push({ body, authorization: headers.get('authorization') });
        return signedIn('nadia');
      }),
    );
    const { user } = await open();
    await press(user, /Nadia Farouk/);
    for (const digit of '830') await user.click(screen.getByRole('button', { name: digit }));
    await expectAccessible();
    await user.keyboard('٥٦1');
    const bar = await screen.findByRole('complementary', { name: 'Shared desk' });
    expect(within(bar).getByText('Nadia Farouk')).toBeVisible();
    await expectAccessible();
    expect(sent).toEqual([
      { body: { staffId: 'staff-nadia', pin: '830561' }, authorization: 'Bearer token-of-the-desk-tablet' },
    ]);
    // In memory alone.
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/token-of-nadia|830561/);
  });

  test.each([
    ['wrong_pin', 'Wrong PIN.'],
    ['oidc_sign_in_due', /^Sign in with your organisation once/],
    ['too_many_attempts', /^Too many attempts\. Try again in/],
  ] as const)('refused: %s is said, and the digits are gone', async (code, words) => {
    server.use(handle(deskRoutes.signInAtDesk, refuse(code)));
    const { user } = await open();
    await press(user, /Nadia Farouk/);
    await user.keyboard('830560');
    expect(await screen.findByText(words)).toBeVisible();
    expect(document.body.textContent).not.toContain('830560');
    expect(screen.queryByText('6 digits entered')).toBeNull();
    await press(user, 'Back');
    expect(await isAsking()).toBeVisible();
  });

  test('that nobody types: back to the names after 25 seconds', async () => {
    const { pass } = stopClock();
    const { user } = await open();
    await press(user, /Nadia Farouk/);
    await pass(26_000);
    expect(await isAsking()).toBeVisible();
  });
});

describe('Evacuate', () => {
  test('by keyboard or switch asks first, then says since when', async () => {
    let started = 0;
    server.use(
      handle(deskRoutes.startDeskEvacuation, () => {
        started++;
        return { startedAt: new Date().toISOString() };
      }),
    );
    const { user } = await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Evacuate' }), { detail: 0 });
    expect(started).toBe(0);
    await press(user, 'Yes, evacuate');
    expect(await screen.findByText(/^Evacuation since .*Sign in for the roll call\.$/)).toBeVisible();
    expect(started).toBe(1);
  });

  test('that cannot be sent says to raise the alarm by voice', async () => {
    server.use(handle(deskRoutes.startDeskEvacuation, offline));
    const { user } = await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Evacuate' }), { detail: 0 });
    await press(user, 'Yes, evacuate');
    expect(await screen.findByText(/Raise the alarm by voice/)).toBeVisible();
  });
});

describe('a danger', () => {
  const lines = () =>
    within(screen.getByRole('alert', { name: /Danger|خطر/ })).queryAllByText(/./, { selector: 'p span' });

  test('is a red line in words without a sign-in, from the next look until it is over, also offline', async () => {
    const { pass } = stopClock();
    await open();
    expect(await screen.findByRole('button', { name: /Nadia Farouk/ })).toBeEnabled();
    expect(lines()).toEqual([]);
    const fire = { kind: 'temperature', area: 'Kitchen' };
    server.use(handle(deskRoutes.getDesk, desk({ dangers: [fire, { kind: 'air', area: null }] })));
    await pass(5_500);
    expect(
      await screen.findByText(/^Danger: high temperature in .*Kitchen.*Sign in for more\.$/),
    ).toBeVisible();
    expect(screen.getByText('Danger: gas or smoke in the air. Sign in for more.')).toBeVisible();
    // Signing in and Evacuate stay.
    expect(screen.getByRole('button', { name: /Nadia Farouk/ })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Evacuate' })).toBeEnabled();
    server.use(handle(deskRoutes.getDesk, offline));
    await pass(5_500);
    expect(await screen.findByRole('heading', { name: 'No connection' })).toBeVisible();
    expect(lines()).toHaveLength(2);
    server.use(handle(deskRoutes.getDesk, desk()));
    await pass(5_500);
    await waitFor(() => expect(lines()).toEqual([]));
  });

  test('that must not be read there says only that it is one, also while a PIN is typed', async () => {
    server.use(handle(deskRoutes.getDesk, desk({ dangers: [{ kind: 'other', area: null }] })));
    const { user } = await open();
    await press(user, /Nadia Farouk/);
    expect(screen.getByText('Danger. Sign in to see what it is.')).toBeVisible();
  });

  test('is said in Arabic', async () => {
    localStorage.setItem('haris.desk', JSON.stringify({ ...PAIRED, language: 'ar' }));
    server.use(handle(deskRoutes.getDesk, desk({ dangers: [{ kind: 'air', area: 'المطبخ' }] })));
    await open({ language: 'ar' });
    expect(await screen.findByText(/^خطر: غاز أو دخان في .*المطبخ/)).toBeVisible();
  });
});

describe('the person’s time', () => {
  async function takeOver() {
    let ended = 0;
    const presses = { count: 0 };
    server.use(
      handle(deskRoutes.signInAtDesk, signedIn('nadia')),
      handle(accountRoutes.logout, () => {
        ended++;
        return undefined;
      }),
      handle(deskRoutes.pressSession, () => {
        presses.count++;
        return undefined;
      }),
    );
    const opened = await open();
    await press(opened.user, /Nadia Farouk/);
    await opened.user.keyboard('830561');
    await screen.findByRole('button', { name: 'Hand over' });
    return { ...opened, presses, ended: () => ended };
  }

  test('ends with “Hand over”: the session is ended and nothing of the person is left', async () => {
    const { user, ended, router } = await takeOver();
    await press(user, 'Hand over');
    expect(await isAsking()).toBeVisible();
    expect(ended()).toBe(1);
    expect(getTokenState().token).toBeNull();
    expect(screen.queryByRole('button', { name: 'Hand over' })).toBeNull();
    // Neither Back nor an address shows more.
    await act(() => router.navigate('/adminDashboard'));
    expect(await isAsking()).toBeVisible();
    await act(() => router.navigate('/'));
    expect(await isAsking()).toBeVisible();
  });

  test('counts down when nobody presses, a press starts it again, and then it locks', async () => {
    const { pass } = stopClock();
    const { user, presses, ended } = await takeOver();
    await pass(95_000);
    expect(await screen.findByText(/^Locks in \d+ s$/)).toBeVisible();
    await user.keyboard('{Shift}');
    await pass(6_000);
    expect(screen.queryByText(/^Locks in/)).toBeNull();
    await waitFor(() => expect(presses.count).toBeGreaterThan(0));
    await pass(121_000);
    expect(await isAsking()).toBeVisible();
    expect(ended()).toBe(1);
  });
});

test('without a connection it says so, keeps Evacuate, and comes back by itself', async () => {
  server.use(handle(deskRoutes.getDesk, offline));
  const { pass } = stopClock();
  await open();
  expect(await screen.findByRole('heading', { name: 'No connection' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Evacuate' })).toBeVisible();
  await expectAccessible();
  server.use(handle(deskRoutes.getDesk, desk()));
  await pass(5_000);
  expect(await isAsking()).toBeVisible();
});

test('is paired with a typed code of its own kind; a removed tablet asks for a new one', async () => {
  localStorage.clear();
  vi.stubGlobal('requestFullscreen', undefined);
  const asked: unknown[] = [];
  server.use(
    handle(kioskRoutes.pairKiosk, ({ body }) => {
      asked.push(body);
      return { kioskId: 'desk-1', name: 'Front desk', token: 'new-token' };
    }),
  );
  const { user } = await open();
  await user.type(await screen.findByLabelText(/Pairing code/), 'ABCDE-FGHJK');
  await expectAccessible();
  server.use(handle(deskRoutes.getDesk, desk()));
  await press(user, 'Pair this tablet');
  expect(await isAsking()).toBeVisible();
  expect(asked).toEqual([{ code: 'ABCDE-FGHJK', kind: 'desk' }]);
  expect(JSON.parse(localStorage.getItem('haris.desk') ?? '')).toMatchObject({ token: 'new-token' });
  server.use(handle(deskRoutes.getDesk, refuse('unauthenticated')));
  act(() => {
    window.dispatchEvent(new Event('online'));
  });
  expect(await screen.findByText(/no longer a shared desk/)).toBeVisible();
  expect(localStorage.getItem('haris.desk')).toBeNull();
});

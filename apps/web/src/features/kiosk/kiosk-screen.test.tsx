/** The kiosk: pairing, each step of a family, what it forgets and when, and the only way out. */
import { type KioskVisit, kioskRoutes } from '@haris/contract/http/kiosk';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getTokenState } from '../../calls/token-store.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const PAIRED = { token: 'token-of-the-kiosk', name: 'Entrance', language: 'en' };
const adam = { _id: 'child-adam', firstName: 'Adam', name: 'Adam Ibrahim', isInside: false, isTicked: true };
const nour = { _id: 'child-nour', firstName: 'Nour', name: 'Nour Ibrahim', isInside: false, isTicked: true };
const omar = { _id: 'child-omar', firstName: 'Omar', name: 'Omar Ibrahim', isInside: true, isTicked: false };
const family = { grant: 'grant', children: [adam, nour], durationInMinutes: 120 as const };
const visitOf = (state: KioskVisit['children'][number]['state'], kind: KioskVisit['kind'] = 'check_in') => ({
  visit: 'visit-1',
  kind,
  children: [
    { firstName: 'Adam', state },
    { firstName: 'Nour', state },
  ],
});

beforeEach(() => {
  localStorage.setItem('haris.kiosk', JSON.stringify(PAIRED));
  server.use(handle(kioskRoutes.getKiosk, { name: 'Entrance' }));
});

const open = (options = {}) => renderScreen('/kiosk', options);
const press = (user: UserEvent, name: string | RegExp) =>
  screen.findByRole('button', { name }).then((button) => user.click(button));
async function type(user: UserEvent, digits: string): Promise<void> {
  for (const digit of digits) await user.click(screen.getByRole('button', { name: digit }));
}
async function typePair(user: UserEvent, digits = '1234', pin = '8305'): Promise<void> {
  await press(user, /Phone number and PIN/);
  await type(user, digits);
  expect(await screen.findByRole('heading', { name: 'Your PIN' })).toBeVisible();
  await type(user, pin);
  await press(user, 'Continue');
}
const isAtStart = () => screen.findByRole('heading', { name: 'Welcome' });
const expectNoNames = () => expect(document.body.textContent).not.toMatch(/Adam|Nour|Ibrahim|8305/);

test('digits and PIN go to the server together, and nothing of a family is shown before', async () => {
  const sent: unknown[] = [];
  server.use(
    handle(kioskRoutes.identifyAtKiosk, ({ body, headers }) => {
      sent.push({ body, authorization: headers.get('authorization') });
      return family;
    }),
  );
  const { user } = await open();
  expect(await isAtStart()).toBeVisible();
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
  await expectAccessible();
  await typePair(user);
  expect(await screen.findByRole('heading', { name: 'Who is here?' })).toBeVisible();
  expect(sent).toEqual([
    { body: { digits: '1234', pin: '8305' }, authorization: 'Bearer token-of-the-kiosk' },
  ]);
  expect(screen.getByRole('checkbox', { name: 'Adam Ibrahim' })).toBeChecked();
  expect(screen.getByRole('radio', { name: '2 hours' })).toBeChecked();
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/Adam|8305/);
});

test.each([
  ['kiosk_no_match', 'That did not match. Try again, or ask at the desk.'],
  ['too_many_attempts', 'Too many attempts. Please go to the desk.'],
] as const)(
  'refused: %s says so without a hint which part was wrong, and forgets both',
  async (code, words) => {
    server.use(handle(kioskRoutes.identifyAtKiosk, refuse(code)));
    const { user } = await open();
    await typePair(user);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your phone number' })).toBeVisible();
    expectNoNames();
  },
);

test('the PIN is never shown, and a keyboard types as well as the keys', async () => {
  const { user } = await open();
  await press(user, /Phone number and PIN/);
  await user.keyboard('1234');
  expect(await screen.findByRole('heading', { name: 'Your PIN' })).toBeVisible();
  await user.keyboard('83{Backspace}305');
  expect(screen.getByText('4 digits entered')).toBeInTheDocument();
  await expectAccessible();
  expect(document.body.textContent).not.toMatch(/8305|8330/);
});

describe('the family', () => {
  test('unticks a child, chooses a period, asks, waits, and is welcomed by first name', async () => {
    const asked: unknown[] = [];
    let answer = visitOf('waiting');
    server.use(
      handle(kioskRoutes.identifyAtKiosk, family),
      handle(kioskRoutes.askAtKiosk, ({ body }) => {
        asked.push(body);
        return answer;
      }),
      handle(kioskRoutes.getKioskVisit, () => answer),
    );
    const { pass } = stopClock();
    const { user } = await open();
    await typePair(user);
    await user.click(await screen.findByRole('checkbox', { name: 'Nour Ibrahim' }));
    expect(screen.getByRole('button', { name: 'Check in Adam' })).toBeEnabled();
    await user.click(screen.getByRole('checkbox', { name: 'Nour Ibrahim' }));
    await user.click(screen.getByRole('radio', { name: '30 min' }));
    await press(user, 'Check in Adam and Nour');
    expect(await screen.findByRole('heading', { name: 'Waiting for staff' })).toBeVisible();
    await expectAccessible();
    expect(asked).toEqual([
      { grant: 'grant', kind: 'check_in', childIds: ['child-adam', 'child-nour'], durationInMinutes: 30 },
    ]);
    answer = visitOf('done');
    await pass(1_500);
    expect(await screen.findByRole('heading', { name: 'Welcome, Adam and Nour' })).toBeVisible();
    expect(document.body.textContent).not.toContain('Ibrahim');
    await pass(8_500);
    expect(await isAtStart()).toBeVisible();
    expectNoNames();
  });

  test.each(['refused', 'expired', 'ended'] as const)('%s: please come to the desk', async (state) => {
    server.use(handle(kioskRoutes.identifyAtKiosk, family), handle(kioskRoutes.askAtKiosk, visitOf(state)));
    const { user } = await open();
    await typePair(user);
    await press(user, 'Check in Adam and Nour');
    expect(await screen.findByRole('heading', { name: 'Please come to the desk' })).toBeVisible();
  });

  test('with a child inside announces the pick-up, without a period', async () => {
    const asked: unknown[] = [];
    server.use(
      handle(kioskRoutes.identifyAtKiosk, { ...family, children: [omar] }),
      handle(kioskRoutes.askAtKiosk, ({ body }) => {
        asked.push(body);
        return { visit: 'v', kind: 'pick_up', children: [{ firstName: 'Omar', state: 'done' }] };
      }),
    );
    const { user } = await open();
    await typePair(user);
    expect(await screen.findByRole('checkbox', { name: 'Omar Ibrahim' })).toBeChecked();
    expect(screen.queryByRole('radio')).toBeNull();
    await press(user, "I'm here to pick up Omar");
    expect(await screen.findByRole('heading', { name: 'Goodbye, Omar' })).toBeVisible();
    expect(asked).toEqual([{ grant: 'grant', kind: 'pick_up', childIds: ['child-omar'] }]);
  });

  test('takes the request back', async () => {
    let cancelled = 0;
    server.use(
      handle(kioskRoutes.identifyAtKiosk, family),
      handle(kioskRoutes.askAtKiosk, visitOf('waiting')),
      handle(kioskRoutes.cancelKioskVisit, () => {
        cancelled++;
        return visitOf('ended');
      }),
    );
    const { user } = await open();
    await typePair(user);
    await press(user, 'Check in Adam and Nour');
    await press(user, 'Cancel request');
    expect(await isAtStart()).toBeVisible();
    expect(cancelled).toBe(1);
  });
});

describe('forgets everything', () => {
  test('25 seconds after the last touch, with a warning before; a touch starts the time again', async () => {
    server.use(handle(kioskRoutes.identifyAtKiosk, family));
    const { pass } = stopClock();
    const { user } = await open();
    await typePair(user);
    expect(await screen.findByRole('heading', { name: 'Who is here?' })).toBeVisible();
    await pass(14_000);
    expect(screen.queryByText(/Starting again in/)).toBeNull();
    await pass(3_000);
    expect(screen.getByText(/Starting again in \d seconds/)).toBeVisible();
    fireEvent.pointerDown(document.body);
    await pass(20_000);
    expect(screen.getByRole('heading', { name: 'Who is here?' })).toBeVisible();
    await pass(6_000);
    expect(await isAtStart()).toBeVisible();
    expectNoNames();
  });

  test('half a pair of digits, too', async () => {
    const { pass } = stopClock();
    const { user } = await open();
    await press(user, /Phone number and PIN/);
    await type(user, '12');
    await pass(26_000);
    expect(await isAtStart()).toBeVisible();
    await press(user, /Phone number and PIN/);
    expect(screen.queryByText(/digits entered/)).toBeNull();
  });

  test('at once when the page is hidden, and a waiting family after a minute', async () => {
    server.use(
      handle(kioskRoutes.identifyAtKiosk, family),
      handle(kioskRoutes.askAtKiosk, visitOf('waiting')),
      handle(kioskRoutes.getKioskVisit, visitOf('waiting')),
    );
    const { pass } = stopClock();
    const { user } = await open();
    await typePair(user);
    expect(await screen.findByRole('heading', { name: 'Who is here?' })).toBeVisible();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    vi.restoreAllMocks();
    expect(await isAtStart()).toBeVisible();
    await typePair(user);
    await press(user, 'Check in Adam and Nour');
    expect(await screen.findByRole('heading', { name: 'Waiting for staff' })).toBeVisible();
    await pass(61_000);
    expect(await isAtStart()).toBeVisible();
    expectNoNames();
  });

  test('also the language that a family chose', async () => {
    const { pass } = stopClock();
    const { user } = await open();
    await press(user, 'العربية');
    expect(await screen.findByRole('heading', { name: 'أهلًا وسهلًا' })).toBeVisible();
    await waitFor(() => expect(document.documentElement.lang).toBe('ar'));
    await pass(26_000);
    expect(await isAtStart()).toBeVisible();
    expect(localStorage.getItem('haris.language')).not.toBe('ar');
  });
});

test('without a connection it sends families to the desk, keeps nothing, and comes back by itself', async () => {
  const { pass } = stopClock();
  let isReachable = true;
  server.use(
    handle(kioskRoutes.getKiosk, () => (isReachable ? { name: 'Entrance' } : offline)),
    handle(kioskRoutes.identifyAtKiosk, () => {
      isReachable = false;
      return offline;
    }),
  );
  const { user } = await open();
  await typePair(user);
  expect(await screen.findByRole('heading', { name: 'No connection' })).toBeVisible();
  expect(screen.getByText('Please go to the desk.')).toBeVisible();
  expectNoNames();
  isReachable = true;
  await pass(4_000);
  expect(await isAtStart()).toBeVisible();
});

test('a removed kiosk goes back to pairing and forgets its token', async () => {
  server.use(handle(kioskRoutes.getKiosk, refuse('unauthenticated')));
  await open();
  expect(await screen.findByText(/no longer a kiosk/)).toBeVisible();
  expect(localStorage.getItem('haris.kiosk')).toBeNull();
});

test('a scanner that types like a keyboard opens the family by the code', async () => {
  const code = 'aB3-_'.repeat(9).slice(0, 43);
  const sent: unknown[] = [];
  server.use(
    handle(kioskRoutes.identifyAtKiosk, ({ body }) => {
      sent.push(body);
      return sent.length === 1 ? refuse('wrong_code') : family;
    }),
  );
  await open();
  await isAtStart();
  const scan = () => {
    for (const key of code) {
      const letter = key.toUpperCase();
      const physical = /[A-Z]/.test(letter) ? `Key${letter}` : /\d/.test(key) ? `Digit${key}` : 'Minus';
      fireEvent.keyDown(document.body, { key, code: physical, shiftKey: /[A-Z_]/.test(key) });
    }
    fireEvent.keyDown(document.body, { key: 'Enter', code: 'Enter' });
  };
  // The page listens a moment after it shows that it does.
  const scanUntilSent = (times: number) =>
    waitFor(() => {
      if (sent.length < times) scan();
      expect(sent).toHaveLength(times);
    });
  await scanUntilSent(1);
  expect(await screen.findByText(/expired or was already used/)).toBeVisible();
  await scanUntilSent(2);
  expect(await screen.findByRole('heading', { name: 'Who is here?' })).toBeVisible();
  expect(sent).toEqual([{ code }, { code }]);
});

test('a code from elsewhere is said to be none of ours, and nothing is sent', async () => {
  await open();
  await isAtStart();
  const words = /^That is not a code for the kiosk\./;
  const scan = () => {
    for (const key of '4006381333931')
      fireEvent.keyDown(document.body, { key, code: `Digit${key}`, shiftKey: false });
    fireEvent.keyDown(document.body, { key: 'Enter', code: 'Enter' });
  };
  // The page listens a moment after it shows that it does.
  await waitFor(() => {
    if (screen.queryByText(words) === null) scan();
    expect(screen.getByText(words)).toBeVisible();
  });
  expect(await isAtStart()).toBeVisible();
});

test('leaves only by the password of staff, who are not signed in by it', async () => {
  server.use(handle(kioskRoutes.leaveKiosk, refuse('wrong_password')));
  const { user } = await open();
  await isAtStart();
  await press(user, 'Staff');
  const dialog = await screen.findByRole('dialog', { name: 'Leave kiosk mode' });
  await user.type(within(dialog).getByLabelText('Staff email'), 'salma@haris.example');
  await user.type(within(dialog).getByLabelText('Password'), 'wrong');
  await user.click(within(dialog).getByRole('button', { name: 'Leave kiosk mode' }));
  expect(await within(dialog).findByText('This password is wrong.')).toBeVisible();
  await expectAccessible();
  expect(localStorage.getItem('haris.kiosk')).not.toBeNull();
});

describe('pairing', () => {
  beforeEach(() => localStorage.removeItem('haris.kiosk'));

  test('with a typed code signs out whoever is signed in, and clears what the browser kept', async () => {
    localStorage.setItem('haris.roll-call', 'names of children');
    let ended = 0;
    const { accountRoutes } = await import('@haris/contract/http/accounts');
    server.use(
      handle(kioskRoutes.pairKiosk, { kioskId: 'k', name: 'Entrance', token: 'fresh' }),
      handle(accountRoutes.logout, () => {
        ended++;
        return undefined;
      }),
    );
    const { user } = await open({ as: { admin: admin() } });
    await user.type(await screen.findByLabelText(/Pairing code/), 'abcde-fghjk');
    await expectAccessible();
    await press(user, 'Pair this device');
    expect(await isAtStart()).toBeVisible();
    await waitFor(() => expect(getTokenState().token).toBeNull());
    expect(ended).toBe(1);
    expect(localStorage.getItem('haris.roll-call')).toBeNull();
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.getItem('haris.kiosk')).toContain('fresh');
  });

  test('with a code in the address pairs at once; a used code says so', async () => {
    server.use(
      handle(kioskRoutes.pairKiosk, refuse('invalid_token', { message: 'This code is not valid any more.' })),
    );
    await renderScreen('/kiosk/ABCDEFGHJK');
    expect(await screen.findByText('This code is not valid any more.')).toBeVisible();
  });

  test('while it runs', async () => {
    server.use(handle(kioskRoutes.pairKiosk, pending));
    await renderScreen('/kiosk/ABCDEFGHJK');
    expect(await screen.findByText('Pairing…')).toBeVisible();
  });
});

test('in Arabic', async () => {
  localStorage.setItem('haris.kiosk', JSON.stringify({ ...PAIRED, language: 'ar' }));
  server.use(handle(kioskRoutes.identifyAtKiosk, family));
  const { user } = await open({ language: 'ar' });
  await press(user, /رقم الهاتف/);
  await type(user, '١٢٣٤');
  await type(user, '٨٣٠٥');
  await press(user, 'متابعة');
  expect(await screen.findByRole('heading', { name: 'من معك اليوم؟' })).toBeVisible();
  await expectAccessible();
});

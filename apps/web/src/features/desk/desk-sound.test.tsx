/** The sound of a danger at the shared desk: after a first press, until it is silenced, and switched off. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { deskRoutes } from '@haris/contract/http/desk';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { hearAudio } from '../../testing/audio.ts';
import { handle, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { admin } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const PAIRED = { token: 'token-of-the-desk-tablet', name: 'Front desk', language: 'en' };
const nadia = { _id: 'staff-nadia', name: 'Nadia Farouk', photoId: null, hasPin: true, hasPasskey: false };
const fire = { kind: 'temperature', area: 'Kitchen' } as const;
const other = { kind: 'other', area: null } as const;
const LOOK_MS = 5_500;
const LOCKED = 'Press once to allow sound';
const OFF = 'The alarm sound is off on this device.';

// The page makes one context and keeps it, so all tests hear the same.
const audio = hearAudio();

function serveDesk(
  dangers: readonly ((typeof fire | typeof other) & { since?: string })[],
  evacuatingSince: string | null = null,
) {
  const desk = { name: 'Front desk', facility: 'Sunshine Nursery', staff: [nadia] };
  server.use(handle(deskRoutes.getDesk, { ...desk, evacuatingSince, dangers: [...dangers] }));
}

beforeEach(() => {
  localStorage.setItem('haris.desk', JSON.stringify(PAIRED));
  serveDesk([]);
  act(() => audio.lock());
});

/** Opens the desk without a danger, which then comes with the next look. */
async function open(options = {}) {
  const { pass } = stopClock();
  const page = await renderScreen('/desk', options);
  await screen.findByRole('button', { name: /Nadia Farouk/ });
  /** Number of tones in some seconds. */
  const hear = async (ms = LOOK_MS) => {
    const before = audio.tones();
    await pass(ms);
    return audio.tones() - before;
  };
  return { ...page, pass, hear };
}

const SILENCE = 'Silence the alarm';
const sounding = () => screen.findByRole('button', { name: SILENCE });
const silent = () =>
  waitFor(() => expect(screen.queryByRole('button', { name: SILENCE })).not.toBeInTheDocument());

test('is locked until a press, says so, and then sounds until it is silenced; a new danger sounds again', async () => {
  const { user, pass, hear } = await open();
  expect(screen.getByText(LOCKED)).toBeVisible();
  serveDesk([fire]);
  await pass(LOOK_MS);
  const button = await sounding();
  expect(await hear()).toBe(0);
  expect(screen.getByText(LOCKED)).toBeVisible();
  await user.keyboard('{Shift}');
  await waitFor(() => expect(screen.queryByText(LOCKED)).not.toBeInTheDocument());
  expect(await hear()).toBeGreaterThanOrEqual(4);
  await user.click(button);
  await silent();
  expect(await hear(20_000)).toBe(0);
  expect(screen.getByText(/^Danger: high temperature/)).toBeVisible();
  serveDesk([fire, other]);
  await pass(LOOK_MS);
  await user.click(await sounding());
  await silent();
  // A second one of the same kind, which the tablet may not name.
  serveDesk([fire, { ...other, since: '2026-11-27T10:00:00.000Z' }]);
  await pass(LOOK_MS);
  await user.click(await sounding());
  await silent();
  // That one is over, and the first is not: it was silenced before.
  serveDesk([fire, other]);
  await pass(LOOK_MS);
  expect(await hear()).toBe(0);
  // Over, and back.
  serveDesk([]);
  await pass(LOOK_MS);
  await waitFor(() => expect(screen.queryByText(/^Danger/)).not.toBeInTheDocument());
  serveDesk([fire]);
  await pass(LOOK_MS);
  await sounding();
  expect(await hear()).toBeGreaterThanOrEqual(4);
});

test('ends by itself after five minutes, because the tablet does not know who acknowledged it', async () => {
  const { user, pass, hear } = await open();
  await user.keyboard('{Shift}');
  serveDesk([fire]);
  await pass(LOOK_MS);
  await sounding();
  expect(await hear(280_000)).toBeGreaterThan(100);
  await pass(20_000);
  await silent();
  expect(await hear(20_000)).toBe(0);
  expect(screen.getByText(/^Danger: high temperature/)).toBeVisible();
});

test('an evacuation sounds, too; whoever signs in has silenced it, also after handing over', async () => {
  const { user, pass, hear } = await open();
  serveDesk([], new Date().toISOString());
  await user.keyboard('{Shift}');
  await pass(LOOK_MS);
  await sounding();
  expect(await hear()).toBeGreaterThanOrEqual(4);
  server.use(
    handle(deskRoutes.signInAtDesk, {
      token: `token-of-nadia-${'x'.repeat(30)}`,
      admin: admin({ _id: nadia._id, name: nadia.name }),
      idleMinutes: 2,
    }),
    handle(deskRoutes.pressSession, () => undefined),
    handle(accountRoutes.logout, () => undefined),
  );
  await user.click(screen.getByRole('button', { name: /Nadia Farouk/ }));
  await user.keyboard('830561');
  await user.click(await screen.findByRole('button', { name: 'Hand over' }));
  expect(await screen.findByText(/^Evacuation since/)).toBeVisible();
  expect(await hear()).toBe(0);
  await silent();
});

test('is switched off and tested in the settings, and says that it is off', async () => {
  const { user, pass, hear, unmount } = await open();
  serveDesk([fire]);
  await pass(LOOK_MS);
  await sounding();
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  const choice = await screen.findByRole('switch', { name: /^Sound an alarm for dangers/ });
  expect(choice).toBeChecked();
  expect(await hear()).toBeGreaterThanOrEqual(4);
  await user.click(choice);
  expect(await hear()).toBe(0);
  expect(screen.getByText(OFF)).toBeInTheDocument();
  const before = audio.tones();
  await user.click(screen.getByRole('button', { name: 'Test the sound' }));
  await waitFor(() => expect(audio.tones() - before).toBe(4));
  const kept = localStorage.getItem('haris.desk.sound') ?? '';
  await unmount();
  localStorage.setItem('haris.desk', JSON.stringify(PAIRED));
  localStorage.setItem('haris.desk.sound', kept);
  await renderScreen('/desk');
  expect(await screen.findByText(OFF)).toBeVisible();
});

test('is off on a phone until somebody switches it on, in Arabic as well', async () => {
  localStorage.setItem('haris.desk', JSON.stringify({ ...PAIRED, language: 'ar' }));
  const { user, pass, hear } = await open({ size: 'phone', language: 'ar' });
  expect(screen.getByText('صوت الإنذار مطفأ على هذا الجهاز.')).toBeVisible();
  await user.keyboard('{Shift}');
  serveDesk([fire]);
  await pass(LOOK_MS);
  await screen.findByText(/^خطر/);
  expect(await hear()).toBe(0);
  await user.click(screen.getByRole('button', { name: 'الإعدادات' }));
  await user.click(await screen.findByRole('switch', { name: /^إنذار صوتي عند الخطر/ }));
  expect(await hear()).toBeGreaterThanOrEqual(4);
});

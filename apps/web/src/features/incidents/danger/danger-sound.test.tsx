/** The sound of a danger on the screens of staff: locked until a press, and that is said. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { hearAudio } from '../../../testing/audio.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { child, parent } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { incident, serveIncidents, staff } from '../testing/incidents.ts';

// The page makes one context and keeps it, so all tests hear the same.
const audio = hearAudio();
const LOCKED = 'Press once to allow sound';
const card = () => screen.findByRole('alertdialog', { name: 'Temperature alert' });

beforeEach(() => act(() => audio.lock()));

test('plays once somebody has pressed on the page, which the dialog asks for, until it is acknowledged', async () => {
  const { pass } = stopClock();
  serveIncidents(incident());
  const { user } = await renderScreen('/importFamilies', { as: staff });
  const danger = await card();
  expect(screen.getByText(LOCKED)).toBeVisible();
  await pass(5_000);
  expect(audio.tones()).toBe(0);
  await user.keyboard('{Shift}');
  await waitFor(() => expect(screen.queryByText(LOCKED)).not.toBeInTheDocument());
  await pass(5_000);
  expect(audio.tones()).toBeGreaterThanOrEqual(4);
  await user.click(within(danger).getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(danger).not.toBeInTheDocument());
  const before = audio.tones();
  await pass(5_000);
  expect(audio.tones()).toBe(before);
});

test('asks no parent', async () => {
  serveIncidents(incident());
  const own = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
  await renderScreen('/addChild', { as: { parent: parent({ children: [own] }) } });
  await card();
  expect(screen.queryByText(LOCKED)).not.toBeInTheDocument();
});

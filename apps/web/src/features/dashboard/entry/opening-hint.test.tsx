/** A check-in outside of the opening hours, or beyond closing, shows a hint and works as ever. */
import { facilityRoutes } from '@haris/contract/http/facilities';
import type { Holiday, OpeningHours } from '@haris/contract/opening-hours';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { handle, server } from '../../../testing/contract-server.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const day = [{ from: '07:30', to: '16:00' }];
const week: OpeningHours = {
  sunday: day,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: [],
  saturday: [],
};

beforeEach(() => void stopClock());

/** Opens Register Entry for Omar at a moment of Monday 23 November 2026 in Cairo, two hours ahead of UTC. */
async function openEntry(moment: string, openingHours: OpeningHours | null, holidays: Holiday[] = []) {
  vi.setSystemTime(new Date(moment));
  const place = { _id: 'main', name: null, phone: null, timeZone: 'Africa/Cairo', region: 'EG' };
  server.use(
    handle(facilityRoutes.listOpeningHours, {
      facilities: [{ ...place, openingHours, holidays, stayEnds: [] }],
    }),
  );
  const desk = serveDesk(family({}, child({ _id: 'child-omar', name: 'Omar Hassan' })));
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
  await user.click(await screen.findByRole('button', { name: 'Check in Omar Hassan' }));
  return { user, desk, dialog: within(await screen.findByRole('dialog')) };
}

test('a booked time that ends after closing says when it closes; a shorter one does not; both check in', async () => {
  const { user, desk, dialog } = await openEntry('2026-11-23T13:15:00Z', week);
  await user.click(await dialog.findByRole('radio', { name: '1 hour' }));
  expect(await dialog.findByText(/^Closes at 4:00\sPM$/i)).toBeVisible();
  await user.click(dialog.getByRole('radio', { name: '30 minutes' }));
  await waitFor(() => expect(dialog.queryByText(/^Closes at/)).not.toBeInTheDocument());
  await user.click(dialog.getByRole('radio', { name: '1 hour' }));
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() => expect(desk.done).toEqual(['check-in child-omar 60']));
});

test('closed now: a hint that refuses nothing', async () => {
  const { user, desk, dialog } = await openEntry('2026-11-23T14:30:00Z', week);
  expect(await dialog.findByText('The nursery is closed now')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() => expect(desk.done).toEqual(['check-in child-omar 30']));
});

test('closed for a holiday, which it names; without hours nothing is said', async () => {
  const eid = { from: '2026-11-23', to: '2026-11-23', name: 'Eid' };
  const { dialog } = await openEntry('2026-11-23T09:00:00Z', null, [eid]);
  expect(await dialog.findByText(/^Closed today: .?Eid.?$/)).toBeVisible();
});

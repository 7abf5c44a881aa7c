/** Ends of a stay besides the periods: what the facility offers, in words with their times, and what is sent. */
import { bookingRoutes, type ExpectedChild } from '@haris/contract/http/bookings';
import { childRoutes } from '@haris/contract/http/children';
import { facilityRoutes } from '@haris/contract/http/facilities';
import type { Settings } from '@haris/contract/objects';
import type { OpeningHours } from '@haris/contract/opening-hours';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { bookedDay, ZONE } from '../../../testing/bookings.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const day = [{ from: '07:30', to: '16:00' }];
const openingHours: OpeningHours = {
  sunday: day,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: [],
  saturday: [],
};
const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });
const layla = child({ _id: 'child-layla', name: 'Layla Hassan' });

beforeEach(() => void stopClock());

/** Opens Register Entry for Omar at ten in the morning of Monday 23 November 2026 in Cairo, or at another moment. */
async function openEntry(
  stayEnds: Settings['stayEnds'],
  { moment = '2026-11-23T08:00:00Z', booked = true, language = 'en' as 'en' | 'ar' } = {},
) {
  vi.setSystemTime(new Date(moment));
  const expected: ExpectedChild[] = booked
    ? [{ child: omar, day: bookedDay({ date: '2026-11-23' }), presence: 'late' }]
    : [];
  server.use(
    handle(facilityRoutes.listOpeningHours, {
      facilities: [
        {
          _id: 'main',
          name: null,
          phone: null,
          timeZone: ZONE,
          region: 'EG',
          openingHours,
          holidays: [],
          stayEnds,
        },
      ],
    }),
    handle(bookingRoutes.listExpected, { date: '2026-11-23', timeZone: ZONE, hasBookings: booked, expected }),
  );
  serveDesk(family({}, omar, layla));
  const sent: unknown[] = [];
  server.use(
    handle(childRoutes.checkInChild, ({ body }) => {
      sent.push(body);
      return { message: 'Checked in', child: { ...omar, isInside: true } };
    }),
  );
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin({ language }) }, language });
  const name = language === 'en' ? 'Check in Omar Hassan' : /Omar Hassan/;
  await user.click((await screen.findAllByRole('button', { name }))[0] as HTMLElement);
  return { user, sent, dialog: within(await screen.findByRole('dialog')) };
}

test('a facility that offers none shows the four periods alone', async () => {
  const { dialog } = await openEntry([]);
  expect(await dialog.findByRole('radio', { name: '30 minutes' })).toBeVisible();
  expect(dialog.queryByRole('group', { name: 'Other ends' })).not.toBeInTheDocument();
});

test('until closing, with its time; another period takes it back', async () => {
  const { user, dialog, sent } = await openEntry(['closing']);
  const closing = await dialog.findByRole('button', { name: /^Until closing, 4:00\sPM$/i });
  await user.click(closing);
  expect(closing).toHaveAttribute('aria-pressed', 'true');
  expect(dialog.getByText(/^until 4:00\sPM$/i)).toBeVisible();
  expect(dialog.queryByRole('radio', { checked: true })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('radio', { name: '1 hour' }));
  expect(closing).toHaveAttribute('aria-pressed', 'false');
  await user.click(closing);
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ end: { kind: 'closing' } })]));
});

test('as booked is offered if all who come are booked', async () => {
  const { user, dialog, sent } = await openEntry(['booking']);
  const booked = await dialog.findByRole('button', { name: /^As booked, 2:00\sPM$/i });
  await user.click(dialog.getByRole('checkbox', { name: /Layla Hassan/ }));
  await waitFor(() => expect(booked).not.toBeInTheDocument());
  await user.click(dialog.getByRole('checkbox', { name: /Layla Hassan/ }));
  await user.click(await dialog.findByRole('button', { name: /^As booked/ }));
  // A choice that is not possible any more is said, and comes back with its reason.
  await user.click(dialog.getByRole('checkbox', { name: /Layla Hassan/ }));
  expect(await dialog.findByText('This end is not possible any more. Choose another.')).toBeVisible();
  await user.click(dialog.getByRole('checkbox', { name: /Layla Hassan/ }));
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ end: { kind: 'booking' } })]));
});

test('a time of day is chosen in a form of its own, which checks nobody in', async () => {
  const { user, dialog, sent } = await openEntry(['until']);
  await user.click(await dialog.findByRole('button', { name: 'Until…' }));
  await user.type(await screen.findByLabelText('Stays until'), '15:15');
  await user.keyboard('{Enter}');
  expect(await dialog.findByText(/^until 3:15\sPM$/i)).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() =>
    expect(sent).toEqual([
      expect.objectContaining({ end: { kind: 'until', at: '2026-11-23T13:15:00.000Z' } }),
    ]),
  );
});

test('without a booking and after closing only the time of day is left; a refusal is said', async () => {
  const { user, dialog } = await openEntry(['until', 'closing', 'booking'], {
    moment: '2026-11-23T14:30:00Z',
    booked: false,
  });
  server.use(handle(childRoutes.checkInChild, refuse('stay_end_unavailable')));
  const ends = within(await dialog.findByRole('group', { name: 'Other ends' }));
  expect(ends.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Until…']);
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  expect(await screen.findByText(/^The stay cannot end like that now/)).toBeVisible();
});

test('in Arabic', async () => {
  const { dialog } = await openEntry(['closing', 'until'], { language: 'ar' });
  expect(await dialog.findByRole('button', { name: /^حتى الإغلاق، / })).toBeVisible();
});

/** Ends of a stay besides the periods: what the facility offers, in words with their times, and what is sent. */
import type { StayEnd } from '@haris/contract/fields';
import { bookingRoutes, type ExpectedChild } from '@haris/contract/http/bookings';
import { childRoutes } from '@haris/contract/http/children';
import { facilityRoutes } from '@haris/contract/http/facilities';
import type { Settings } from '@haris/contract/objects';
import type { OpeningHours } from '@haris/contract/opening-hours';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
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

/**
 * Opens Register Entry for Omar at ten in the morning of Monday 23 November 2026 in Cairo, or at another moment. `last`: the end
 * that was chosen the last time.
 */
async function openEntry(
  stayEnds: Settings['stayEnds'],
  {
    moment = '2026-11-23T08:00:00Z',
    booked = true,
    language = 'en' as 'en' | 'ar',
    last = undefined as StayEnd | undefined,
  } = {},
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
  const desk = serveDesk(family({}, omar, layla));
  if (last !== undefined) desk.cameLast([omar._id], null, last);
  const sent: unknown[] = [];
  server.use(
    handle(childRoutes.checkInChild, ({ body }) => {
      sent.push(body);
      return { message: 'Checked in', child: { ...omar, isInside: true } };
    }),
  );
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin({ language }) }, language });
  const shortcut = language === 'en' ? 'Check in Omar Hassan' : /Omar Hassan/;
  // The list of families does not know how a family came last; the search does.
  const name = last === undefined ? shortcut : 'Register Entry';
  await user.click((await screen.findAllByRole('button', { name }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  if (last !== undefined) {
    const search = await dialog.findByRole('combobox', { name: 'Parent' });
    await waitFor(() => expect(search).toHaveFocus());
    await user.keyboard('omar');
    expect(await dialog.findByRole('checkbox', { name: /Omar Hassan/ })).toBeChecked();
  }
  return { user, sent, dialog };
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

test('a time that has just passed is tomorrow: it takes a second press, and the form says so', async () => {
  const { user, dialog, sent } = await openEntry(['until'], { moment: '2026-11-23T12:01:00Z' });
  await user.click(await dialog.findByRole('button', { name: 'Until…' }));
  await user.type(await screen.findByLabelText('Stays until'), '14:00');
  expect(await screen.findByText(/^Tomorrow: Tue,? 2:00\sPM$/i)).toBeVisible();
  await user.keyboard('{Enter}');
  expect(await screen.findByText(/^That is Tue,? 2:00\sPM, in 23 hours/i)).toBeVisible();
  // Nothing is chosen, so the stay is still the short one.
  expect(dialog.getByRole('radio', { name: '30 minutes' })).toBeChecked();
  await user.keyboard('{Enter}');
  expect(await dialog.findByText(/^until Tue,? 2:00\sPM$/i)).toBeVisible();
  expect(dialog.getByText('The stay ends tomorrow, not today.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Check in' }));
  await waitFor(() =>
    expect(sent).toEqual([
      expect.objectContaining({ end: { kind: 'until', at: '2026-11-24T12:00:00.000Z' } }),
    ]),
  );
});

test('another time takes the question back; one of tonight needs no second press', async () => {
  const { user, dialog } = await openEntry(['until'], { moment: '2026-11-23T12:01:00Z' });
  await user.click(await dialog.findByRole('button', { name: 'Until…' }));
  const field = await screen.findByLabelText('Stays until');
  await user.type(field, '14:00');
  await user.keyboard('{Enter}');
  await screen.findByText(/^That is Tue/);
  await user.clear(field);
  await user.type(field, '13:59');
  expect(screen.queryByText(/^That is Tue/)).not.toBeInTheDocument();
  await user.keyboard('{Enter}');
  expect(await screen.findByText(/^That is Tue,? 1:59\sPM/i)).toBeVisible();
  await user.clear(field);
  await user.type(field, '02:00');
  await user.keyboard('{Enter}');
  expect(await dialog.findByText(/^until Tue,? 2:00\sAM$/i)).toBeVisible();
  expect(dialog.getByText('The stay ends tomorrow, not today.')).toBeVisible();
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

describe('as the family came last', () => {
  test.each([
    [{ kind: 'closing' }, /^Until closing/],
    [{ kind: 'booking' }, /^As booked/],
  ] satisfies [StayEnd, RegExp][])('%o is chosen', async (last, name) => {
    const { user, dialog, sent } = await openEntry(['until', 'closing', 'booking'], { last });
    await waitFor(() => expect(dialog.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true'));
    expect(dialog.queryByRole('radio', { checked: true })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Check in' }));
    await waitFor(() => expect(sent).toEqual([expect.objectContaining({ end: last })]));
  });

  const last: StayEnd = { kind: 'until', at: '2026-11-20T13:15:00.000Z' };

  test('a time is chosen at the same time of day', async () => {
    const { user, dialog, sent } = await openEntry(['until'], { last });
    expect(await dialog.findByText(/^until 3:15\sPM$/i)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Check in' }));
    await waitFor(() =>
      expect(sent).toEqual([
        expect.objectContaining({ end: { kind: 'until', at: '2026-11-23T13:15:00.000Z' } }),
      ]),
    );
  });

  test('a time that has passed today is not chosen for tomorrow', async () => {
    const { dialog } = await openEntry(['until'], { last, moment: '2026-11-23T13:15:30Z' });
    expect(await dialog.findByRole('button', { name: 'Until…' })).toHaveAttribute('aria-pressed', 'false');
    expect(dialog.getByRole('radio', { name: '30 minutes' })).toBeChecked();
  });

  test('what the facility offers no longer is not chosen; another choice counts', async () => {
    const { user, dialog } = await openEntry(['closing'], { last: { kind: 'booking' } });
    const closing = await dialog.findByRole('button', { name: /^Until closing/ });
    expect(dialog.getByRole('radio', { name: '30 minutes' })).toBeChecked();
    await user.click(closing);
    await user.click(dialog.getByRole('radio', { name: '1 hour' }));
    expect(dialog.getByRole('radio', { name: '1 hour' })).toBeChecked();
  });
});

test('in Arabic', async () => {
  const { dialog } = await openEntry(['closing', 'until'], { language: 'ar' });
  expect(await dialog.findByRole('button', { name: /^حتى الإغلاق، / })).toBeVisible();
});

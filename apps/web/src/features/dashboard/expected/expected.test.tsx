/** "Expected today" at the desk, and the booking in the child's sheet. */
import { bookingRoutes, type ChildBookings, type ExpectedChild } from '@haris/contract/http/bookings';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { nextDay } from '@haris/contract/zone-time';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { absence, bookings, expectedChild, today, ZONE } from '../../../testing/bookings.ts';
import { handle, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });

function serveExpected(expected: ExpectedChild[], hasBookings = true) {
  server.use(handle(bookingRoutes.listExpected, { date: today(), timeZone: ZONE, hasBookings, expected }));
}

describe('the figure and the list', () => {
  test('without any booking the desk is as before', async () => {
    serveExpected([], false);
    await renderScreen('/adminDashboard', { as: { admin: admin() } });
    expect(await screen.findByRole('button', { name: /Over time/ })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Still expected/ })).not.toBeInTheDocument();
  });

  test('who is missing comes first; reasons and notes of absences; back to the children inside', async () => {
    serveExpected([
      expectedChild('Adam', 'expected'),
      expectedChild('Laila', 'missing'),
      expectedChild('Nour', 'absent', { state: 'absent', absence: absence({ note: 'Chickenpox' }) }),
      expectedChild('Sami', 'here'),
      expectedChild('Zain', 'late', { arrivesAt: '2026-11-20T08:30:00.000Z' }),
      expectedChild('Hana', 'left'),
    ]);
    const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
    const figure = await screen.findByRole('button', { name: /Still expected/ });
    await waitFor(() => expect(figure).toHaveTextContent('3'));
    expect(figure).toHaveAttribute('data-tone', 'over');
    await user.click(figure);
    const list = within(await screen.findByRole('region', { name: 'Expected today' }));
    expect(list.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
      ...['Not here · 2', 'Still expected · 1', 'Absent · 1', 'Here · 1', 'Left · 1'],
    ]);
    const missing = within(list.getByRole('region', { name: /Not here/ })).getAllByRole('listitem');
    expect(missing.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/Laila.*8:00.*Not here/),
      expect.stringMatching(/Zain.*Comes at 10:30.*Family is asked/),
    ]);
    expect(list.getByText('Chickenpox').closest('li')).toHaveTextContent('Illness');
    await expectAccessible();
    await user.click(list.getByRole('button', { name: 'Show children inside' }));
    expect(await screen.findByRole('region', { name: 'Children in Monitored Area' })).toBeInTheDocument();
  });

  test('a failure is said, with a way to try again; nobody booked', async () => {
    localStorage.setItem('haris.desk-has-bookings', 'true');
    server.use(handle(bookingRoutes.listExpected, refuse('internal_error')));
    const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
    await user.click(await screen.findByRole('button', { name: /Still expected/ }));
    expect(await screen.findByText('The bookings of today could not be loaded.')).toBeInTheDocument();
    serveExpected([]);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('No child is booked today.')).toBeInTheDocument();
  });
});

describe('in the sheet of a child', () => {
  async function open(known: ChildBookings, as = admin()) {
    serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, omar));
    const sent: unknown[] = [];
    const answer = { bookings: [known] };
    server.use(
      handle(bookingRoutes.listBookingsOfChild, answer),
      handle(bookingRoutes.setBookings, ({ body }) => {
        sent.push(body);
        return answer;
      }),
      handle(bookingRoutes.removeBookings, ({ params: { id, validFrom } }) => {
        sent.push({ id, validFrom });
        return answer;
      }),
      handle(bookingRoutes.setBookedDay, ({ params, body }) => {
        sent.push({ day: params.day, ...body });
        return answer;
      }),
      handle(bookingRoutes.removeBookedDay, ({ params: { id, day } }) => {
        sent.push({ id, day });
        return answer;
      }),
    );
    const page = await renderScreen('/adminDashboard?child=child-omar', { as: { admin: as } });
    const sheet = within(await screen.findByRole('dialog'));
    const part = within(await sheet.findByRole('region', { name: 'Booking' }));
    return { ...page, part, sent };
  }

  test('the week is changed from a day on: a day off, another copied', async () => {
    const { user, part, sent } = await open(bookings());
    await user.click(await part.findByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Weekly booking of Omar Hassan' }));
    await user.click(dialog.getByRole('switch', { name: 'Friday' }));
    const until = dialog.getByLabelText('Sunday: until');
    await user.clear(until);
    await user.type(until, '07:00');
    await user.click(dialog.getByRole('button', { name: 'Save booking' }));
    expect(until).toHaveAccessibleDescription(/after/);
    await expectAccessible();
    expect(sent).toEqual([]);
    await user.clear(until);
    await user.type(until, '15:30');
    await user.click(dialog.getByRole('button', { name: 'Copy to weekdays: Sunday' }));
    await user.click(dialog.getByRole('button', { name: 'Save booking' }));
    expect(await screen.findByText('Booking saved.')).toBeInTheDocument();
    const long = { from: '08:00', to: '15:30' };
    expect(sent).toEqual([
      {
        validFrom: today(),
        week: {
          ...{ sunday: long, monday: long, tuesday: long, wednesday: long, thursday: long },
          ...{ friday: null, saturday: { from: '08:00', to: '14:00' } },
        },
      },
    ]);
  });

  test('a first booking begins with the region’s weekdays; one day is set and removed', async () => {
    const day = nextDay(today());
    const { user, part, sent } = await open(
      bookings({ patterns: [], exceptions: [{ date: day, times: null }] }),
    );
    expect(await part.findByRole('button', { name: 'Enter booking' })).toBeInTheDocument();
    await user.click(part.getByRole('button', { name: /^Remove: / }));
    await waitFor(() => expect(sent).toEqual([{ id: 'child-omar', day }]));
    await user.click(part.getByRole('button', { name: 'Change one day' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change one day: Omar Hassan' }));
    await expectAccessible();
    await user.click(dialog.getByRole('switch', { name: 'Comes on this day' }));
    await user.click(dialog.getByRole('button', { name: 'Save day' }));
    await waitFor(() => expect(sent.at(-1)).toEqual({ day: today(), times: null }));
  });

  test('a planned week can be removed; a teacher enters absences only, an inspector nothing', async () => {
    const [now] = bookings().patterns;
    const known = bookings({ patterns: now ? [now, { ...now, validFrom: '2099-01-05' }] : [] });
    const { user, part, sent, unmount } = await open(known);
    await user.click(await part.findByRole('button', { name: /^Remove the booking from / }));
    await waitFor(() => expect(sent).toEqual([{ id: 'child-omar', validFrom: '2099-01-05' }]));
    await unmount();
    const teacher = await open(known, admin({ permissions: [...BUILT_IN_ROLES.teacher] }));
    expect(await teacher.part.findByRole('button', { name: 'Report absence' })).toBeInTheDocument();
    expect(teacher.part.queryByRole('button', { name: 'Change' })).not.toBeInTheDocument();
    await teacher.unmount();
    const inspector = await open(known, admin({ permissions: [...BUILT_IN_ROLES.inspector] }));
    await inspector.part.findByRole('list', { name: 'The next 7 days' });
    expect(inspector.part.queryByRole('button')).not.toBeInTheDocument();
  });
});

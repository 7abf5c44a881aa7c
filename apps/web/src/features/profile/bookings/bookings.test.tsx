/** Booked times on the parent's home: the question about a late child, absences in two presses, and the week. */
import { bookingRoutes, type ChildBookings } from '@haris/contract/http/bookings';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { absence, bookedDay, bookings, today } from '../../../testing/bookings.ts';
import { handle, offline, pending, refuse, server } from '../../../testing/contract-server.ts';
import { child, LONG_NAME, parent } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });

/** Serves the bookings; `sent` has what the page asks for. */
function serve(...given: ChildBookings[]) {
  let known = given;
  const sent: unknown[] = [];
  server.use(
    handle(bookingRoutes.listOwnBookings, () => ({ bookings: known })),
    handle(bookingRoutes.reportAbsence, ({ params, body }) => {
      sent.push({ absent: params.id, ...body });
      return { absence: absence(), bookings: known };
    }),
    handle(bookingRoutes.withdrawAbsence, ({ params }) => {
      sent.push({ withdrawn: params.absenceId });
      return { message: 'Absence withdrawn', bookings: known };
    }),
    handle(bookingRoutes.announceArrival, ({ params, body }) => {
      sent.push({ later: params.id, ...body });
      return { bookings: known };
    }),
  );
  return {
    sent,
    know: (...now: ChildBookings[]) => {
      known = now;
    },
  };
}
const open = (options = {}) =>
  renderScreen('/profile', { as: { parent: parent({ children: [omar] }) }, ...options });
const part = () => screen.findByRole('region', { name: 'Booked times' });

test('the next seven days, with the holiday; absences with reason and note', async () => {
  serve(bookings({ absences: [absence({ note: 'Chickenpox', to: '2099-01-02' })] }));
  await open();
  const week = within(await within(await part()).findByRole('list', { name: 'The next 7 days' }));
  const days = week.getAllByRole('listitem').map((item) => item.textContent);
  expect(days).toHaveLength(7);
  expect(days[0]).toMatch(/^Today.*8:00.*AM.*–.*2:00.*PM/);
  expect(days[1]).toMatch(/Closed: Feast$/);
  const list = within(await part()).getByRole('list', { name: 'Absences' });
  expect(list).toHaveTextContent(/Illness.*Chickenpox · reported by the family/);
  await expectAccessible();
});

test('two presses report an absence of today; the second is its reason', async () => {
  const { sent } = serve(bookings());
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Report absence of Omar Hassan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Absence of Omar Hassan' }));
  await user.click(dialog.getByRole('button', { name: 'Illness' }));
  expect(await screen.findByText('Absence reported.')).toBeInTheDocument();
  expect(sent).toEqual([{ absent: 'child-omar', from: today(), to: today(), reason: 'illness', note: null }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('other days and a note; what the server refuses stands at its field', async () => {
  const { sent } = serve(bookings());
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Report absence of Omar Hassan' }));
  const dialog = within(await screen.findByRole('dialog'));
  const first = dialog.getByLabelText('First day');
  await user.clear(first);
  await user.type(first, '2099-03-01');
  expect(dialog.getByLabelText('Last day')).toHaveValue('2099-03-01');
  await user.type(dialog.getByLabelText('Note (optional)'), 'Feast');
  server.use(
    handle(
      bookingRoutes.reportAbsence,
      refuse('invalid_request', { fields: { to: 'The absence is over already' } }),
    ),
  );
  await user.click(dialog.getByRole('button', { name: 'Holiday' }));
  await waitFor(() => expect(dialog.getByLabelText('Last day')).toHaveAccessibleDescription(/over already/));
  await expectAccessible();
  serve(bookings());
  expect(sent).toEqual([]);
});

test('an absence is withdrawn by one press', async () => {
  const { sent, know } = serve(bookings({ absences: [absence()] }));
  const { user } = await open();
  const button = await screen.findByRole('button', { name: /^Withdraw absence: / });
  know(bookings());
  await user.click(button);
  expect(sent).toEqual([{ withdrawn: 'absence-1' }]);
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Absences' })).not.toBeInTheDocument());
});

test('a late child is asked for at once when its alert comes; “Absent today” is one press', async () => {
  const { sent, know } = serve(bookings());
  const { user, events } = await open();
  await part();
  expect(screen.queryByRole('heading', { name: 'Is Omar Hassan coming?' })).not.toBeInTheDocument();
  know(bookings({ presence: 'late' }));
  await events.send({ type: 'alert.raised', childId: 'child-omar' });
  const question = within(await screen.findByRole('region', { name: 'Is Omar Hassan coming?' }));
  expect(question.getByRole('status')).toHaveTextContent(/was expected at 8:00.*AM/);
  know(bookings({ presence: 'absent', absences: [absence()] }));
  await user.click(question.getByRole('button', { name: 'Absent today' }));
  await waitFor(() => expect(screen.queryByText('Is Omar Hassan coming?')).not.toBeInTheDocument());
  expect(sent).toEqual([{ absent: 'child-omar', from: today(), to: today(), reason: 'other', note: null }]);
});

test('“Coming later” takes minutes', async () => {
  const { sent, know } = serve(bookings({ presence: 'missing' }));
  const { user } = await open();
  const question = within(await screen.findByRole('region', { name: 'Is Omar Hassan coming?' }));
  await user.click(question.getByRole('button', { name: 'Coming later' }));
  await expectAccessible();
  know(bookings({ days: [bookedDay({ arrivesAt: new Date().toISOString() }), ...bookings().days.slice(1)] }));
  const before = Date.now();
  await user.click(question.getByRole('button', { name: 'in 30 min' }));
  await waitFor(() => expect(screen.queryByText('Is Omar Hassan coming?')).not.toBeInTheDocument());
  const [{ later, arrivesAt }] = sent as [{ later: string; arrivesAt: string }];
  expect(later).toBe('child-omar');
  expect(Math.abs(Date.parse(arrivesAt) - before - 30 * 60_000)).toBeLessThan(60_000);
  expect(await part()).toHaveTextContent(/Comes at/);
});

test('offline nothing can be sent, and the page says so; a failed call is said', async () => {
  serve(bookings({ presence: 'late' }));
  const { user } = await open();
  const question = within(await screen.findByRole('region', { name: 'Is Omar Hassan coming?' }));
  server.use(handle(bookingRoutes.reportAbsence, offline));
  await user.click(question.getByRole('button', { name: 'Absent today' }));
  expect(await screen.findByText(/could not be reported|connection|offline/i)).toBeInTheDocument();
  expect(question.getByRole('button', { name: 'Absent today' })).toBeInTheDocument();
});

test('two nurseries are named; without bookings it says so; while they are awaited there is nothing', async () => {
  server.use(handle(bookingRoutes.listOwnBookings, pending));
  const { unmount } = await open();
  await screen.findByText('Omar Hassan');
  expect(screen.queryByRole('region', { name: 'Booked times' })).not.toBeInTheDocument();
  await unmount();
  const nothing = bookings().days.map((day) => ({
    ...day,
    ...{ state: 'none' as const, from: null, to: null, startsAt: null, endsAt: null, holiday: null },
  }));
  serve(
    bookings(),
    bookings({ facility: { _id: 'b', name: 'Moon' }, patterns: [], days: nothing, presence: 'none' }),
  );
  await open();
  expect(await part()).toHaveTextContent('Omar Hassan at Little Ark');
  expect(await part()).toHaveTextContent('Omar Hassan at Moon');
  expect(await part()).toHaveTextContent('The nursery has entered no booked times.');
});

test('in Arabic, with a long name', async () => {
  serve(bookings({ presence: 'late' }));
  await renderScreen('/profile', {
    as: { parent: parent({ children: [{ ...omar, name: LONG_NAME }] }) },
    language: 'ar',
  });
  expect(await screen.findByRole('heading', { name: /ماذا عن حضور/ })).toHaveTextContent(LONG_NAME);
  expect(screen.getByRole('button', { name: 'غياب اليوم' })).toBeInTheDocument();
  expect(screen.getByRole('list', { name: 'الأيام السبعة القادمة' })).toHaveTextContent('٨:٠٠');
  await expectAccessible();
});

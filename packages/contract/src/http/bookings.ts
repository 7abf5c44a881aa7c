/** Calls about bookings: when a child is expected, absences, and who is expected today (decision 051). */
import * as z from 'zod/mini';
import { ABSENCE_REASONS, bookedTimesSchema, bookingWeekSchema, PRESENCES } from '../bookings.ts';
import { ABSENCE_CHANGES_PER_HOUR } from '../constants.ts';
import { childSchema, facilityEntrySchema, momentSchema } from '../objects.ts';
import { daysBetween } from '../opening-hours.ts';
import { defineRoute, messageSchema } from './route.ts';

const NOT_A_DAY = 'Enter a date like 2026-11-21';
/** A local day `YYYY-MM-DD` of a booking. */
export const daySchema = z.iso
  .date(NOT_A_DAY)
  .check(z.refine((day) => day >= '2000-01-01' && day <= '2099-12-31', { error: NOT_A_DAY }));

/** Errors that depend on the present day. */
export const BOOKING_IN_PAST = 'The day must not lie in the past';
export const ABSENCE_OVER = 'The absence is over already';
export const ARRIVAL_UNSUITABLE = 'The time must lie before the end of the booking, and not in the past';

/** Days of the longest absence. */
const ABSENCE_DAYS_MAX = 366;
/** Characters of a note. */
export const ABSENCE_NOTE_MAX = 200;

const noteMessage = `A note may have up to ${ABSENCE_NOTE_MAX} characters`;
/** A short note, one or several lines; a blank one is null. */
const noteSchema = z.pipe(
  z.pipe(
    z.string(noteMessage),
    z.transform((text) => text.normalize('NFC').toWellFormed().trim()),
  ),
  z.pipe(
    z.string().check(
      z.refine((text) => [...text].length <= ABSENCE_NOTE_MAX, { error: noteMessage, abort: true }),
      z.refine((text) => !/[\p{Cc}\p{Co}]/u.test(text.replaceAll('\n', '')), {
        error: 'The note has characters that are not allowed',
      }),
    ),
    z.transform((text) => (text === '' ? null : text)),
  ),
);

const reasonSchema = z.enum(ABSENCE_REASONS, { error: 'reason must be illness, holiday or other' });

export const absenceSchema = z
  .object({
    _id: z.string(),
    /** Local days `YYYY-MM-DD`, both included. */
    from: z.iso.date(),
    to: z.iso.date(),
    reason: reasonSchema,
    note: z.nullable(z.string()),
    reportedBy: z.enum(['family', 'staff']),
    reportedAt: momentSchema,
  })
  .register(z.globalRegistry, { id: 'Absence' });
export type Absence = z.infer<typeof absenceSchema>;

const presenceSchema = z.enum(PRESENCES);

/** The booking of a day. Times are null on a day that is not booked, or on which the facility is closed. */
export const bookedDaySchema = z
  .object({
    date: z.iso.date(),
    state: z.enum(['none', 'closed', 'absent', 'booked']),
    /** Local times `HH:MM`. */
    from: z.nullable(z.string()),
    to: z.nullable(z.string()),
    startsAt: z.nullable(momentSchema),
    endsAt: z.nullable(momentSchema),
    /** "Coming later": what the family said. */
    arrivesAt: z.nullable(momentSchema),
    /** Whether the times are those of this day alone. */
    isException: z.boolean(),
    /** The name of the holiday of a closed day. */
    holiday: z.nullable(z.string()),
    absence: z.nullable(absenceSchema),
  })
  .register(z.globalRegistry, { id: 'BookedDay' });
export type BookedDay = z.infer<typeof bookedDaySchema>;

/** The bookings of a child at one facility, from today on. */
export const childBookingsSchema = z
  .object({
    childId: z.string(),
    facility: facilityEntrySchema,
    timeZone: z.string(),
    region: z.string(),
    /** The present local day. */
    today: z.iso.date(),
    /** The pattern in force and those that are planned, the earliest first. */
    patterns: z.array(z.object({ validFrom: z.iso.date(), week: bookingWeekSchema })),
    /** `times` is null if the child does not come. */
    exceptions: z.array(z.object({ date: z.iso.date(), times: z.nullable(bookedTimesSchema) })),
    /** Those that are not over, the earliest first. */
    absences: z.array(absenceSchema),
    /** Today and the thirteen days after it. */
    days: z.array(bookedDaySchema),
    /** Whether the child is here now. */
    presence: presenceSchema,
  })
  .register(z.globalRegistry, { id: 'ChildBookings' });
export type ChildBookings = z.infer<typeof childBookingsSchema>;

/** A child that is booked today, also if it is absent. */
export const expectedChildSchema = z
  .object({ child: childSchema, day: bookedDaySchema, presence: presenceSchema })
  .register(z.globalRegistry, { id: 'ExpectedChild' });
export type ExpectedChild = z.infer<typeof expectedChildSchema>;

const absenceBody = z
  .object({
    from: daySchema,
    to: daySchema,
    reason: reasonSchema,
    note: z._default(z.nullable(noteSchema), null),
  })
  .check(
    z.refine(({ from, to }) => to >= from, {
      path: ['to'],
      error: 'The last day must not be before the first',
    }),
    z.refine(({ from, to }) => daysBetween(from, to) < ABSENCE_DAYS_MAX, {
      path: ['to'],
      error: `An absence may have up to ${ABSENCE_DAYS_MAX} days`,
    }),
  );

const bookingsAnswer = z.object({ bookings: z.array(childBookingsSchema) });

export const bookingRoutes = {
  listExpected: defineRoute({
    id: 'listExpected',
    method: 'GET',
    path: '/api/bookings/today',
    access: 'staff',
    permission: 'families.view',
    summary:
      'Children who are booked today, by the time at which they are expected, and whether they are here',
    status: 200,
    answer: z.object({
      date: z.iso.date(),
      timeZone: z.string(),
      /** Whether any child has bookings here; without any, screens need not speak of them. */
      hasBookings: z.boolean(),
      expected: z.array(expectedChildSchema),
    }),
    errors: [],
  }),
  listOwnBookings: defineRoute({
    id: 'listOwnBookings',
    method: 'GET',
    path: '/api/bookings',
    access: 'parent',
    summary: 'Bookings of the own children, one entry per child and facility, also where nothing is booked',
    status: 200,
    answer: bookingsAnswer,
    errors: [],
  }),
  listBookingsOfChild: defineRoute({
    id: 'listBookingsOfChild',
    method: 'GET',
    path: '/api/children/{id}/bookings',
    access: 'signed-in',
    permission: 'families.view',
    summary:
      'Bookings of a child: for staff at the facility of the request, for a parent at every facility of the own child',
    status: 200,
    answer: bookingsAnswer,
    errors: ['not_found'],
  }),
  setBookings: defineRoute({
    id: 'setBookings',
    method: 'PUT',
    path: '/api/children/{id}/bookings',
    access: 'staff',
    permission: 'bookings.edit',
    summary:
      'Set the weekly pattern from a day on, today at the earliest; a pattern that begins on the same day is replaced, a later one stays',
    body: z.object({ validFrom: daySchema, week: bookingWeekSchema }),
    status: 200,
    answer: bookingsAnswer,
    errors: ['not_found'],
  }),
  removeBookings: defineRoute({
    id: 'removeBookings',
    method: 'DELETE',
    path: '/api/children/{id}/bookings/{validFrom}',
    access: 'staff',
    permission: 'bookings.edit',
    summary: 'Remove the weekly pattern that begins on a day; the one before it then stays in force',
    status: 200,
    answer: bookingsAnswer,
    errors: ['not_found'],
  }),
  setBookedDay: defineRoute({
    id: 'setBookedDay',
    method: 'PUT',
    path: '/api/children/{id}/bookings/days/{day}',
    access: 'staff',
    permission: 'bookings.edit',
    summary: 'Other times for one day, today at the earliest; `times: null`: the child does not come',
    body: z.object({ times: z.nullable(bookedTimesSchema) }),
    status: 200,
    answer: bookingsAnswer,
    errors: ['not_found'],
  }),
  removeBookedDay: defineRoute({
    id: 'removeBookedDay',
    method: 'DELETE',
    path: '/api/children/{id}/bookings/days/{day}',
    access: 'staff',
    permission: 'bookings.edit',
    summary: 'Take the other times of a day back; without any, nothing changes',
    status: 200,
    answer: bookingsAnswer,
    errors: ['not_found'],
  }),
  reportAbsence: defineRoute({
    id: 'reportAbsence',
    method: 'POST',
    path: '/api/children/{id}/absences',
    access: 'signed-in',
    permission: 'children.check_in',
    summary: `Report that a child does not come: a parent for the own child at every facility, staff at theirs; at most ${ABSENCE_CHANGES_PER_HOUR} changes of a parent an hour. The same days and reason again change nothing`,
    body: absenceBody,
    status: 201,
    answer: z.object({ absence: absenceSchema, ...bookingsAnswer.shape }),
    errors: ['not_found', 'too_many_absences', 'too_many_attempts'],
  }),
  withdrawAbsence: defineRoute({
    id: 'withdrawAbsence',
    method: 'DELETE',
    path: '/api/children/{id}/absences/{absenceId}',
    access: 'signed-in',
    permission: 'children.check_in',
    summary:
      'Withdraw an absence. If the child would have been expected already today, it counts as coming now',
    status: 200,
    answer: z.object({ ...messageSchema.shape, ...bookingsAnswer.shape }),
    errors: ['not_found', 'too_many_attempts'],
  }),
  announceArrival: defineRoute({
    id: 'announceArrival',
    method: 'PUT',
    path: '/api/children/{id}/arrival',
    access: 'signed-in',
    permission: 'children.check_in',
    summary:
      'Say that a booked child comes later today: when, before the end of the booking. It answers "Is the child coming?"',
    body: z.object({
      arrivesAt: z.iso.datetime({
        precision: 3,
        error: 'arrivesAt must be a time like 2026-11-20T10:15:00.000Z',
      }),
    }),
    status: 200,
    answer: bookingsAnswer,
    errors: ['not_found', 'not_expected', 'already_inside', 'too_many_attempts'],
  }),
};

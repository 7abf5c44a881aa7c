/** Bookings for tests, and a successful request for each of their calls. */
import type { BookingWeek } from '@haris/contract/bookings';
import type { bookingRoutes } from '@haris/contract/http/bookings';
import { type Interval, WEEKDAYS } from '@haris/contract/opening-hours';
import type { ExampleWorld } from './example-world.ts';
import type { TestApp } from './harness.ts';

/** A week with the same times on each day. */
export function everyDay(from: string, to: string): BookingWeek {
  const times: Interval = { from, to };
  return Object.fromEntries(WEEKDAYS.map((day) => [day, times])) as unknown as BookingWeek;
}

/** Books a child at these local times on each day from today on. */
export async function bookEveryDay(
  app: TestApp,
  token: string,
  childId: string,
  times: Interval = { from: '00:00', to: '24:00' },
): Promise<void> {
  const url = `/api/children/${childId}/bookings`;
  const { bookings } = await app.expect(200, 'GET', url, { token });
  const json = { validFrom: bookings[0]?.today, week: everyDay(times.from, times.to) };
  await app.expect(200, 'PUT', url, { token, json });
}

/** A day in two years, so that it is never in the past. */
const DAY = '2028-03-01';
const absence = { from: DAY, to: DAY, reason: 'illness', note: 'Chickenpox' };

async function bookedChild({ app, staff, child }: ExampleWorld): Promise<string> {
  const id = await child();
  await bookEveryDay(app, staff, id);
  return id;
}

export const bookingExamples = {
  listExpected: async () => ({ url: '/api/bookings/today' }),
  listOwnBookings: async () => ({ url: '/api/bookings' }),
  listBookingsOfChild: async (world) => ({ url: `/api/children/${await bookedChild(world)}/bookings` }),
  setBookings: async ({ child }) => ({
    url: `/api/children/${await child()}/bookings`,
    ask: { json: { validFrom: DAY, week: everyDay('08:00', '14:00') } },
  }),
  removeBookings: async ({ app, staff, child }) => {
    const url = `/api/children/${await child()}/bookings`;
    const json = { validFrom: DAY, week: everyDay('08:00', '14:00') };
    await app.expect(200, 'PUT', url, { token: staff, json });
    return { url: `${url}/${DAY}` };
  },
  setBookedDay: async ({ child }) => ({
    url: `/api/children/${await child()}/bookings/days/${DAY}`,
    ask: { json: { times: { from: '10:00', to: '12:00' } } },
  }),
  removeBookedDay: async ({ child }) => ({ url: `/api/children/${await child()}/bookings/days/${DAY}` }),
  reportAbsence: async ({ child }) => ({
    url: `/api/children/${await child()}/absences`,
    ask: { json: absence },
  }),
  withdrawAbsence: async ({ app, staff, child }) => {
    const url = `/api/children/${await child()}/absences`;
    const made = await app.expect(201, 'POST', url, { token: staff, json: absence });
    return { url: `${url}/${made.absence._id}` };
  },
  announceArrival: async (world) => ({
    url: `/api/children/${await bookedChild(world)}/arrival`,
    ask: { json: { arrivesAt: new Date(world.app.clock.now() + 600_000).toISOString() } },
  }),
} satisfies Record<
  keyof typeof bookingRoutes,
  (world: ExampleWorld) => Promise<{ readonly url: string; readonly ask?: { readonly json: object } }>
>;

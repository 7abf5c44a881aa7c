/** Bookings and absences, on the parent's home and at the desk. The bookings are the page's own, not the server's. */
import { expect } from '../fixtures.ts';
import { button, dialog, FIRST_SCREEN, go, leave, openDashboard, type Scene, type Stage } from './stage.ts';

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const dayIn = (days: number) => inHours(24 * days).slice(0, 10);

const absence = {
  _id: 'absence',
  from: dayIn(0),
  to: dayIn(2),
  reason: 'illness',
  note: 'Chickenpox, back on Thursday',
  reportedBy: 'family',
  reportedAt: inHours(-1),
};

function day(date: string, more: object = {}) {
  return {
    date,
    state: 'booked',
    from: '08:00',
    to: '16:30',
    startsAt: inHours(-1),
    endsAt: inHours(7),
    arrivesAt: null,
    isException: false,
    holiday: null,
    absence: null,
    ...more,
  };
}

const closed = {
  state: 'closed',
  from: null,
  to: null,
  startsAt: null,
  endsAt: null,
  holiday: 'Sham El Nessim',
};

/** Of one child: late today, closed tomorrow. */
function bookings(childId: string) {
  const times = { from: '08:00', to: '16:30' };
  const week = {
    ...{ sunday: times, monday: times, tuesday: times, wednesday: times, thursday: times },
    ...{ friday: null, saturday: null },
  };
  return {
    childId,
    facility: { _id: 'main', name: null },
    timeZone: 'Africa/Cairo',
    region: 'EG',
    today: dayIn(0),
    patterns: [
      { validFrom: '2026-01-01', week },
      { validFrom: dayIn(30), week },
    ],
    exceptions: [{ date: dayIn(3), times: null }],
    absences: [{ ...absence, from: dayIn(8), to: dayIn(9) }],
    days: [day(dayIn(0)), day(dayIn(1), closed), ...[2, 3, 4, 5, 6].map((n) => day(dayIn(n)))],
    presence: 'late',
  };
}

const OWN = '**/api/bookings';
const OF_CHILD = '**/api/children/*/bookings';
const TODAY = '**/api/bookings/today';

async function openHome(stage: Stage): Promise<void> {
  const { page, t, world } = stage;
  await leave(stage);
  const json = { bookings: world.mona.children.map(({ _id }) => bookings(_id)) };
  await page.route(OWN, (route) => route.fulfill({ json }));
  await go(stage, '/profile');
  await expect(page.getByRole('list', { name: t('bookings:home.week') })).toHaveCount(2, FIRST_SCREEN);
}

async function closeHome(stage: Stage): Promise<void> {
  await stage.page.unroute(OWN);
  await leave(stage);
}

export const bookingHomeScenes: readonly Scene[] = [
  {
    name: 'bookings-home',
    as: 'mona',
    async open(stage) {
      await openHome(stage);
      await button(stage.page, stage.t('bookings:question.later')).first().click();
      await expect(stage.page.getByText(stage.t('bookings:question.when'))).toBeVisible();
    },
    close: closeHome,
  },
  {
    name: 'bookings-absence',
    as: 'mona',
    async open(stage) {
      await openHome(stage);
      const name = stage.t('bookings:absence.reportOf', { name: 'Omar Hassan' });
      await stage.page.getByRole('button', { name }).click();
      await expect(button(dialog(stage.page), stage.t('bookings:absence.reason.illness'))).toBeVisible();
    },
    close: closeHome,
  },
];

async function openBookingPart(stage: Stage): Promise<void> {
  const { page, t, world } = stage;
  await leave(stage);
  const [child] = world.mona.children;
  const id = String(child?._id);
  await page.route(OF_CHILD, (route) => route.fulfill({ json: { bookings: [bookings(id)] } }));
  await go(stage, `/adminDashboard?child=${id}`);
  await expect(page.getByRole('list', { name: t('bookings:home.week') })).toBeVisible(FIRST_SCREEN);
}

async function closeDesk(stage: Stage): Promise<void> {
  await stage.page.unroute(OF_CHILD);
  await stage.page.unroute(TODAY);
  await leave(stage);
}

export const bookingDeskScenes: readonly Scene[] = [
  {
    name: 'bookings-expected',
    as: 'staff',
    async open(stage) {
      const { page, t, world } = stage;
      await leave(stage);
      const { token } = world.staff;
      const { children } = await world.api.call<{ children: object[] }>('/api/children/get-all-children', {
        token,
      });
      const presences = ['missing', 'late', 'expected', 'absent', 'here'];
      const expected = children.slice(0, presences.length).map((child, index) => ({
        child,
        day: day(dayIn(0), presences[index] === 'absent' ? { state: 'absent', absence } : {}),
        presence: presences[index],
      }));
      const json = { date: dayIn(0), timeZone: 'Africa/Cairo', hasBookings: true, expected };
      await page.route(TODAY, (route) => route.fulfill({ json }));
      await openDashboard(stage);
      await page.getByRole('button', { name: t('bookings:desk.figure') }).click();
      await expect(page.getByRole('heading', { name: t('bookings:desk.title') })).toBeVisible(FIRST_SCREEN);
    },
    close: closeDesk,
  },
  {
    name: 'bookings-week',
    as: 'staff',
    async open(stage) {
      await openBookingPart(stage);
      await button(stage.page, stage.t('bookings:sheet.edit')).click();
      await expect(button(stage.page, stage.t('bookings:sheet.save'))).toBeVisible();
    },
    close: closeDesk,
  },
  {
    name: 'bookings-day',
    as: 'staff',
    async open(stage) {
      await openBookingPart(stage);
      await button(stage.page, stage.t('bookings:sheet.addDay')).click();
      await expect(button(stage.page, stage.t('bookings:sheet.saveDay'))).toBeVisible();
    },
    close: closeDesk,
  },
];

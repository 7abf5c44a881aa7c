/** The parent's home says for each nursery when it is open, in the language of the page and the form of its region. */
import { type FacilityHours, facilityRoutes } from '@haris/contract/http/facilities';
import type { OpeningHours } from '@haris/contract/opening-hours';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { child, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const as = { parent: parent({ children: [child({ name: 'Omar Hassan' })] }) };
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
const TICK = 1000;

const nursery = (more: Partial<FacilityHours> = {}): FacilityHours => ({
  _id: 'main',
  name: 'Little Stars',
  phone: '0223456789',
  timeZone: 'Africa/Cairo',
  region: 'EG',
  openingHours: week,
  holidays: [],
  stayEnds: [],
  ...more,
});

const serve = (...facilities: FacilityHours[]) =>
  server.use(handle(facilityRoutes.listOpeningHours, { facilities }));

/** 23 November 2026 is a Monday; Cairo is two hours ahead of UTC. */
let pass: (ms: number) => Promise<void>;
beforeEach(() => {
  ({ pass } = stopClock());
});
const at = (moment: string) => vi.setSystemTime(new Date(moment));

test('open until, closed with the next opening, and the number to call, as time passes', async () => {
  at('2026-11-23T13:30:00Z');
  serve(nursery());
  await renderScreen('/profile', { as });
  expect(await screen.findByText(/^Open today until 4:00\sPM$/i)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Call the nursery' })).toHaveAttribute('href', 'tel:0223456789');
  at('2026-11-23T14:00:00Z');
  await pass(TICK);
  expect(await screen.findByText(/^Opens tomorrow at 7:30\sAM$/i)).toBeVisible();
});

test.each([
  ['2026-11-23T05:00:00Z', /^Opens today at 7:30\sAM$/i],
  ['2026-11-26T15:00:00Z', /^Opens Sunday at 7:30\sAM$/i],
])('at %s it says %s', async (moment, sentence) => {
  at(moment);
  serve(nursery());
  await renderScreen('/profile', { as });
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('a holiday today is named with the next opening; those of the next 14 days are listed', async () => {
  at('2026-11-23T08:00:00Z');
  const holidays = [
    { from: '2026-11-22', to: '2026-11-24', name: 'Eid' },
    { from: '2026-12-07', to: '2026-12-08', name: 'Renovation' },
    { from: '2026-12-08', to: '2026-12-08', name: 'Too far' },
  ];
  serve(nursery({ holidays }));
  await renderScreen('/profile', { as });
  expect(await screen.findByText(/^Closed today: .?Eid.?\. Opens Wednesday at 7:30\sAM$/i)).toBeVisible();
  expect(screen.getByText(/^Closed for .?Renovation.?: Mon.*7.*8 Dec$/)).toBeVisible();
  expect(screen.queryByText(/Too far/)).not.toBeInTheDocument();
  expect(screen.getAllByText(/Eid/)).toHaveLength(1);
});

test('with several nurseries each has its name, number, zone and region', async () => {
  at('2026-11-23T14:30:00Z');
  const moon = nursery({
    _id: 'moon',
    name: 'Full Moon',
    phone: '+44 20 7946 0000',
    timeZone: 'Europe/London',
    region: 'GB',
  });
  serve(nursery(), moon);
  await renderScreen('/profile', { as });
  expect(await screen.findByText('Open today until 16:00')).toBeVisible();
  expect(screen.getByText(/^Opens tomorrow at 7:30\sAM$/i)).toBeVisible();
  expect(screen.getByRole('link', { name: /Call .?Full Moon/ })).toHaveAttribute(
    'href',
    'tel:+44 20 7946 0000',
  );
  expect(screen.getByRole('link', { name: /Call .?Little Stars/ })).toHaveAttribute('href', 'tel:0223456789');
  expect(screen.queryByRole('link', { name: 'Call the nursery' })).not.toBeInTheDocument();
});

test('in Arabic, in Arabic', async () => {
  at('2026-11-26T15:00:00Z');
  serve(nursery());
  await renderScreen('/profile', { as, language: 'ar' });
  expect(await screen.findByText(/^تفتح يوم الأحد الساعة ٧:٣٠\sص$/)).toBeVisible();
});

test('without opening hours, and when they cannot be read, nothing is said', async () => {
  at('2026-11-23T08:00:00Z');
  serve(nursery({ openingHours: null }));
  const { unmount } = await renderScreen('/profile', { as });
  expect(await screen.findByRole('link', { name: 'Call the nursery' })).toBeVisible();
  expect(screen.queryByText(/Open|Closed/)).not.toBeInTheDocument();
  await unmount();
  server.use(handle(facilityRoutes.listOpeningHours, refuse('internal_error')));
  await renderScreen('/profile', { as });
  expect(await screen.findByText('Omar Hassan')).toBeVisible();
  expect(screen.queryByText(/Open|Closed/)).not.toBeInTheDocument();
});

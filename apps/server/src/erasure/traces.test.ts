/** What the database still holds of a family that was deleted: table by table, whatever the tables are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookEveryDay } from '../testing/bookings.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { startTestApp, type TestApp } from '../testing/harness.ts';
import { tablesWith } from '../testing/traces.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a deleted family leaves its ids in the records that are kept, and its name and address nowhere', async () => {
  const token = await app.staff();
  const family = await app.makeFamily();
  const child = await app.makeChild(family, 'Unmistakable Child');
  const own = { token: family.token };
  await app.expect(201, 'POST', '/api/parent/desk-code', own);
  await app.expect(200, 'PUT', '/api/notices/preferences', { ...own, json: { kinds: { air: [] } } });
  const next = 'unmistakable@family.test';
  const json = { email: next };
  await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, { ...own, json });
  await app.expect(200, 'PUT', `/api/children/update-child/${child._id}`, {
    ...own,
    form: { name: 'Unmistakable Other', photo: fakePhoto({ face: 'another photo' }) },
  });
  await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, { token });
  const arrivesAt = new Date(app.clock.now() + 600_000).toISOString();
  const pickup = { children: [child._id], arrivesAt };
  await app.expect(200, 'POST', '/api/children/on-my-way', { ...own, json: pickup });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token });
  await bookEveryDay(app, token, child._id);
  const days = { from: '2028-03-01', to: '2028-03-02', reason: 'illness', note: 'Unmistakable rash' };
  await app.expect(201, 'POST', `/api/children/${child._id}/absences`, { ...own, json: days });
  await app.context.mails.settled();
  const before = await tablesWith(app.context.db, [family.id, child._id]);
  expect(before).toEqual(
    expect.arrayContaining([
      'absences',
      'booking_patterns',
      'desk_codes',
      'one_time_tokens',
      'pickups',
      'proposals',
      'sessions',
    ]),
  );
  await app.expect(200, 'DELETE', `/api/parent/delete-parent/${family.id}`, { token });
  const kept = ['audit_log', 'erasures', 'events', 'stays'];
  expect(await tablesWith(app.context.db, [family.id, child._id])).toEqual(kept);
  expect(await tablesWith(app.context.db, [family.email, next, 'Unmistakable'])).toEqual([]);
});

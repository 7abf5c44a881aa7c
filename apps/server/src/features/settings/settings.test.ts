/** Settings that staff change, and the configuration that the web app reads before sign-in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp({
    config: { FACE_THRESHOLD: '0.45', REGISTER_URL: 'https://faces.haris.test/', TIME_ZONE: 'Africa/Cairo' },
  });
  token = await app.staff();
});
afterAll(() => app.close());

const put = (json: unknown) => app.ask('PUT', '/api/settings', { token, json });
const get = async () => (await app.expect(200, 'GET', '/api/settings', { token })).settings;

test('are those of the environment until somebody changes them, one by one', async () => {
  const start = await get();
  expect(start).toMatchObject({
    recognitionThreshold: 0.45,
    recognitionMargin: 0.05,
    duplicateThreshold: 0.55,
    questionThreshold: 0.6,
    timeZone: 'Africa/Cairo',
  });
  expect((await put({ recognitionThreshold: 0.4 })).body.settings).toEqual({
    ...start,
    recognitionThreshold: 0.4,
  });
  expect((await put({ recognitionMargin: 0 })).body.settings).toEqual({
    ...start,
    recognitionThreshold: 0.4,
    recognitionMargin: 0,
  });
  expect((await put({ timeZone: 'Asia/Riyadh' })).body.settings.timeZone).toBe('Asia/Riyadh');
  expect((await put({})).body.settings).toEqual(await get());
});

test('with a revision they are saved only if nobody has changed them since', async () => {
  const { revision } = (await app.ask('GET', '/api/settings', { token })).body;
  const first = await put({ incidentDays: 100, revision });
  expect(first.status).toBe(200);
  expect(first.body.revision).not.toBe(revision);
  expect(await put({ incidentDays: 200, revision })).toMatchObject({
    status: 409,
    body: { code: 'settings_changed' },
  });
  expect((await get()).incidentDays).toBe(100);
  // A client that sends none saves as before.
  expect((await put({ incidentDays: 365 })).status).toBe(200);
});

test('know no limit of children per area any more: a client that sends one is told where it is now', async () => {
  const message = 'The room has the capacity: PUT /api/rooms/{id}';
  expect(await put({ areaAlarms: [{ area: 'Garden', capacity: 5 }] })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message, fields: { areaAlarms: message } },
  });
  expect((await get()).areaAlarms).toEqual([]);
  await put({ areaAlarms: [{ area: 'Garden', unknownPerson: true }] });
  expect((await get()).areaAlarms).toEqual([{ area: 'Garden', unknownPerson: true }]);
  await put({ areaAlarms: [] });
});

test('of the facility are empty and those of the server’s time zone, until staff enter them', async () => {
  expect(await get()).toMatchObject({
    facilityName: null,
    facilityPhone: null,
    facilityAddress: null,
    language: 'en',
  });
  await put({ timeZone: 'Asia/Riyadh' });
  expect((await get()).region).toBe('SA');
  await put({ timeZone: 'UTC' });
  expect((await get()).region).toBe('EG');
  const entered = {
    facilityName: ' روضة  حارس ',
    facilityPhone: '+٢٠ 2 2735-0000',
    facilityAddress: '12 Nile Street, Cairo',
    timeZone: 'Africa/Cairo',
    language: 'ar',
    region: 'GB',
  };
  const stored = { ...entered, facilityName: 'روضة  حارس', facilityPhone: '+20 2 2735-0000' };
  expect(await put(entered)).toMatchObject({ status: 200, body: { settings: stored } });
  expect((await app.ask('GET', '/api/config')).body.facility).toEqual({
    name: 'روضة  حارس',
    phone: '+20 2 2735-0000',
    timeZone: 'Africa/Cairo',
    region: 'GB',
  });
  const cleared = { facilityName: null, facilityPhone: null, facilityAddress: null };
  expect((await put(cleared)).body.settings).toMatchObject(cleared);
  for (const odd of [
    { facilityName: '' },
    { facilityName: 'a\u202eb' },
    { facilityName: 'x'.repeat(101) },
    { facilityPhone: 'call me' },
    { facilityPhone: '12' },
    { facilityPhone: '+1234567890123456' },
    { facilityAddress: '\n' },
    { language: 'fr' },
    { region: 'Egypt' },
    { region: 'eg' },
  ])
    expect((await put(odd)).status, JSON.stringify(odd)).toBe(400);
  expect(await get()).toMatchObject({ ...cleared, region: 'GB' });
});

test('outside their ranges are 400 and change nothing', async () => {
  const before = await get();
  for (const odd of [
    { recognitionThreshold: 0.7 },
    { recognitionThreshold: 0.1 },
    { recognitionThreshold: '0.5' },
    { recognitionThreshold: null },
    { recognitionMargin: -0.1 },
    { duplicateThreshold: 2 },
    { questionThreshold: 0.2, recognitionThreshold: 0.5 },
    { questionThreshold: [0.5] },
    { timeZone: 'Mars/Olympus' },
    { timeZone: '+02:00' },
    { timeZone: '' },
    { timeZone: 2 },
  ])
    expect((await put(odd)).status, JSON.stringify(odd)).toBe(400);
  expect(await get()).toEqual(before);
});

test('in an order that would name a face without a question are 400, also against what is stored', async () => {
  const start = { recognitionThreshold: 0.4, duplicateThreshold: 0.5, questionThreshold: 0.55 };
  expect((await put(start)).status).toBe(200);
  const before = await get();
  for (const [odd, field] of [
    [{ duplicateThreshold: 0.39 }, 'duplicateThreshold'],
    [{ questionThreshold: 0.39 }, 'questionThreshold'],
    [{ recognitionThreshold: 0.51 }, 'duplicateThreshold'],
    [{ recognitionThreshold: 0.58, duplicateThreshold: 0.6 }, 'questionThreshold'],
  ] as const)
    expect(await put(odd), JSON.stringify(odd)).toMatchObject({
      status: 400,
      body: { fields: { [field]: `${field} must not lie below recognitionThreshold` } },
    });
  expect(await get()).toEqual(before);
  expect((await put({ recognitionThreshold: 0.5 })).status).toBe(200);
  expect((await put({ recognitionThreshold: 0.4 })).status).toBe(200);
});

test('of two desks that change them at once, the order holds', async () => {
  const token2 = await app.staff();
  for (let round = 0; round < 10; round++) {
    await put({ recognitionThreshold: 0.4, duplicateThreshold: 0.55, questionThreshold: 0.6 });
    const answers = await Promise.all([
      put({ recognitionThreshold: 0.5 }),
      app.ask('PUT', '/api/settings', { token: token2, json: { duplicateThreshold: 0.45 } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
  await put({ recognitionThreshold: 0.4, duplicateThreshold: 0.55, questionThreshold: 0.6 });
});

test('that nobody knows are passed over', async () => {
  expect((await put({ unknown: 1, recognitionMargin: 0.07 })).body.settings).not.toHaveProperty('unknown');
  expect((await get()).recognitionMargin).toBe(0.07);
});

test('that no longer fit to the environment’s threshold give way to it', async () => {
  const { db } = app.context;
  const keys = ['recognitionThreshold', 'duplicateThreshold', 'questionThreshold'];
  await put({ recognitionThreshold: 0.4, duplicateThreshold: 0.42, questionThreshold: 0.43 });
  // Simulates a restart with another FACE_THRESHOLD, which is 0.45 here.
  await db.deleteFrom('settings').where('key', '=', 'recognitionThreshold').execute();
  expect(await get()).toMatchObject(Object.fromEntries(keys.map((key) => [key, 0.45])));
  await db.deleteFrom('settings').where('key', 'in', keys).execute();
});

test('that no longer fit in the database are passed over', async () => {
  const { db } = app.context;
  await db
    .updateTable('settings')
    .set({ value: 'not json' })
    .where('key', '=', 'recognitionMargin')
    .execute();
  expect((await get()).recognitionMargin).toBe(0.05);
  await db.updateTable('settings').set({ value: '9' }).where('key', '=', 'recognitionMargin').execute();
  expect((await get()).recognitionMargin).toBe(0.05);
});

test('/api/config tells anyone what the web app needs, and no more', async () => {
  const answer = await app.ask('GET', '/api/config');
  expect(answer.body).toEqual({
    demo: false,
    registerUrl: 'https://faces.haris.test',
    sendsMail: false,
    oidc: null,
    facility: { name: null, phone: null, timeZone: expect.any(String), region: expect.any(String) },
    now: new Date(app.clock.now()).toISOString(),
  });
  expect(answer.headers['content-security-policy']).toContain("connect-src 'self' https://faces.haris.test");
});

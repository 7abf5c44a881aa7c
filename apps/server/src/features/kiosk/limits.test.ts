/** The limits of a kiosk as a tablet meets them: of tries in a day, of codes, of hashes per try, and the warning to the desk. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countVerifications } from '../../testing/cheap-argon2.ts';
import { type Answer, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { makeKiosk, setPin, type TestKiosk, tryPin } from '../../testing/kiosks.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const PIN = '8305';

let app: TestApp;
let kiosk: TestKiosk;
let number = 100;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  kiosk = await makeKiosk(app);
});
afterEach(async () => {
  await app.forgetLimits();
  await app.proveNow(await app.staff());
});
afterAll(() => app.close());

async function familyWith(digits: string): Promise<Family> {
  const family = await app.makeFamily({ phone: `0101${number++}${digits}` });
  await setPin(app, family, PIN);
  return family;
}
/** Types a wrong PIN; the digits are of nobody unless given. */
const fail = async (digits = String(7000 + (number++ % 1000))) =>
  expect((await tryPin(app, kiosk, digits, '9999')).status).toBe(403);
const waitOf = ({ status, headers }: Answer) => (status === 429 ? Number(headers['retry-after']) : null);

describe('in a day', () => {
  test('ten failures lock the digits at this kiosk until the first of them is a day old', async () => {
    await familyWith('6101');
    const begun = app.clock.now();
    for (let round = 0; round < 2; round++)
      for (const [tries, pause] of [
        [3, MINUTE],
        [2, QUARTER],
      ] as const) {
        for (let index = 0; index < tries; index++) await fail('6101');
        app.clock.advance(pause);
      }
    const wait = (begun + DAY - app.clock.now()) / 1000;
    expect(waitOf(await tryPin(app, kiosk, '6101', PIN))).toBe(wait);
    const beside = await makeKiosk(app, 'Beside');
    expect((await tryPin(app, beside, '6101', PIN)).status).toBe(200);
    app.clock.advance(wait * 1000);
    expect((await tryPin(app, kiosk, '6101', PIN)).status).toBe(200);
  });

  test('a hundred failures lock the kiosk, for every family; twenty do so for a quarter of an hour', async () => {
    await familyWith('6102');
    const begun = app.clock.now();
    for (let round = 0; round < 5; round++) {
      for (let minute = 0; minute < 4; minute++) {
        for (let tries = 0; tries < 5; tries++) await fail();
        app.clock.advance(MINUTE);
      }
      expect(waitOf(await tryPin(app, kiosk, '6102', PIN))).toBe((QUARTER - 4 * MINUTE) / 1000);
      app.clock.advance(QUARTER);
    }
    const wait = (begun + DAY - app.clock.now()) / 1000;
    expect(waitOf(await tryPin(app, kiosk, '6102', PIN))).toBe(wait);
    const beside = await makeKiosk(app, 'Beside');
    expect((await tryPin(app, beside, '6102', PIN)).status).toBe(200);
  });
});

test('a try computes six hashes, with any number of families behind the digits', async () => {
  const work = async () => {
    const before = countVerifications();
    await tryPin(app, kiosk, '6201', '9999');
    await app.forgetLimits();
    return countVerifications() - before;
  };
  const counts = [await work()];
  for (let families = 1; families <= 8; families++) {
    await familyWith('6201');
    counts.push(await work());
  }
  expect(counts).toEqual(Array(9).fill(6));
});

test('sixty codes in a quarter of an hour, then a wait; other families are free to', async () => {
  const [family, other] = [await app.makeFamily(), await app.makeFamily()];
  const code = ({ token }: Family) => app.ask('POST', '/api/account/kiosk-code', { token });
  for (let index = 0; index < 60; index++) expect((await code(family)).status).toBe(201);
  const refused = await code(family);
  expect(refused.body.code).toBe('too_many_attempts');
  expect(waitOf(refused)).toBe(QUARTER / 1000);
  expect((await code(other)).status).toBe(201);
  app.clock.advance(QUARTER);
  expect((await code(family)).status).toBe(201);
});

test('from the fifth failure on each one is an event for the desk, and tells no family', async () => {
  const told = async () =>
    (
      await app.context.db
        .selectFrom('events')
        .select('parent_id')
        .where('type', '=', 'kiosk.updated')
        .orderBy('id')
        .execute()
    ).map(({ parent_id }) => parent_id);
  const before = await told();
  for (let tries = 0; tries < 4; tries++) await fail();
  expect(await told()).toEqual(before);
  await fail();
  expect(await told()).toEqual([...before, null]);
  await fail();
  expect(await told()).toEqual([...before, null, null]);
});

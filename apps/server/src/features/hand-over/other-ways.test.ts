/** Other ways out than a checkout at the desk: a kiosk, deletions, and what happens at the same moment (decision 049). */
import type { HandOver } from '@haris/contract/http/hand-over';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { askFor, makeKiosk, stateOf, type TestKiosk } from '../../testing/kiosks.ts';
import { makeSecond } from '../../testing/second.ts';

let app: TestApp;
let owner: string;
let kiosk: TestKiosk;
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover: 'require' } });
  kiosk = await makeKiosk(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.staff();
  await app.forgetLimits();
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
});

const known = { kind: 'known' };
const isInside = async () =>
  (await app.expect(200, 'GET', `/api/children/get-child/${child}`, { token: owner })).child.isInside;
const bar = (json: object = { name: 'Somebody', adultId: family.id }) =>
  app.ask('POST', `/api/children/${child}/barred`, { token: owner, json });
const checkOut = (token = owner) =>
  app.ask('POST', `/api/children/checkout-child/${child}`, {
    token,
    json: { collectorId: family.id, proof: known },
  });

test('a pick-up that a family asked for at a kiosk is handed over like any other', async () => {
  const { visit } = await askFor(app, kiosk, family, [child], { kind: 'pick_up' });
  const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: owner });
  const id = requests.find((one) => one.visit === visit)?._id;
  const accept = async (json: object) => {
    const { status, body } = await app.ask('POST', `/api/kiosk-requests/${id}/accept`, {
      token: owner,
      json,
    });
    return status === 200 ? 200 : body.code;
  };
  expect(await accept({})).toBe('collector_required');
  expect(await accept({ collectorId: family.id })).toBe('proof_of_pickup_required');
  const { body: barred } = await bar();
  expect(await accept({ collectorId: family.id, proof: known })).toBe('barred_person');
  expect(await stateOf(app, kiosk, visit)).toMatchObject([{ state: 'waiting' }]);
  expect(await isInside()).toBe(true);
  await app.expect(200, 'DELETE', `/api/barred/${barred.barred._id}`, { token: owner });
  expect(await accept({ collectorId: family.id, proof: known })).toBe(200);
  expect(await stateOf(app, kiosk, visit)).toMatchObject([{ state: 'done' }]);
});

test('a pick-up at a kiosk asks for the proof of a child with a bar also where nothing else is required', async () => {
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover: 'record' } });
  await bar({ name: 'Karim Adel' });
  await askFor(app, kiosk, family, [child], { kind: 'pick_up' });
  const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: owner });
  const url = `/api/kiosk-requests/${requests.find((one) => one.child._id === child)?._id}/accept`;
  const accept = async (json: object) => (await app.ask('POST', url, { token: owner, json })).body.code;
  expect(await accept({})).toBe('collector_required');
  expect(await accept({ collectorId: family.id })).toBe('proof_of_pickup_required');
  expect(await accept({ collectorId: family.id, proof: known })).toBe('proof_of_pickup_required');
  expect(await isInside()).toBe(true);
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover: 'require' } });
});

test('a pick-up at a kiosk asks whether a name that sounds like a barred one is that person', async () => {
  await bar({ name: 'Samya Hasan' });
  const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    token: owner,
    json: { name: 'Samia Hassan', relation: 'Aunt' },
  });
  await askFor(app, kiosk, family, [child], { kind: 'pick_up' });
  const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: owner });
  const url = `/api/kiosk-requests/${requests.find((one) => one.child._id === child)?._id}/accept`;
  const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: owner });
  const { adults } = body as unknown as HandOver;
  const notBarred = adults.find(({ _id }) => _id === collector._id)?.doubts;
  const document = { kind: 'passport', last: '12AB' };
  const asked = { collectorId: collector._id, document, proof: await makeSecond(app) };
  const accept = async (json: object) => {
    const { status, body: answer } = await app.ask('POST', url, { token: owner, json });
    return status === 200 ? 200 : answer.code;
  };
  expect(await accept(asked)).toBe('barred_person_doubt');
  expect(await accept({ ...asked, isBarred: true, notBarred })).toBe('barred_person');
  expect(await isInside()).toBe(true);
  expect(await accept({ ...asked, notBarred })).toBe(200);
});

test('a pick-up at a kiosk is for the adult whom the desk has seen, too', async () => {
  const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    token: family.token,
    json: { name: 'Samia Hassan', relation: 'Aunt' },
  });
  await askFor(app, kiosk, family, [child], { kind: 'pick_up' });
  const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: owner });
  const url = `/api/kiosk-requests/${requests.find((one) => one.child._id === child)?._id}/accept`;
  const seen = async () => {
    const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: owner });
    return (body as unknown as HandOver).adults.find(({ _id }) => _id === collector._id)?.version;
  };
  const version = await seen();
  await app.expect(200, 'PUT', `/api/collectors/${collector._id}`, {
    token: family.token,
    json: { name: 'Mona Ali', relation: 'Aunt' },
  });
  const document = { kind: 'passport', last: '12AB' };
  const accept = async (json: object) => {
    const asked = { collectorId: collector._id, document, proof: known, ...json };
    const { status, body } = await app.ask('POST', url, { token: owner, json: asked });
    return status === 200 ? 200 : body.code;
  };
  expect(await accept({ version, collectorId: undefined })).toBe('invalid_request');
  expect(await accept({ version })).toBe('collector_changed');
  expect(await isInside()).toBe(true);
  expect(await accept({ version: await seen() })).toBe(200);
});

describe('the undo of a check-in, which ends a stay without a hand-over, while somebody is barred', () => {
  const undo = async (what: 'checkin' | 'checkout', token: string) => {
    const json = { uniqueEntryId: entryId };
    const { status, body } = await app.ask('POST', `/api/children/undo-${what}-child/${child}`, {
      token,
      json,
    });
    return status === 200 ? 200 : body.code;
  };
  let entryId: string | null = null;
  beforeEach(async () => {
    const { body } = await app.ask('GET', `/api/children/get-child/${child}`, { token: owner });
    entryId = body.child.uniqueEntryId;
  });

  test('is for who made the check-in alone: a wrong one can be taken back, and nobody else lets the child out', async () => {
    const other = await app.makeEmployee();
    const { body } = await bar({ name: 'Karim Adel' });
    expect(await undo('checkin', other.token)).toBe('collector_required');
    expect(await isInside()).toBe(true);
    expect(await undo('checkin', owner)).toBe(200);
    expect(await isInside()).toBe(false);
    // Without a bar any desk may, as before.
    await app.expect(200, 'DELETE', `/api/barred/${body.barred._id}`, { token: owner });
    const again = await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    entryId = again.child.uniqueEntryId;
    expect(await undo('checkin', other.token)).toBe(200);
  });

  test('is for nobody once the child was handed over, though that was undone', async () => {
    expect((await checkOut()).status).toBe(200);
    expect(await undo('checkout', owner)).toBe(200);
    await bar({ name: 'Karim Adel' });
    expect(await undo('checkin', owner)).toBe('collector_required');
    expect(await isInside()).toBe(true);
  });
});

test('a child inside leaves by no deletion: not its own, not its family’s, not its place at the facility', async () => {
  const asks = [
    ['DELETE', `/api/children/delete-child/${child}`, family.token],
    ['DELETE', `/api/children/delete-child/${child}`, owner],
    ['DELETE', `/api/parent/delete-parent/${family.id}`, owner],
    ['DELETE', `/api/children/${child}/facilities/main`, owner],
  ] as const;
  for (const [method, url, token] of asks) {
    await app.proveNow(token);
    expect((await app.ask(method, url, { token })).status, url).toBe(409);
  }
  expect(await isInside()).toBe(true);
});

test('a bar and a checkout at the same moment: the child leaves before the bar, or not at all', async () => {
  for (let round = 0; round < 4; round++) {
    const [out, barred] = await Promise.all(round % 2 ? [checkOut(), bar()] : [bar(), checkOut()].reverse());
    const released = await app.context.db
      .selectFrom('releases')
      .select('at')
      .where('child_id', '=', child)
      .executeTakeFirst();
    expect(await isInside()).toBe(released === undefined);
    expect([out?.status, barred?.status].sort()).toEqual(released ? [200, 201] : [201, 409]);
    // From then on nobody is handed the child as this person.
    expect((await checkOut()).body.code).toBe(released ? 'not_inside' : 'barred_person');
    // A sibling would have the bar from the start.
    family = await app.makeFamily();
    child = (await app.makeChild(family))._id;
    await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
  }
});

test('two desks and a collector who is ended at that moment: at most one release, and its record is whole', async () => {
  const json = { name: 'Samia Hassan', relation: 'Aunt' };
  const other = await app.makeEmployee();
  const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    ...{ token: owner, json },
  });
  const send = (token: string) =>
    app.ask('POST', `/api/children/checkout-child/${child}`, {
      ...{ token },
      json: { collectorId: collector._id, proof: known, document: { kind: 'passport', last: '12AB' } },
    });
  const [first, second, removed] = await Promise.all([
    send(owner),
    send(other.token),
    app.ask('DELETE', `/api/collectors/${collector._id}`, { token: owner }),
  ]);
  expect(removed.status).toBe(200);
  const done = [first, second].filter(({ status }) => status === 200).length;
  expect(done).toBeLessThanOrEqual(1);
  const rows = await app.context.db
    .selectFrom('releases')
    .select(['adult_id', 'proof'])
    .where('child_id', '=', child)
    .execute();
  expect(rows).toEqual(done === 1 ? [{ adult_id: collector._id, proof: 'known' }] : []);
  expect(await isInside()).toBe(done === 0);
});

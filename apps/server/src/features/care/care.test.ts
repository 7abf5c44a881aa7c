/** Care cards: who reads and saves them, what the desk is told, and what the database holds of them (decision 050). */
import type { AddressInfo } from 'node:net';
import { type CareCard, EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../../facility.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';
import { tablesWith } from '../../testing/traces.ts';

const within = { timeout: 240_000, interval: 20 };

let app: TestApp;
let owner: string;
let family: Family;
let other: Family;
let teacher: Employee;
let inspector: Employee;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  [family, other] = [await app.makeFamily(), await app.makeFamily()];
  [teacher, inspector] = [await app.makeEmployee(), await app.makeEmployee()];
  for (const [{ id }, roleId] of [
    [teacher, 'teacher'],
    [inspector, 'inspector'],
  ] as const)
    await app.expect(200, 'PUT', `/api/admin/${id}/roles`, {
      ...{ token: owner, json: { roles: [{ roleId, facilityId: MAIN_FACILITY }] } },
    });
});
beforeEach(async () => {
  await app.forgetLimits();
  child = (await app.makeChild(family, 'Careful'))._id;
});
afterAll(() => app.close());

const CARD: CareCard = {
  allergies: [
    { allergen: 'milk', substance: '', severity: 'mild', reaction: 'Rash', action: '' },
    {
      ...{ allergen: 'peanut', substance: 'Peanut butter', severity: 'severe' },
      ...{ reaction: 'Cannot breathe', action: 'EpiPen in the red bag,\nthen call 123' },
    },
  ],
  medicines: [
    { name: 'Zyrtec', dose: '5 ml', when: 'after lunch', untilDate: '2026-12-01', permitted: true },
  ],
  conditions: ['Asthma'],
  dietary: 'No pork',
  contacts: [{ name: 'Grandmother Nadia', relation: 'Grandmother', phone: '+20 2 2735 0000' }],
  doctor: { name: 'Dr. Salem', phone: '0227350000' },
  insurance: { company: 'Misr', number: 'A-77', validUntil: null },
  documents: [{ kind: 'vaccination', name: '', validUntil: '2027-01-31' }],
  note: 'سلام',
};
const pathOf = (id = child) => `/api/children/${id}/care-card`;
const read = (token: string, id = child) => app.expect(200, 'GET', pathOf(id), { token });
const save = (token: string, version: number, card: CareCard = CARD) =>
  app.expect(200, 'PUT', pathOf(), { token, json: { version, card } });
const signs = async (token = owner, at: TestApp = app) =>
  (await at.expect(200, 'GET', '/api/care-signs', { token })).signs;
const signOf = async (token = owner, at: TestApp = app) =>
  (await signs(token, at)).find(({ childId }) => childId === child);
const entriesOf = async (action: string) =>
  (await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner })).entries.filter(
    (entry) => entry.action === action,
  );

test('nobody has saved a card: it is empty, and a save begins with version 0', async () => {
  expect(await read(family.token)).toEqual({
    ...{ version: 0, updatedAt: null, updatedBy: null, card: EMPTY_CARE_CARD },
  });
  const saved = await save(family.token, 0);
  const updatedAt = new Date(app.clock.now()).toISOString();
  expect(saved).toEqual({ version: 1, updatedAt, updatedBy: 'parent', card: CARD });
  expect(await read(owner)).toEqual(saved);
  expect(await save(owner, 1, EMPTY_CARE_CARD)).toMatchObject({
    ...{ version: 2, updatedBy: 'staff', card: EMPTY_CARE_CARD },
  });
});

test('teachers read; inspectors, strangers and other families do not', async () => {
  await save(family.token, 0);
  expect((await read(teacher.token)).card).toEqual(CARD);
  const json = { version: 1, card: CARD };
  for (const [method, ask] of [
    ['GET', {}],
    ['PUT', { json }],
  ] as const) {
    expect((await app.ask(method, pathOf(), ask)).status).toBe(401);
    const denied = await app.ask(method, pathOf(), { ...ask, token: inspector.token });
    expect(denied).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const foreign = await app.ask(method, pathOf(), { ...ask, token: other.token });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect((await app.ask('PUT', pathOf(), { token: teacher.token, json })).status).toBe(403);
  for (const path of ['/api/care-signs', '/api/evacuations/current/care-cards'])
    for (const token of [inspector.token, family.token])
      expect((await app.ask('GET', path, { token })).status).toBe(403);
});

test('of two who save the same version one is refused, and nothing of it is stored', async () => {
  const json = (note: string) => ({ version: 0, card: { ...CARD, note } });
  const answers = await Promise.all([
    app.ask('PUT', pathOf(), { token: family.token, json: json('parent') }),
    app.ask('PUT', pathOf(), { token: owner, json: json('staff') }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'care_card_changed' });
  const winner = answers.findIndex(({ status }) => status === 200) === 0 ? 'parent' : 'staff';
  expect(await read(family.token)).toMatchObject({ version: 1, updatedBy: winner, card: { note: winner } });
});

test('the sign has the allergies, worst first, until they are gone', async () => {
  await save(owner, 0);
  expect(await signOf(teacher.token)).toEqual({
    childId: child,
    allergies: [
      { allergen: 'peanut', substance: 'Peanut butter', severity: 'severe' },
      { allergen: 'milk', substance: '', severity: 'mild' },
    ],
    isUnseen: false,
  });
  await save(owner, 1, { ...CARD, allergies: [] });
  expect(await signOf()).toBeUndefined();
});

test('a change by the family is marked until staff open the card, and only then', async () => {
  await save(owner, 0, { ...CARD, allergies: [] });
  await save(family.token, 1, { ...CARD, allergies: [], note: 'New' });
  expect(await signOf()).toEqual({ childId: child, allergies: [], isUnseen: true });
  await read(family.token);
  expect(await signOf()).toMatchObject({ isUnseen: true });
  await read(teacher.token);
  expect(await signOf()).toBeUndefined();
});

test('each reading by staff is in the ledger, once per session and quarter of an hour; a save without its contents', async () => {
  await save(family.token, 0);
  await read(family.token);
  for (const token of [teacher.token, teacher.token, owner]) await read(token);
  expect((await entriesOf('care_card.read')).map(({ actor }) => actor?.id).toSorted()).toEqual(
    [teacher.id, (await app.expect(200, 'GET', '/api/admin/info', { token: owner })).admin._id].toSorted(),
  );
  app.clock.advance(16 * 60_000);
  await read(teacher.token);
  expect(await entriesOf('care_card.read')).toHaveLength(3);
  const [saved] = await entriesOf('care_card.updated');
  expect(saved).toMatchObject({ actor: { kind: 'parent', id: family.id }, details: { version: 1 } });
  const log = await app.context.db.selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(log)).not.toMatch(/peanut|Grandmother/i);
});

test('nothing of a card is in plain text, and cards of different length look alike', async () => {
  await save(family.token, 0);
  for (const text of ['peanut', 'Peanut butter', 'severe', 'Zyrtec', 'Asthma', 'Nadia', '2735 0000', 'Salem'])
    expect(await tablesWith(app.context.db, [text])).toEqual([]);
  const sizes = async () => {
    const { sealed, sign } = await app.context.db
      .selectFrom('care_cards')
      .select(['sealed', 'sign'])
      .where('child_id', '=', child)
      .executeTakeFirstOrThrow();
    return [sealed.byteLength, sign.byteLength];
  };
  const before = await sizes();
  await save(family.token, 1, EMPTY_CARE_CARD);
  expect(await sizes()).toEqual(before);
});

test('a card that cannot be opened is no empty card, and hides no other sign', async () => {
  await save(owner, 0);
  const damaged = child;
  child = (await app.makeChild(family, 'Whole'))._id;
  await save(owner, 0);
  await app.context.db
    .updateTable('care_cards')
    .set({ sealed: Buffer.from('x'), sign: Buffer.from('x') })
    .where('child_id', '=', damaged)
    .execute();
  expect((await app.ask('GET', pathOf(damaged), { token: owner })).status).toBe(500);
  expect(await signOf()).toMatchObject({ allergies: [{ allergen: 'peanut' }, { allergen: 'milk' }] });
  child = damaged;
  expect(await signOf()).toMatchObject({ allergies: null });
});

test('bad input names its place', async () => {
  const refuse = async (card: object, field: string, message: string) => {
    const answer = await app.ask('PUT', pathOf(), {
      token: family.token,
      json: { version: 0, card: { ...CARD, ...card } },
    });
    expect(answer).toMatchObject({ status: 400, body: { fields: { [`card.${field}`]: message } } });
  };
  const allergy = { allergen: 'other', substance: ' ', severity: 'mild', reaction: '', action: '' };
  await refuse({ allergies: [allergy] }, 'allergies.0.substance', 'Please fill this in');
  await refuse({ allergies: [{ ...allergy, severity: 'bad' }] }, 'allergies.0.severity', 'Please choose one');
  await refuse(
    { contacts: [{ name: 'A', relation: '', phone: 'x' }] },
    'contacts.0.phone',
    'must be a phone number like +20 2 2735 0000',
  );
  const day = { kind: 'passport', name: '', validUntil: '2026-02-30' };
  await refuse({ documents: [day] }, 'documents.0.validUntil', 'Enter a date like 2026-11-21');
  await refuse({ conditions: Array(21).fill('x') }, 'conditions', 'There may be up to 20 entries');
  await refuse({ note: 'x'.repeat(2001) }, 'note', 'May have up to 2000 characters');
  await refuse({ dietary: 'a\u202eb' }, 'dietary', 'There are characters that are not allowed');
  expect((await read(family.token)).version).toBe(0);
});

test('the event goes to staff who may read cards and to the family, with nothing of the card', async () => {
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const streams = await Promise.all(
    [owner, teacher.token, inspector.token, family.token, other.token].map((token) =>
      openEvents(port, token),
    ),
  );
  await save(family.token, 0);
  const marker = (await app.makeChild(other, 'Marker'))._id;
  await app.expect(200, 'POST', `/api/children/checkin-child/${marker}`, { token: owner });
  const [first, second, third, fourth, fifth] = streams;
  for (const stream of [first, second, third, fifth])
    await expect.poll(() => stream?.events.map(({ type }) => type), within).toContain('child.checked_in');
  const told = (stream: (typeof streams)[number] | undefined) =>
    stream?.events.filter(({ type }) => type === 'child.care_card_updated') ?? [];
  await expect.poll(() => told(fourth).length, within).toBe(1);
  expect([first, second, third, fifth].map((stream) => told(stream).length)).toEqual([1, 1, 0, 0]);
  expect(told(first)[0]?.data).toMatchObject({ childId: child, parentId: family.id });
  expect(JSON.stringify(told(first)[0]?.data)).not.toContain('peanut');
  for (const stream of streams) stream.close();
  await app.expect(200, 'POST', `/api/children/checkout-child/${marker}`, { token: owner });
});

test('staff of another facility get 404 and no sign, until the child is known there', async () => {
  await save(family.token, 0);
  const elsewhere = await makeFacility(app, 'Care elsewhere');
  const there = atFacility(app, elsewhere);
  const ask = () => there.ask('GET', pathOf(), { token: owner });
  expect((await ask()).status).toBe(404);
  const put = { token: owner, json: { version: 1, card: EMPTY_CARE_CARD } };
  expect((await there.ask('PUT', pathOf(), put)).status).toBe(404);
  expect(await signOf(owner, there)).toBeUndefined();
  await app.expect(200, 'POST', `/api/children/${child}/facilities`, {
    ...{ token: owner, json: { facilityId: elsewhere } },
  });
  // Each facility has its own mark: that one has read it does not tell the other.
  await read(owner);
  expect(await signOf()).toMatchObject({ isUnseen: false });
  expect(await signOf(owner, there)).toMatchObject({ isUnseen: true });
  expect((await ask()).status).toBe(200);
  expect(await signOf(owner, there)).toMatchObject({ isUnseen: false });
  await app.expect(200, 'DELETE', `/api/children/${child}/facilities/${MAIN_FACILITY}`, { token: owner });
  expect((await app.ask('GET', pathOf(), { token: owner })).status).toBe(404);
  expect(await signOf()).toBeUndefined();
  expect((await read(family.token)).card).toEqual(CARD);
});

test('an erased child has no card, and what is left of it cannot be opened', async () => {
  await save(family.token, 0);
  await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: owner });
  expect((await app.ask('GET', pathOf(), { token: family.token })).status).toBe(404);
  const rows = app.context.db.selectFrom('care_cards').select('child_id').where('child_id', '=', child);
  expect(await rows.execute()).toEqual([]);
  const put = { token: family.token, json: { version: 1, card: CARD } };
  expect((await app.ask('PUT', pathOf(), put)).status).toBe(404);
});

test('a roll call has the cards of its children, recorded once; without one there are none', async () => {
  await save(family.token, 0);
  await app.makeChild(family, 'Outside');
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
  const cards = async () =>
    (await app.expect(200, 'GET', '/api/evacuations/current/care-cards', { token: teacher.token })).cards;
  expect(await cards()).toEqual([]);
  const { evacuation } = await app.expect(201, 'POST', '/api/evacuations', { token: owner });
  expect(await cards()).toEqual([{ childId: child, card: CARD }]);
  await cards();
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${evacuation._id}`, { token: owner });
  expect(entries.filter(({ action }) => action === 'care_cards.read')).toHaveLength(1);
  await app.expect(200, 'POST', `/api/evacuations/${evacuation._id}/end`, {
    ...{ token: owner, json: { note: 'Over' } },
  });
  expect(await cards()).toEqual([]);
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
});

test('a parent saves 40 changes a day at most', async () => {
  for (let version = 0; version < 40; version++) await save(family.token, version);
  const answer = await app.ask('PUT', pathOf(), { token: family.token, json: { version: 40, card: CARD } });
  expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect((await read(family.token)).version).toBe(40);
});

test('whether slips name allergies is a setting of the facility', async () => {
  const onSlip = async () =>
    (await app.expect(200, 'GET', '/api/care-signs', { token: teacher.token })).onSlip;
  expect(await onSlip()).toBe(false);
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { slipAllergies: true } });
  expect(await onSlip()).toBe(true);
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { slipAllergies: false } });
});

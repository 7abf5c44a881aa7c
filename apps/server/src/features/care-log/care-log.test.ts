/** The care log: who makes, reads, corrects and signs entries, what the database holds, and who is told (decision 052). */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import type { CareEntryContent } from '@haris/contract/care-log';
import type { CareLogEntry, CareLogSleep, PermittedMedicine } from '@haris/contract/http/care-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../../facility.ts';
import type { IncidentStep } from '../../incident-step.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { ACCIDENT, addEntry } from '../../testing/care-log.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { tablesWith } from '../../testing/traces.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NAPPY = { kind: 'nappy', nappy: 'wet', note: '' } as const;
const MEAL = { kind: 'meal', eaten: 'some', note: 'Lentils' } as const;
const SLEEP = { kind: 'sleep_start', everyMinutes: 10 } as const;
const CHECK = { kind: 'sleep_check', note: '' } as const;
const AWAKE = { kind: 'sleep_end', note: '' } as const;
const MEDICINE = {
  kind: 'medicine',
  name: 'Zyrtec',
  dose: '5 ml',
  givenBy: '',
  witnessedBy: 'Hoda',
} as const;
const TYPED = { signature: { kind: 'typed', name: 'Mona Hassan' } };

/** The answers of these calls, all fields of all of them. */
interface Body {
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly entry: CareLogEntry;
  readonly entries: CareLogEntry[];
  readonly nextCursor: string | null;
  readonly today: string;
  readonly asleep: CareLogSleep;
  readonly medicines: PermittedMedicine[];
  readonly waiting: { childId: string; count: number }[];
}

let app: TestApp;
let owner: string;
let family: Family;
let other: Family;
let teacher: Employee;
let inspector: Employee;
let child: string;
let steps: IncidentStep[] = [];

beforeAll(async () => {
  app = await startTestApp({
    receiveStep: async (step) => {
      steps.push(step);
    },
  });
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
  child = (await app.makeChild(family, 'Logged'))._id;
  await app.app.incidents.sweep();
  steps = [];
});
afterAll(() => app.close());

const pathOf = (id = child) => `/api/children/${id}/care-log`;
type Json = Record<string, unknown>;
async function ask(method: 'GET' | 'POST', path: string, token?: string, json?: Json, at: TestApp = app) {
  const { status, body } = await at.ask(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(json === undefined ? {} : { json }),
  });
  return { status, body: body as unknown as Body };
}
const post = (entry: CareEntryContent, more: Json = {}, token = teacher.token) =>
  ask('POST', pathOf(), token, { entry, ...more });
const add = (entry: CareEntryContent = ACCIDENT, more = {}) =>
  addEntry(app, teacher.token, child, entry, more);
const list = async (token = teacher.token, query = '') =>
  (await ask('GET', `${pathOf()}${query}`, token)).body;
const sign = (id: string, json: Json = TYPED, token = family.token) =>
  ask('POST', `${pathOf()}/${id}/acknowledgement`, token, json);
const toSign = async (token = family.token) =>
  (await ask('GET', '/api/care-log/to-sign', token)).body.waiting;
const iso = (at: number) => new Date(at).toISOString();
const checkIn = () => app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
async function permit(permitted = true, untilDate: string | null = null): Promise<void> {
  const { version } = await app.expect(200, 'GET', `/api/children/${child}/care-card`, {
    token: family.token,
  });
  const medicines = [{ name: 'Zyrtec', dose: '5 ml', when: 'after lunch', untilDate, permitted }];
  const json = { version, card: { ...EMPTY_CARE_CARD, medicines } };
  await app.expect(200, 'PUT', `/api/children/${child}/care-card`, { token: family.token, json });
}

describe('entries', () => {
  test('a teacher makes one; staff and the family read it, with both times and who made it', async () => {
    const at = app.clock.now() - 5 * MINUTE;
    const made = await post(ACCIDENT, { at: iso(at) });
    expect(made).toMatchObject({ status: 201, body: { asleep: null } });
    const { entry } = made.body;
    expect(entry).toMatchObject({
      ...{ childId: child, entry: ACCIDENT, at: iso(at), recordedAt: iso(app.clock.now()) },
      ...{ corrects: null, correctedBy: null, asksSignature: true, acknowledged: null },
    });
    expect(entry.recordedBy).not.toBeNull();
    for (const token of [teacher.token, owner, family.token])
      expect((await list(token)).entries).toEqual([entry]);
  });

  test('nobody, an inspector, another family; a parent makes none', async () => {
    const id = await add();
    const json = { entry: NAPPY };
    for (const [method, path, body] of [
      ['GET', pathOf(), undefined],
      ['POST', pathOf(), json],
      ['GET', `${pathOf()}/medicines`, undefined],
    ] as const) {
      expect((await ask(method, path, undefined, body)).status).toBe(401);
      expect(await ask(method, path, inspector.token, body)).toMatchObject({ status: 403 });
      const foreign = await ask(method, path, other.token, body);
      expect(foreign.status).toBe(path === pathOf() && method === 'GET' ? 404 : 403);
    }
    expect((await ask('POST', pathOf(), family.token, json)).status).toBe(403);
    expect((await sign(id, TYPED, other.token)).status).toBe(404);
    expect((await sign(id, TYPED, teacher.token)).status).toBe(403);
    expect((await list()).entries).toHaveLength(1);
  });

  test('of one day, in pages, newest first', async () => {
    const now = app.clock.now();
    for (const days of [0, 1, 1, 1]) await add(NAPPY, { at: iso(now - days * DAY - 1000) });
    const { entries, today } = await list();
    expect(entries.map(({ day }) => day === today)).toEqual([true, false, false, false]);
    const yesterday = entries[1]?.day;
    const first = await list(teacher.token, `?day=${yesterday}&limit=2`);
    const second = await list(teacher.token, `?day=${yesterday}&limit=2&cursor=${first.nextCursor}`);
    expect([...first.entries, ...second.entries]).toEqual(entries.slice(1));
    expect(second.nextCursor).toBeNull();
  });

  test('the time lies within a week, and not in the future; a clock that is a little ahead means now', async () => {
    const now = app.clock.now();
    for (const at of [now + 2 * MINUTE, now - 8 * DAY])
      expect(await post(NAPPY, { at: iso(at) })).toMatchObject({
        ...{ status: 400, body: { fields: { at: expect.any(String) } } },
      });
    expect((await post(NAPPY, { at: iso(now + 30_000) })).body.entry.at).toBe(iso(now));
  });

  test('bad input names its place', async () => {
    for (const [entry, field] of [
      [{ ...ACCIDENT, what: ' ' }, 'entry.what'],
      [{ ...ACCIDENT, where: 'x'.repeat(101) }, 'entry.where'],
      [{ ...NAPPY, nappy: 'full' }, 'entry.nappy'],
      [{ kind: 'sleep_start', everyMinutes: 4 }, 'entry.everyMinutes'],
    ] as const)
      expect(await post(entry as CareEntryContent)).toMatchObject({
        ...{ status: 400, body: { fields: { [field]: expect.any(String) } } },
      });
    expect((await post({ kind: 'party' } as never)).status).toBe(400);
  });

  test('reading by staff is in the ledger once, each entry too, and nothing of its content', async () => {
    await add();
    await list();
    await list();
    await list(family.token);
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
    const actions = entries.map(({ action }) => action);
    expect(actions.filter((one) => one === 'care_log.read')).toHaveLength(1);
    expect(actions.filter((one) => one === 'care_log.recorded')).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toMatch(/swing|accident/);
  });

  test('staff of another facility see nothing of it; the family sees all', async () => {
    const elsewhere = await makeFacility(app, 'Log elsewhere');
    const there = atFacility(app, elsewhere);
    const id = await add();
    expect((await ask('GET', pathOf(), owner, undefined, there)).status).toBe(404);
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, {
      ...{ token: owner, json: { facilityId: elsewhere } },
    });
    expect((await ask('GET', pathOf(), owner, undefined, there)).body.entries).toEqual([]);
    const correction = { entry: { kind: 'withdrawn', reason: 'No' }, corrects: id };
    expect((await ask('POST', pathOf(), owner, correction, there)).status).toBe(404);
    await addEntry(there, owner, child, NAPPY);
    expect((await list(family.token)).entries).toHaveLength(2);
    await app.expect(200, 'DELETE', `/api/children/${child}/facilities/${MAIN_FACILITY}`, { token: owner });
    expect((await ask('GET', pathOf(), owner)).status).toBe(404);
    expect((await list(family.token)).entries).toHaveLength(2);
    expect((await sign(id)).status).toBe(201);
  });
});

describe('an entry that is sent again with its key', () => {
  async function send(key: string, entry: CareEntryContent = NAPPY, token = teacher.token) {
    const headers = { 'idempotency-key': key };
    const { status, body } = await app.ask('POST', pathOf(), { token, headers, json: { entry } });
    return { status, body: body as unknown as Body };
  }

  test('is recorded once, also when sent twenty times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('twenty')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.entry._id)).size).toBe(1);
    expect((await list()).entries).toHaveLength(1);
    await send('another');
    expect((await list()).entries).toHaveLength(2);
  });

  test('must be the same; a refusal keeps no key; the key is of this person', async () => {
    await send('mine');
    const other = await send('mine', { ...NAPPY, nappy: 'dry' });
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const wake = { kind: 'sleep_end', note: '' } as const;
    expect((await send('sleep', wake)).body.code).toBe('not_inside');
    expect((await send('sleep')).status).toBe(201);
    expect((await send('mine', NAPPY, owner)).status).toBe(201);
    expect((await list()).entries).toHaveLength(3);
  });
});

describe('what the database holds', () => {
  test('no word of an entry or a signature, and lengths in steps', async () => {
    const id = await add({ ...ACCIDENT, what: 'Trampoline' });
    await sign(id, { signature: { kind: 'typed', name: 'Ramadana' } });
    await add(NAPPY);
    expect(await tablesWith(app.context.db, ['Trampoline', 'Ramadana'])).toEqual([]);
    const rows = await app.context.db
      .selectFrom('care_entries')
      .select(['sealed', 'recorded_at'])
      .where('child_id', '=', child)
      .execute();
    const [first, second] = rows.map(({ sealed }) => sealed.byteLength);
    expect(first).toBe(second);
  });

  test('an entry that cannot be opened hides no other; it can be withdrawn', async () => {
    const damaged = await add(NAPPY);
    await add(MEAL);
    await app.context.db
      .updateTable('care_entries')
      .set({ sealed: Buffer.from('x') })
      .where('id', '=', damaged)
      .execute();
    expect((await list()).entries.map(({ entry }) => entry)).toEqual(expect.arrayContaining([null, MEAL]));
    expect((await post({ kind: 'withdrawn', reason: 'Unreadable' }, { corrects: damaged })).status).toBe(201);
  });

  test('an erased child has no log', async () => {
    await add();
    await app.expect(200, 'DELETE', `/api/children/delete-child/${child}`, { token: owner });
    expect((await ask('GET', pathOf(), family.token)).status).toBe(404);
    const rows = app.context.db.selectFrom('care_entries').select('id').where('child_id', '=', child);
    expect(await rows.execute()).toEqual([]);
  });
});

describe('medicines', () => {
  const medicines = async () => (await ask('GET', `${pathOf()}/medicines`, teacher.token)).body.medicines;

  test('only one of the card that the family permits, and that has not ended', async () => {
    expect(await medicines()).toEqual([]);
    await permit(false);
    expect(await post(MEDICINE)).toMatchObject({ status: 409, body: { code: 'medicine_not_permitted' } });
    await permit(true, '2020-01-01');
    expect((await post(MEDICINE)).status).toBe(409);
    await permit();
    expect(await medicines()).toEqual([{ name: 'Zyrtec', dose: '5 ml', when: 'after lunch' }]);
    expect((await post(MEDICINE)).body.entry).toMatchObject({ entry: MEDICINE, asksSignature: true });
    expect((await post({ ...MEDICINE, name: 'Aspirin' })).status).toBe(409);
  });

  test('what was given may be corrected, also when it is not permitted any more', async () => {
    await permit();
    const id = await add(MEDICINE);
    await permit(false);
    expect((await post({ ...MEDICINE, dose: '2 ml' }, { corrects: id })).status).toBe(201);
  });

  test('staff cannot permit: they keep what the family permitted, and lose it with another dose', async () => {
    await permit();
    const path = `/api/children/${child}/care-card`;
    const { version, card } = await app.expect(200, 'GET', path, { token: owner });
    const save = async (number: number, dose: string) => {
      const json = {
        version: number,
        card: {
          ...card,
          medicines: [
            { ...card.medicines[0], dose },
            { ...card.medicines[0], name: 'Aspirin', permitted: true },
          ],
        },
      };
      const saved = await app.expect(200, 'PUT', path, { token: owner, json });
      return saved.card.medicines.map(({ permitted }) => permitted);
    };
    expect(await save(version, '5 ml')).toEqual([true, false]);
    expect(await save(version + 1, '50 ml')).toEqual([false, false]);
  });
});

describe('corrections', () => {
  test('are new entries that point to the old one, which stays; each entry is corrected once', async () => {
    const id = await add(NAPPY);
    const [old] = (await list()).entries;
    app.clock.advance(MINUTE);
    const made = await post({ ...NAPPY, nappy: 'soiled' }, { corrects: id });
    expect(made.body.entry).toMatchObject({ corrects: id, at: old?.at });
    expect(made.body.entry.recordedAt).not.toBe(old?.recordedAt);
    const { entries } = await list();
    expect(entries).toHaveLength(2);
    expect(entries.find(({ _id }) => _id === id)).toEqual({ ...old, correctedBy: made.body.entry._id });
    expect(await post({ ...NAPPY, nappy: 'dry' }, { corrects: id })).toMatchObject({
      ...{ status: 409, body: { code: 'care_entry_corrected' } },
    });
  });

  test('are of the same kind, or withdraw; what is withdrawn stays so', async () => {
    const id = await add(NAPPY);
    const wrong = { status: 400, body: { fields: { 'entry.kind': expect.any(String) } } };
    expect(await post(MEAL, { corrects: id })).toMatchObject(wrong);
    expect((await post({ kind: 'withdrawn', reason: 'Wrong child' })).status).toBe(400);
    const gone = await add({ kind: 'withdrawn', reason: 'Wrong child' }, { corrects: id });
    expect((await post({ kind: 'withdrawn', reason: 'Again' }, { corrects: gone })).status).toBe(409);
    expect((await post(NAPPY, { corrects: 'unknown' })).status).toBe(404);
    const sibling = (await app.makeChild(family, 'Sibling'))._id;
    const path = pathOf(sibling);
    expect((await ask('POST', path, teacher.token, { entry: NAPPY, corrects: id })).status).toBe(404);
  });

  test('of two at once, one is made', async () => {
    const id = await add(NAPPY);
    const answers = await Promise.all([post(NAPPY, { corrects: id }), post(NAPPY, { corrects: id }, owner)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });
});

describe('signatures', () => {
  test('the family signs an accident once; staff see it', async () => {
    const id = await add();
    await add(NAPPY);
    expect(await toSign()).toContainEqual({ childId: child, count: 1 });
    const drawn = { kind: 'drawn', path: 'M10 20 L30 40 L50 60 M5 5 L600 200' };
    const at = iso(app.clock.now());
    const signed = await sign(id, { signature: drawn });
    expect(signed).toMatchObject({
      ...{ status: 201, body: { entry: { acknowledged: { at, signature: drawn } } } },
    });
    expect(await sign(id)).toMatchObject({ status: 409, body: { code: 'care_entry_acknowledged' } });
    expect(await toSign()).not.toContainEqual(expect.objectContaining({ childId: child }));
    const seen = (await list()).entries.find(({ _id }) => _id === id);
    expect(seen?.acknowledged).toEqual({ at, signature: drawn });
    expect(await toSign(other.token)).toEqual([]);
  });

  test('no signature for a nappy, and none for what was corrected; the correction asks anew', async () => {
    const nappy = await add(NAPPY);
    expect((await sign(nappy)).status).toBe(404);
    const id = await add();
    const corrected = await add({ ...ACCIDENT, where: 'Right knee' }, { corrects: id });
    expect(await sign(id)).toMatchObject({ status: 409, body: { code: 'care_entry_corrected' } });
    expect(await toSign()).toContainEqual({ childId: child, count: 1 });
    expect((await sign(corrected)).status).toBe(201);
  });

  test('only strokes within the box, or a name', async () => {
    const id = await add();
    for (const signature of [
      { kind: 'drawn', path: 'M0 0' },
      { kind: 'drawn', path: 'M0 0 L601 0' },
      { kind: 'drawn', path: 'M0 0 L1 1"/><script>' },
      { kind: 'drawn', path: `M0 0${' L1 1'.repeat(3000)}` },
      { kind: 'typed', name: ' ' },
    ])
      expect((await sign(id, { signature })).status).toBe(400);
    expect(await toSign()).toContainEqual({ childId: child, count: 1 });
  });
});

describe('a child asleep', () => {
  const open = async () =>
    (await app.expect(200, 'GET', '/api/incidents?state=open', { token: owner })).incidents
      .filter(({ kind }) => kind === 'sleep_check_overdue')
      .flatMap(({ subjects }) => subjects.filter(({ until }) => until === null).map(({ _id }) => _id));
  async function pass(ms: number): Promise<void> {
    app.clock.advance(ms);
    await app.app.incidents.sweep();
  }
  const told = () => steps.filter(({ kind }) => kind === 'sleep_check_overdue').map(({ phase }) => phase);

  test('sleeps only inside, once, and is checked only while it sleeps', async () => {
    expect(await post(SLEEP)).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    await checkIn();
    expect(await post(CHECK)).toMatchObject({ status: 409, body: { code: 'not_asleep' } });
    const started = app.clock.now();
    expect((await post(SLEEP)).body.asleep).toEqual({
      ...{ since: iso(started), checkedAt: iso(started), everyMinutes: 10 },
      dueAt: iso(started + 10 * MINUTE),
    });
    expect(await post(SLEEP)).toMatchObject({ status: 409, body: { code: 'already_asleep' } });
    app.clock.advance(4 * MINUTE);
    expect((await post(CHECK)).body.asleep?.dueAt).toBe(iso(started + 14 * MINUTE));
    expect((await list()).asleep?.checkedAt).toBe(iso(started + 4 * MINUTE));
    expect((await post(AWAKE)).body.asleep).toBeNull();
    expect((await post(AWAKE)).status).toBe(409);
  });

  test('an overdue check is an incident within 10 seconds, and ends with the check', async () => {
    await checkIn();
    await add(SLEEP);
    await pass(10 * MINUTE);
    expect(await open()).toEqual([]);
    await pass(9_000);
    expect(await open()).toEqual([child]);
    expect(told()).toEqual(['raised']);
    await add(CHECK);
    await pass(1_000);
    expect(await open()).toEqual([]);
    await pass(10 * MINUTE + 1_000);
    expect(await open()).toEqual([child]);
    // Up the ladder while nobody acknowledges it.
    await pass(5 * MINUTE);
    expect(told().filter((phase) => phase === 'escalated').length).toBeGreaterThan(0);
    await add(AWAKE);
    await pass(1_000);
    expect(await open()).toEqual([]);
  });

  test('who is still not checked ten minutes later alerts again, also after an acknowledgement', async () => {
    await checkIn();
    await add(SLEEP);
    await pass(10 * MINUTE + 1_000);
    const all = () =>
      app
        .expect(200, 'GET', '/api/incidents?state=open', { token: owner })
        .then(({ incidents }) => incidents.filter(({ kind }) => kind === 'sleep_check_overdue'));
    const [first] = await all();
    await app.expect(200, 'POST', `/api/incidents/${first?._id}/acknowledge`, { token: owner, json: {} });
    await pass(9 * MINUTE);
    expect((await all()).filter(({ acknowledgedAt }) => acknowledgedAt === null)).toEqual([]);
    await pass(MINUTE);
    const again = (await all()).filter(({ acknowledgedAt }) => acknowledgedAt === null);
    expect(again.flatMap(({ subjects }) => subjects.map(({ _id }) => _id))).toEqual([child]);
    await add(AWAKE);
    await pass(1_000);
    expect(await open()).toEqual([]);
  });

  test('is not lost by a late entry or by a correction', async () => {
    await checkIn();
    app.clock.advance(60 * MINUTE);
    const now = app.clock.now();
    const at = (minutes: number) => ({ at: iso(now - minutes * MINUTE) });
    const start = await add(SLEEP, at(50));
    await add(AWAKE, at(20));
    // Between the two the child was asleep already.
    expect(await post(SLEEP, at(30))).toMatchObject({ status: 409, body: { code: 'already_asleep' } });
    // Before the check-in there is no sleep.
    const early = await post(SLEEP, { ...at(70), corrects: start });
    expect(early).toMatchObject({ status: 409, body: { code: 'not_inside' } });
    expect((await post(SLEEP, at(10))).body.asleep?.since).toBe(at(10).at);
    await add(AWAKE);
  });

  test('ends with the checkout; a check that is withdrawn does not count', async () => {
    await checkIn();
    await add(SLEEP);
    await pass(8 * MINUTE);
    const look = await add(CHECK);
    await add({ kind: 'withdrawn', reason: 'Another child' }, { corrects: look });
    await pass(3 * MINUTE);
    expect(await open()).toEqual([child]);
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    await pass(1_000);
    expect(await open()).toEqual([]);
    expect((await list()).asleep).toBeNull();
    // The next stay begins awake.
    await checkIn();
    expect((await list()).asleep).toBeNull();
    await pass(20 * MINUTE);
    expect(await open()).toEqual([]);
  });
});

describe('an accident tells the family', () => {
  const mine = async (token = family.token, state = 'open') =>
    (await app.expect(200, 'GET', `/api/incidents?state=${state}&limit=200`, { token })).incidents.filter(
      ({ kind, subject }) => kind === 'accident' && subject?._id === child,
    );
  const sweep = () => app.app.incidents.sweep();
  const told = () =>
    steps
      .filter(({ kind }) => kind === 'accident')
      .flatMap(({ phase, audience }) => audience.map(({ id }) => `${phase} ${id}`));

  test('once, until it has signed; staff and other families get none', async () => {
    const id = await add();
    await add(NAPPY);
    await sweep();
    await sweep();
    expect(await mine()).toHaveLength(1);
    expect(await mine(owner)).toEqual([]);
    expect(await mine(other.token)).toEqual([]);
    expect(told()).toEqual([`raised ${family.id}`]);
    await sign(id);
    await sweep();
    expect(await mine()).toEqual([]);
    expect(told()).toEqual([`raised ${family.id}`]);
  });

  test('until it is withdrawn, or a week is over', async () => {
    const id = await add();
    await sweep();
    await add({ kind: 'withdrawn', reason: 'Another child' }, { corrects: id });
    await sweep();
    expect(await mine()).toEqual([]);
    await add();
    await sweep();
    expect(await mine()).toHaveLength(1);
    app.clock.advance(8 * DAY);
    await sweep();
    const rows = app.context.db
      .selectFrom('incidents')
      .select('id')
      .where('kind', '=', 'accident')
      .where('cleared_at', 'is', null);
    expect(await rows.execute()).toEqual([]);
  });
});

/** Who may take a child: collectors, bars, proofs, and the record of a release (decision 049). */
import { OIDC_DESK_MS } from '@haris/contract/constants';
import type { ListedForBar } from '@haris/contract/http/barred';
import type { HandOver, ReleaseBody } from '@haris/contract/http/hand-over';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isOpenStay } from '../../db/stays.ts';
import { fingerprintOf } from '../../hand-over/release.ts';
import { beforeTransaction } from '../../testing/before-transaction.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { makeSecond } from '../../testing/second.ts';

let app: TestApp;
let owner: string;
let desk: { readonly id: string; readonly token: string };
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  await signIn();
});
/** A new session of the owner, and a new employee at the desk. */
async function signIn(): Promise<void> {
  owner = await app.staff();
  desk = await app.makeEmployee();
  await app.expect(200, 'PUT', `/api/admin/${desk.id}/roles`, {
    token: owner,
    json: { roles: [{ roleId: 'desk', facilityId: 'main' }] },
  });
}
afterAll(() => app.close());
beforeEach(async () => {
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  await setMode('record');
});

const setMode = (handover: 'record' | 'require', handoverStaffProofs = ['known', 'second']) =>
  app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover, handoverStaffProofs } });
const checkIn = (id = child) =>
  app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: desk.token });
const checkOut = (json?: unknown, id = child, token = desk.token) =>
  app.ask('POST', `/api/children/checkout-child/${id}`, { token, ...(json === undefined ? {} : { json }) });
/** Status 200, or the code of the refusal. */
const outcome = async (json?: unknown, id = child) => {
  const { status, body } = await checkOut(json, id);
  return status === 200 ? 200 : body.code;
};
const name = async (person: object = {}, id = child) =>
  (
    await app.expect(201, 'POST', `/api/children/${id}/collectors`, {
      token: family.token,
      json: { name: 'Samia Hassan', relation: 'Grandmother', ...person },
    })
  ).collector._id;
const document = { kind: 'national_id', last: '0035' };
const known = { kind: 'known' };
const slipOf = async (id = child) => {
  const { body } = await app.ask('GET', `/api/children/get-child/${id}`, { token: desk.token });
  return String(body.child.slipCode);
};
/** The slip that is printed from the answer to a check-in. */
const printedAt = ({ child: { slipCode } }: Awaited<ReturnType<typeof checkIn>>) => ({
  kind: 'slip',
  value: String(slipCode),
});
/** The version of an adult as the desk sees it now. */
const seen = async (adult: string) => {
  const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: desk.token });
  return (body as unknown as HandOver).adults.find(({ _id }) => _id === adult)?.version;
};
const bar = async (json: object, id = child) =>
  (await app.expect(201, 'POST', `/api/children/${id}/barred`, { token: desk.token, json })).barred;
const releases = async (token = family.token) =>
  (await app.expect(200, 'GET', '/api/account/releases', { token })).releases;
const isInside = async (id = child) =>
  (await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: owner })).child.isInside;

describe('in a fresh installation', () => {
  test('a checkout without a body works, and the record names nobody', async () => {
    await checkIn();
    expect(await outcome()).toBe(200);
    expect(await releases()).toMatchObject([{ child: { _id: child }, adult: null, proof: null }]);
  });

  test('a named adult is recorded with the proof, and the family reads it', async () => {
    const samia = await name();
    await checkIn();
    const proof = { kind: 'slip', value: await slipOf() };
    expect(await outcome({ collectorId: samia, proof })).toBe('document_required');
    expect(await outcome({ collectorId: samia, proof, document })).toBe(200);
    expect(await releases()).toMatchObject([
      { adult: { kind: 'collector', name: 'Samia Hassan', relation: 'Grandmother' }, proof: 'slip' },
    ]);
    // Confirmed once; staff see the document, the family does not.
    await checkIn();
    expect(await outcome({ collectorId: samia })).toBe(200);
    const list = async (token: string) =>
      (await app.expect(200, 'GET', `/api/children/${child}/collectors`, { token })).collectors[0];
    expect(await list(desk.token)).toMatchObject({ isConfirmed: true, document });
    expect(await list(family.token)).not.toHaveProperty('document');
  });

  test('an adult who is not listed, or not today, is refused', async () => {
    const past = await name({ from: '2020-01-01', until: '2020-01-02' });
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', {
      token: (await app.makeFamily()).token,
    });
    await checkIn();
    for (const collectorId of [past, parent._id, 'somebody'])
      expect(await outcome({ collectorId, document })).toBe('collector_not_listed');
    expect(await outcome({ collectorId: family.id })).toBe(200);
  });
});

test('children inside with the same first name are told, however it is spelt, and none outside', async () => {
  const others = await app.makeFamily();
  const add = async (name: string) => (await app.makeChild(others, name))._id;
  const omar = await add('عُمر حسن');
  const [same, outside, other] = [await add('عمر علي'), await add('عمر سعيد'), await add('عمرو علي')];
  for (const id of [omar, same, other]) await checkIn(id);
  const { body } = await app.ask('GET', `/api/children/${omar}/hand-over`, { token: desk.token });
  expect(body.namesakes).toEqual([{ _id: same, name: 'عمر علي', photo: expect.any(String) }]);
  for (const id of [omar, same, other]) await checkOut(undefined, id);
  expect(await isInside(outside)).toBe(false);
});

test('the setting names each proof of staff once', async () => {
  const json = { handoverStaffProofs: ['known', 'known'] };
  expect(await app.ask('PUT', '/api/settings', { token: owner, json })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', fields: { handoverStaffProofs: 'must name each proof once' } },
  });
});

describe('where the facility requires it', () => {
  beforeEach(() => setMode('require'));

  test('nobody takes a child without a name and a proof', async () => {
    await checkIn();
    expect(await outcome()).toBe('collector_required');
    expect(await outcome({})).toBe('collector_required');
    expect(await outcome({ proof: { kind: 'known' } })).toBe('wrong_pickup_proof');
    expect(await outcome({ collectorId: family.id })).toBe('proof_of_pickup_required');
    expect(await isInside()).toBe(true);
    expect(await outcome({ collectorId: family.id, proof: known })).toBe(200);
  });

  test('staff count as a proof only as the facility says', async () => {
    await setMode('require', []);
    await checkIn();
    expect(await outcome({ collectorId: family.id, proof: known })).toBe('proof_of_pickup_required');
    await setMode('require', ['known']);
    expect(await outcome({ collectorId: family.id, proof: known })).toBe(200);
  });

  test('the slip counts for its stay alone, and the parent does not have its token', async () => {
    await checkIn();
    const old = await slipOf();
    expect(await outcome({ collectorId: family.id, proof: { kind: 'slip', value: old } })).toBe(200);
    await checkIn();
    const value = await slipOf();
    const [entryId = ''] = value.split('.');
    for (const wrong of [old, entryId, `${value}0`, `${value.slice(0, -1)}x`])
      expect(await outcome({ collectorId: family.id, proof: { kind: 'slip', value: wrong } })).toBe(
        'wrong_pickup_proof',
      );
    const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token: family.token });
    expect(parent.children[0]).toMatchObject({ uniqueEntryId: entryId });
    expect(JSON.stringify(parent)).not.toContain(value.slice(entryId.length + 1));
    expect(await outcome({ collectorId: family.id, proof: { kind: 'slip', value } })).toBe(200);
    // The desk finds the visit by the whole text of the slip.
    const found = await app.ask('POST', '/api/children/find-entry', {
      token: desk.token,
      json: { uniqueEntryId: value },
    });
    expect(found.body).toMatchObject({ entry: { state: 'left' } });
  });

  test('the pick-up code rotates, counts for a minute each way, and for siblings', async () => {
    const sibling = (await app.makeChild(family))._id;
    expect((await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token })).secret).toBe(
      null,
    );
    await checkIn();
    await checkIn(sibling);
    const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
    const codeAt = async (ms: number) => ({
      kind: 'code',
      value: await generate({ secret: String(secret), period: 60, epoch: Math.floor(ms / 1000) }),
    });
    const now = app.clock.now();
    const ask = async (ms: number, id = child) =>
      outcome({ collectorId: family.id, proof: await codeAt(ms) }, id);
    expect(await ask(now - 180_000)).toBe('wrong_pickup_proof');
    expect(await ask(now + 180_000)).toBe('wrong_pickup_proof');
    const used = await codeAt(now);
    expect(await outcome({ collectorId: family.id, proof: used })).toBe(200);
    expect(await outcome({ collectorId: family.id, proof: used }, sibling)).toBe(200);
  });

  test('the code ends with a block, and with the checkout of the last child', async () => {
    await checkIn();
    const fetchSecret = async (token = family.token) =>
      (await app.expect(200, 'POST', '/api/account/pickup-code', { token })).secret;
    const first = await fetchSecret();
    expect(await fetchSecret()).toBe(first);
    expect(await outcome({ collectorId: family.id, proof: known })).toBe(200);
    await checkIn();
    const second = await fetchSecret();
    expect(second).not.toBe(first);
    for (const access of ['blocked', 'allowed'])
      await app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token: owner, json: { access } });
    const again = await app.signIn('parent', family.email, family.password);
    expect(await fetchSecret(again)).not.toBe(second);
  });

  test('a stay that an undo opens again does not accept the code that ended it', async () => {
    const { child: inside } = await checkIn();
    const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
    const epoch = Math.floor(app.clock.now() / 1000);
    const proof = { kind: 'code', value: await generate({ secret: String(secret), period: 60, epoch }) };
    expect(await outcome({ collectorId: family.id, proof })).toBe(200);
    await app.expect(200, 'POST', `/api/children/undo-checkout-child/${child}`, {
      token: desk.token,
      json: { uniqueEntryId: inside.uniqueEntryId },
    });
    expect(await releases()).toEqual([]);
    expect(await outcome({ collectorId: family.id, proof })).toBe('wrong_pickup_proof');
  });

  test('wrong slips lock nothing: nobody guesses one, and one that is out of date must not hold the child', async () => {
    const { child: inside } = await checkIn();
    const proof = { kind: 'slip', value: `${inside.uniqueEntryId}.${'0'.repeat(32)}` };
    for (let i = 0; i < 6; i++)
      expect(await outcome({ collectorId: family.id, proof })).toBe('wrong_pickup_proof');
    const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
    const epoch = Math.floor(app.clock.now() / 1000);
    const code = { kind: 'code', value: await generate({ secret: String(secret), period: 60, epoch }) };
    expect(await outcome({ collectorId: family.id, proof: code })).toBe(200);
  });

  test('five wrong codes lock codes, passes and PINs for 15 minutes, not the slip', async () => {
    await checkIn();
    const proof = { kind: 'code', value: '000000' };
    for (let i = 0; i < 5; i++)
      expect(await outcome({ collectorId: family.id, proof })).toBe('wrong_pickup_proof');
    const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
    const right = async () => ({
      kind: 'code',
      value: await generate({
        secret: String(secret),
        period: 60,
        epoch: Math.floor(app.clock.now() / 1000),
      }),
    });
    expect(await outcome({ collectorId: family.id, proof: await right() })).toBe('pickup_locked');
    app.clock.advance(15 * 60_000 + 1000);
    expect(await outcome({ collectorId: family.id, proof: await right() })).toBe(200);
  });

  test('a pass counts once, for its collector, child and day, until it is revoked', async () => {
    const samia = await name();
    const mona = await name({ name: 'Mona Ali', relation: 'Aunt' });
    const pass = async () =>
      (await app.expect(201, 'POST', `/api/collectors/${samia}/pass`, { token: family.token })).token;
    const { child: inside } = await checkIn();
    const first = await pass();
    const value = await pass();
    const ask = (collectorId: string, text: string) =>
      outcome({ collectorId, proof: { kind: 'pass', value: text }, document });
    expect(await ask(samia, first)).toBe('wrong_pickup_proof');
    expect(await ask(mona, value)).toBe('wrong_pickup_proof');
    expect(await ask(samia, value)).toBe(200);
    const state = async () =>
      (await app.ask('POST', '/api/pass', { json: { token: value } })).body as unknown as { state: string };
    expect((await state()).state).toBe('used');
    await app.expect(200, 'POST', `/api/children/undo-checkout-child/${child}`, {
      token: desk.token,
      json: { uniqueEntryId: inside.uniqueEntryId },
    });
    expect((await state()).state).toBe('valid');
    await app.expect(200, 'DELETE', `/api/collectors/${samia}/pass`, { token: family.token });
    expect((await state()).state).toBe('revoked');
    expect(await ask(samia, value)).toBe('wrong_pickup_proof');
    const tomorrow = new Date(app.clock.now() + 24 * 3_600_000).toISOString().slice(0, 10);
    const next = await app.expect(201, 'POST', `/api/collectors/${samia}/pass`, {
      token: family.token,
      json: { day: tomorrow },
    });
    expect(await ask(samia, next.token)).toBe('wrong_pickup_proof');
    expect((await app.ask('POST', '/api/pass', { json: { token: 'nothing' } })).body.code).toBe(
      'invalid_token',
    );
  });

  test('a pass whose collector has ended names nobody, however it came to be left', async () => {
    const samia = await name();
    const { token } = await app.expect(201, 'POST', `/api/collectors/${samia}/pass`, { token: family.token });
    const read = async () => (await app.expect(200, 'POST', '/api/pass', { json: { token } })) as unknown;
    expect(await read()).toMatchObject({ state: 'valid', collector: 'Samia Hassan' });
    await app.context.db
      .updateTable('collectors')
      .set({ ended_at: app.clock.now() })
      .where('id', '=', samia)
      .execute();
    expect(await read()).toMatchObject({ state: 'revoked', collector: '', childFirstName: '' });
  });

  test('a second member of staff confirms with a PIN: not oneself, and not with a wrong one', async () => {
    const colleague = await app.makeEmployee();
    const own = { token: colleague.token, json: { pin: '835162' } };
    await app.expect(200, 'PUT', '/api/account/desk-pin', own);
    await checkIn();
    const ask = (staffId: string, value: string) =>
      outcome({ collectorId: family.id, proof: { kind: 'second', staffId, value } });
    expect(await ask(desk.id, '835162')).toBe('wrong_pickup_proof');
    expect(await ask(colleague.id, '835163')).toBe('wrong_pickup_proof');
    expect(await ask(colleague.id, '835162')).toBe(200);
    expect(await releases()).toMatchObject([{ proof: 'second' }]);
  });

  test.each([
    [
      'has another PIN',
      (id: string) =>
        app.context.db.updateTable('staff_pins').set({ pin_hash: 'another' }).where('staff_id', '=', id),
    ],
    [
      'has no PIN any more',
      (id: string) => app.context.db.deleteFrom('staff_pins').where('staff_id', '=', id),
    ],
    [
      'cannot sign in any more',
      (id: string) => app.context.db.updateTable('staff').set({ email_verified: 0 }).where('id', '=', id),
    ],
    [
      'has a narrower role',
      (id: string) =>
        app.context.db.updateTable('memberships').set({ role_id: 'inspector' }).where('staff_id', '=', id),
    ],
    [
      'has lost the access of the organisation',
      (id: string) =>
        app.context.db.insertInto('oidc_links').values({
          ...{ id: `late ${id}`, issuer: 'x', subject: id, staff_id: id },
          ...{ created_at: 0, confirmed_at: 0, ended_at: 1 },
        }),
    ],
  ] as const)('a colleague who %s when the hand-over is written confirms nothing', async (_how, change) => {
    const colleague = await app.makeEmployee();
    const own = { token: colleague.token, json: { pin: '835162' } };
    await app.expect(200, 'PUT', '/api/account/desk-pin', own);
    await checkIn();
    const { db } = app.context;
    let isCompared = false;
    // A try counts as wrong until the PIN was compared.
    const isRight = async () => {
      const tries = await db
        .selectFrom('throttle_hits')
        .select('id')
        .where('scope', '=', 'release pin')
        .where('key', '=', app.context.vault.mac('throttle', colleague.id))
        .execute();
      isCompared ||= tries.length > 0;
      return isCompared && tries.length === 0;
    };
    const writes = beforeTransaction(db, async () => void (await change(colleague.id).execute()), isRight);
    const second = { kind: 'second', staffId: colleague.id, value: '835162' };
    try {
      expect(await outcome({ collectorId: family.id, proof: second })).toBe('wrong_pickup_proof');
    } finally {
      vi.restoreAllMocks();
    }
    expect(writes.hasBegun()).toBe(true);
    expect(await isInside()).toBe(true);
  });

  test('a colleague whose access the organisation has ended confirms nothing, and does once it is back', async () => {
    const colleague = await app.makeEmployee();
    const own = { token: colleague.token, json: { pin: '835162' } };
    await app.expect(200, 'PUT', '/api/account/desk-pin', own);
    const link = { id: 'ended', issuer: 'x', subject: 'y', staff_id: colleague.id, created_at: 0 };
    await app.context.db
      .insertInto('oidc_links')
      .values({ ...link, confirmed_at: 0, ended_at: 1 })
      .execute();
    await checkIn();
    const second = { kind: 'second', staffId: colleague.id, value: '835162' };
    expect(await outcome({ collectorId: family.id, proof: second })).toBe('wrong_pickup_proof');
    expect(await isInside()).toBe(true);
    await app.context.db
      .updateTable('oidc_links')
      .set({ ended_at: null })
      .where('id', '=', 'ended')
      .execute();
    expect(await outcome({ collectorId: family.id, proof: second })).toBe(200);
  });

  test('a colleague without a password confirms nothing until the next sign-in at the organisation', async () => {
    const colleague = await app.makeEmployee();
    const own = { token: colleague.token, json: { pin: '835162' } };
    await app.expect(200, 'PUT', '/api/account/desk-pin', own);
    const now = app.clock.now();
    const link = { id: 'old', issuer: 'x', subject: 'z', staff_id: colleague.id, created_at: 0 };
    await app.context.db
      .insertInto('oidc_links')
      .values({ ...link, confirmed_at: 0, ended_at: null, used_at: now - OIDC_DESK_MS - 1 })
      .execute();
    await app.context.db
      .updateTable('staff')
      .set({ password_hash: '' })
      .where('id', '=', colleague.id)
      .execute();
    await checkIn();
    const second = { kind: 'second', staffId: colleague.id, value: '835162' };
    const isOffered = async () => {
      const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: desk.token });
      return (body as unknown as HandOver).colleagues.some(({ _id }) => _id === colleague.id);
    };
    // A right PIN would count as wrong, so the desk does not offer the person.
    expect(await isOffered()).toBe(false);
    expect(await outcome({ collectorId: family.id, proof: second })).toBe('wrong_pickup_proof');
    expect(await isInside()).toBe(true);
    await app.context.db.updateTable('oidc_links').set({ used_at: now }).where('id', '=', 'old').execute();
    expect(await isOffered()).toBe(true);
    expect(await outcome({ collectorId: family.id, proof: second })).toBe(200);
  });
});

describe('a barred adult', () => {
  test('gets no child, opens an incident for staff, and makes the desk name somebody', async () => {
    const karim = await name({ name: 'Karim Adel', relation: 'Father', phone: '01001234567' });
    await checkIn();
    const old = await slipOf();
    await bar({ name: 'كريم عادل', phone: '01001234567', note: 'Court order 12/2026' });
    expect(await outcome()).toBe('collector_required');
    expect(await outcome({ collectorId: karim, proof: known, document })).toBe('barred_person');
    // The slip may be in the wrong hands.
    expect(await outcome({ collectorId: family.id, proof: { kind: 'slip', value: old } })).toBe(
      'wrong_pickup_proof',
    );
    expect(await isInside()).toBe(true);
    await app.app.incidents.sweep();
    const incidents = async (token: string) =>
      (await app.expect(200, 'GET', '/api/incidents?state=open', { token })).incidents
        .filter(({ kind }) => kind === 'barred_person')
        .map(({ subject }) => subject?._id);
    expect(await incidents(desk.token)).toContain(child);
    expect(await incidents(family.token)).toEqual([]);
    expect(await outcome({ collectorId: family.id, proof: await makeSecond(app) })).toBe(200);
  });

  test.each(['record', 'require'] as const)(
    'makes the desk ask everybody else for a proof that staff cannot give alone, where the facility says %s',
    async (mode) => {
      const colleague = await app.makeEmployee();
      const own = { token: colleague.token, json: { pin: '835162' } };
      await app.expect(200, 'PUT', '/api/account/desk-pin', own);
      await bar({ name: 'Karim Adel' });
      const samia = await name();
      const handOver = async () => {
        const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: desk.token });
        return body;
      };
      const second = { kind: 'second', staffId: colleague.id, value: '835162' };
      const refuseAll = async (proofs: readonly object[]) => {
        for (const proof of proofs)
          expect(await outcome({ collectorId: family.id, proof })).toBe('proof_of_pickup_required');
        expect(await outcome()).toBe('collector_required');
        expect(await outcome({ document })).toBe('collector_required');
        expect(await outcome({ collectorId: family.id })).toBe('proof_of_pickup_required');
        expect(await outcome({ collectorId: samia, document })).toBe('proof_of_pickup_required');
        expect(await isInside()).toBe(true);
      };
      await checkIn();
      await setMode(mode, []);
      await refuseAll([known, second]);
      expect(await handOver()).toMatchObject({ mustName: true, mustProve: true, staffProofs: [] });
      await setMode(mode);
      await refuseAll([known]);
      expect(await handOver()).toMatchObject({ mustName: true, mustProve: true, staffProofs: ['second'] });
      expect(await outcome({ collectorId: family.id, proof: second })).toBe(200);
      await checkIn();
      const pass = await app.expect(201, 'POST', `/api/collectors/${samia}/pass`, { token: family.token });
      const byPass = { collectorId: samia, proof: { kind: 'pass', value: pass.token } };
      expect(await outcome(byPass)).toBe('document_required');
      expect(await outcome({ ...byPass, document })).toBe(200);
    },
  );

  test('is lifted by the owner alone, and a namesake is released', async () => {
    const karim = await name({ name: 'Karim Adel', relation: 'Uncle' });
    const { _id } = await bar({ name: 'Karim Adel' });
    const slip = printedAt(await checkIn());
    expect(await outcome({ collectorId: karim, document })).toBe('barred_person');
    const namesake = (token: string, version: unknown) =>
      app.ask('POST', `/api/barred/${_id}/namesakes`, { token, json: { adultId: karim, version } });
    const version = await seen(karim);
    expect((await namesake(desk.token, version)).status).toBe(403);
    expect((await namesake(owner, undefined)).body.fields).toEqual({ version: 'version is required' });
    expect((await namesake(owner, version)).status).toBe(200);
    expect(await outcome({ collectorId: karim, document, proof: slip })).toBe(200);
    // Another name is another person.
    await app.expect(200, 'PUT', `/api/collectors/${karim}`, {
      token: family.token,
      json: { name: 'Karim  ADEL', relation: 'Uncle', phone: '01001234567' },
    });
    await checkIn();
    expect(await outcome({ collectorId: karim, document })).toBe('barred_person');
    expect((await app.ask('DELETE', `/api/barred/${_id}`, { token: desk.token })).status).toBe(403);
    expect((await app.ask('DELETE', `/api/barred/${_id}`, { token: owner })).status).toBe(200);
    expect(await outcome({ collectorId: karim, document, version: await seen(karim) })).toBe(200);
  });

  test.each([
    ['name', { name: 'Adel Karim' }],
    ['phone', { name: 'Karim Adel', phone: '01001234567' }],
    ['relation', { name: 'Karim Adel', relation: 'Neighbour' }],
  ])('is no namesake who got another %s while the owner’s form was open', async (_, change) => {
    const karim = await name({ name: 'Karim Adel', relation: 'Uncle' });
    const { _id } = await bar({ name: 'Karim Adel' });
    const read = async () => {
      const { body } = await app.ask('GET', `/api/children/${child}/barred`, { token: owner });
      const { adults } = body as unknown as { adults: ListedForBar[] };
      return adults.find((one) => one._id === karim)?.version;
    };
    const note = (version: unknown) =>
      app.ask('POST', `/api/barred/${_id}/namesakes`, { token: owner, json: { adultId: karim, version } });
    const version = await read();
    await app.expect(200, 'PUT', `/api/collectors/${karim}`, {
      token: family.token,
      json: { relation: 'Uncle', ...change },
    });
    expect((await note(version)).body.code).toBe('collector_changed');
    await checkIn();
    expect(await outcome({ collectorId: karim, document, version: await seen(karim) })).toBe('barred_person');
    expect((await note(await read())).status).toBe(200);
    expect((await app.ask('GET', `/api/children/${child}/barred`, { token: family.token })).status).toBe(403);
  });

  test('is no guardian whom the owner noted as a namesake, until the account has another phone', async () => {
    const { _id } = await bar({ name: family.name });
    const slip = printedAt(await checkIn());
    expect(await outcome({ collectorId: family.id })).toBe('barred_person');
    await app.expect(200, 'POST', `/api/barred/${_id}/namesakes`, {
      token: owner,
      json: { adultId: family.id, version: await seen(family.id) },
    });
    expect(await outcome({ collectorId: family.id, proof: slip })).toBe(200);
    await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
      token: owner,
      json: { phone: '01009998877' },
    });
    await checkIn();
    expect(await outcome({ collectorId: family.id })).toBe('barred_person');
  });

  test('leaves the code of the slip to the answer of the check-in: no screen of the desk shows it again', async () => {
    await checkIn();
    expect(await slipOf()).toMatch(/\.[0-9a-f]{32}$/);
    await bar({ name: 'Karim Adel' });
    const shown = async () => {
      const pages = await Promise.all(
        [
          `/api/children/get-child/${child}`,
          '/api/children/get-all-children?inside=true',
          `/api/parent/get-parent/${family.id}`,
        ].map(async (url) => (await app.ask('GET', url, { token: owner })).bytes.toString()),
      );
      const { slip_token: token } = await app.context.db
        .selectFrom('stays')
        .select('slip_token')
        .where('child_id', '=', child)
        .where(isOpenStay)
        .executeTakeFirstOrThrow();
      return pages.filter((page) => page.includes(String(token))).length;
    };
    // The new code is not shown: of this stay nobody has a slip that counts.
    expect(await shown()).toBe(0);
    expect(await outcome({ collectorId: family.id, proof: await makeSecond(app) })).toBe(200);
    const slip = printedAt(await checkIn());
    expect(slip.value).toMatch(/\.[0-9a-f]{32}$/);
    expect(await shown()).toBe(0);
    expect(await outcome({ collectorId: family.id, proof: slip })).toBe(200);
  });

  test('is for the siblings too if the desk says so, and no parent reads of it', async () => {
    const sibling = (await app.makeChild(family))._id;
    await bar({ name: 'Karim Adel', siblings: true });
    for (const id of [child, sibling]) {
      const { body } = await app.ask('GET', `/api/children/${id}/hand-over`, { token: desk.token });
      expect(body).toMatchObject({
        hasBarred: true,
        mustName: true,
        mustProve: true,
      } satisfies Partial<HandOver>);
      expect((await app.ask('GET', `/api/children/${id}/barred`, { token: family.token })).status).toBe(403);
    }
  });

  test('is a danger that only staff hear of, and lasts until somebody has read that one alert', async () => {
    const karim = await name({ name: 'Karim Adel', relation: 'Father' });
    await checkIn();
    await bar({ name: 'Karim Adel' });
    expect(await outcome({ collectorId: karim, document })).toBe('barred_person');
    await app.app.incidents.sweep();
    const find = async (state: 'open' | 'all' = 'open') => {
      const { incidents } = await app.expect(200, 'GET', `/api/incidents?state=${state}&kind=barred_person`, {
        token: owner,
      });
      return incidents.filter(({ subject }) => subject?._id === child);
    };
    const [alert] = await find();
    expect(alert).toMatchObject({
      severity: 'safety',
      acknowledgedAt: null,
      timeline: [{ what: 'raised', by: { _id: desk.id, name: expect.any(String) } }],
    });
    // A mail at once, as about a fire; and the family, with a child inside, gets none.
    const told = await app.context.db
      .selectFrom('notification_deliveries')
      .select(['account_kind', 'channel'])
      .where('incident_id', '=', String(alert?._id))
      .execute();
    expect(told).toContainEqual({ account_kind: 'admin', channel: 'mail' });
    expect(told.filter(({ account_kind }) => account_kind === 'parent')).toEqual([]);
    for (const query of ['state=open', 'severity=safety', 'kind=barred_person'])
      expect(await app.expect(200, 'GET', `/api/incidents?${query}`, { token: family.token })).toMatchObject({
        incidents: [],
      });
    // Neither with the others nor by itself after a day.
    const many = { ids: [alert?._id], filter: undefined };
    expect(
      await app.expect(200, 'POST', '/api/incidents/acknowledge', { token: owner, json: many }),
    ).toMatchObject({ incidents: [], left: 1 });
    app.clock.advance(25 * 3_600_000);
    await signIn();
    await app.app.incidents.sweep();
    expect(await find()).toMatchObject([{ _id: alert?._id, acknowledgedAt: null }]);
    await app.expect(200, 'POST', `/api/incidents/${alert?._id}/acknowledge`, { token: owner });
    await app.app.incidents.sweep();
    expect(await find()).toEqual([]);
    expect(await find('all')).toMatchObject([{ _id: alert?._id, clearedAt: expect.any(String) }]);
  });
});

describe('a name that only sounds like a barred one', () => {
  const doubtsOf = async (adult: string) => {
    const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: desk.token });
    return (body as unknown as HandOver).adults.find(({ _id }) => _id === adult)?.doubts;
  };
  const ruledOut = async () =>
    (await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner })).entries.filter(
      ({ action }) => action === 'barred.ruled_out',
    );
  /** Whether each collector resembles a barred adult; undefined for who may not see that. */
  const marks = async (token: string) =>
    (await app.expect(200, 'GET', `/api/children/${child}/collectors`, { token })).collectors.map(
      ({ resemblesBarred }) => resemblesBarred,
    );

  test('makes the desk say that it is another person, for this release and this version of the adult', async () => {
    const samia = await name();
    const { _id: barredId } = await bar({ name: 'سامية حسن', note: 'Court order 12/2026' });
    const asked = { collectorId: samia, document };
    const slip = printedAt(await checkIn());
    expect(await doubtsOf(family.id)).toEqual([]);
    const doubts = await doubtsOf(samia);
    expect(doubts).toEqual([{ barredId, version: 1 }]);
    expect(await outcome({ ...asked, proof: slip })).toBe('barred_person_doubt');
    for (const notBarred of [[], [{ barredId: 'another', version: 1 }], [{ barredId, version: 2 }]])
      expect(await outcome({ ...asked, proof: slip, notBarred })).toBe('barred_person_doubt');
    expect(await isInside()).toBe(true);
    expect(await ruledOut()).toEqual([]);
    expect(await outcome({ ...asked, proof: slip, notBarred: doubts })).toBe(200);
    expect(await ruledOut()).toMatchObject([
      { actor: { id: desk.id, name: expect.any(String) }, details: { adultId: samia, barIds: [barredId] } },
    ]);
    // The next release asks again, and so does another spelling.
    const proof = printedAt(await checkIn());
    expect(await outcome({ ...asked, proof })).toBe('barred_person_doubt');
    await app.expect(200, 'PUT', `/api/collectors/${samia}`, {
      token: family.token,
      json: { name: 'Samya Hasan', relation: 'Grandmother' },
    });
    expect(await outcome({ ...asked, proof, notBarred: doubts })).toBe('barred_person_doubt');
    const now = { notBarred: await doubtsOf(samia), version: await seen(samia) };
    expect(await outcome({ ...asked, proof, ...now })).toBe(200);
  });

  test('that staff have told apart is in the ledger, also where the hand-over is refused for another reason', async () => {
    const samia = await name();
    const { _id: barredId } = await bar({ name: 'Samya Hasan' });
    await checkIn();
    const notBarred = await doubtsOf(samia);
    const asked = { collectorId: samia, notBarred, document };
    expect(await outcome({ ...asked, proof: known })).toBe('proof_of_pickup_required');
    expect(await outcome({ ...asked, proof: { kind: 'code', value: '000000' } })).toBe('wrong_pickup_proof');
    expect(await outcome({ ...asked, version: 'before' })).toBe('collector_changed');
    const row = { actor: { id: desk.id }, details: { adultId: samia, barIds: [barredId] } };
    expect(await ruledOut()).toMatchObject([row, row, row]);
    // Who says that it is the same person has told nobody apart.
    expect(await outcome({ ...asked, isBarred: true })).toBe('barred_person');
    expect(await ruledOut()).toHaveLength(3);
  });

  test('each try at a child with a bar is in the ledger, whatever refuses it', async () => {
    const samia = await name();
    const refusals = async () => {
      const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
      const refused = entries.filter(({ action }) => action === 'child.release_refused');
      return refused.map(({ details }) => details.refusal);
    };
    await setMode('require');
    await checkIn();
    expect(await outcome({ collectorId: samia, document })).toBe('proof_of_pickup_required');
    expect(await refusals()).toEqual([]);
    await bar({ name: 'Karim Adel' });
    const tries: [object, string][] = [
      [{}, 'collector_required'],
      [{ collectorId: 'nobody' }, 'collector_not_listed'],
      [{ collectorId: samia, document }, 'proof_of_pickup_required'],
    ];
    for (const [json, refusal] of tries) expect(await outcome(json)).toBe(refusal);
    // Newest first.
    expect(await refusals()).toEqual(tries.map(([, refusal]) => refusal).reverse());
  });

  test('is a barred person if the desk says so, which opens the incident for staff alone', async () => {
    const samia = await name();
    await bar({ name: 'Samya Hasan' });
    const slip = printedAt(await checkIn());
    const notBarred = await doubtsOf(samia);
    const asked = { collectorId: samia, document, proof: slip, notBarred };
    expect(await outcome({ ...asked, isBarred: true })).toBe('barred_person');
    expect(await isInside()).toBe(true);
    await app.app.incidents.sweep();
    for (const [token, count] of [
      [desk.token, 1],
      [family.token, 0],
    ] as const) {
      const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=open&kind=barred_person', {
        token,
      });
      expect(incidents.filter(({ subject }) => subject?._id === child)).toHaveLength(count);
    }
  });

  test('is no question once the owner has noted a namesake', async () => {
    const samia = await name();
    const { _id } = await bar({ name: 'Samya Hasan' });
    const slip = printedAt(await checkIn());
    const json = { adultId: samia, version: await seen(samia) };
    await app.expect(200, 'POST', `/api/barred/${_id}/namesakes`, { token: owner, json });
    expect(await doubtsOf(samia)).toEqual([]);
    expect(await outcome({ collectorId: samia, document, proof: slip })).toBe(200);
    expect(await ruledOut()).toEqual([]);
  });

  test('is answered only by staff who may see who is barred', async () => {
    const permissions = ['children.check_in', 'families.view'];
    const json = { name: `Door ${child}`, permissions };
    const { role } = await app.expect(201, 'POST', '/api/roles', { token: owner, json });
    const porter = await app.makeEmployee();
    const roles = [{ roleId: role._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${porter.id}/roles`, { token: owner, json: { roles } });
    const samia = await name();
    await bar({ name: 'Samya Hasan' });
    const proof = printedAt(await checkIn());
    const notBarred = await doubtsOf(samia);
    const asked = { collectorId: samia, document, proof, notBarred };
    expect((await checkOut(asked, child, porter.token)).body.code).toBe('barred_person_doubt');
    expect(await ruledOut()).toEqual([]);
    // Nor do they learn before the hand-over whose name it is.
    const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: porter.token });
    const { adults, hasBarred } = body as unknown as HandOver;
    expect([hasBarred, adults.map((adult) => 'doubts' in adult)]).toEqual([true, [false, false]]);
    expect(await marks(porter.token)).toEqual([undefined]);
    expect(await outcome(asked)).toBe(200);
  });

  test('is a reading of who is barred for the ledger, wherever a mark or a doubt tells it', async () => {
    const reads = async () =>
      (await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner })).entries.filter(
        ({ action }) => action === 'barred.read',
      );
    const mona = await name({ name: 'Mona Ali' });
    await bar({ name: 'Samya Hasan' });
    const url = `/api/collectors/${mona}`;
    const rename = (who: string, token: string) =>
      app.expect(200, 'PUT', url, { token, json: { name: who, relation: 'Aunt' } });
    // Nobody resembles anybody yet, and the family is told of none.
    await marks(desk.token);
    await doubtsOf(mona);
    await rename('Samia Hassan', family.token);
    await marks(family.token);
    expect(await reads()).toEqual([]);
    await marks(desk.token);
    expect(await reads()).toMatchObject([{ actor: { id: desk.id } }]);
    // The list that stays open reads itself anew, which is one reading for five minutes.
    await doubtsOf(mona);
    await rename('Samia  Hassan', desk.token);
    expect(await reads()).toHaveLength(1);
    // Somebody else's is another one, and so is each look at the bars themselves.
    await marks(owner);
    expect(await reads()).toHaveLength(2);
    await app.expect(200, 'GET', `/api/children/${child}/barred`, { token: desk.token });
    expect(await reads()).toHaveLength(3);
    app.clock.advance(4 * 60_000);
    await doubtsOf(mona);
    expect(await reads()).toHaveLength(3);
    app.clock.advance(60_000);
    await doubtsOf(mona);
    await rename('Samia Hassan', desk.token);
    expect(await reads()).toHaveLength(4);
  });

  test('marks the collector for staff, when it is named and in the list, and never for the family', async () => {
    await bar({ name: 'Samya Hasan' });
    const add = async (token: string, who: string) =>
      (
        await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
          token,
          json: { name: who, relation: 'Aunt' },
        })
      ).collector;
    expect(await add(desk.token, 'Samia Hassan')).toMatchObject({ resemblesBarred: true });
    expect(await add(desk.token, 'Samya Hasan')).toMatchObject({ resemblesBarred: true });
    expect(await add(desk.token, 'Mona Adel')).toMatchObject({ resemblesBarred: false });
    expect(await add(family.token, 'سامية حسن')).not.toHaveProperty('resemblesBarred');
    // All were named at the same moment, so their order is any.
    expect((await marks(desk.token)).sort()).toEqual([false, true, true, true]);
    const own = await app.ask('GET', `/api/children/${child}/collectors`, { token: family.token });
    expect(own.status).toBe(200);
    expect(own.bytes.toString()).not.toContain('resemblesBarred');
  });
});

describe('what the desk has seen', () => {
  const change = (id: string, over: object) =>
    app.expect(200, 'PUT', `/api/collectors/${id}`, {
      token: family.token,
      json: { name: 'Samia Hassan', relation: 'Grandmother', ...over },
    });
  const isConfirmed = async () =>
    (await app.expect(200, 'GET', `/api/children/${child}/collectors`, { token: desk.token })).collectors.map(
      (one) => one.isConfirmed,
    );

  test.each([
    ['name', { name: 'Mona Ali' }],
    ['spelling', { name: 'SAMIA Hassan' }],
    ['relation', { relation: 'Neighbour' }],
    ['phone', { phone: '01001234567' }],
  ])(
    'a collector with another %s than the desk saw is not released to, and not confirmed',
    async (_, over) => {
      const samia = await name();
      await checkIn();
      const version = await seen(samia);
      const asked = { collectorId: samia, proof: known, document };
      await change(samia, over);
      expect(await outcome({ ...asked, version })).toBe('collector_changed');
      expect(await isInside()).toBe(true);
      expect(await isConfirmed()).toEqual([false]);
      const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token: owner });
      expect(entries.find(({ action }) => action === 'child.release_refused')).toMatchObject({
        details: { refusal: 'collector_changed' },
      });
      expect(await seen(samia)).not.toBe(version);
      expect(await outcome({ ...asked, version: await seen(samia) })).toBe(200);
      expect(await isConfirmed()).toEqual([true]);
    },
  );

  test('a version is of a named adult: by itself it is no body of a checkout', async () => {
    await checkIn();
    const version = await seen(family.id);
    expect(await checkOut({ version })).toMatchObject({
      status: 400,
      body: { fields: { collectorId: 'collectorId is required with version' } },
    });
    expect(await isInside()).toBe(true);
    expect(await outcome({ collectorId: family.id, version })).toBe(200);
  });

  test('a change that was taken back is one too; other days are none', async () => {
    const samia = await name();
    const first = await seen(samia);
    await change(samia, { weekdays: [0, 1, 2, 3, 4, 5, 6], until: '2199-01-01' });
    expect(await seen(samia)).toBe(first);
    await change(samia, { name: 'Mona Ali' });
    await change(samia, {});
    expect(await seen(samia)).not.toBe(first);
  });

  test('a parent whom staff have changed is another one, too, and so is a collector with the version of another', async () => {
    const samia = await name();
    const other = await name();
    await checkIn();
    const [ofParent, ofOther] = [await seen(family.id), await seen(other)];
    expect(await outcome({ collectorId: samia, document, proof: known, version: ofOther })).toBe(
      'collector_changed',
    );
    await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
      token: owner,
      json: { phone: '01009998877' },
    });
    const asked = { collectorId: family.id, proof: known };
    expect(await outcome({ ...asked, version: ofParent })).toBe('collector_changed');
    expect(await outcome({ ...asked, version: await seen(family.id) })).toBe(200);
  });

  test('who does not say it confirms a collector as first named, and none who was changed since', async () => {
    const samia = await name();
    await checkIn();
    const asked = { collectorId: samia, proof: known, document };
    await change(samia, { name: 'Mona Ali' });
    expect(await outcome(asked)).toBe('collector_changed');
    expect(await isConfirmed()).toEqual([false]);
    expect(await outcome({ ...asked, version: await seen(samia) })).toBe(200);
    // Once confirmed, it is as before.
    await checkIn();
    expect(await outcome({ collectorId: samia, proof: known })).toBe(200);
    const nour = await name({ name: 'Nour Fathy' });
    await checkIn();
    expect(await outcome({ collectorId: nour, proof: known, document })).toBe(200);
  });

  test('a code beside a version that is out of date is no guess, and is not used up', async () => {
    await checkIn();
    const version = await seen(family.id);
    // As the phone has it: before a change by staff, which may end the family's sessions.
    const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
    await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
      token: owner,
      json: { phone: '01009998877' },
    });
    const epoch = Math.floor(app.clock.now() / 1000);
    const right = { kind: 'code', value: await generate({ secret: String(secret), period: 60, epoch }) };
    for (const proof of [...Array.from({ length: 6 }, () => ({ kind: 'code', value: '000000' })), right])
      expect(await outcome({ collectorId: family.id, proof, version })).toBe('collector_changed');
    expect(await outcome({ collectorId: family.id, proof: right, version: await seen(family.id) })).toBe(200);
  });
});

test('a request without the newer fields has the fingerprint that it had before they existed', () => {
  const { vault } = app.context;
  const of = (body: ReleaseBody) => fingerprintOf(app.context, { body, secondPin: null });
  const asked = { collectorId: 'samia', proof: { kind: 'slip', value: 'x' } } as const;
  const fingerprint = (...parts: unknown[]) => ` to ${vault.mac('asked release', JSON.stringify(parts))}`;
  expect(of({})).toBe('');
  expect(of(asked)).toBe(fingerprint('samia', asked.proof, null));
  const answers = { isBarred: false, notBarred: [{ barredId: 'bar', version: 1 }] };
  expect(of({ ...asked, ...answers })).toBe(
    fingerprint('samia', asked.proof, null, false, answers.notBarred),
  );
  // Each field counts: another answer or version is another request.
  const all = [asked, { ...asked, ...answers }, { ...asked, version: 'a' }, { ...asked, version: 'b' }];
  expect(new Set(all.map(of)).size).toBe(all.length);
});

describe('the family', () => {
  test('names nobody for other children, and reads nothing of them', async () => {
    const samia = await name();
    const stranger = (await app.makeFamily()).token;
    const asks = [
      ['GET', `/api/children/${child}/collectors`],
      ['POST', `/api/children/${child}/collectors`],
      ['PUT', `/api/collectors/${samia}`],
      ['DELETE', `/api/collectors/${samia}`],
      ['POST', `/api/collectors/${samia}/pass`],
      ['DELETE', `/api/collectors/${samia}/pass`],
    ] as const;
    const json = { name: 'Stranger', relation: 'None' };
    for (const [method, url] of asks) {
      expect((await app.ask(method, url, { json })).status).toBe(401);
      expect((await app.ask(method, url, { token: stranger, json })).status).toBe(404);
    }
    await checkIn();
    await checkOut();
    const [release] = await releases();
    const url = `/api/account/releases/${release?.stayId}/unexpected`;
    expect((await app.ask('POST', url, { token: stranger })).status).toBe(404);
    expect(await releases(stranger)).toEqual([]);
  });

  test('says that it did not expect a release, which opens one incident', async () => {
    await checkIn();
    await checkOut();
    const [release] = await releases();
    const url = `/api/account/releases/${release?.stayId}/unexpected`;
    for (let i = 0; i < 2; i++) await app.expect(200, 'POST', url, { token: family.token });
    await app.app.incidents.sweep();
    const { incidents } = await app.expect(200, 'GET', '/api/incidents?state=open', { token: desk.token });
    const mine = incidents.filter(
      ({ kind, subject }) => kind === 'unexpected_release' && subject?._id === child,
    );
    expect(mine).toHaveLength(1);
    await app.expect(200, 'POST', `/api/incidents/${mine[0]?._id}/acknowledge`, {
      token: desk.token,
      json: {},
    });
    app.clock.advance(60_000);
    await app.app.incidents.sweep();
    const after = await app.expect(200, 'GET', '/api/incidents?state=open', { token: desk.token });
    expect(after.incidents.map(({ _id }) => _id)).not.toContain(mine[0]?._id);
    expect(await releases()).toMatchObject([{ isUnexpected: true }]);
    // A day later it is too late. All sessions of this file have ended by then.
    app.clock.advance(24 * 3_600_000);
    const { email, password } = family;
    const again = await app.expect(200, 'POST', '/api/parent/get-parent-by-email-and-password', {
      json: { email, password },
    });
    expect((await app.ask('POST', url, { token: again.token })).status).toBe(404);
  });
});

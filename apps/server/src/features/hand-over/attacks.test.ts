/** Attacks on the hand-over of a child: whose word counts after a block or a bar, undone checkouts, facilities (decision 049). */
import type { BarredAdult } from '@haris/contract/http/barred';
import type { HandOver } from '@haris/contract/http/hand-over';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAIN_FACILITY } from '../../facility.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { makeSecond } from '../../testing/second.ts';

let app: TestApp;
let owner: string;
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json: { handover: 'require' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.staff();
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
});

const document = { kind: 'passport', last: '12AB' };
const known = { kind: 'known' };
const checkIn = async () =>
  (await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner })).child;
/** Status 200, or the code of the refusal. */
const checkOut = async (json: object) => {
  const { status, body } = await app.ask('POST', `/api/children/checkout-child/${child}`, {
    token: owner,
    json,
  });
  return status === 200 ? 200 : body.code;
};
const undo = (uniqueEntryId: string | null | undefined) =>
  app.expect(200, 'POST', `/api/children/undo-checkout-child/${child}`, {
    token: owner,
    json: { uniqueEntryId },
  });
const person = { name: 'Samia Hassan', relation: 'Aunt' };
const name = async (token = family.token, over: object = {}) =>
  (
    await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      token,
      json: { ...person, ...over },
    })
  ).collector._id;
const makePass = async (collector: string) => ({
  kind: 'pass',
  value: (await app.expect(201, 'POST', `/api/collectors/${collector}/pass`, { token: family.token })).token,
});
const makeCode = async () => {
  const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
  const epoch = Math.floor(app.clock.now() / 1000);
  return { kind: 'code', value: await generate({ secret: String(secret), period: 60, epoch }) };
};
const bar = async (json: object, token = owner) =>
  (await app.expect(201, 'POST', `/api/children/${child}/barred`, { token, json })).barred;
const adults = async () => {
  const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: owner });
  return (body as unknown as HandOver).adults;
};
const listed = async () => (await adults()).map(({ _id }) => _id);
/** The version of an adult as the desk sees it now. */
const seen = async (id: string) => (await adults()).find(({ _id }) => _id === id)?.version;

describe('an account that does not count any more', () => {
  const ends = {
    blocked: () =>
      app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token: owner, json: { access: 'blocked' } }),
    barred: () => bar({ name: 'Somebody', adultId: family.id }),
    'barred by its name': () => bar({ name: family.name }),
    'barred by a name that sounds like its own': () => bar({ name: family.name.replace('P', 'B') }),
    'barred by no more than its given name': () => bar({ name: 'Uncle Parent' }),
  };

  test.each(Object.keys(ends) as (keyof typeof ends)[])(
    'that is %s sends nobody: not by its code, its passes, or a collector nobody has seen',
    async (how) => {
      const confirmed = await name(family.token, { name: 'Mona Ali' });
      await checkIn();
      expect(await checkOut({ collectorId: confirmed, proof: known, document })).toBe(200);
      await checkIn();
      const friend = await name();
      const byStaff = await name(owner, { name: 'Nour Adel' });
      const [pass, code] = [await makePass(confirmed), await makeCode()];
      await ends[how]();
      expect(await listed()).toEqual(
        expect.arrayContaining(how === 'blocked' ? [confirmed, byStaff] : [family.id, confirmed, byStaff]),
      );
      expect(await listed()).not.toContain(friend);
      expect(await checkOut({ collectorId: friend, proof: known, document })).toBe('collector_not_listed');
      for (const proof of [pass, code])
        expect(await checkOut({ collectorId: confirmed, proof, document })).toBe('wrong_pickup_proof');
      expect(await checkOut({ collectorId: byStaff, proof: await makeSecond(app), document })).toBe(200);
    },
  );

  test('that only sounds like a barred one is answered for at each hand-over, and trusted once the owner has noted it', async () => {
    const friend = await name();
    await checkIn();
    const code = await makeCode();
    const { _id: barredId } = await bar({ name: family.name.replace('P', 'B') });
    const doubts = (await adults()).find(({ _id }) => _id === family.id)?.doubts;
    expect(doubts).toMatchObject([{ barredId }]);
    const asked = { collectorId: family.id, notBarred: doubts };
    expect(await checkOut({ collectorId: family.id, proof: await makeSecond(app) })).toBe(
      'barred_person_doubt',
    );
    // Staff know the person who is there, and not who else would come by its code or as its friend.
    expect(await checkOut({ ...asked, proof: code })).toBe('wrong_pickup_proof');
    expect(await listed()).toEqual([family.id]);
    expect(await checkOut({ ...asked, proof: await makeSecond(app) })).toBe(200);
    await app.expect(200, 'POST', `/api/barred/${barredId}/namesakes`, {
      token: owner,
      json: { adultId: family.id, version: await seen(family.id) },
    });
    expect(await listed()).toEqual([family.id, friend]);
    await checkIn();
    expect(await checkOut({ collectorId: family.id, proof: await makeCode() })).toBe(200);
  });

  test('whose password was never proven takes those whom it named with it, unless staff have seen them', async () => {
    const confirmed = await name(family.token, { name: 'Mona Ali' });
    await checkIn();
    expect(await checkOut({ collectorId: confirmed, proof: known, document })).toBe(200);
    const friend = await name();
    const { value } = await makePass(confirmed);
    await app.context.db
      .updateTable('parents')
      .set({ password_proof: null })
      .where('id', '=', family.id)
      .execute();
    await checkIn();
    expect(await listed()).toEqual([family.id, confirmed]);
    expect(await checkOut({ collectorId: friend, proof: known, document })).toBe('collector_not_listed');
    const pass = await app.expect(200, 'POST', '/api/pass', { json: { token: value } });
    expect(pass).toMatchObject({ state: 'revoked' });
  });

  test('that is blocked first and barred then stays barred when it is let in again', async () => {
    const setAccess = (access: 'blocked' | 'allowed') =>
      app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token: owner, json: { access } });
    await setAccess('blocked');
    expect(await bar({ name: 'Somebody', adultId: family.id })).toMatchObject({ adultId: family.id });
    await setAccess('allowed');
    await checkIn();
    expect(await checkOut({ collectorId: family.id, proof: known })).toBe('barred_person');
  });

  test('a bar for an id that is nobody of this child is refused, and loses nothing silently', async () => {
    const other = await app.makeFamily();
    const { status } = await app.ask('POST', `/api/children/${child}/barred`, {
      token: owner,
      json: { name: 'Somebody', adultId: other.id },
    });
    expect(status).toBe(404);
    const ended = await name();
    await app.expect(200, 'DELETE', `/api/collectors/${ended}`, { token: family.token });
    expect(await bar({ name: 'Somebody', adultId: ended })).toMatchObject({ adultId: ended });
  });
});

describe('an undone checkout', () => {
  test.each([
    ['revoked', (id: string) => app.expect(200, 'DELETE', `/api/collectors/${id}/pass`, family)],
    ['replaced', makePass],
    [
      'made for somebody of another name',
      (id: string) =>
        app.expect(200, 'PUT', `/api/collectors/${id}`, { ...family, json: { ...person, name: 'Mona' } }),
    ],
  ])('does not bring a pass back that was %s meanwhile', async (_how, change) => {
    const samia = await name();
    const entered = await checkIn();
    const proof = await makePass(samia);
    const taken = { collectorId: samia, proof, document };
    expect(await checkOut(taken)).toBe(200);
    await change(samia);
    await undo(entered.uniqueEntryId);
    expect(await checkOut({ ...taken, version: await seen(samia) })).toBe('wrong_pickup_proof');
  });

  test('does not accept the code that ended it, whatever ended it after that', async () => {
    const entered = await checkIn();
    // A sibling inside keeps the code of the family in force.
    const sibling = (await app.makeChild(family))._id;
    await app.expect(200, 'POST', `/api/children/checkin-child/${sibling}`, { token: owner });
    const byCode = { collectorId: family.id, proof: await makeCode() };
    for (const ending of [byCode, { collectorId: family.id, proof: known }]) {
      expect(await checkOut(ending)).toBe(200);
      await undo(entered.uniqueEntryId);
      expect(await checkOut(byCode)).toBe('wrong_pickup_proof');
    }
  });
});

describe('a bar', () => {
  test('is not shaken off by deleting the child and adding it again', async () => {
    const { _id } = await bar({ name: 'Karim Adel' });
    const remove = async () => {
      const { status, body } = await app.ask('DELETE', `/api/children/delete-child/${child}`, family);
      return status === 200 ? 200 : body.code;
    };
    expect(await remove()).toBe('child_kept');
    await app.expect(200, 'DELETE', `/api/barred/${_id}`, { token: owner });
    expect(await remove()).toBe(200);
  });

  describe('on one child of a family', () => {
    const add = async (token: string, fields: Record<string, string> = {}) =>
      (
        await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
          token,
          form: { name: 'A Child', photo: fakePhoto(), ...fields },
        })
      ).child._id;
    const barsOf = async (id: string, at = app) => {
      const { body } = await at.ask('GET', `/api/children/${id}/barred`, { token: owner });
      return (body as unknown as { barred: BarredAdult[] }).barred;
    };

    test.each(['the family', 'the desk'] as const)(
      'is on each child that %s adds to it later, and is lifted for that child alone',
      async (by) => {
        const details = { phone: '01001234567', note: 'Order 12/2026', documentDate: '2026-01-31' };
        const first = await bar({ name: 'Karim Adel', ...details });
        await bar({ name: 'Somebody', adultId: family.id });
        const { _id: over } = await bar({ name: 'Nabil Adel' });
        await app.expect(200, 'DELETE', `/api/barred/${over}`, { token: owner });
        const added = await add(by === 'the desk' ? owner : family.token);
        const copied = await barsOf(added);
        expect(copied).toHaveLength(2);
        expect(copied).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ childId: added, name: 'Karim Adel', adultId: null, ...details }),
            expect.objectContaining({ childId: added, name: 'Somebody', adultId: family.id }),
          ]),
        );
        const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${added}`, { token: owner });
        expect(entries.filter(({ action }) => action === 'barred.copied')).toHaveLength(2);
        // The next one has each bar once, and the family reads of none.
        const third = await add(family.token);
        expect(await barsOf(third)).toHaveLength(2);
        expect((await app.ask('GET', `/api/children/${third}/barred`, family)).status).toBe(403);

        const before = child;
        child = added;
        await checkIn();
        expect(await checkOut({ collectorId: family.id, proof: known })).toBe('barred_person');
        for (const { _id } of copied) await app.expect(200, 'DELETE', `/api/barred/${_id}`, { token: owner });
        expect(await checkOut({ collectorId: family.id, proof: known })).toBe(200);
        expect((await barsOf(before)).map(({ _id }) => _id)).toContain(first._id);
      },
    );

    test('for a collector is on a child that is added later by the name of that collector, too', async () => {
      const karim = await name(family.token, { name: 'Karim Adel', phone: '01001234567' });
      await bar({ name: 'The uncle', adultId: karim });
      child = await add(family.token);
      expect((await barsOf(child)).map(({ name }) => name).sort()).toEqual(['Karim Adel', 'The uncle']);
      const again = await name(family.token, { name: 'Adel Karim' });
      await checkIn();
      expect(await checkOut({ collectorId: again, proof: known, document })).toBe('barred_person');
    });

    test('for a collector has both phones on a child that is added later, if the paper names another', async () => {
      const karim = await name(family.token, { name: 'Karim Adel', phone: '01001234567' });
      await bar({ name: 'Karim Adel', phone: '01112345678', adultId: karim });
      child = await add(family.token);
      const phones = (await barsOf(child)).map(({ phone }) => phone);
      expect(phones.sort()).toEqual(['01001234567', '01112345678']);
      await checkIn();
      for (const phone of phones) {
        const again = await name(family.token, { name: `Abu ${phone}`, phone: String(phone) });
        expect(await checkOut({ collectorId: again, proof: known, document })).toBe('barred_person');
      }
    });

    test('for a collector is entered for the siblings by the name of that collector, too', async () => {
      const sibling = await add(owner);
      const karim = await name(family.token, { name: 'Karim Adel', phone: '01001234567' });
      const { adultId } = await bar({ name: 'The uncle', adultId: karim, siblings: true });
      expect(adultId).toBe(karim);
      // The family can end the collector and name the same person anew.
      const own = (await barsOf(child)).map((one) => [one.name, one.phone, one.adultId]);
      expect(own.sort()).toEqual([
        ['Karim Adel', '01001234567', null],
        ['The uncle', null, karim],
      ]);
      const copies = (await barsOf(sibling)).map((one) => [one.name, one.phone, one.adultId]);
      expect(copies.sort()).toEqual([
        ['Karim Adel', '01001234567', null],
        ['The uncle', null, null],
      ]);
      child = sibling;
      const again = await name(family.token, { name: 'Adel Karim' });
      await checkIn();
      expect(await checkOut({ collectorId: again, proof: known, document })).toBe('barred_person');
    });

    test('can be entered for all of them, however many bars another of them has', async () => {
      const first = child;
      const sibling = await add(owner);
      for (let n = 0; n < 20; n++) await bar({ name: `Somebody ${n}` });
      child = sibling;
      await bar({ name: 'Karim Adel', siblings: true });
      for (const one of [first, sibling])
        expect((await barsOf(one)).map(({ name }) => name)).toContain('Karim Adel');
    });

    test('is on a child that the family adds at another facility, too', async () => {
      await bar({ name: 'Karim Adel' });
      const facilityId = await makeFacility(app, 'Across the road');
      const added = await add(family.token, { facilityId });
      expect(await barsOf(added, atFacility(app, facilityId))).toMatchObject([{ name: 'Karim Adel' }]);
    });

    test('and a child that is added at that moment: it has the bar', async () => {
      for (let round = 0; round < 4; round++) {
        const both = [
          () => add(round < 2 ? family.token : owner),
          () => bar({ name: `Karim ${round}`, siblings: true }),
        ];
        const [one, two] = await Promise.all((round % 2 ? both : both.reverse()).map((each) => each()));
        const added = [one, two].find((each) => typeof each === 'string');
        const names = (await barsOf(String(added))).map(({ name }) => name);
        expect(names.filter((each) => each === `Karim ${round}`)).toHaveLength(1);
      }
    });
  });

  test('ends a printed slip, also between a checkout and its undo, and also at another facility', async () => {
    /** What the slips of all stays of the child say. */
    const tokens = async () =>
      (
        await app.context.db
          .selectFrom('stays')
          .select('slip_token')
          .where('child_id', '=', child)
          .orderBy('entry_time')
          .execute()
      ).map(({ slip_token }) => slip_token);
    const entered = await checkIn();
    const before = { kind: 'slip', value: String(entered.slipCode) };
    expect(await checkOut({ collectorId: family.id, proof: before })).toBe(200);
    await bar({ name: 'Karim Adel' });
    await undo(entered.uniqueEntryId);
    expect(await checkOut({ collectorId: family.id, proof: before })).toBe('wrong_pickup_proof');
    expect(await checkOut({ collectorId: family.id, proof: await makeSecond(app) })).toBe(200);
    const facilityId = await makeFacility(app, 'Next door');
    const there = atFacility(app, facilityId);
    const json = { facilityId };
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, { token: owner, json });
    await there.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
    const earlier = await tokens();
    expect(earlier).toHaveLength(2);
    await bar({ name: 'Somebody else' });
    expect((await tokens()).filter((token) => earlier.includes(token))).toEqual([]);
  });

  describe('on the account itself', () => {
    const add = (token: string, json: object = {}) =>
      app.ask('POST', `/api/children/${child}/barred`, {
        token,
        json: { name: 'Somebody', adultId: family.id, blockAccount: true, ...json },
      });
    const reads = async () =>
      Promise.all(
        [
          app.ask('GET', '/api/parent/info', { token: family.token }),
          app.ask('GET', `/api/children/${child}/care-card`, { token: family.token }),
          app.ask('POST', '/api/tickets', { token: family.token, json: { for: 'video', childId: child } }),
        ].map(async (answer) => (await answer).status),
      );
    const signIn = () =>
      app.ask('POST', '/api/parent/get-parent-by-email-and-password', {
        json: { email: family.email, password: family.password },
      });
    const bars = async () =>
      (
        (await app.ask('GET', `/api/children/${child}/barred`, { token: owner })).body as unknown as {
          barred: unknown[];
        }
      ).barred;

    test('blocks it in the same step if asked to: session, live tickets, care card and sign-in end at once', async () => {
      expect(await reads()).not.toContain(401);
      expect((await add(owner, { blockAccount: false })).status).toBe(201);
      // A bar alone leaves them.
      expect(await reads()).not.toContain(401);
      expect((await add(owner, { siblings: true })).status).toBe(201);
      expect(await reads()).toEqual([401, 401, 401]);
      expect(await signIn()).toMatchObject({ status: 403, body: { code: 'account_blocked' } });
      // The bar is entered for an account that is blocked already, too.
      expect((await add(owner)).status).toBe(201);
      expect(await bars()).toHaveLength(3);
      const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${family.id}`, { token: owner });
      expect(entries.filter(({ action }) => action === 'parent.blocked')).toHaveLength(1);
    });

    test('does neither without the right to block, without a proof, or for somebody who is not the account', async () => {
      const desk = await app.makeEmployee();
      const roles = [{ roleId: 'desk', facilityId: MAIN_FACILITY }];
      await app.expect(200, 'PUT', `/api/admin/${desk.id}/roles`, { token: owner, json: { roles } });
      expect(await add(desk.token)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await add(owner, { adultId: null })).toMatchObject({
        status: 400,
        body: { fields: { blockAccount: 'Only the account of the family can be blocked' } },
      });
      const collector = await name();
      expect((await add(owner, { adultId: collector })).status).toBe(400);
      app.clock.advance(10 * 60_000 + 1000);
      expect(await add(owner)).toMatchObject({ status: 403, body: { code: 'proof_required' } });
      expect(await bars()).toEqual([]);
      expect(await reads()).not.toContain(401);
      // Without the block a bar needs neither.
      expect((await add(desk.token, { blockAccount: false })).status).toBe(201);
      expect((await signIn()).status).toBe(200);
    });

    test('blocks nobody if the bar cannot be entered', async () => {
      for (let n = 0; n < 20; n++) expect((await add(owner, { blockAccount: false })).status).toBe(201);
      expect((await add(owner)).body.code).toBe('too_many_barred');
      expect(await reads()).not.toContain(401);
    });
  });

  test('is lifted only by somebody who may do that wherever the child is known', async () => {
    const collector = await name(family.token, { name: 'Karim Adel' });
    const { _id } = await bar({ name: 'Karim Adel' });
    const elsewhere = await makeFacility(app, 'Elsewhere');
    const there = atFacility(app, elsewhere);
    await app.expect(200, 'POST', `/api/children/${child}/facilities`, {
      token: owner,
      json: { facilityId: elsewhere },
    });
    const { id, token } = await app.makeEmployee();
    const setRoles = (from: TestApp, roles: object[]) =>
      from.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: owner, json: { roles } });
    const asks = [
      ['POST', `/api/barred/${_id}/namesakes`],
      ['DELETE', `/api/barred/${_id}`],
    ] as const;
    const ownerOf = (facilityId: string) => ({ roleId: 'owner', facilityId });
    await setRoles(app, [ownerOf(elsewhere)]);
    const json = { adultId: collector, version: await seen(collector) };
    for (const [method, url] of asks) {
      await app.proveNow(token);
      expect((await there.ask(method, url, { token, json })).body.code).toBe('beyond_own_rights');
    }
    await setRoles(there, [ownerOf(elsewhere), ownerOf(MAIN_FACILITY)]);
    for (const [method, url] of asks) {
      await app.proveNow(token);
      expect((await there.ask(method, url, { token, json })).status).toBe(200);
    }
  });
});

describe('the account of the family', () => {
  test('is mailed who was named, changed or given a pass from it, so that a thief does not name a friend in silence', async () => {
    const mailed = async (about: string) => {
      const mails = await app.outbox(family.email);
      return mails.filter(({ text }) => text.includes(about)).length;
    };
    const samia = await name();
    await app.expect(200, 'PUT', `/api/collectors/${samia}`, {
      ...family,
      json: { ...person, name: 'Mona' },
    });
    await makePass(samia);
    await name(owner);
    expect(await mailed('who may pick up a child')).toBe(2);
    expect(await mailed('a new pass to pick up a child')).toBe(1);
  });

  test('names and changes 40 times a day at most', async () => {
    await app.forgetLimits();
    const samia = await name();
    const change = () => app.ask('PUT', `/api/collectors/${samia}`, { ...family, json: person });
    for (let i = 1; i < 40; i++) expect((await change()).status).toBe(200);
    expect((await change()).status).toBe(429);
    const url = `/api/children/${child}/collectors`;
    expect((await app.ask('POST', url, { ...family, json: person })).status).toBe(429);
    await app.forgetLimits();
  });
});

test('a pass that cannot be used any more names neither the child nor the collector', async () => {
  const samia = await name();
  const { value } = await makePass(samia);
  const show = async () =>
    (await app.ask('POST', '/api/pass', { json: { token: value } })).body as unknown as object;
  expect(await show()).toMatchObject({ state: 'valid', childFirstName: 'A', collector: 'Samia Hassan' });
  await app.expect(200, 'DELETE', `/api/collectors/${samia}/pass`, { token: family.token });
  expect(await show()).toMatchObject({ state: 'revoked', childFirstName: '', collector: '' });
});

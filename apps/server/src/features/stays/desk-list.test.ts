/** The list that a desk tablet keeps for a time without a connection: for whom, sealed with what, and what is not in it (decision 055). */
import { createDecipheriv } from 'node:crypto';
import { type CareCard, EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { DESK_LIST_CONTEXT, type DeskList, deskListSchema } from '@haris/contract/desk-list';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { atFacility, makeFacility, makeInsideAt, manageAt } from '../../testing/at-facility.ts';
import { makeColleague, makeDesk, pairDeskAgain, type TestDesk } from '../../testing/desks.ts';
import { type Employee, type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { makeKiosk } from '../../testing/kiosks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PIN = '830561';
const URL = '/api/desk/offline';
const NONE = { revision: null };

const CARD: CareCard = {
  ...EMPTY_CARE_CARD,
  allergies: [{ allergen: 'peanut', substance: '', severity: 'severe', reaction: 'swells', action: 'pen' }],
  contacts: [
    { name: 'Grandmother Salma', relation: 'grandmother', phone: '01055550001' },
    { name: 'Karim Barred', relation: 'father', phone: '01055550002' },
  ],
};

let app: TestApp;
let owner: string;
let nadia: Employee;
let desk: TestDesk;
let family: Family;
let child: string;
/** Of Nadia's sign-in at `desk`. */
let key: string;

beforeAll(async () => {
  app = await startTestApp();
  nadia = await makeColleague(app, 'Nadia Farouk', PIN);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  owner = await app.staff();
  await setOffline(true);
  desk = await makeDesk(app);
  family = await app.makeFamily();
  child = (await app.makeChild(family, 'Omar Hassan'))._id;
  key = await signIn();
});

async function setOffline(deskOffline: boolean): Promise<void> {
  const token = await app.staff();
  await app.expect(200, 'PUT', '/api/settings', { token, json: { deskOffline } });
}

/** The key that a sign-in returns. */
async function signIn(at = desk, who = nadia, pin = PIN): Promise<string> {
  const json = { staffId: who.id, pin };
  const { offlineKey } = await app.expect(200, 'POST', '/api/desk/sign-in', { token: at.token, json });
  return String(offlineKey);
}

interface Answer {
  readonly revision: string;
  readonly sealed: string;
  readonly until: string;
}

const ask = async (at = desk, revision?: string) => {
  const query = revision === undefined ? '' : `?revision=${revision}`;
  return (await app.expect(200, 'GET', URL + query, { token: at.token })) as unknown as Answer;
};

/** Throws if the key does not fit. */
function openText(sealed: string, by = key): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(by, 'base64url'), bytes.subarray(1, 13));
  decipher.setAAD(Buffer.from(DESK_LIST_CONTEXT));
  decipher.setAuthTag(bytes.subarray(13, 29));
  return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]).toString('utf8');
}

const listOf = async (at = desk, by = key): Promise<DeskList> =>
  deskListSchema.parse(JSON.parse(openText((await ask(at)).sealed, by)));
const insideOf = async () => (await listOf()).inside.find(({ id }) => id === child);
const outsideOf = async () => (await listOf()).outside.find(({ id }) => id === child);
const roomsOf = async () => (await listOf()).checkIn?.rooms ?? [];

async function checkIn(id = child): Promise<void> {
  const json = { durationInMinutes: 30 };
  await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: owner, json });
}
const saveCard = (id = child) =>
  app.expect(200, 'PUT', `/api/children/${id}/care-card`, { token: owner, json: { version: 0, card: CARD } });
const bar = (json: object, id = child) =>
  app.expect(201, 'POST', `/api/children/${id}/barred`, { token: owner, json });

describe('who gets it', () => {
  test('a desk tablet alone: nobody without a token, no kiosk, no session, also that of the tablet', async () => {
    const json = { staffId: nadia.id, pin: PIN };
    const { token: session } = await app.expect(200, 'POST', '/api/desk/sign-in', {
      token: desk.token,
      json,
    });
    expect((await app.ask('GET', URL)).status).toBe(401);
    expect((await app.ask('GET', URL, { token: (await makeKiosk(app)).token })).status).toBe(401);
    for (const token of [owner, session, family.token])
      expect((await app.ask('GET', URL, { token })).status).toBe(403);
    expect((await app.ask('GET', URL, { token: desk.token })).status).toBe(200);
  });

  test('another tablet gets its own, which this one’s key does not open', async () => {
    const other = await makeDesk(app, 'Back desk');
    expect(await ask(other)).toEqual(NONE);
    const theirs = await signIn(other);
    expect(theirs).not.toBe(key);
    const { sealed } = await ask(other);
    expect(() => openText(sealed, key)).toThrow();
    expect(openText(sealed, theirs)).toContain('Omar Hassan');
  });

  test('that of another facility has the children of its own', async () => {
    const elsewhere = await makeFacility(app, 'Second house');
    const there = atFacility(app, elsewhere);
    const omar = await makeColleague(app, 'Omar Sayed', '941627');
    await manageAt(app, omar, 'main', elsewhere);
    await there.expect(200, 'PUT', '/api/settings', { token: owner, json: { deskOffline: true } });
    const theirDesk = await makeDesk(there, 'Their desk');
    const theirChild = await makeInsideAt(app, elsewhere, family, 'Layla Elsewhere');
    const theirs = await signIn(theirDesk, omar, '941627');
    const list = await listOf(theirDesk, theirs);
    expect(list.inside.map(({ id }) => id)).toEqual([theirChild]);
    expect(list.outside).toEqual([]);
    const ours = new Set((await roomsOf()).map(({ id }) => id));
    expect(list.checkIn?.rooms.filter(({ id }) => !ours.has(id))).toMatchObject([{ isDefault: true }]);
    expect(list.checkIn?.rooms).toHaveLength(1);
    expect(openText((await ask()).sealed)).not.toContain('Layla Elsewhere');
  });

  test('nobody any more once the setting is off, and the sign-in then gives no key', async () => {
    await setOffline(false);
    expect(await ask()).toEqual(NONE);
    const json = { staffId: nadia.id, pin: PIN };
    const signedIn = await app.expect(200, 'POST', '/api/desk/sign-in', { token: desk.token, json });
    expect(signedIn).not.toHaveProperty('offlineKey');
    expect(signedIn).not.toHaveProperty('offlineTicket');
  });

  test('nobody twelve hours after the last sign-in', async () => {
    const { until } = await ask();
    expect(Date.parse(until)).toBe(app.clock.now() + 12 * HOUR);
    app.clock.advance(12 * HOUR - 1);
    expect((await ask()).sealed).toBeDefined();
    app.clock.advance(1);
    expect(await ask()).toEqual(NONE);
    key = await signIn();
    expect((await listOf()).outside.map(({ id }) => id)).toContain(child);
  });

  test('nobody with the former pairing, nor with the new one before a sign-in', async () => {
    const token = await pairDeskAgain(app, desk.id);
    expect((await app.ask('GET', URL, { token: desk.token })).status).toBe(401);
    expect(await ask({ id: desk.id, token })).toEqual(NONE);
  });

  test('nobody once the person who signed in has left, or may not see children', async () => {
    const omar = await makeColleague(app, 'Omar Sayed', '941627');
    key = await signIn(desk, omar, '941627');
    expect((await ask()).sealed).toBeDefined();
    const json = { name: `No children ${omar.id}`, permissions: ['rooms.view'] };
    const { role } = await app.expect(201, 'POST', '/api/roles', { token: owner, json });
    const roles = [{ roleId: role._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${omar.id}/roles`, { token: owner, json: { roles } });
    expect(await ask()).toEqual(NONE);
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${omar.id}`, { token: owner });
    // Not the list of who was here before, either: the tablet has no key of theirs any more.
    const { sealed } = await ask();
    if (sealed !== undefined) expect(() => openText(sealed)).toThrow();
  });
});

describe('its key', () => {
  test('is another one after each sign-in, and the former opens nothing new', async () => {
    const former = key;
    const { revision } = await ask();
    key = await signIn();
    expect(key).not.toBe(former);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    // The contents are the same, yet the tablet gets them again.
    const { sealed, ...next } = await ask(desk, revision);
    expect(next.revision).not.toBe(revision);
    expect(() => openText(sealed, former)).toThrow();
    expect(openText(sealed)).toContain('Omar Hassan');
  });

  test('goes on after “Hand over”, because a tablet that nobody uses must have a fresh list too', async () => {
    app.clock.advance(MINUTE);
    const json = { staffId: nadia.id, pin: PIN };
    const { token, offlineKey } = await app.expect(200, 'POST', '/api/desk/sign-in', {
      token: desk.token,
      json,
    });
    await app.expect(204, 'POST', '/api/logout', { token });
    app.clock.advance(MINUTE);
    await checkIn();
    expect((await listOf(desk, offlineKey)).inside.map(({ id }) => id)).toContain(child);
  });

  test('is nowhere in the database', async () => {
    const rows = await app.context.db.selectFrom('desk_tickets').selectAll().execute();
    const text = JSON.stringify(rows);
    expect(text).not.toContain(key);
    expect(text).not.toContain(Buffer.from(key, 'base64url').toString('hex'));
  });
});

describe('its contents', () => {
  test('who is inside with room, end, guardian and care card; who is outside by name', async () => {
    const sister = (await app.makeChild(family, 'Layla Hassan'))._id;
    await saveCard();
    const { room } = await app.expect(201, 'POST', '/api/rooms', {
      token: owner,
      json: { name: `Bees ${child}` },
    });
    await checkIn();
    const json = { childIds: [child], roomId: room._id };
    await app.expect(200, 'POST', '/api/children/move', { token: owner, json });
    const { outside } = await listOf();
    expect(await insideOf()).toEqual({
      id: child,
      name: 'Omar Hassan',
      isUnconfirmed: false,
      guardian: { name: family.name, phone: expect.stringMatching(/^\+?\d+$/) },
      room: `Bees ${child}`,
      entryTime: new Date(app.clock.now()).toISOString(),
      duration: 30,
      card: CARD,
      isCardUnreadable: false,
    });
    expect(outside.map(({ id }) => id)).toContain(sister);
    expect(outside.map(({ id }) => id)).not.toContain(child);
  });

  test('comes again only if it has changed', async () => {
    const { revision } = await ask();
    expect(await ask(desk, revision)).toEqual({ revision });
    app.clock.advance(5 * MINUTE);
    expect(await ask(desk, revision)).toEqual({ revision });
    await checkIn();
    const next = await ask(desk, revision);
    expect(next.sealed).toBeDefined();
    expect(await ask(desk, next.revision)).toEqual({ revision: next.revision });
    await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner });
    expect((await ask(desk, next.revision)).sealed).toBeDefined();
  });

  test('has no photo, and nothing by which somebody signs in or picks a child up', async () => {
    await checkIn();
    const text = openText((await ask()).sealed);
    expect(text).toContain('Omar Hassan');
    for (const word of ['photo', 'pin', 'token', 'seed', 'secret', 'email', 'uniqueEntryId'])
      expect(text.toLowerCase(), word).not.toMatch(new RegExp(`"[a-z]*${word.toLowerCase()}[a-z]*":`));
    expect(text).not.toContain(family.email);
  });

  test('names no barred adult: not among the contacts of the care card', async () => {
    await saveCard();
    await checkIn();
    expect((await insideOf())?.card?.contacts).toHaveLength(2);
    await bar({ name: 'Karim Barred', phone: '01055550002', note: 'Court order' });
    const kept = await insideOf();
    const text = JSON.stringify(kept);
    for (const secret of ['Karim', '01055550002', 'Court order']) expect(text, secret).not.toContain(secret);
    expect(kept).toMatchObject({
      guardian: { name: family.name },
      card: { contacts: [{ name: 'Grandmother Salma' }], allergies: CARD.allergies },
    });
  });

  test('names no guardian who is barred, and has the child all the same', async () => {
    await checkIn();
    await bar({ name: family.name, adultId: family.id });
    expect(await insideOf()).toMatchObject({ name: 'Omar Hassan', guardian: null });
    expect(openText((await ask()).sealed)).not.toContain(family.name);
  });

  test('has no care card for somebody who may not see them', async () => {
    await saveCard();
    await checkIn();
    const omar = await makeColleague(app, 'Omar Sayed', '941627');
    const roles = [{ roleId: 'inspector', facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${omar.id}/roles`, { token: owner, json: { roles } });
    key = await signIn(desk, omar, '941627');
    expect(await insideOf()).toMatchObject({ name: 'Omar Hassan', card: null, isCardUnreadable: false });
    expect(openText((await ask()).sealed)).not.toContain('peanut');
  });

  test('says that a care card cannot be read, never that there is none', async () => {
    await saveCard();
    await checkIn();
    await app.context.db
      .updateTable('care_cards')
      .set({ sealed: Buffer.from('broken') })
      .where('child_id', '=', child)
      .execute();
    expect(await insideOf()).toMatchObject({ card: null, isCardUnreadable: true });
  });

  test('leaves out who was erased, and a child outside whose registration is not its family’s', async () => {
    const gone = (await app.makeChild(family, 'Gone Hassan'))._id;
    await app.expect(200, 'DELETE', `/api/children/delete-child/${gone}`, { token: owner });
    const stranger = await app.makeFamily();
    const theirs = (await app.makeChild(stranger, 'Disowned Child'))._id;
    const inside = (await app.makeChild(stranger, 'Disowned Inside'))._id;
    await checkIn(inside);
    await app.context.db
      .updateTable('parents')
      .set({ disowned_at: app.clock.now() })
      .where('id', '=', stranger.id)
      .execute();
    const list = await listOf();
    expect(list.outside.map(({ id }) => id)).not.toContain(gone);
    expect(list.outside.map(({ id }) => id)).not.toContain(theirs);
    // Who is in the building counts.
    expect(list.inside.map(({ id }) => id)).toContain(inside);
  });
});

describe('what check-ins need', () => {
  const makeRoom = async (name: string, over: object = {}): Promise<string> => {
    const json = { name: `${name} ${child}`, ...over };
    return (await app.expect(201, 'POST', '/api/rooms', { token: owner, json })).room._id;
  };
  const makeHome = (homeRoomId: string) =>
    app.expect(200, 'PUT', `/api/children/update-child/${child}`, { token: owner, json: { homeRoomId } });
  const makeDefault = (id: string) =>
    app.expect(200, 'PUT', `/api/rooms/${id}`, { token: owner, json: { isDefault: true } });
  const defaults = async () => (await roomsOf()).filter(({ isDefault }) => isDefault);
  const NAME_ALONE = { isUnconfirmed: false, guardian: null, homeRoomId: null, hasCard: false };

  test('are the rooms without a hard limit, and which of them is the default', async () => {
    const free = await makeRoom('Bees');
    const soft = await makeRoom('Owls', { capacity: 1, capacityKind: 'soft' });
    const hard = await makeRoom('Foxes', { capacity: 9, capacityKind: 'hard' });
    const rooms = await roomsOf();
    expect(rooms).toContainEqual({ id: free, name: `Bees ${child}`, isDefault: false });
    expect(rooms.map(({ id }) => id)).toContain(soft);
    expect(rooms.map(({ id }) => id)).not.toContain(hard);
    const [before, ...others] = await defaults();
    expect(others).toEqual([]);
    await makeDefault(hard);
    // The tablet then asks for a room, and takes none by itself.
    expect(await defaults()).toEqual([]);
    await makeDefault(String(before?.id));
    expect(await defaults()).toEqual([before]);
  });

  test('are home room, first guardian and whether staff confirmed the child, without a phone number', async () => {
    const home = await makeRoom('Bees', { capacity: 9, capacityKind: 'hard' });
    await makeHome(home);
    const { name } = family;
    const shown = { id: child, name: 'Omar Hassan', isUnconfirmed: false, guardian: name, hasCard: false };
    // Also a home room that takes nobody now: the tablet must not put the child into the default room instead.
    expect(await outsideOf()).toEqual({ ...shown, homeRoomId: home });
    const { outside } = JSON.parse(openText((await ask()).sealed)) as { outside: unknown };
    expect(JSON.stringify(outside)).not.toContain('phone');
    await app.context.db
      .updateTable('children')
      .set({ photo_confirmed_at: null })
      .where('id', '=', child)
      .execute();
    expect(await outsideOf()).toMatchObject({ isUnconfirmed: true });
  });

  test('are that somebody has saved a care card, also one that is empty or cannot be read, and not what it says', async () => {
    const save = (version: number, card: CareCard) =>
      app.expect(200, 'PUT', `/api/children/${child}/care-card`, { token: owner, json: { version, card } });
    await save(0, { ...CARD, note: 'Afraid of dogs' });
    expect(await outsideOf()).toMatchObject({ hasCard: true });
    expect(openText((await ask()).sealed)).not.toContain('Afraid of dogs');
    await save(1, EMPTY_CARE_CARD);
    expect(await outsideOf()).toMatchObject({ hasCard: true });
    await app.context.db
      .updateTable('care_cards')
      .set({ sealed: Buffer.from('broken') })
      .where('child_id', '=', child)
      .execute();
    expect(await outsideOf()).toMatchObject({ hasCard: true });
  });

  test('name no first guardian who is barred, and any other', async () => {
    await bar({ name: 'Karim Barred', phone: '01055550002' });
    expect(await outsideOf()).toMatchObject({ guardian: family.name });
    await bar({ name: family.name, adultId: family.id });
    expect(await outsideOf()).toMatchObject({ name: 'Omar Hassan', guardian: null });
    expect(openText((await ask()).sealed)).not.toContain(family.name);
  });

  test('name no first guardian while it cannot be read who is barred', async () => {
    await bar({ name: 'Karim Barred', phone: '01055550002' });
    await app.context.db
      .updateTable('barred_adults')
      .set({ sealed: Buffer.from('broken') })
      .where('child_id', '=', child)
      .execute();
    expect(await outsideOf()).toMatchObject({ name: 'Omar Hassan', guardian: null });
  });

  test('are not on the list of somebody who may not check children in', async () => {
    await makeHome(await makeRoom('Bees'));
    await saveCard();
    const omar = await makeColleague(app, 'Omar Sayed', '941627');
    const roles = [{ roleId: 'inspector', facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${omar.id}/roles`, { token: owner, json: { roles } });
    key = await signIn(desk, omar, '941627');
    expect((await listOf()).checkIn).toBeNull();
    expect(await outsideOf()).toEqual({ id: child, name: 'Omar Hassan', ...NAME_ALONE });
    expect(openText((await ask()).sealed)).not.toContain(family.name);
  });

  test('are there without a word of care cards for somebody who may not see those', async () => {
    await saveCard();
    const omar = await makeColleague(app, 'Omar Sayed', '941627');
    const json = { name: `Door ${omar.id}`, permissions: ['families.view', 'children.check_in'] };
    const { role } = await app.expect(201, 'POST', '/api/roles', { token: owner, json });
    const roles = [{ roleId: role._id, facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${omar.id}/roles`, { token: owner, json: { roles } });
    key = await signIn(desk, omar, '941627');
    expect(await roomsOf()).not.toEqual([]);
    expect(await outsideOf()).toMatchObject({ guardian: family.name, hasCard: false });
    await checkIn();
    expect(await insideOf()).toMatchObject({ card: null, isCardUnreadable: false });
  });

  test('go from the next list once its person may check nobody in any more', async () => {
    const omar = await makeColleague(app, 'Omar Sayed', '941627');
    key = await signIn(desk, omar, '941627');
    expect(await outsideOf()).toMatchObject({ guardian: family.name });
    const { revision } = await ask();
    const roles = [{ roleId: 'inspector', facilityId: 'main' }];
    await app.expect(200, 'PUT', `/api/admin/${omar.id}/roles`, { token: owner, json: { roles } });
    const text = openText((await ask(desk, revision)).sealed);
    expect(text).not.toContain(family.name);
    expect(JSON.parse(text)).toMatchObject({ checkIn: null });
  });

  test('are not asked of a list that an older server made: it opens, and nobody is checked in with it', () => {
    const former = { inside: [], outside: [{ id: child, name: 'Omar Hassan' }] };
    const outside = [{ id: child, name: 'Omar Hassan', ...NAME_ALONE }];
    expect(deskListSchema.parse(former)).toEqual({ inside: [], outside, checkIn: null });
  });
});

test('is recorded as read by the tablet, for whom, once in a quarter of an hour', async () => {
  const rows = async () => {
    const kept = await app.context.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'desk_list.read')
      .where('actor_id', '=', desk.id)
      .execute();
    return kept.map(({ actor_kind, subject_kind, subject_id, details }) => ({
      ...{ actor_kind, subject_kind, subject_id },
      details: JSON.parse(details),
    }));
  };
  const row = {
    ...{ actor_kind: 'desk', subject_kind: 'kiosk', subject_id: desk.id },
    details: { staffId: nadia.id },
  };
  expect(await rows()).toEqual([]);
  const { revision } = await ask();
  expect(await rows()).toEqual([row]);
  await checkIn();
  await ask(desk, revision);
  expect(await rows()).toEqual([row]);
  app.clock.advance(15 * MINUTE);
  const next = await ask(desk, revision);
  expect(await rows()).toEqual([row, row]);
  app.clock.advance(15 * MINUTE);
  // Nothing was handed out.
  await ask(desk, next.revision);
  expect(await rows()).toEqual([row, row]);
});

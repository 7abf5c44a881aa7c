/** A parent's change of the own photo, name and phone, with which the desk compares who picks up (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailHeldChanges } from '../../proposals/change-mail.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import type { FormParts } from '../../testing/form.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let staff: string;
let mother: Family;
let child: string;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  mother = await app.makeFamily({ name: 'Mona Hassan', phone: '01000000001' });
  child = (await app.makeChild(mother))._id;
  await change({ photo: fakePhoto({ face: 'mona' }) }, staff);
});

const change = async (form: FormParts, token = mother.token, { id } = mother) =>
  (await app.expect(200, 'PUT', `/api/parent/update-parent/${id}`, { token, form })).parent;
const atTheDesk = async ({ email } = mother) => {
  const { parents } = await app.expect(200, 'GET', `/api/parent/get-all-parents?search=${email}`, {
    token: staff,
  });
  const [parent] = parents;
  if (!parent) throw new Error('the family is not in the list');
  return parent;
};
const checkIn = () => app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
const checkOut = async () => {
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
  // The mail about the release comes before those that the tests count.
  await app.app.notifications.settled();
};
const confirm = (json: object, token: string | undefined = staff) =>
  app.ask('POST', `/api/parent/${mother.id}/confirm`, { json, ...(token ? { token } : {}) });

const visits = {
  'before the first visit': async () => {},
  'while a child is inside': checkIn,
  'after the checkout': async () => {
    await checkIn();
    await checkOut();
  },
};

test.each(Object.entries(visits))(
  '%s, who has the token changes nothing that the desk sees, and the address is told',
  async (_when, visit) => {
    await visit();
    const before = await atTheDesk();
    const given = await change({
      name: 'Somebody Else',
      phone: '01099999999',
      photo: fakePhoto({ face: 'thief' }),
    });
    expect(given).toMatchObject({
      name: 'Somebody Else',
      phone: '01099999999',
      pending: ['photo', 'name', 'phone'],
    });
    expect(given).not.toHaveProperty('proposal');
    const seen = await atTheDesk();
    expect(seen).toMatchObject({
      name: 'Mona Hassan',
      phone: '01000000001',
      photo: before.photo,
      pending: ['photo', 'name', 'phone'],
      proposal: { name: 'Somebody Else', phone: '01099999999', photo: given.photo },
    });
    expect(seen.children[0]?.parent.name).toBe('Mona Hassan');
    const mail = await app.lastMail(mother.email);
    expect(mail.text).toMatch(/your name, your phone number, and your photo/);

    expect((await confirm({ accept: true }, mother.token)).status).toBe(403);
    expect((await confirm({ accept: true }, '')).status).toBe(401);
    expect((await confirm({ accept: true, revision: 'another' })).body.code).toBe('proposal_changed');
    const rejected = await confirm({ accept: false, revision: seen.proposal?.revision });
    expect(rejected.body.parent).toMatchObject({ name: 'Mona Hassan', photo: before.photo, pending: [] });
    expect((await app.ask('GET', String(given.photo), { token: staff })).status).toBe(404);
  },
);

test('accepted, it counts; the older photo is gone', async () => {
  await checkIn();
  const before = await atTheDesk();
  const given = await change({ phone: '01088888888', photo: fakePhoto() });
  const { revision } = (await atTheDesk()).proposal ?? {};
  expect((await confirm({ accept: true, revision })).body.parent).toMatchObject({
    phone: '01088888888',
    photo: given.photo,
    pending: [],
  });
  expect((await app.ask('GET', String(before.photo), { token: staff })).status).toBe(404);
  expect((await confirm({ accept: true, revision })).status).toBe(409);
});

test('what waits from a visit goes on waiting after the checkout, whatever is sent then', async () => {
  await checkIn();
  await change({ name: 'Somebody Else', phone: '01077777777' });
  await checkOut();
  expect((await atTheDesk()).pending).toEqual(['name', 'phone']);
  expect(await change({ phone: '01066666666' })).toMatchObject({
    name: 'Somebody Else',
    phone: '01066666666',
    pending: ['name', 'phone'],
  });
  expect(await atTheDesk()).toMatchObject({
    name: 'Mona Hassan',
    phone: '01000000001',
    pending: ['name', 'phone'],
    proposal: { name: 'Somebody Else', phone: '01066666666' },
  });
});

test('a first phone and a first photo wait too', async () => {
  const father = await app.makeFamily({ name: 'Adel Hassan' });
  const json = { phone: null };
  await app.expect(200, 'PUT', `/api/parent/update-parent/${father.id}`, { token: staff, json });
  await app.makeChild(father);
  const given = await change({ phone: '01055555555', photo: fakePhoto() }, father.token, father);
  expect(given).toMatchObject({ phone: '01055555555', photo: expect.any(String) });
  expect(await atTheDesk(father)).toMatchObject({
    phone: null,
    photo: null,
    proposal: { phone: '01055555555', photo: given.photo },
  });
});

describe('an account without children', () => {
  test('changes at once, and the address is told', async () => {
    const newcomer = await app.makeFamily({ name: 'Nadia Fawzy' });
    const mails = (await app.outbox(newcomer.email)).length;
    const form = { name: 'Nadia Aziz', phone: '01044444444', photo: fakePhoto() };
    const given = await change(form, newcomer.token, newcomer);
    expect(given).toMatchObject({ name: 'Nadia Aziz', phone: '01044444444', pending: [] });
    expect(await atTheDesk(newcomer)).toMatchObject({
      phone: '01044444444',
      photo: given.photo,
      pending: [],
    });
    expect(await app.outbox(newcomer.email)).toHaveLength(mails + 1);
  });

  test('waits from the first child on, also one that the parent added', async () => {
    const newcomer = await app.makeFamily({ name: 'Nadia Fawzy', phone: '01044444444' });
    const form = { name: 'Own', photo: fakePhoto() };
    await app.expect(201, 'POST', `/api/children/create-child/${newcomer.id}`, {
      token: newcomer.token,
      form,
    });
    await change({ phone: '01033333333' }, newcomer.token, newcomer);
    expect(await atTheDesk(newcomer)).toMatchObject({ phone: '01044444444', pending: ['phone'] });
  });
});

describe('what a limit holds back', () => {
  const told = async (from = 0) =>
    (await app.outbox(mother.email)).slice(from).map(({ text }) => text.replace(/\s+/g, ' '));
  const count = async () => (await told()).length;
  const letters = async (times: number) => {
    for (let i = 0; i < times; i++) await change({ name: `Mona Hassa${'n'.repeat(i + 2)}` });
  };

  test('letters in a name do not crowd out the mail about a phone and a photo', async () => {
    await letters(4);
    const before = await count();
    await change({ phone: '01099999999', photo: fakePhoto({ face: 'thief' }) });
    const [mail = '', ...more] = await told(before);
    expect(mail).toMatch(/your phone number/);
    expect(mail).toMatch(/your photo/);
    // The fourth letter was held back, and comes with it.
    expect(mail).toMatch(/your name/);
    expect(more).toEqual([]);
  });

  test('goes with one mail once the hour is over, however often it was changed, and only once', async () => {
    const before = await count();
    await letters(7);
    await mailHeldChanges(app.context);
    expect(await count()).toBe(before + 3);
    app.clock.advance(3_600_001);
    // Two servers at once.
    await Promise.all([mailHeldChanges(app.context), mailHeldChanges(app.context)]);
    await app.context.mails.settled();
    const [mail, ...more] = await told(before + 3);
    expect(mail).toMatch(/your name/);
    expect(more).toEqual([]);
    await mailHeldChanges(app.context);
    expect(await count()).toBe(before + 4);
  });

  test('goes to the address of its time, also after the account has a new one', async () => {
    await letters(4);
    const { email } = mother;
    const before = (await app.outbox(email)).length;
    const moved = `moved.${email}`;
    await app.proveNow(mother.token);
    const json = { email: moved };
    await app.expect(200, 'PUT', `/api/parent/update-parent/${mother.id}`, { token: mother.token, json });
    const link = (await app.lastMail(moved)).token;
    await app.expect(200, 'GET', `/api/parent/verify/email/${link}`);
    const toNew = (await app.outbox(moved)).length;
    app.clock.advance(3_600_001);
    await mailHeldChanges(app.context);
    await app.context.mails.settled();
    const subjects = (await app.outbox(email)).slice(before).map(({ subject }) => subject);
    expect(subjects).toContain('Details of your family were changed in Haris');
    expect(await app.outbox(moved)).toHaveLength(toNew);
  });

  test('is gone with the family', async () => {
    await letters(4);
    const held = () =>
      app.context.db.selectFrom('held_changes').selectAll().where('parent_id', '=', mother.id).execute();
    expect(await held()).toHaveLength(1);
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${mother.id}`, { token: staff });
    expect(await held()).toEqual([]);
  });
});

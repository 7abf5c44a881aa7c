/** The photo, name and phone of a parent that the desk sees while a child is inside, and otherwise (contract §6). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const change = async (form: FormParts, token = mother.token) =>
  (await app.expect(200, 'PUT', `/api/parent/update-parent/${mother.id}`, { token, form })).parent;
const atTheDesk = async () => {
  const { parents } = await app.expect(200, 'GET', `/api/parent/get-all-parents?search=${mother.email}`, {
    token: staff,
  });
  const [parent] = parents;
  if (!parent) throw new Error('the family is not in the list');
  return parent;
};
const checkIn = () => app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
const confirm = (json: object, token: string | undefined = staff) =>
  app.ask('POST', `/api/parent/${mother.id}/confirm`, { json, ...(token ? { token } : {}) });

test('while a child is inside, who has the token changes nothing that the desk sees, and the address is told', async () => {
  await checkIn();
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
});

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

test('while no child is inside it counts at once, is mailed, and ends what waited', async () => {
  await checkIn();
  await change({ phone: '01077777777' });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: staff });
  expect((await atTheDesk()).pending).toEqual(['phone']);
  const mails = (await app.outbox(mother.email)).length;
  expect(await change({ phone: '01066666666' })).toMatchObject({ phone: '01066666666', pending: [] });
  expect(await atTheDesk()).toMatchObject({ phone: '01066666666', pending: [] });
  expect(await app.outbox(mother.email)).toHaveLength(mails + 1);
});

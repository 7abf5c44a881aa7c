/** What staff reject of a child is told to the parent by mail (contract §6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailHeldChanges } from '../../proposals/change-mail.ts';
import { fakePhoto } from '../../testing/fake-vision.ts';
import type { FormParts } from '../../testing/form.ts';
import { addGuardian, changeGuardian, passOn } from '../../testing/guardians.ts';
import { type Family, PUBLIC_URL, startTestApp, type TestApp } from '../../testing/harness.ts';

const SUBJECT = 'The nursery did not accept what you sent';
const HOUR = 3_600_000;

let app: TestApp;
let staff: string;
let family: Family;
let faces = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.forgetLimits();
  staff = await app.staff();
  family = await app.makeFamily();
});

const photo = () => fakePhoto({ face: `rejected ${++faces}` });
const change = (id: string, form: FormParts, { token } = family) =>
  app.expect(200, 'PUT', `/api/children/update-child/${id}`, { token, form });
const decide = (id: string, json: object, token: string | undefined = staff) =>
  app.ask('POST', `/api/children/${id}/confirm`, { json, ...(token ? { token } : {}) });
const told = async (subject = SUBJECT, { email } = family) =>
  (await app.outbox(email)).filter((mail) => mail.subject === subject);
const setParent = (row: { language?: 'ar'; email_verified?: 0 }) =>
  app.context.db.updateTable('parents').set(row).where('id', '=', family.id).execute();

/** A child that the family added, which waits for staff. */
async function addChild(): Promise<string> {
  const { child } = await app.expect(201, 'POST', `/api/children/create-child/${family.id}`, {
    token: family.token,
    form: { name: 'Yara Secret', photo: photo() },
  });
  return child._id;
}

describe('when staff reject what a parent sent of a child', () => {
  test('the parent gets a mail with a link to the profile, without photo, names or a link that signs in', async () => {
    const id = await addChild();
    expect((await decide(id, { accept: false })).status).toBe(200);
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/the photo and \S*the name|the name and \S*the photo/);
    expect(mail?.link).toBe(`${PUBLIC_URL}/profile`);
    expect(mail?.text).not.toContain('Yara');
    expect(mail?.html).not.toMatch(/Yara|<img|photo_|\/photos\//);
    expect(mail?.parsed.attachments).toEqual([]);
  });

  test('only what was rejected is named', async () => {
    const { _id: id } = await app.makeChild(family, 'Omar', photo());
    await change(id, { name: 'Omar Hassan' });
    await decide(id, { accept: false });
    const [mail] = await told();
    expect(mail?.text).toContain('the name');
    expect(mail?.text).not.toContain('the photo');
  });

  test('in the language of the account', async () => {
    await setParent({ language: 'ar' });
    await decide(await addChild(), { accept: false });
    const [mail] = await told('لم تقبل الحضانة ما أرسلته');
    expect(mail?.text).toMatch(/الصورة.*الاسم|الاسم.*الصورة/);
    expect(mail?.html).toContain('dir="rtl"');
    expect(mail?.link).toBe(`${PUBLIC_URL}/profile`);
  });

  test('no mail goes to an address that nobody has verified', async () => {
    const id = await addChild();
    await setParent({ email_verified: 0 });
    expect((await decide(id, { accept: false })).status).toBe(200);
    expect(await told()).toEqual([]);
  });

  test('no mail goes when they accept, nor when the decision is refused, nor to another family', async () => {
    const other = await app.makeFamily();
    const id = await addChild();
    for (const [token, status] of [
      ['', 401],
      [family.token, 403],
      [other.token, 403],
    ] as const)
      expect((await decide(id, { accept: false }, token)).status).toBe(status);
    expect((await decide(id, { accept: false, revision: 'another' })).status).not.toBe(200);
    expect(await told()).toEqual([]);
    expect((await decide(id, { accept: true, confirm: true })).status).toBe(200);
    expect((await decide(id, { accept: false })).status).toBe(409);
    expect(await told()).toEqual([]);
    expect(await told(SUBJECT, other)).toEqual([]);
  });

  test('the mail goes to who sent it, if another guardian is the first by now, and to nobody who has ended', async () => {
    const other = await app.makeFamily();
    const { _id: id } = await app.makeChild(family, 'Omar', photo());
    await addGuardian(app, id, other.id);
    await change(id, { name: 'Omar Hassan' });
    await passOn(app, id, family.id);
    expect((await decide(id, { accept: false })).status).toBe(200);
    const mails = async () => [(await told()).length, (await told(SUBJECT, other)).length];
    expect(await mails()).toEqual([1, 0]);
    await change(id, { name: 'Omar Ali' }, other);
    await passOn(app, id, other.id);
    await changeGuardian(app, id, other.id, { ended_at: app.clock.now() });
    expect((await decide(id, { accept: false })).status).toBe(200);
    expect(await mails()).toEqual([1, 0]);
  });

  test('of two desks that reject at once, one sends a mail', async () => {
    const id = await addChild();
    const both = await Promise.all([decide(id, { accept: false }), decide(id, { accept: false })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await app.context.mails.settled();
    expect(await told()).toHaveLength(1);
  });

  test('beyond three an hour one mail comes later, and warnings about changes are not held back by it', async () => {
    const { _id: id } = await app.makeChild(family, 'Omar', photo());
    for (let i = 0; i < 5; i++) {
      await change(id, { name: `Omar ${'x'.repeat(i + 2)}` });
      await decide(id, { accept: false });
    }
    expect(await told()).toHaveLength(3);
    const changes = (await told('Details of your family were changed in Haris')).length;
    await change(id, { photo: photo() });
    expect(await told('Details of your family were changed in Haris')).toHaveLength(changes + 1);
    expect(await told()).toHaveLength(3);
    app.clock.advance(HOUR + 1);
    await mailHeldChanges(app.context);
    await mailHeldChanges(app.context);
    await app.context.mails.settled();
    const [, , , held, ...more] = await told();
    expect(held?.text).toContain('the name');
    expect(more).toEqual([]);
  });
});

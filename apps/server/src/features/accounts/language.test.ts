/** Language of an account: stored on the server, and used for the screens after sign-in and for mails. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const choose = (token: string, language: unknown) =>
  app.ask('PUT', '/api/language', { token, json: { language } });

test('nobody has chosen: the device decides', async () => {
  const family = await app.makeFamily();
  expect(
    (await app.expect(200, 'GET', '/api/parent/info', { token: family.token })).parent.language,
  ).toBeNull();
  const staff = await app.staff();
  expect((await app.expect(200, 'GET', '/api/admin/info', { token: staff })).admin.language).toBeNull();
});

test('a parent’s choice is there at the next sign-in on any device, and mails follow it', async () => {
  const family = await app.makeFamily();
  expect(await choose(family.token, 'ar')).toMatchObject({ status: 200, body: { language: 'ar' } });
  const { email, password } = family;
  const { parent } = await app.expect(200, 'POST', loginPath.parent, { json: { email, password } });
  expect(parent.language).toBe('ar');
  await app.ask('POST', '/vendor/forgot', { json: { email }, headers: { 'accept-language': 'en' } });
  expect((await app.lastMail(email)).html).toContain('dir="rtl"');
  await choose(family.token, 'en');
  await app.ask('POST', '/vendor/forgot', { json: { email }, headers: { 'accept-language': 'ar' } });
  expect((await app.lastMail(email)).html).toContain('lang="en"');
});

test('so is staff’s', async () => {
  const { token, email, password } = await app.makeEmployee();
  await choose(token, 'ar');
  const { admin } = await app.expect(200, 'POST', loginPath.admin, { json: { email, password } });
  expect(admin.language).toBe('ar');
  await app.ask('POST', '/vendor/forgot', { json: { email, kind: 'admin' } });
  expect((await app.lastMail(email)).subject).toBe('تعيين كلمة مرور جديدة لحساب الموظف في حارس');
});

test('it is one’s own: nobody else’s changes, and staff set a parent’s mails only', async () => {
  const [one, two] = [await app.makeFamily(), await app.makeFamily()];
  await choose(one.token, 'ar');
  expect((await app.expect(200, 'GET', '/api/parent/info', { token: two.token })).parent.language).toBeNull();
  const staff = await app.staff();
  await app.expect(200, 'PUT', `/api/parent/update-parent/${two.id}`, {
    token: staff,
    json: { language: 'ar' },
  });
  expect((await app.expect(200, 'GET', '/api/parent/info', { token: two.token })).parent.language).toBeNull();
  await app.ask('POST', '/vendor/forgot', { json: { email: two.email } });
  expect((await app.lastMail(two.email)).html).toContain('dir="rtl"');
  await app.expect(200, 'PUT', `/api/parent/update-parent/${two.id}`, {
    token: two.token,
    json: { language: 'en' },
  });
  expect((await app.expect(200, 'GET', '/api/parent/info', { token: two.token })).parent.language).toBe('en');
});

test('another language than ours is 400', async () => {
  const { token } = await app.makeFamily();
  for (const odd of ['fr', '', null, 1, ['ar']])
    expect(await choose(token, odd), String(odd)).toMatchObject({
      status: 400,
      body: { fields: { language: 'Language must be en or ar' } },
    });
});

test('an account whose form names none speaks the facility’s language, or one’s own browser’s', async () => {
  const token = await app.staff();
  const languageOf = async (email: string) =>
    (
      await app.context.db
        .selectFrom('parents')
        .select('language')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).language;
  const add = async (email: string, by: string | undefined, browser: string) => {
    const json = { name: 'Mona', email, phone: '01112345678', ...(by ? {} : { password: 'secret-6' }) };
    await app.expect(201, 'POST', '/api/parent/add', {
      json,
      headers: { 'accept-language': browser },
      ...(by ? { token: by } : {}),
    });
    return languageOf(email);
  };
  // Nobody has chosen the facility's language: the browser decides, and then English.
  expect(await add('none-1@family.test', token, 'ar-EG')).toBe('ar');
  expect(await add('none-2@family.test', token, 'fr')).toBe('en');
  await app.expect(200, 'PUT', '/api/settings', { token, json: { language: 'ar' } });
  expect(await add('none-3@family.test', token, 'en')).toBe('ar');
  expect(await add('none-4@family.test', undefined, 'en')).toBe('en');
  expect(await add('none-5@family.test', undefined, 'fr')).toBe('ar');
});

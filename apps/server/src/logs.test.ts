/** A whole day through the front door, without personal data in the log (contract §2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakePhoto, tinyJpeg } from './testing/fake-vision.ts';
import { ADMIN_PASSWORD, makeNationalId, startTestApp, type TestApp } from './testing/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ config: { LOG_LEVEL: 'trace' } });
});
afterAll(() => app.close());

test('no name, mail, phone, ID, password, token, ticket, search or photo stands in any line', async () => {
  const secrets: string[] = [ADMIN_PASSWORD];
  const secret = (text: string): string => {
    secrets.push(text);
    return text;
  };
  const staff = secret(await app.staff());

  // A parent registers, mistypes, verifies, signs in, adds a child.
  const person = {
    name: secret('Zebedee Quill'),
    email: secret('zebedee@quill.test'),
    phone: secret('01055512345'),
    password: secret('correct-horse'),
  };
  await app.ask('POST', '/api/parent/add', { json: { ...person, email: secret('not an e-mail at all') } });
  await app.ask('POST', '/api/parent/add', {
    payload: `{"name":"${secret('Cut Off Name')}`,
    headers: { 'content-type': 'application/json' },
  });
  await app.expect(201, 'POST', '/api/parent/add', { json: person });
  await app.ask('POST', '/api/parent/add', { json: person });
  const login = '/api/parent/get-parent-by-email-and-password';
  await app.ask('POST', login, { json: { email: person.email, password: secret('wrong-horse') } });
  await app.ask('POST', login, { json: person });
  await app.ask('GET', `/api/parent/verify/email/${secret((await app.lastMail(person.email)).token)}`);
  await app.ask('GET', `/api/parent/verify/email/${secret('never-was-a-token')}`);
  const token = secret(await app.signIn('parent', person.email, person.password));
  const { parent } = await app.expect(200, 'GET', '/api/parent/info', { token });
  const { data } = await app.expect(200, 'POST', '/register-child', {
    token,
    form: { image: fakePhoto({ face: 'day' }), childName: secret('Ottoline'), parentId: parent._id },
  });
  secret(data.encoding.slice(0, 3).join(','));
  const create = `/api/children/create-child/${parent._id}`;
  const form = {
    name: 'Ottoline',
    photo: fakePhoto({ face: 'day' }),
    encoding: JSON.stringify(data.encoding),
  };
  const { child } = await app.expect(201, 'POST', create, { token, form });
  await app.ask('POST', create, { token, form: { ...form, photo: fakePhoto({ problem: 'photo_blurred' }) } });
  await app.ask('POST', create, { token, form: { ...form, encoding: '[1,2,3]' } });
  await app.ask('GET', String(child.photo), { token });
  const { ticket } = await app.expect(201, 'POST', '/api/tickets', {
    token,
    json: { for: 'photo', photoId: String(child.photo).split('/').at(-1) },
  });
  await app.ask('GET', `${child.photo}?ticket=${secret(ticket)}`);
  await app.ask('GET', `${child.photo}?ticket=${ticket}`);

  // The desk.
  const key = secret('idempotency-key-of-the-day');
  const headers = { 'idempotency-key': key };
  const { child: inside } = await app.expect(200, 'POST', `/api/children/checkin-child/${child._id}`, {
    token: staff,
    headers,
  });
  secret(String(inside.uniqueEntryId));
  await app.ask('POST', `/api/children/checkin-child/${child._id}`, { token: staff });
  await app.ask('DELETE', `/api/parent/delete-parent/${parent._id}`, { token: staff });
  await app.ask('POST', `/api/children/checkout-child/${child._id}`, { token: staff, headers });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child._id}`, { token: staff });
  await app.ask('POST', '/check-face', { token: staff, form: { image: fakePhoto({ face: 'day' }) } });
  for (const path of [
    '/api/parent/get-all-parents',
    '/api/children/get-all-children',
    '/api/audit',
    '/api/nothing',
  ])
    await app.ask('GET', `${path}?search=${secret('searched-for')}`, { token: staff });
  await app.ask('GET', `/api/unknown/${secret('path-of-nobody')}`);
  await app.ask('GET', `/api/%zz${secret('undecodable')}`);
  await app.expect(201, 'POST', '/api/admin/create-admin', {
    token: staff,
    json: {
      name: secret('Mortimer Vane'),
      email: secret('mortimer@vane.test'),
      password: secret('staff-horse'),
      nationalId: secret(makeNationalId()),
    },
  });
  await app.ask('GET', '/api/admin/info', { token: secret('x'.repeat(43)) });

  // A forgotten password, a new address.
  await app.expect(200, 'POST', '/vendor/forgot', { json: { email: person.email } });
  // The answer does not wait for the mail, and the mail about the checkout may come before or after it.
  const resets = async () =>
    (await app.outbox(person.email)).filter(({ subject }) => subject === 'Set a new password for Haris');
  await expect.poll(async () => (await resets()).length).toBe(1);
  const [mail] = await resets();
  const reset = secret(String(mail?.token));
  await app.expect(200, 'POST', '/vendor/reset', {
    json: { token: reset, password: secret('battery-staple') },
  });
  await app.ask('PUT', `/api/parent/update-parent/${parent._id}`, {
    token: staff,
    json: { email: secret('new@quill.test') },
  });

  // Things break.
  app.vision.up = false;
  await app.ask('POST', create, { token: staff, form });
  app.vision.up = true;
  app.vision.onEnrol = () => {
    throw new Error(`a library quotes ${person.name}`);
  };
  const thrown = await app.ask('POST', create, { token: staff, form });
  expect(thrown.status).toBe(500);
  expect(thrown.bytes.toString()).not.toContain('quotes');
  await app.context.db.schema.dropTable('idempotency_keys').execute();
  const broken = await app.ask('POST', `/api/children/checkin-child/${child._id}`, { token: staff, headers });
  expect(broken.status).toBe(500);
  const raw = app.context.db.insertInto('parents').values({ id: secret('quoted-in-an-error') } as never);
  await raw.execute().catch((error: unknown) => app.context.log.error(error as object));
  expect(app.logLines.at(-1)).toBeDefined();
  app.logLines.pop();

  const log = app.logLines.join('\n');
  expect(app.logLines.length).toBeGreaterThan(30);
  expect(log).toContain('"status":500');
  secrets.push(tinyJpeg.toString('base64').slice(0, 40), 'Authorization', 'Bearer', 'quill', 'Quill');
  for (const text of secrets) {
    expect(text.length).toBeGreaterThan(3);
    expect(
      app.logLines.filter((line) => line.includes(text)),
      `"${text}" stands in the log`,
    ).toEqual([]);
  }
});

/** Registering from outside: ended tokens, and rate limits on forms with photos and on networks (contract §2, §3). */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { loginPath, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINUTE = 60_000;

let app: TestApp;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.clock.advance(16 * MINUTE));

const person = () => ({
  name: 'Mona',
  email: `registering${++n}@family.test`,
  phone: '01112345678',
  password: 'secret-6',
});

describe('with a token', () => {
  const add = (headers: Record<string, string>, json: unknown = person()) =>
    app.ask('POST', '/api/parent/add', { json, headers });

  test('that is dead or was never given: 401, as with every call, before a field is looked at', async () => {
    const employee = await app.makeEmployee();
    await app.expect(204, 'POST', '/api/logout', { token: employee.token });
    for (const authorization of [
      `Bearer ${employee.token}`,
      'Bearer garbage',
      'Basic Zmlyc3Q6',
      'x'.repeat(43),
    ])
      for (const json of [person(), { name: 'Invited', email: `invited${++n}@family.test` }, {}])
        expect(await add({ authorization }, json), authorization).toMatchObject({
          status: 401,
          body: { code: 'unauthenticated' },
        });
    const { total } = await app.expect(200, 'GET', '/api/parent/get-all-parents?search=registering', {
      token: await app.signIn('admin', 'first@haris.test', 'first-password'),
    });
    expect(total).toBe(0);
  });

  test('that a client has not got yet: as without one', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer null', 'bearer undefined'])
      expect((await add({ authorization })).status, authorization).toBe(201);
  });

  test('of a parent: registers as a visitor does', async () => {
    const family = await app.makeFamily();
    const answer = await app.ask('POST', '/api/parent/add', { token: family.token, json: { name: 'X' } });
    expect(answer).toMatchObject({ status: 400, body: { fields: { phone: expect.any(String) } } });
  });

  test('that is dead keeps nobody from signing in or asking for a link', async () => {
    const family = await app.makeFamily();
    const token = 'x'.repeat(43);
    const { email, password } = family;
    await app.expect(200, 'POST', loginPath.parent, { token, json: { email, password } });
    await app.expect(200, 'POST', '/vendor/forgot', { token, json: { email } });
    await app.expect(200, 'GET', '/api/config', { token });
  });
});

describe('with a photo', () => {
  const add = (from: string, token?: string) =>
    app.ask('POST', '/api/parent/add', {
      from,
      token,
      form: { ...person(), photo: fakePhoto() },
    });

  test('60 forms from one network in a quarter of an hour, right or wrong; then 429 before they are read', async () => {
    const from = '10.8.8.8';
    for (let i = 0; i < 59; i++)
      await app.ask('POST', '/api/parent/add', { from, form: { photo: fakePhoto() } });
    expect((await add(from)).status).toBe(201);
    const refused = await add(from);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBe(15 * 60);
    // A signed-in parent counts as a visitor here.
    const family = await app.makeFamily();
    expect((await add(from, family.token)).status).toBe(429);
    // Forms without a photo, from other networks or from staff are still accepted.
    expect((await app.ask('POST', '/api/parent/add', { from, json: person() })).status).toBe(201);
    expect((await add('10.8.8.9')).status).toBe(201);
    const staff = await app.signIn('admin', 'first@haris.test', 'first-password');
    expect((await add(from, staff)).status).toBe(201);
    app.clock.advance(15 * MINUTE);
    expect((await add(from)).status).toBe(201);
  });

  test('a hundred forms sent at once are counted one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => add('10.8.7.7')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('the refusal comes while the photo is still on its way', async () => {
    for (let i = 0; i < 60; i++)
      await app.ask('POST', '/api/parent/add', { from: '127.0.0.1', form: { photo: fakePhoto() } });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST /api/parent/add HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n' +
        'content-length: 1000000\r\n\r\n--b\r\n',
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(head.toString()).toMatch(/^HTTP\/1\.1 429 /);
  });
});

describe('from an IPv6 network', () => {
  test('failures to sign in are counted for the whole /64, whatever address in it they come from', async () => {
    const tryIn = (from: string) =>
      app.ask('POST', loginPath.parent, {
        json: { email: `six${++n}@family.test`, password: 'wrong!' },
        from,
      });
    for (let i = 1; i <= 20; i++) expect((await tryIn(`2001:db8:5:6:${i}::${i}`)).status).toBe(401);
    expect((await tryIn('2001:db8:5:6:ffff::1')).status).toBe(429);
    expect((await tryIn('2001:db8:5:7::1')).status).toBe(401);
  });

  test('so are links asked for and registrations with photos', async () => {
    const forgot = (i: number) =>
      app.ask('POST', '/vendor/forgot', {
        json: { email: 'nobody@family.test' },
        from: `2001:db8:6:6::${i.toString(16)}`,
      });
    await Promise.all(Array.from({ length: 30 }, (_, i) => forgot(i + 1)));
    expect((await forgot(31)).status).toBe(429);
    const add = (i: number) =>
      app.ask('POST', '/api/parent/add', {
        from: `2001:db8:6:7::${i.toString(16)}`,
        form: { photo: fakePhoto() },
      });
    for (let i = 1; i <= 60; i++) expect((await add(i)).status).toBe(400);
    expect((await add(61)).status).toBe(429);
  });
});

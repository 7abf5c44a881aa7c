/** The first run: the checklist follows the state, phones confirm addresses, the first administrator gets an address. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETUP_ITEMS } from '@haris/contract/http/setup';
import { afterEach, expect, test } from 'vitest';
import { makeCertificate } from '../../testing/certificate.ts';
import { makeNationalId, startTestApp, type TestApp, type TestAppOptions } from '../../testing/harness.ts';

let app: TestApp;
afterEach(() => app.close());

async function start(options: TestAppOptions = {}): Promise<string> {
  app = await startTestApp(options);
  return app.staff();
}

async function states(token: string) {
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  return Object.fromEntries(setup.items.map(({ id, state }) => [id, state]));
}

test('every item is open at first, and ticks itself off once the thing is there', async () => {
  const token = await start();
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  expect(setup.items.map(({ id }) => id)).toEqual([...SETUP_ITEMS]);
  expect(setup).toMatchObject({
    dismissed: false,
    mayManageMail: true,
    needsOwnAddress: false,
    mail: { isSent: false, folder: expect.stringMatching(/outbox$/), kept: 0 },
    sample: 'possible',
  });
  // This administrator's address and password were chosen in the environment.
  const open = Object.fromEntries(SETUP_ITEMS.map((id) => [id, id === 'account' ? 'done' : 'open']));
  expect(await states(token)).toEqual(open);
  await app.expect(200, 'PUT', '/api/settings', { token, json: { timeZone: 'Africa/Cairo' } });
  expect(await states(token)).toEqual(open);
  await app.expect(200, 'PUT', '/api/settings', { token, json: { language: 'ar', facilityName: 'روضة' } });
  await app.makeFamily();
  await app.expect(201, 'POST', '/api/cameras', {
    token,
    json: { name: 'Door', area: 'Hall', kind: 'browser' },
  });
  await app.expect(201, 'POST', '/api/sensors', {
    token,
    json: { name: 'Window', area: 'Hall', kind: 'haris' },
  });
  expect(await states(token)).toEqual({
    ...open,
    locale: 'done',
    facility: 'done',
    family: 'done',
    camera: 'done',
    sensor: 'done',
  });
  await app.expect(200, 'PUT', '/api/settings', { token, json: { facilityName: null } });
  expect((await states(token)).facility).toBe('open');
});

test('skipping and hiding hold for the facility, and are audited', async () => {
  const token = await start();
  const put = (json: unknown) => app.ask('PUT', '/api/setup', { token, json });
  expect((await put({ skipped: ['sensor', 'phones'] })).body.setup.dismissed).toBe(false);
  expect(await states(token)).toMatchObject({ sensor: 'skipped', phones: 'skipped', mail: 'open' });
  expect((await put({ dismissed: true })).body.setup.dismissed).toBe(true);
  expect(await states(await (await app.makeEmployee()).token)).toMatchObject({ sensor: 'skipped' });
  expect((await put({ skipped: ['everything'] })).status).toBe(400);
  expect((await put({ skipped: [], dismissed: false })).body.setup).toMatchObject({ dismissed: false });
  expect(await states(token)).toMatchObject({ sensor: 'open' });
  const { entries } = await app.expect(200, 'GET', '/api/audit?search=setup', { token });
  expect(entries.map(({ action }) => action)).toContain('setup.updated');
});

test('an item that is done is done, even if it was skipped before', async () => {
  const token = await start();
  await app.expect(200, 'PUT', '/api/setup', { token, json: { skipped: ['family'] } });
  await app.makeFamily();
  expect((await states(token)).family).toBe('done');
});

test('the zone and the mail server of the environment count as chosen', async () => {
  const token = await start({ config: { TIME_ZONE: 'Africa/Cairo', SMTP_URL: 'smtp://127.0.0.1:1' } });
  await app.expect(200, 'PUT', '/api/settings', { token, json: { language: 'en' } });
  expect(await states(token)).toMatchObject({ locale: 'done', mail: 'done' });
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  expect(setup.mail).toEqual({ isSent: true, folder: null, kept: 0 });
});

test('an employee sees the same list, but may not change the mail server', async () => {
  await start();
  const { token } = await app.makeEmployee();
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  expect(setup).toMatchObject({ mayManageMail: false, needsOwnAddress: false });
});

test('a phone that opens the address with the code ticks the item off, once', async () => {
  const token = await start();
  const { code, expiresAt } = await app.expect(201, 'POST', '/api/reach-codes', { token });
  expect(Date.parse(expiresAt) - app.clock.now()).toBe(15 * 60_000);
  const open = (typed: string, host: string, proto = 'http') =>
    app.ask('POST', '/api/reach', {
      json: { code: typed },
      headers: { host, 'x-forwarded-proto': proto },
    });
  // This machine's own name proves nothing about phones.
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    expect((await open(code, host)).status, host).toBe(200);
  expect((await states(token)).phones).toBe('open');
  expect(await open('x'.repeat(43), '192.168.1.5:3000')).toMatchObject({
    status: 400,
    body: { code: 'invalid_token' },
  });
  expect(await open(code, '192.168.1.5:3000')).toMatchObject({
    status: 200,
    body: { url: 'http://192.168.1.5:3000', secure: false, facility: null },
  });
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  expect(setup.reach.seen).toEqual({
    url: 'http://192.168.1.5:3000',
    at: new Date(app.clock.now()).toISOString(),
  });
  expect((await states(token)).phones).toBe('done');
  expect((await open(code, '192.168.1.5:3000')).status).toBe(400);
});

test('while links in mails open on this machine only, staff are told, and the item stays open', async () => {
  for (const [PUBLIC_URL, onlyHere] of [
    ['http://localhost:3100', true],
    ['http://127.0.0.1', true],
    ['http://[::1]:3100', true],
    ['http://haris.localhost', true],
    ['http://0.0.0.0:3100', true],
    ['http://192.168.1.5:3100', false],
  ] as const) {
    const token = await start({ config: { PUBLIC_URL } });
    const { code } = await app.expect(201, 'POST', '/api/reach-codes', { token });
    await app.expect(200, 'POST', '/api/reach', {
      json: { code },
      headers: { host: '192.168.1.5:3000' },
    });
    const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
    expect(setup.reach.links).toEqual({ url: PUBLIC_URL, onlyHere });
    expect(setup.items.find(({ id }) => id === 'phones')?.state).toBe(onlyHere ? 'open' : 'done');
    expect((await app.ask('GET', '/api/setup', {})).status).toBe(401);
    const family = await app.makeFamily();
    expect((await app.ask('GET', '/api/setup', { token: family.token })).status).toBe(403);
    await app.close();
  }
  // `afterEach` closes one.
  await start();
});

test('the first start asks for the time zone: it says whether anybody has chosen one', async () => {
  const token = await start();
  const isChosen = async () => (await app.expect(200, 'GET', '/api/setup', { token })).setup.timeZoneIsChosen;
  expect(await isChosen()).toBe(false);
  await app.expect(200, 'PUT', '/api/settings', { token, json: { language: 'ar' } });
  expect(await isChosen()).toBe(false);
  await app.expect(200, 'PUT', '/api/settings', { token, json: { timeZone: 'Africa/Cairo' } });
  expect(await isChosen()).toBe(true);
  await app.close();
  const set = await start({ config: { TIME_ZONE: 'Africa/Cairo' } });
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token: set });
  expect(setup.timeZoneIsChosen).toBe(true);
});

test('a code ends after 15 minutes and with the next one; https is recognised behind a proxy', async () => {
  const token = await start({ config: { TRUST_PROXY: '1' } });
  const made = async () => (await app.expect(201, 'POST', '/api/reach-codes', { token })).code;
  const open = (code: string) =>
    app.ask('POST', '/api/reach', {
      json: { code },
      headers: { host: 'haris.example.org', 'x-forwarded-proto': 'https' },
    });
  const [first, second] = [await made(), await made()];
  expect((await open(first)).status).toBe(400);
  app.clock.advance(15 * 60_000);
  expect((await open(second)).status).toBe(400);
  expect((await open(await made())).body).toMatchObject({ url: 'https://haris.example.org', secure: true });
});

test('addresses for phones: the public one first, and none of the network while only this machine can connect', async () => {
  const token = await start();
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  expect(setup.reach).toEqual({
    addresses: [{ url: 'https://haris.test', kind: 'public', secure: true }],
    listensToNetwork: false,
    links: { url: 'https://haris.test', onlyHere: false },
    seen: null,
  });
  await app.close();
  const other = await start({
    config: { HOST: '10.1.2.3', PORT: '3100', PUBLIC_URL: 'http://localhost:3100' },
  });
  const answer = await app.expect(200, 'GET', '/api/setup', { token: other });
  expect(answer.setup.reach).toMatchObject({
    addresses: [{ url: 'http://10.1.2.3:3100', kind: 'network', secure: false }],
    listensToNetwork: true,
  });
});

test('with a certificate of its own, phones get the names and addresses for which that is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'haris-names-'));
  try {
    const addresses = async (names: string, HOST: string, PUBLIC_URL = '') => {
      const { cert, key } = makeCertificate(folder, 'own', names);
      const config = { HOST, PORT: '3443', PUBLIC_URL, TLS_CERT: cert, TLS_KEY: key };
      const other = await startTestApp({ config });
      const token = await other.staff();
      const { setup } = await other.expect(200, 'GET', '/api/setup', { token });
      await other.close();
      return setup.reach.addresses;
    };
    const PUBLIC_URL = 'https://localhost:3443';
    expect(
      await addresses('DNS:haris.lan,DNS:*.lan,DNS:localhost,IP:10.1.2.3', '10.1.2.3', PUBLIC_URL),
    ).toEqual([
      { url: 'https://haris.lan:3443', kind: 'network', secure: true },
      { url: 'https://10.1.2.3:3443', kind: 'network', secure: true },
    ]);
    expect(await addresses('DNS:haris.lan', '10.1.2.3', 'https://haris.lan:3443')).toEqual([
      { url: 'https://haris.lan:3443', kind: 'public', secure: true },
    ]);
    // Browsers warn of it: no page there has a camera.
    expect(await addresses('DNS:*.lan', '10.1.2.3', PUBLIC_URL)).toEqual([
      { url: 'https://10.1.2.3:3443', kind: 'network', secure: false },
    ]);
    expect(await addresses('DNS:haris.lan', '127.0.0.1', PUBLIC_URL)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await start();
});

test('the first administrator gets an own address, once, and the printed password has to be changed', async () => {
  app = await startTestApp({ config: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } });
  const { email, password } = app.printed ?? { email: '', password: '' };
  expect(email).toBe('admin@localhost');
  const token = await app.signIn('admin', email, password);
  const { setup } = await app.expect(200, 'GET', '/api/setup', { token });
  expect(setup.needsOwnAddress).toBe(true);
  const put = (json: unknown) => app.ask('PUT', '/api/setup/own-address', { token, json });
  expect((await put({ name: 'Huda', email: 'huda' })).status).toBe(400);
  const other = {
    name: 'E',
    email: 'e@haris.test',
    password: 'a-staff-password',
    nationalId: makeNationalId(),
  };
  await app.expect(201, 'POST', '/api/admin/create-admin', { token, json: other });
  expect(await put({ name: 'Huda', email: other.email })).toMatchObject({
    status: 409,
    body: { code: 'email_taken' },
  });
  expect((await put({ name: 'Huda Samir', email: 'Huda@Nursery.example' })).status).toBe(200);
  // The address is done, the password is still the printed one.
  expect(await states(token)).toMatchObject({ account: 'open' });
  await app.expect(200, 'PUT', '/api/account/password', {
    token,
    json: { current: password, password: 'a-secret-of-her-own' },
  });
  expect(await states(token)).toMatchObject({ account: 'done' });
  const again = await app.signIn('admin', 'huda@nursery.example', 'a-secret-of-her-own');
  expect((await app.expect(200, 'GET', '/api/admin/info', { token: again })).admin.name).toBe('Huda Samir');
  expect(await put({ name: 'Huda', email: 'other@nursery.example' })).toMatchObject({
    status: 409,
    body: { code: 'address_already_set' },
  });
  app.clock.advance(11 * 60_000);
  expect(await put({ name: 'Huda', email: 'other@nursery.example' })).toMatchObject({
    status: 403,
    body: { code: 'proof_required' },
  });
});

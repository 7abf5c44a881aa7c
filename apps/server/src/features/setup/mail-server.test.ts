/** The mail server that administrators set: tested before it is saved, used at once, and its password never given away. */
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { writeSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startTestApp, type TestApp } from '../../testing/harness.ts';
import { holdTimeouts } from '../../testing/held-timeouts.ts';
import { openEndlessPost, openSmtpPost, type SmtpPost } from '../../testing/smtp-server.ts';

let post: SmtpPost;
let app: TestApp;
let token: string;
beforeAll(async () => {
  post = await openSmtpPost();
});
afterAll(() => post.close());
beforeEach(async () => {
  app = await startTestApp({ config: { NOTICES_TO_THIS_MACHINE: 'yes' } });
  token = await app.staff();
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  post.refuse = null;
  post.mails.length = 0;
  await app.close();
});

const within = { timeout: 240_000, interval: 20 };
const typed = (more: object = {}) => ({
  host: '127.0.0.1',
  port: post.port,
  security: 'starttls',
  user: null,
  from: 'desk@nursery.example',
  ...more,
});
const put = (json: unknown, by = token) => app.ask('PUT', '/api/mail-server', { token: by, json });
const tryOut = (json: unknown, by = token) => app.ask('POST', '/api/mail-server/test', { token: by, json });
const get = async (by = token) => (await app.expect(200, 'GET', '/api/mail-server', { token: by })).mail;
const nothing = { host: null, port: null, security: null, user: null, hasPassword: false, from: null };

test('without one, mails lie in the outbox; with one, the next mail goes through it, in the facility’s name', async () => {
  expect(await get()).toEqual({ source: 'outbox', ...nothing });
  await app.makeFamily({ email: 'before@family.test' });
  expect(await app.outbox('before@family.test')).toHaveLength(1);
  await app.expect(200, 'PUT', '/api/settings', { token, json: { facilityName: 'روضة حارس' } });
  expect((await put(typed())).body.mail).toEqual({
    source: 'settings',
    host: '127.0.0.1',
    port: post.port,
    security: 'starttls',
    user: null,
    hasPassword: false,
    from: 'desk@nursery.example',
  });
  expect((await app.ask('GET', '/api/config')).body).toMatchObject({ sendsMail: true });
  // Those of before stay, and staff learn how many.
  const kept = async () => (await app.expect(200, 'GET', '/api/setup', { token })).setup.mail;
  const before = (await app.outbox()).length;
  expect(before).toBeGreaterThan(0);
  expect(await kept()).toEqual({ isSent: true, folder: expect.stringMatching(/outbox$/), kept: before });
  const json = { name: 'Mona', email: 'after@family.test', phone: '01112345678', password: 'secret-6' };
  await app.expect(201, 'POST', '/api/parent/add', { json });
  await expect.poll(() => post.mails.length, within).toBe(1);
  expect(post.mails[0]).toMatchObject({
    to: 'after@family.test',
    parsed: { from: { address: 'desk@nursery.example', name: 'روضة حارس' } },
  });
  expect((await app.expect(200, 'DELETE', '/api/mail-server', { token })).mail.source).toBe('outbox');
  await app.expect(201, 'POST', '/api/parent/add', { json: { ...json, email: 'later@family.test' } });
  expect(await app.outbox('later@family.test')).toHaveLength(1);
  expect(await kept()).toMatchObject({ isSent: false, kept: before + 1 });
});

test('a test goes to the person who is signed in, before anything is saved, and says what the server said', async () => {
  expect((await tryOut(typed())).body).toEqual({ to: 'first@haris.test', problem: null });
  expect(post.mails.map(({ to }) => to)).toEqual(['first@haris.test']);
  expect((await get()).source).toBe('outbox');
  post.refuse = 'We do not know desk@nursery.example';
  post.refuseCode = 550;
  expect((await tryOut(typed())).body.problem).toBe('550 We do not know desk@nursery.example');
  // This server has no TLS.
  expect((await tryOut(typed({ security: 'tls' }))).body.problem).toMatch(
    /connection to the mail server failed|TLS/,
  );
  expect((await tryOut(typed({ host: 'smtp.invalid' }))).body.problem).toBe('No host has this name.');
  expect((await tryOut(typed({ port: 1 }))).body.problem).toBe('The connection to the mail server failed.');
});

test('is not removed while everybody needs a second factor and somebody without one would get no code', async () => {
  const require = (staffSecondFactor: boolean) =>
    inTransaction(app.context.db, ({ trx }) => writeSettings(trx, { staffSecondFactor }));
  const remove = () => app.ask('DELETE', '/api/mail-server', { token });
  await put(typed());
  await require(true);
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'no_mail_server' } });
  expect((await get()).source).toBe('settings');
  await require(false);
  expect((await remove()).status).toBe(200);
});

test('tests are limited, because each one connects to a host that a person chose', async () => {
  for (let n = 0; n < 10; n++) expect((await tryOut(typed())).status).toBe(200);
  expect(await tryOut(typed())).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
});

test('the password is never given back, and goes to no other host, port or user than it was typed for', async () => {
  const secret = 'the-mail-password';
  expect(await put(typed({ user: 'desk' }))).toMatchObject({
    status: 400,
    body: { fields: { password: 'Password is required' } },
  });
  const saved = await put(typed({ user: 'desk', password: secret }));
  expect(saved.body.mail).toMatchObject({ user: 'desk', hasPassword: true });
  // Without it, the sender may change: nothing is sent elsewhere.
  expect((await put(typed({ user: 'desk', from: 'office@nursery.example' }))).status).toBe(200);
  for (const change of [
    { host: 'attacker.example' },
    { port: post.port === 25 ? 26 : 25 },
    { security: 'tls' },
    { user: 'someone' },
  ])
    for (const send of [put, tryOut])
      expect(await send(typed({ user: 'desk', ...change })), JSON.stringify(change)).toMatchObject({
        status: 400,
        body: { fields: { password: 'Enter the password again: the server or user has changed' } },
      });
  expect(await get()).toMatchObject({ host: '127.0.0.1', user: 'desk', from: 'office@nursery.example' });
  // Stored sealed, and in no answer, log or audit row.
  const rows = await app.context.db.selectFrom('meta').selectAll().execute();
  expect(rows.find(({ key }) => key === 'mail_server')?.value).not.toContain(secret);
  const audit = await app.expect(200, 'GET', '/api/audit?search=mail_server', { token });
  expect(audit.entries.map(({ action }) => action)).toContain('mail_server.updated');
  for (const text of [JSON.stringify(saved.body), JSON.stringify(audit), app.logLines.join('\n')])
    expect(text).not.toContain(secret);
  // A server without a user gets no password.
  expect((await put(typed())).body.mail).toMatchObject({ user: null, hasPassword: false });
});

test('only administrators set, test, forget or see it, each with a fresh proof', async () => {
  const employee = await app.makeEmployee();
  expect(await get(employee.token)).toEqual({ source: 'outbox', ...nothing });
  await put(typed({ user: 'desk', password: 'secret' }));
  expect(await get(employee.token)).toEqual({ source: 'settings', ...nothing });
  const by = employee.token;
  expect(await put(typed(), by)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await tryOut(typed(), by)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await app.ask('DELETE', '/api/mail-server', { token: by })).status).toBe(403);
  app.clock.advance(11 * 60_000);
  expect(await put(typed())).toMatchObject({ status: 403, body: { code: 'proof_required' } });
  expect(await tryOut(typed())).toMatchObject({ status: 403, body: { code: 'proof_required' } });
});

test('an account without an own address cannot test', async () => {
  await app.context.db.updateTable('staff').set({ email: 'admin@localhost' }).execute();
  expect(await tryOut(typed())).toMatchObject({ status: 409, body: { code: 'no_own_address' } });
  expect(post.mails).toEqual([]);
});

test('odd settings are 400 and change nothing', async () => {
  for (const odd of [
    { host: '' },
    { host: 'a b' },
    { host: 'smtp://x' },
    { port: 0 },
    { port: 70_000 },
    { port: '25' },
    { security: 'none' },
    { from: 'nobody' },
    { from: 'a@b.example\r\nBcc: c@d.example' },
    { user: 'a\r\nb', password: 'x' },
    { user: '', password: 'x' },
  ])
    expect((await put(typed(odd))).status, JSON.stringify(odd)).toBe(400);
  expect((await get()).source).toBe('outbox');
});

test('no host of this machine, and none that is reserved, may be set; those of the facility’s network may', async () => {
  const strict = await startTestApp();
  try {
    const by = await strict.staff();
    const set = (host: string) => strict.ask('PUT', '/api/mail-server', { token: by, json: typed({ host }) });
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.1',
      '0.0.0.0',
      '::1',
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '2852039166',
      '0xa9fea9fe',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      'fe80::1',
      '64:ff9b::a9fe:a9fe',
    ])
      expect(await set(host), host).toMatchObject({
        status: 400,
        body: { fields: { host: expect.any(String) } },
      });
    expect((await set('192.168.77.7')).status).toBe(200);
    expect((await set('93.184.216.34')).status).toBe(200);
  } finally {
    await strict.close();
  }
});

test('the environment’s mail server wins, is shown, and cannot be changed', async () => {
  const fixed = await startTestApp({
    config: {
      SMTP_URL: 'smtps://desk%40x:pass-word@smtp.example.org',
      MAIL_FROM: 'Haris <desk@example.org>',
    },
  });
  try {
    const by = await fixed.staff();
    const { body } = await fixed.ask('GET', '/api/mail-server', { token: by });
    expect(body.mail).toEqual({
      source: 'environment',
      host: 'smtp.example.org',
      port: 465,
      security: 'tls',
      user: 'desk@x',
      hasPassword: true,
      from: 'Haris <desk@example.org>',
    });
    expect(JSON.stringify(body)).not.toContain('pass-word');
    const refused = { status: 409, body: { code: 'mail_server_fixed' } };
    expect(await fixed.ask('PUT', '/api/mail-server', { token: by, json: typed() })).toMatchObject(refused);
    expect(await fixed.ask('POST', '/api/mail-server/test', { token: by, json: typed() })).toMatchObject(
      refused,
    );
    expect(await fixed.ask('DELETE', '/api/mail-server', { token: by })).toMatchObject(refused);
  } finally {
    await fixed.close();
  }
});

test('a mail server that answers for ever ends a test after ten seconds, and a waiting mail after 90', async () => {
  const endless = await openEndlessPost();
  const timeouts = holdTimeouts([10_000, 90_000]);
  try {
    const tried = tryOut(typed({ port: endless.port }));
    await expect.poll(() => endless.answering, within).toBe(1);
    timeouts.end(10_000);
    expect((await tried).body.problem).toBe('The mail server took too long.');
    expect((await put(typed({ port: endless.port }))).status).toBe(200);
    await app.makeFamily({ email: 'waiting@family.test' });
    await expect.poll(() => endless.answering, within).toBe(2);
    timeouts.end(90_000);
    await expect
      .poll(() => app.logLines.filter((line) => line.includes('a mail was not sent')).length, within)
      .toBe(1);
    await expect.poll(() => endless.connections, within).toBe(0);
  } finally {
    await endless.close();
  }
});

test('a name server that never answers holds up nobody else, and the save in the end neither', async () => {
  const timeouts = holdTimeouts([10_000]);
  const { lookup } = dns;
  let asked = 0;
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object) => {
    if (host !== 'slow.example') return lookup(host, options);
    asked++;
    return new Promise(() => {});
  }) as typeof lookup);
  syncBuiltinESMExports();
  const saved = put(typed({ host: 'slow.example' }));
  await expect.poll(() => asked, within).toBe(1);
  await app.expect(200, 'PUT', '/api/settings', { token, json: { facilityName: 'Nursery' } });
  timeouts.end(10_000);
  expect((await saved).body.mail).toMatchObject({ host: 'slow.example' });
  const tried = tryOut(typed({ host: 'slow.example' }));
  await expect.poll(() => asked, within).toBe(2);
  timeouts.end(10_000);
  await expect.poll(() => asked, within).toBe(3);
  timeouts.end(10_000);
  expect((await tried).body.problem).toBe('The name server did not answer in time.');
});

test('what a mail server says is shown without characters that turn or hide text, and never in a log', async () => {
  post.refuse = 'no\u202etxt.exe\u0007 <b>secret words</b>';
  post.refuseCode = 550;
  const { problem } = (await tryOut(typed())).body;
  expect(problem).toBe('550 no txt.exe  <b>secret words</b>');
  expect(app.logLines.join('\n')).not.toContain('secret words');
});

test('what another service says is not repeated, so that the form is no scanner of the house', async () => {
  const service = await openEndlessPost('SSH-2.0-OpenSSH_9.2\r\n');
  try {
    const { problem } = (await tryOut(typed({ port: service.port }))).body;
    expect(problem).toBe('The mail server could not be used.');
  } finally {
    await service.close();
  }
});

test('a mail server elsewhere whose STARTTLS was stripped on the way gets no mail', async () => {
  // Resolves to this machine, but the address does not show it.
  expect((await tryOut(typed({ host: '0.0.0.0' }))).body.problem).toBe('500 Error: command not recognized');
  expect(post.mails).toEqual([]);
});

test('the connection goes to the address that was checked, not to the one that the name has by then', async () => {
  vi.spyOn(dns, 'lookup').mockImplementation((async () => [{ address: '127.0.0.1', family: 4 }]) as never);
  syncBuiltinESMExports();
  expect((await tryOut(typed({ host: 'rebound.invalid' }))).body.problem).toBeNull();
  expect(post.mails).toHaveLength(1);
});

test('a facility’s name that looks like an address or a header is a name alone', async () => {
  const facilityName = 'Nursery" <evil@attacker.example>, Bcc: <b>x</b>';
  await app.expect(200, 'PUT', '/api/settings', { token, json: { facilityName } });
  for (const odd of ['a\r\nBcc: evil@attacker.example', 'a\u202eb', 'a\u2028b'])
    expect(
      await app.ask('PUT', '/api/settings', { token, json: { facilityName: odd } }),
      JSON.stringify(odd),
    ).toMatchObject({ status: 400 });
  expect((await tryOut(typed())).body.problem).toBeNull();
  expect(post.envelopes.at(-1)).toEqual({ from: 'desk@nursery.example', to: ['first@haris.test'] });
  expect(post.mails[0]?.parsed.from).toMatchObject({ address: 'desk@nursery.example', name: facilityName });
});

/** Signing in with a passkey alone: what it opens, and every answer that must open nothing (decision 041). */
import { FACTOR_CHALLENGE_MS } from '@haris/contract/constants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PUBLIC_URL, startTestApp, type TestApp } from '../../testing/harness.ts';
import { type Claims, makePasskey } from '../../testing/passkey.ts';

const HOST = new URL(PUBLIC_URL).hostname;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    config: {
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'haris',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_NAME: 'Nobody',
    },
  });
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

const claims = (challenge: string): Claims => ({ challenge, origin: PUBLIC_URL, host: HOST });

async function addPasskey(token: string) {
  const passkey = makePasskey();
  await app.proveNow(token);
  const begun = await app.expect(200, 'POST', '/api/account/factors/passkey/options', { token });
  const user = begun.passkey.user as { id: string };
  const made = passkey.create(claims(begun.challenge), user.id);
  const json = { challenge: begun.challenge, name: 'My laptop', passkey: made };
  const { factor } = await app.expect(201, 'POST', '/api/account/factors/passkey', { token, json });
  return { passkey, id: factor._id as string };
}

async function begin(kind: 'parent' | 'admin' = 'parent') {
  const { challenge, passkey } = await app.expect(200, 'POST', '/api/session/passkey/options', {
    json: { kind },
  });
  expect(passkey).toMatchObject({ challenge, rpId: HOST, userVerification: 'required' });
  expect(passkey.allowCredentials ?? []).toEqual([]);
  return challenge as string;
}

const send = (challenge: string, passkey: unknown) =>
  app.ask('POST', '/api/session/passkey', { json: { challenge, passkey } });

const refused = { status: 401, body: { code: 'invalid_credentials' } };

async function lastAudit(action: string) {
  const token = await app.staff();
  const { entries } = await app.expect(200, 'GET', '/api/audit?limit=50', { token });
  return entries.find((entry: { action: string }) => entry.action === action);
}

describe('a passkey alone', () => {
  test('signs a parent in, with a session that counts as opened by a second factor', async () => {
    const family = await app.makeFamily();
    const { passkey } = await addPasskey(family.token);
    const challenge = await begin();
    const { status, body } = await send(challenge, passkey.get(claims(challenge)));
    expect(status).toBe(200);
    expect(body.parent._id).toBe(family.id);
    // A sign-in is a proof: for this account, by its factor.
    await app.expect(200, 'POST', '/api/account/recovery-codes', { token: body.token });
  });

  test('signs staff in, whichever page asked, also where a second factor is required', async () => {
    const { id, token } = await app.makeEmployee();
    const { passkey } = await addPasskey(token);
    for (const kind of ['admin', 'parent'] as const) {
      const challenge = await begin(kind);
      const { status, body } = await send(challenge, passkey.get(claims(challenge)));
      expect(status).toBe(200);
      expect(body.admin).toMatchObject({ _id: id });
      expect(body.admin.mustAddFactor).toBeUndefined();
    }
    expect(await lastAudit('admin.signed_in')).toMatchObject({
      actor: { id },
      details: { factor: 'second', by: 'passkey' },
    });
  });

  test('does not prove a password that nobody has typed', async () => {
    const family = await app.makeFamily();
    const { passkey } = await addPasskey(family.token);
    const read = () =>
      app.context.db
        .selectFrom('parents')
        .select('password_proof')
        .where('id', '=', family.id)
        .executeTakeFirstOrThrow();
    const unproven = { password_proof: null, link_opened_by: `network:none` };
    await app.context.db.updateTable('parents').set(unproven).where('id', '=', family.id).execute();
    const challenge = await begin();
    expect((await send(challenge, passkey.get(claims(challenge)))).status).toBe(200);
    expect(await read()).toEqual({ password_proof: null });
  });
});

describe('opens nothing', () => {
  let passkey: ReturnType<typeof makePasskey>;
  let familyId: string;
  beforeAll(async () => {
    await app.forgetLimits();
    const family = await app.makeFamily();
    familyId = family.id;
    ({ passkey } = await addPasskey(family.token));
  });

  test('a challenge that was used, also by a wrong answer, or has expired', async () => {
    const used = await begin();
    expect((await send(used, passkey.get(claims(used)))).status).toBe(200);
    expect(await send(used, passkey.get(claims(used)))).toMatchObject(refused);
    const burnt = await begin();
    expect(await send(burnt, passkey.get(claims(used)))).toMatchObject(refused);
    expect(await send(burnt, passkey.get(claims(burnt)))).toMatchObject(refused);
    const old = await begin();
    app.clock.advance(FACTOR_CHALLENGE_MS);
    expect(await send(old, passkey.get(claims(old)))).toMatchObject(refused);
    expect(await send('never-given', passkey.get(claims('never-given')))).toMatchObject(refused);
  });

  test('of two equal answers at once, one', async () => {
    const challenge = await begin();
    const answer = passkey.get(claims(challenge));
    const both = await Promise.all([send(challenge, answer), send(challenge, answer)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('an answer without verification of the person, of another site, or with an older counter', async () => {
    const unverified = await begin();
    const present = passkey.get(claims(unverified), { isVerified: false });
    expect(await send(unverified, present)).toMatchObject(refused);
    const elsewhere = await begin();
    const phished = passkey.get({ ...claims(elsewhere), origin: 'https://haris.example.evil' });
    expect(await send(elsewhere, phished)).toMatchObject(refused);
    const first = await begin();
    const second = await begin();
    const early = passkey.get(claims(first));
    expect((await send(second, passkey.get(claims(second)))).status).toBe(200);
    expect(await send(first, early)).toMatchObject(refused);
    expect(await lastAudit('parent.sign_in_failed')).toMatchObject({
      subject: { id: familyId },
      details: { reason: 'wrong_passkey' },
    });
  });

  test('an answer that names nobody, or somebody else', async () => {
    for (const userHandle of [undefined, null, 'c29tZWJvZHkgZWxzZQ']) {
      const challenge = await begin();
      const answer = passkey.get(claims(challenge));
      const named = { ...answer, response: { ...answer.response, userHandle } };
      expect(await send(challenge, named)).toMatchObject(refused);
    }
  });

  test('a challenge of the second step, and one of this call as a second step', async () => {
    const family = await app.makeFamily();
    const own = (await addPasskey(family.token)).passkey;
    const { email, password } = family;
    const json = { email, password };
    const step = await app.expect(200, 'POST', '/api/parent/get-parent-by-email-and-password', { json });
    expect(await send(step.challenge, own.get(claims(step.challenge)))).toMatchObject(refused);
    const challenge = await begin();
    const answer = { challenge, passkey: own.get(claims(challenge)) };
    const ended = await app.ask('POST', '/api/session/second-factor', { json: answer });
    expect(ended).toMatchObject(refused);
  });

  test('an unknown passkey, and one that was removed', async () => {
    const stranger = makePasskey();
    const challenge = await begin('admin');
    expect(await send(challenge, stranger.get(claims(challenge)))).toMatchObject(refused);
    expect(await lastAudit('admin.sign_in_failed')).toMatchObject({ details: { reason: 'wrong_passkey' } });
    const family = await app.makeFamily();
    const own = await addPasskey(family.token);
    await app.expect(200, 'DELETE', `/api/account/factors/${own.id}`, { token: family.token });
    const next = await begin();
    expect(await send(next, own.passkey.get(claims(next)))).toMatchObject(refused);
  });

  test('a blocked family; staff whose access has ended or who are gone', async () => {
    const token = await app.staff();
    const family = await app.makeFamily();
    const parents = (await addPasskey(family.token)).passkey;
    const json = { access: 'blocked' };
    await app.proveNow(token);
    await app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token, json });
    const blocked = await begin();
    expect(await send(blocked, parents.get(claims(blocked)))).toMatchObject({
      status: 403,
      body: { code: 'account_blocked' },
    });

    const member = await app.makeEmployee();
    const staffs = (await addPasskey(member.token)).passkey;
    const link = { id: 'ended', issuer: 'x', subject: 'y', staff_id: member.id, created_at: 0 };
    await app.context.db
      .insertInto('oidc_links')
      .values({ ...link, confirmed_at: 0, ended_at: 1 })
      .execute();
    const ended = await begin('admin');
    expect(await send(ended, staffs.get(claims(ended)))).toMatchObject({
      status: 403,
      body: { code: 'oidc_no_access' },
    });
    await app.proveNow(token);
    await app.expect(200, 'DELETE', `/api/admin/delete-admin/${member.id}`, { token });
    const gone = await begin('admin');
    expect(await send(gone, staffs.get(claims(gone)))).toMatchObject(refused);
  });

  test('an account without a password, which only the organisation signs in', async () => {
    const member = await app.makeEmployee();
    const own = (await addPasskey(member.token)).passkey;
    const none = { password_hash: '' };
    await app.context.db.updateTable('staff').set(none).where('id', '=', member.id).execute();
    const challenge = await begin('admin');
    expect(await send(challenge, own.get(claims(challenge)))).toMatchObject({
      status: 403,
      body: { code: 'sign_in_elsewhere' },
    });
  });

  test('more than sixty beginnings from one network in 15 minutes', async () => {
    // Not the desk's network, which has room for a whole nursery.
    const ask = { json: { kind: 'parent' }, from: '198.51.100.44' };
    for (const _ of Array(60)) await app.expect(200, 'POST', '/api/session/passkey/options', ask);
    const { code } = await app.expect(429, 'POST', '/api/session/passkey/options', ask);
    expect(code).toBe('too_many_attempts');
  });
});

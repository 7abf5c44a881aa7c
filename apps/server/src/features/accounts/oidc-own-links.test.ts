/** Links to identity providers: who sees and removes them, and that nobody is locked out by it (decision 046). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Employee, startTestApp, type TestApp } from '../../testing/harness.ts';

const MINE = '/api/admin/me/links';

let app: TestApp;
let owner: string;
beforeAll(async () => {
  app = await startTestApp({
    config: {
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'haris',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_NAME: 'Sunshine ID',
    },
  });
  owner = await app.staff();
});
afterAll(() => app.close());
beforeEach(() => app.forgetLimits());

async function link(member: Employee, issuer = 'http://127.0.0.1:9', more = {}): Promise<string> {
  const id = randomUUID();
  const times = { created_at: 1000, confirmed_at: 2000, ended_at: null };
  await app.context.db
    .insertInto('oidc_links')
    .values({ id, issuer, subject: id, staff_id: member.id, ...times, ...more })
    .execute();
  return id;
}

const takePassword = ({ id }: Employee) =>
  app.context.db.updateTable('staff').set({ password_hash: '' }).where('id', '=', id).execute();

test('the own links are listed by the name of the provider, a former one by its host; waiting ones are not', async () => {
  const member = await app.makeEmployee();
  await link(member);
  await link(member, 'https://old.example/realm', { created_at: 1001, ended_at: 3000 });
  await link(member, 'https://third.example', { confirmed_at: null });
  const { token } = member;
  const { bytes } = await app.ask('GET', MINE, { token });
  const { links, isOnlyWay } = JSON.parse(bytes.toString());
  expect(isOnlyWay).toBe(false);
  expect(links).toMatchObject([
    { provider: 'Sunshine ID', linkedAt: '1970-01-01T00:00:02.000Z', endedAt: null },
    { provider: 'old.example', endedAt: '1970-01-01T00:00:03.000Z' },
  ]);
});

test('an own link is removed with a proof; other sessions end, this one stays, and the log says it', async () => {
  const member = await app.makeEmployee();
  const id = await link(member);
  const elsewhere = await app.signIn('admin', member.email, member.password);
  const { token } = member;
  app.clock.advance(11 * 60_000);
  expect((await app.expect(403, 'DELETE', `${MINE}/${id}`, { token })).code).toBe('proof_required');
  await app.proveNow(token);
  await app.expect(200, 'DELETE', `${MINE}/${id}`, { token });
  await app.expect(404, 'DELETE', `${MINE}/${id}`, { token });
  await app.expect(401, 'GET', '/api/admin/info', { token: elsewhere });
  await app.expect(200, 'GET', '/api/admin/info', { token });
  const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${member.id}`, { token: owner });
  expect(entries.map(({ action }) => action)).toContain('admin.oidc_unlinked');
});

test('a link of somebody else is not found by the own call, nor by that of a third person', async () => {
  const [member, other] = [await app.makeEmployee(), await app.makeEmployee()];
  const id = await link(member);
  for (const { token } of [other]) {
    await app.proveNow(token);
    await app.expect(404, 'DELETE', `${MINE}/${id}`, { token });
  }
  await app.proveNow(owner);
  await app.expect(404, 'DELETE', `/api/admin/${other.id}/links/${id}`, { token: owner });
});

test('the only way in stays, for its owner and for whoever manages staff', async () => {
  const member = await app.makeEmployee();
  const id = await link(member);
  await app.proveNow(member.token);
  await takePassword(member);
  expect((await app.expect(409, 'DELETE', `${MINE}/${id}`, { token: member.token })).code).toBe(
    'only_way_in',
  );
  await app.proveNow(owner);
  const path = `/api/admin/${member.id}/links/${id}`;
  expect((await app.expect(409, 'DELETE', path, { token: owner })).code).toBe('only_way_in');
});

test('whoever manages staff removes a colleague’s, whose sessions end; nobody removes an owner’s with less', async () => {
  const member = await app.makeEmployee();
  const id = await link(member, undefined, { ended_at: 3000 });
  await app.proveNow(owner);
  await app.expect(200, 'DELETE', `/api/admin/${member.id}/links/${id}`, { token: owner });
  await app.expect(401, 'GET', '/api/admin/info', { token: member.token });

  const manager = await app.makeEmployee();
  const { admin } = await app.expect(200, 'GET', '/api/admin/info', { token: owner });
  const ofOwner = await link({ ...manager, id: admin._id });
  await app.proveNow(manager.token);
  const answer = await app.ask('DELETE', `/api/admin/${admin._id}/links/${ofOwner}`, {
    token: manager.token,
  });
  expect(answer).toMatchObject({ status: 403, body: { code: 'beyond_own_rights' } });
});

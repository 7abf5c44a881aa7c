/** Roles at several facilities from the claims of a real identity provider (decision 046). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findMemberships, writeMemberships } from '../../db/memberships.ts';
import { inTransaction } from '../../db/transaction.ts';
import { makeClock } from '../../testing/clock.ts';
import { type Answer, PUBLIC_URL, startTestApp, type TestApp } from '../../testing/harness.ts';
import {
  type IdentityProvider,
  openIdentityProvider,
  type Visitor,
} from '../../testing/identity-provider.ts';

let idp: IdentityProvider;
let app: TestApp;
let people = 0;

beforeAll(async () => {
  idp = await openIdentityProvider(PUBLIC_URL);
});
afterAll(() => idp.close());
beforeEach(() => app.forgetLimits());

/** Starts an app with the facilities `main`, `moon` and `sun`, or only the first of them. */
async function start(roles: string, more: readonly string[] = ['moon', 'sun']): Promise<void> {
  const config = { ...idp.config, OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: roles };
  app = await startTestApp({ clock: makeClock(Date.now()), config });
  for (const id of more)
    await app.context.db.insertInto('facilities').values({ id, created_at: 1 }).execute();
}

/** Signs a person in who is in these groups. */
async function signIn(visitor: Visitor, ...groups: string[]): Promise<Answer> {
  idp.visitor = { ...visitor, claims: { ...visitor.claims, groups } };
  const begun = await app.ask('POST', '/api/session/oidc', { json: {} });
  const cookie = [begun.headers['set-cookie']]
    .flat()
    .map(String)
    .find((one) => one.includes('haris_oidc'));
  const { state, code, iss } = await idp.browser()(String(begun.body.url));
  const headers = { cookie: cookie?.split(';')[0] ?? '' };
  return app.ask('POST', '/api/session/oidc/finish', { json: { state, code, iss }, headers });
}

/** A person at the provider, by default with an address that no account has. */
function person(email = `person${++people}@sunrise.test`): Visitor {
  return { sub: `subject-of-${email}`, claims: { email, email_verified: true, name: 'Nadia Farouk' } };
}
const rolesOf = async (id: string) =>
  (await findMemberships(app.context.db, [id])).map(({ role_id, facility_id }) => [facility_id, role_id]);
const giveRoles = (id: string, roles: Record<string, string>) =>
  inTransaction(app.context.db, ({ trx }) =>
    writeMemberships(
      trx,
      id,
      Object.entries(roles).map(([facility_id, role_id]) => ({ facility_id, role_id })),
    ),
  );
const refusal = ({ status, body }: Answer) => ({ status, code: body.code });
const NO_ACCESS = { status: 403, code: 'oidc_no_access' };

describe('roles at named facilities', () => {
  beforeAll(() => start('heads=manager@*, moon-leads=manager@moon, moon=teacher@moon, stars=desk'));
  afterAll(() => app.close());

  test('a new account has those of its values, and works at no other facility', async () => {
    const visitor = person();
    const { body } = await signIn(visitor, 'moon', 'stars', 'others');
    const id = body.admin._id;
    expect(await rolesOf(id)).toEqual([
      ['main', 'desk'],
      ['moon', 'teacher'],
    ]);
    const at = async (facility: string) => {
      const ask = { token: body.token, headers: { 'x-haris-facility': facility } };
      return (await app.ask('GET', '/api/children/get-all-children', ask)).status;
    };
    expect([await at('main'), await at('moon'), await at('sun')]).toEqual([200, 200, 404]);
  });

  test('of each facility the first pair counts, and after one for all facilities none', async () => {
    const visitor = person();
    const id = (await signIn(visitor, 'moon', 'moon-leads')).body.admin._id;
    expect(await rolesOf(id)).toEqual([['moon', 'manager']]);
    await signIn(visitor, 'moon', 'stars', 'heads');
    expect(await rolesOf(id)).toEqual([['', 'manager']]);
    await signIn(visitor, 'stars');
    expect(await rolesOf(id)).toEqual([['main', 'desk']]);
    // Nothing changes: no row of the audit log.
    await signIn(visitor, 'stars');
    const { db } = app.context;
    const rows = await db.selectFrom('audit_log').select('action').where('subject_id', '=', id).execute();
    expect(rows.filter(({ action }) => action === 'admin.roles_changed')).toHaveLength(2);
  });

  test('a role at a facility that no pair names stays; one at a named facility is the claim’s', async () => {
    const employee = await app.makeEmployee();
    await giveRoles(employee.id, { main: 'manager', moon: 'manager', sun: 'inspector' });
    const visitor = person(employee.email);
    expect((await signIn(visitor, 'moon')).status).toBe(200);
    expect(await rolesOf(employee.id)).toEqual([
      ['moon', 'teacher'],
      ['sun', 'inspector'],
    ]);
    // Who has left the organisation has left every facility; the role stays for the day that somebody lets the person in.
    expect(refusal(await signIn(visitor))).toEqual(NO_ACCESS);
    await app.expect(401, 'GET', '/api/admin/info', { token: employee.token });
  });

  test('a role that a pair gave goes with the pair, also after the setting has changed', async () => {
    const visitor = person();
    const id = (await signIn(visitor, 'stars', 'moon')).body.admin._id;
    const { oidc } = app.context.config;
    const pairs = oidc?.roles?.pairs as { facility: string }[] | undefined;
    const removed = pairs?.splice(0, 3) ?? [];
    await signIn(visitor, 'stars', 'moon');
    expect(await rolesOf(id)).toEqual([['main', 'desk']]);
    pairs?.unshift(...removed);
  });
});

describe('a facility that does not exist', () => {
  beforeAll(() => start('teachers=teacher@nowhere, heads=manager@nowhere, heads=desk@sun'));
  afterAll(() => app.close());

  test('gives nothing, and no access by itself', async () => {
    const employee = await app.makeEmployee();
    for (const visitor of [person(), person(employee.email)])
      expect(refusal(await signIn(visitor, 'teachers'))).toEqual(NO_ACCESS);
    expect(await rolesOf(employee.id)).toEqual([['main', 'manager']]);
    const { body } = await signIn(person(), 'heads');
    expect(await rolesOf(body.admin._id)).toEqual([['sun', 'desk']]);
  });
});

describe('with one facility', () => {
  beforeAll(() => start('teachers=teacher', []));
  afterAll(() => app.close());

  test('the role of the claim replaces every other, also one at all facilities', async () => {
    const employee = await app.makeEmployee();
    await giveRoles(employee.id, { '': 'manager' });
    await signIn(person(employee.email), 'teachers');
    expect(await rolesOf(employee.id)).toEqual([['main', 'teacher']]);
  });
});

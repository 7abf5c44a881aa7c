/** Concurrent changes of one account: none is lost, and races do not allow a sign-in that should fail. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestApp } from '../../testing/harness.ts';

/** Called after each password check, before its consequences; a test may block here. */
const afterCheck = { now: async (): Promise<void> => {} };

// The test files of this project share their modules, so import the modules with the mock separately for this file.
const passwords = await import('../../vault/passwords.ts');
vi.resetModules();
vi.doMock('../../vault/passwords.ts', () => ({
  ...passwords,
  async passwordMatches(...asked: Parameters<typeof passwords.passwordMatches>) {
    const matches = await passwords.passwordMatches(...asked);
    await afterCheck.now();
    return matches;
  },
}));
/** Called after each look at what a sign-in still needs, before its session; a test may block here. */
const afterStep = { now: async (): Promise<void> => {} };
vi.doMock('./second-step.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('./second-step.ts')>();
  return {
    ...real,
    async beginSecondStep(...asked: Parameters<typeof real.beginSecondStep>) {
      const step = await real.beginSecondStep(...asked);
      await afterStep.now();
      return step;
    },
  };
});
const { loginPath, startTestApp, testDialect } = await import('../../testing/harness.ts');

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.close();
  vi.doUnmock('../../vault/passwords.ts');
  vi.doUnmock('./second-step.ts');
  vi.resetModules();
});

describe.each(['parent', 'admin'] as const)(
  'a %s’s password is set anew while the old one is being checked',
  (kind) => {
    test('the sign-in opens no session', async () => {
      const person = kind === 'parent' ? await app.makeFamily() : await app.makeEmployee();
      const { email, password } = person;
      await app.expect(200, 'POST', '/vendor/forgot', { json: { email, kind } });
      const { token } = await app.lastMail(email);
      afterCheck.now = async () => {
        afterCheck.now = async () => {};
        await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'brand-new' } });
      };
      const late = await app.ask('POST', loginPath[kind], { json: { email, password } });
      expect(late).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
      const sessions = await app.context.db
        .selectFrom('sessions')
        .select('token_hash')
        .where('account_id', '=', person.id)
        .execute();
      expect(sessions).toEqual([]);
      await app.signIn(kind, email, 'brand-new');
    });
  },
);

test('changes of one parent at once: each is kept', async () => {
  const family = await app.makeFamily();
  const staff = await app.staff();
  const put = (json: unknown, token = staff) =>
    app.ask('PUT', `/api/parent/update-parent/${family.id}`, { token, json });
  for (let round = 0; round < 10; round++) {
    const [name, phone, email] = [`Name ${round}`, `0100000000${round}`, `new${round}@family.test`];
    const answers = await Promise.all([
      put({ name }),
      put({ phone }, family.token),
      put({ email }),
      put({ language: round % 2 === 0 ? 'ar' : 'en' }, family.token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const row = await app.context.db
      .selectFrom('parents')
      .selectAll()
      .where('id', '=', family.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      name,
      phone,
      pending_email: email,
      language: round % 2 === 0 ? 'ar' : 'en',
    });
    // The column for sorting matches the last change.
    expect(row.sort_name).toBe(name.toLowerCase());
  }
});

if (testDialect === 'postgres')
  describe('two servers on one database', () => {
    let second: TestApp;
    beforeAll(async () => {
      const { DATABASE_URL = '', DATA_DIR = '' } = app.env;
      second = await startTestApp({ clock: app.clock, config: { DATABASE_URL, DATA_DIR } });
    });
    afterAll(() => second.close());

    const tryIn = (server: TestApp, email: string, from: string, password = 'wrong!') =>
      server.ask('POST', loginPath.parent, { json: { email, password }, from });

    test('count failures of an account together, and of an address', async () => {
      const { email, password } = await app.makeFamily();
      for (let i = 0; i < 5; i++)
        expect((await tryIn(i % 2 ? app : second, email, '10.3.0.1')).status).toBe(401);
      for (const server of [app, second])
        expect((await tryIn(server, email, '10.3.0.1', password)).status).toBe(429);
      for (let i = 0; i < 20; i++)
        expect((await tryIn(i % 2 ? app : second, `many${i}@family.test`, '10.3.2.2')).status).toBe(401);
      for (const server of [app, second])
        expect((await tryIn(server, 'one-more@family.test', '10.3.2.2')).status).toBe(429);
    });

    test('let through at most one more each when all tries come at once', async () => {
      const { email } = await app.makeFamily();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => tryIn(i % 2 ? app : second, email, '10.4.0.1')),
      );
      const judged = answers.filter(({ status }) => status === 401).length;
      expect(judged).toBeGreaterThanOrEqual(5);
      expect(judged).toBeLessThanOrEqual(6);
      for (const server of [app, second]) expect((await tryIn(server, email, '10.4.0.1')).status).toBe(429);
    });

    test('changes of one parent on both at once: each is kept', async () => {
      const family = await app.makeFamily();
      const token = await app.staff();
      for (let round = 0; round < 10; round++) {
        const url = `/api/parent/update-parent/${family.id}`;
        const [name, phone] = [`Both ${round}`, `0111111111${round}`];
        const answers = await Promise.all([
          app.ask('PUT', url, { token, json: { name } }),
          second.ask('PUT', url, { token, json: { phone } }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        const { parents } = await app.expect(
          200,
          'GET',
          `/api/parent/get-all-parents?search=${family.email}`,
          {
            token,
          },
        );
        expect(parents[0]).toMatchObject({ name, phone });
      }
    });
  });

test('a second factor becomes required while somebody signs in by password: no session opens', async () => {
  const { email, password, id } = await app.makeEmployee();
  const { writeSettings } = await import('../../db/settings.ts');
  const require = (staffSecondFactor: boolean) =>
    app.context.db.transaction().execute((trx) => writeSettings(trx, { staffSecondFactor }));
  await app.context.db.deleteFrom('sessions').where('account_id', '=', id).execute();
  afterStep.now = async () => {
    afterStep.now = async () => {};
    await require(true);
  };
  const late = await app.ask('POST', loginPath.admin, { json: { email, password } });
  await require(false);
  expect(late).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  const sessions = app.context.db.selectFrom('sessions').select('token_hash').where('account_id', '=', id);
  expect(await sessions.execute()).toEqual([]);
});

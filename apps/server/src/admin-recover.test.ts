/** `npm run admin:recover`: lets the last administrator in again, without the phone and without the password. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDb } from './testing/database.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startTestApp, type TestApp } from './testing/harness.ts';
import { runServerProgram } from './testing/server-programs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-recover-'));
let database: FreshDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await freshDb();
  env = { DATA_DIR: join(scratch, 'place'), ...(database.url ? { DATABASE_URL: database.url } : {}) };
});
afterAll(async () => {
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return work(app).finally(() => app.close());
}

const recover = (...words: string[]) => runServerProgram('admin-recover', words, env);

test('nothing is done without an address, for a stranger, or before the first start', async () => {
  expect(await recover('--email', ADMIN_EMAIL)).toMatchObject({ code: 1 });
  await withApp(async (app) => void (await app.staff()));
  expect(await recover()).toMatchObject({ code: 1, text: expect.stringContaining('--email ADDRESS') });
  expect(await recover('--email', 'nobody@haris.test')).toMatchObject({
    code: 1,
    text: 'No staff account has the address nobody@haris.test.\n',
  });
});

test('factors and sessions end, the rule may be dropped, and the link sets a password', async () => {
  const stolen = await withApp(async (app) => {
    const token = await app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
    const begun = await app.expect(201, 'POST', '/api/account/factors/app', {
      token,
      json: { name: 'A phone' },
    });
    const code = await generate({ secret: begun.secret, epoch: Math.floor(app.clock.now() / 1000) });
    await app.expect(200, 'POST', `/api/account/factors/app/${begun._id}/confirm`, { token, json: { code } });
    await app.expect(200, 'PUT', '/api/settings', { token, json: { staffSecondFactor: true } });
    return token;
  });
  // Nor does the certificate have to be there, whose port the link names.
  const { code, text } = await runServerProgram(
    'admin-recover',
    ['--email', ADMIN_EMAIL.toUpperCase(), '--no-second-factor'],
    { ...env, TLS_CERT: join(scratch, 'no.pem'), TLS_KEY: join(scratch, 'no.key'), PORT: '3443' },
  );
  expect(code, text).toBe(0);
  expect(text).toContain(' https://localhost:3443/reset-password/');
  const link = /\/reset-password\/([\w-]+)/.exec(text)?.[1] ?? '';
  const password = 'a new one for the director';
  await withApp(async (app) => {
    await app.expect(401, 'GET', '/api/admin/info', { token: stolen });
    await app.expect(200, 'POST', '/vendor/reset', { json: { token: link, password } });
    const token = await app.signIn('admin', ADMIN_EMAIL, password);
    const { settings } = await app.expect(200, 'GET', '/api/settings', { token });
    expect(settings.staffSecondFactor).toBe(false);
    const { entries } = await app.expect(200, 'GET', '/api/audit', { token });
    expect(entries.map(({ action }) => action)).toContain('admin.recovered');
  });
});

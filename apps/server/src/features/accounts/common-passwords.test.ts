/** All calls that set a password refuse easily guessed ones (contract §3). */
import { COMMON_PASSWORD } from '@haris/contract/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeNationalId, startTestApp, type TestApp } from '../../testing/harness.ts';

let app: TestApp;
let n = 0;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.clock.advance(16 * 60_000));

const refusal = {
  status: 400,
  body: { code: 'invalid_request', message: COMMON_PASSWORD, fields: { password: COMMON_PASSWORD } },
};
const COMMON = ['123456', 'password', 'Password1', 'QWERTY', 'iloveyou', '١٢٣٤٥٦', 'letmein1', 'mohamed'];

describe('a common password is refused', () => {
  test('at registration, with the name, the address or the product in it too; a plain phrase is fine', async () => {
    const person = () => ({ name: 'Mona Said', email: `mona.s${++n}@family.test`, phone: '01112345678' });
    for (const password of [...COMMON, 'mona123', 'MonaSaid!', 'Haris2026!', 'حارس١٢٣']) {
      const json = { ...person(), password };
      expect(await app.ask('POST', '/api/parent/add', { json }), password).toMatchObject(refusal);
      expect(await app.outbox(json.email)).toEqual([]);
    }
    const json = { ...person(), name: 'Huda Ali' };
    for (const password of [json.email, 'mona.s!'])
      expect(await app.ask('POST', '/api/parent/add', { json: { ...json, password } })).toMatchObject(
        refusal,
      );
    for (const password of ['six-tea-cups', 'mona likes tea', '  a  b'])
      await app.expect(201, 'POST', '/api/parent/add', { json: { ...person(), password } });
  });

  test('where staff set one, for a parent or an employee', async () => {
    const token = await app.staff();
    for (const password of ['password', 'administrator', 'employee1']) {
      const parent = { name: 'Employee', email: `made${++n}@family.test`, password };
      expect(await app.ask('POST', '/api/parent/create-parent', { token, json: parent })).toMatchObject(
        refusal,
      );
      const employee = { ...parent, nationalId: makeNationalId() };
      expect(await app.ask('POST', '/api/admin/create-admin', { token, json: employee })).toMatchObject(
        refusal,
      );
    }
  });

  test('at a mailed link, which is not used up by it, and where the own one is changed', async () => {
    const family = await app.makeFamily();
    await app.expect(200, 'POST', '/vendor/forgot', { json: { email: family.email } });
    const { token } = await app.lastMail(family.email);
    for (const password of COMMON.filter((text) => text.length >= 6))
      expect(await app.ask('POST', '/vendor/reset', { json: { token, password } })).toMatchObject(refusal);
    await app.expect(200, 'POST', '/vendor/reset', { json: { token, password: 'six-tea-cups' } });
    const session = await app.signIn('parent', family.email, 'six-tea-cups');
    const change = (password: string) =>
      app.ask('PUT', '/api/account/password', {
        token: session,
        json: { current: 'six-tea-cups', password },
      });
    expect(await change('123456')).toMatchObject(refusal);
    expect((await change('seven-tea-cups')).status).toBe(200);
  });
});

test('one that was set before goes on to sign in', async () => {
  const family = await app.makeFamily();
  const { hashPassword } = await import('../../vault/passwords.ts');
  await app.context.db
    .updateTable('parents')
    .set({ password_hash: await hashPassword('123456') })
    .where('id', '=', family.id)
    .execute();
  await app.signIn('parent', family.email, '123456');
});

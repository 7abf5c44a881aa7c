/**
 * Names of people and things: invisible ones are refused everywhere, and older stored ones are still read (contract §3).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakePhoto } from './testing/fake-vision.ts';
import { makeNationalId, startTestApp, type TestApp } from './testing/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const NAME = 'Name has characters that are not allowed';
const AREA = 'Area has characters that are not allowed';
const HIDDEN = ['Mo\u200bna', 'Mo\u202ena', 'Mo\u2066na', 'Mo\u200fna', 'Mo\nna', 'Mo\u00adna', 'Mo\u2028na'];

test('a name or an area with a character that nobody sees is refused, whoever sends it and whatever it names', async () => {
  const family = await app.makeFamily();
  const child = await app.makeChild(family);
  const token = await app.staff();
  const email = 'hidden@family.test';
  for (const name of HIDDEN) {
    const calls: [Promise<{ status: number; body: unknown }>, string][] = [
      [
        app.ask('POST', '/api/parent/add', {
          json: { name, email, phone: '01112345678', password: 'secret-6' },
        }),
        NAME,
      ],
      [app.ask('POST', '/api/parent/create-parent', { token, json: { name, email } }), NAME],
      [
        app.ask('PUT', `/api/parent/update-parent/${family.id}`, { token: family.token, json: { name } }),
        NAME,
      ],
      [
        app.ask('POST', '/api/admin/create-admin', {
          token,
          json: { name, email, password: 'a-good-password', nationalId: makeNationalId() },
        }),
        NAME,
      ],
      [
        app.ask('POST', `/api/children/create-child/${family.id}`, {
          token: family.token,
          form: { name, photo: fakePhoto() },
        }),
        NAME,
      ],
      [app.ask('PUT', `/api/children/update-child/${child._id}`, { token, form: { name } }), NAME],
      [app.ask('POST', '/api/cameras', { token, json: { name, area: 'Play room', kind: 'browser' } }), NAME],
      [app.ask('POST', '/api/cameras', { token, json: { name: 'Door', area: name, kind: 'browser' } }), AREA],
      [app.ask('POST', '/api/sensors', { token, json: { name, area: 'Play room', kind: 'haris' } }), NAME],
      [app.ask('POST', '/api/sensors', { token, json: { name: 'Air', area: name, kind: 'haris' } }), AREA],
    ];
    for (const [answer, message] of calls)
      expect(await answer, JSON.stringify(name)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', message },
      });
  }
});

test('a name that was kept before goes on to be read, shown and searched', async () => {
  const family = await app.makeFamily({ name: 'Old Name' });
  const token = await app.staff();
  await app.context.db
    .updateTable('parents')
    .set({ name: 'Old\u200b \u202eName\nof before' })
    .where('id', '=', family.id)
    .execute();
  const { parents } = await app.expect(200, 'GET', '/api/parent/get-all-parents?search=old%20name', {
    token,
  });
  expect(parents[0]?.name).toBe('Old\u200b \u202eName\nof before');
  const { parent } = await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
    token: family.token,
    json: { phone: '01112345679' },
  });
  expect(parent).toMatchObject({ name: 'Old\u200b \u202eName\nof before', phone: '01112345679' });
});

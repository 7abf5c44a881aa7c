/** What a hand-over must not tell: who is barred, who may pick up, and the secrets, to those without the right and at rest. */
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Permission } from '@haris/contract/permissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Family, startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';
import { openEvents } from '../../testing/sse.ts';
import { tablesWith } from '../../testing/traces.ts';

const within = { timeout: 60_000, interval: 20 };

let app: TestApp;
let owner: string;
let family: Family;
let child: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await app.staff();
  family = await app.makeFamily();
  child = (await app.makeChild(family))._id;
  await app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const BARRED = { name: 'Zebediah Quux', phone: '01077665544', note: 'Zanzibar court order' };
const PERSON = { name: 'Wilhelmina Xu', relation: 'Godmother', phone: '01066554433' };
const DOCUMENT = { kind: 'passport', last: '9XQZ' };
const TEXTS = [...Object.values(BARRED), ...Object.values(PERSON), DOCUMENT.last];

const bar = async () =>
  (await app.expect(201, 'POST', `/api/children/${child}/barred`, { token: owner, json: BARRED })).barred._id;

/** The session of a new member of staff with a role of these permissions alone. */
async function makeMember(permissions: readonly Permission[]): Promise<string> {
  const { id, name, token } = await app.makeEmployee();
  const json = { name: `Role of ${name}`, permissions };
  const { role } = await app.expect(201, 'POST', '/api/roles', { token: await app.staff(), json });
  const roles = [{ roleId: role._id, facilityId: 'main' }];
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json: { roles } });
  return token;
}

test('bars, collectors, passes and codes are in no table, file, log line or audit row in plain text', async () => {
  const { collector } = await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
    ...{ token: family.token, json: PERSON },
  });
  await bar();
  const { token } = await app.expect(201, 'POST', `/api/collectors/${collector._id}/pass`, family);
  const url = `/api/children/checkout-child/${child}`;
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
  const { secret } = await app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
  const twin = (
    await app.expect(201, 'POST', `/api/children/${child}/collectors`, {
      ...{ token: owner, json: { ...PERSON, name: BARRED.name } },
    })
  ).collector._id;
  const proof = { kind: 'pass', value: token };
  await app.expect(409, 'POST', url, {
    token: owner,
    json: { collectorId: twin, proof, document: DOCUMENT },
  });
  const json = { collectorId: collector._id, proof, document: DOCUMENT };
  await app.expect(200, 'POST', url, { token: owner, json });
  await app.app.incidents.sweep();
  const texts = [...TEXTS, String(token), String(secret)];
  for (const text of texts) expect([text, await tablesWith(app.context.db, [text])]).toEqual([text, []]);
  expect(texts.filter((text) => app.logLines.join('\n').includes(text))).toEqual([]);
  if (testDialect !== 'sqlite') return;
  // Also what the database has written beside its tables.
  for (const file of readdirSync(app.dataDir).filter((name) => name.includes('.db'))) {
    const bytes = readFileSync(join(app.dataDir, file));
    expect([file, texts.filter((text) => bytes.includes(text))]).toEqual([file, []]);
  }
});

test('a parent hears nothing of a bar, a refusal or a lift, and staff without the right do not read it', async () => {
  const { port } = app.app.server.address() as AddressInfo;
  const streams = await Promise.all([owner, family.token].map((token) => openEvents(port, token)));
  const [desk, parent] = streams;
  const id = await bar();
  const entered = await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: owner });
  // Another bar is still in force.
  const json = { collectorId: family.id, proof: { kind: 'slip', value: entered.child.slipCode } };
  await app.expect(200, 'DELETE', `/api/barred/${id}`, { token: await app.staff() });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, { token: owner, json });
  const types = (stream: (typeof streams)[number] | undefined) =>
    stream?.events.map(({ type }) => type).filter((type) => type.startsWith('child.'));
  await expect.poll(() => types(desk), within).toContain('child.checked_out');
  await expect.poll(() => types(parent), within).toContain('child.checked_out');
  expect(types(desk)?.filter((type) => type === 'child.updated')).toHaveLength(2);
  expect(types(parent)).toEqual(['child.checked_in', 'child.checked_out']);
  expect(JSON.stringify(streams.map(({ events }) => events))).not.toMatch(/Quux|Zanzibar/);
  for (const stream of streams) stream.close();

  const inspector = await app.makeEmployee();
  const token = await app.staff();
  const roles = [{ roleId: 'inspector', facilityId: 'main' }];
  await app.expect(200, 'PUT', `/api/admin/${inspector.id}/roles`, { token, json: { roles } });
  for (const path of ['barred', 'hand-over'])
    expect((await app.ask('GET', `/api/children/${child}/${path}`, inspector)).status).toBe(403);
  const asked = await app.ask('GET', '/api/audit?limit=200', { token: inspector.token });
  expect(asked.status).toBe(200);
  expect(asked.bytes.toString()).not.toMatch(/Quux|Zanzibar|Wilhelmina/);
});

test('each reading of the bars is in the ledger', async () => {
  await bar();
  const reads = async () => {
    const url = `/api/audit?subject=${child}&limit=200`;
    const { entries } = await app.expect(200, 'GET', url, { token: owner });
    return entries.filter(({ action }) => action === 'barred.read').length;
  };
  const before = await reads();
  for (let n = 1; n <= 2; n++) {
    await app.expect(200, 'GET', `/api/children/${child}/barred`, { token: owner });
    expect(await reads()).toBe(before + n);
  }
});

test('the audit log names no adult of a bar, and no doubt, to staff who may not see who is barred', async () => {
  const own = await app.makeFamily();
  const { _id: id } = await app.makeChild(own);
  const { collector } = await app.expect(201, 'POST', `/api/children/${id}/collectors`, {
    ...{ token: owner, json: { name: 'Samia Hassan', relation: 'Aunt' } },
  });
  const { barred } = await app.expect(201, 'POST', `/api/children/${id}/barred`, {
    ...{ token: owner, json: { name: 'Samya Hasan' } },
  });
  await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token: owner });
  const asked = { collectorId: collector._id, document: DOCUMENT };
  const url = `/api/children/checkout-child/${id}`;
  const notBarred = [{ barredId: barred._id, version: 1 }];
  for (const json of [asked, { ...asked, notBarred }])
    await app.expect(409, 'POST', url, { token: owner, json });
  // Each of the two ways to read the log has a permission of its own: `audit.export` alone opens no list.
  const [reader, exporter] = [
    await makeMember(['audit.view', 'audit.export']),
    await makeMember(['audit.export']),
  ];
  const { status: refused } = await app.ask('GET', '/api/audit', { token: exporter });
  expect(refused).toBe(403);
  const ways: readonly (readonly [path: string, token: string])[] = [
    ['/api/audit?limit=200&', reader],
    ['/api/audit.csv?', reader],
    ['/api/audit.csv?', exporter],
  ];
  for (const [path, by] of ways) {
    const read = async (token: string) => {
      const { status, bytes } = await app.ask('GET', `${path}subject=${id}`, { token });
      return [status, bytes.toString()] as const;
    };
    const [[full, whole], [status, text]] = [await read(owner), await read(by)];
    expect([path, full, status]).toEqual([path, 200, 200]);
    for (const told of ['barred_person_doubt', barred._id, 'adultId']) {
      expect(whole).toContain(told);
      expect(text).not.toContain(told);
    }
    // What happened, to which child and by whom, is there for both.
    for (const action of ['barred.added', 'child.release_refused', 'stayId']) expect(text).toContain(action);
    // The checkout with which the doubt was answered names the adult, and has the request of this row.
    expect(whole).toContain('barred.ruled_out');
    expect(text).not.toContain('barred.ruled_out');
    // The owner's reading of the hand-over stands beside nobody here, but beside a new collector it would.
    expect(text).not.toContain('barred.read');
  }
});

test('a lift is in the ledger, and whose bar it was only for staff who may see who is barred', async () => {
  const { _id: id } = await app.makeChild(await app.makeFamily());
  const url = `/api/children/${id}/barred`;
  const { barred } = await app.expect(201, 'POST', url, { token: owner, json: BARRED });
  await app.expect(200, 'DELETE', `/api/barred/${barred._id}`, { token: await app.staff() });
  const lifts = async (token: string) =>
    (await app.expect(200, 'GET', `/api/audit?subject=${id}`, { token })).entries.filter(
      ({ action }) => action === 'barred.lifted',
    );
  expect(await lifts(owner)).toMatchObject([{ actor: { kind: 'admin' }, details: { barId: barred._id } }]);
  const reader = await makeMember(['audit.view']);
  expect((await lifts(reader)).map(({ details }) => details)).toEqual([{}]);
});

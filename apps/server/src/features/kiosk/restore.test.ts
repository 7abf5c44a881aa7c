/** A restore brings back the names of the kiosks and nothing that opens one, and no trace of a family that was erased since. */
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDb, testDialect } from '../../testing/database.ts';
import { type Family, startTestApp, type TestApp } from '../../testing/harness.ts';
import { askFor, comeTo, makeKiosk, pairAgain, setPin, tryPin } from '../../testing/kiosks.ts';
import { runServerProgram } from '../../testing/server-programs.ts';
import { tablesWith } from '../../testing/traces.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-kiosks-'));
const databases: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

async function makeEnv(): Promise<Record<string, string>> {
  const database = await freshDb();
  databases.push(database);
  return { DATA_DIR: join(scratch, 'place'), ...(database.url ? { DATABASE_URL: database.url } : {}) };
}

async function withApp<T>(env: Record<string, string>, work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return work(app).finally(() => app.close());
}

/** A family with a child inside who is announced, extended, and asked for at the kiosk. */
async function familyAt(app: TestApp, kiosk: { id: string; token: string }, digits: string) {
  const token = await app.staff();
  const family = await app.makeFamily({ phone: `0101777${digits}`, name: `Restored ${digits}` });
  const { _id: id } = await app.makeChild(family, `Unmistakable ${digits}`);
  const { child } = await app.expect(200, 'POST', `/api/children/checkin-child/${id}`, { token });
  const due = new Date(Date.parse(String(child.entryTime)) + Number(child.duration) * 60_000).toISOString();
  await app.expect(200, 'POST', `/api/children/extend-stay/${id}`, { token, json: { due, minutes: 30 } });
  const { visit } = await askFor(app, kiosk, family, [id], { kind: 'pick_up' });
  const { grant } = await comeTo(app, kiosk, family);
  await setPin(app, family, '8305');
  const { code } = await app.expect(201, 'POST', '/api/account/kiosk-code', { token: family.token });
  return { family, id, visit, grant, code };
}

test('a restore revives no token, PIN, code, grant or request of a kiosk, and erases again who was erased since', async () => {
  const env = await makeEnv();
  const file = join(scratch, 'before.backup');
  const was = await withApp(env, async (app) => {
    const token = await app.staff();
    const kiosk = await makeKiosk(app, 'Entrance');
    const [kept, gone] = [await familyAt(app, kiosk, '6001'), await familyAt(app, kiosk, '6002')];
    await app.expect(200, 'GET', `/api/search?q=${gone.family.email}`, { token });
    const pairing = await app.expect(201, 'POST', `/api/kiosks/${kiosk.id}/pairing`, { token });
    expect((await runServerProgram('backup', [file], app.env)).code).toBe(0);
    await app.expect(200, 'POST', `/api/children/checkout-child/${gone.id}`, { token });
    await app.expect(200, 'DELETE', `/api/parent/delete-parent/${gone.family.id}`, { token });
    const traces = await tablesWith(app.context.db, [gone.family.id, gone.id]);
    for (const table of ['pickups', 'kiosk_pins', 'kiosk_codes', 'kiosk_grants', 'kiosk_requests'])
      expect(traces).not.toContain(table);
    return { kiosk, kept, gone, pairing: pairing.code as string, traces };
  });
  const restored = { ...env };
  if (testDialect === 'postgres') restored.DATABASE_URL = String((await makeEnv()).DATABASE_URL);
  else
    for (const name of readdirSync(String(env.DATA_DIR)).filter((one) => one.startsWith('haris.db')))
      renameSync(join(String(env.DATA_DIR), name), join(String(env.DATA_DIR), `aside-${name}`));
  expect(await runServerProgram('restore', [file], restored)).toMatchObject({ code: 0 });
  await withApp(restored, (app) => expectNothingRevived(app, was));
});

interface Was {
  readonly kiosk: { readonly id: string; readonly token: string };
  readonly kept: { family: Family; id: string; visit: string; grant: string; code: string };
  readonly gone: { family: Family; id: string };
  readonly pairing: string;
  readonly traces: readonly string[];
}

async function expectNothingRevived(
  app: TestApp,
  { kiosk, kept, gone, pairing, traces }: Was,
): Promise<void> {
  const token = await app.staff();
  const { kiosks } = await app.expect(200, 'GET', '/api/kiosks', { token });
  expect(kiosks).toMatchObject([{ _id: kiosk.id, name: 'Entrance', isPaired: false }]);
  expect((await app.ask('GET', '/api/kiosk', { token: kiosk.token })).status).toBe(401);
  expect((await app.ask('POST', '/api/kiosk/pair', { json: { code: pairing } })).status).toBe(400);
  expect((await app.expect(200, 'GET', '/api/kiosk-requests', { token })).requests).toEqual([]);
  const again = { id: kiosk.id, token: await pairAgain(app, kiosk.id) };
  expect((await tryPin(app, again, '6001', '8305')).status).toBe(403);
  const ask = (url: string, json: object) => app.ask('POST', url, { token: again.token, json });
  expect((await ask('/api/kiosk/identify', { code: kept.code })).status).toBe(400);
  const wish = { grant: kept.grant, kind: 'pick_up', childIds: [kept.id] };
  expect((await ask('/api/kiosk/requests', wish)).status).toBe(400);
  expect((await app.ask('GET', `/api/kiosk/requests/${kept.visit}`, { token: again.token })).status).toBe(
    404,
  );
  const found = await app.expect(200, 'GET', `/api/search?q=${gone.family.email}`, { token });
  expect(found).toMatchObject({ children: [], parents: [] });
  // What the deletion left before, the restored database may have too, and nothing else.
  for (const table of await tablesWith(app.context.db, [gone.family.id, gone.id]))
    expect(traces).toContain(table);
  expect(await tablesWith(app.context.db, ['Unmistakable 6002', gone.family.email])).toEqual([]);
}

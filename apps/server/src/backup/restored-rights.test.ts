/** A backup gives nobody back the right to take a child home that the desk has taken away since (decision 049). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandOver } from '@haris/contract/http/hand-over';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAuditTrail } from '../db/audit.ts';
import { type FreshDatabase, freshDb } from '../testing/database.ts';
import { addGuardian } from '../testing/guardians.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { runServerProgram } from '../testing/server-programs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'haris-rights-'));
const backup = join(scratch, 'before.backup');
const databases: FreshDatabase[] = [];

let first: Family;
let second: Family;
let asked: Family;
let child: string;
/** One of a single guardian. */
let plain: string;
let place: Place;
let text: string;

interface Place {
  readonly env: Record<string, string>;
}

async function makePlace(name: string): Promise<Place> {
  const database = await freshDb();
  databases.push(database);
  return {
    env: { DATA_DIR: join(scratch, name), ...(database.url ? { DATABASE_URL: database.url } : {}) },
  };
}

async function withApp<T>({ env }: Place, work: (app: TestApp, token: string) => Promise<T>): Promise<T> {
  const app = await startTestApp({ config: env });
  return app
    .staff()
    .then((token) => work(app, token))
    .finally(() => app.close());
}

const listed = async (app: TestApp, token: string, id: string) => {
  const { body } = await app.ask('GET', `/api/children/${id}/hand-over`, { token });
  const { adults, notTaking } = body as unknown as HandOver;
  return { adults: adults.map(({ _id }) => _id), notTaking: notTaking.map(({ _id }) => _id) };
};

beforeAll(async () => {
  const source = await makePlace('source');
  let recovery = '';
  await withApp(source, async (app, token) => {
    [first, second, asked] = [await app.makeFamily(), await app.makeFamily(), await app.makeFamily()];
    child = (await app.makeChild(first))._id;
    plain = (await app.makeChild(first))._id;
    await addGuardian(app, child, second.id);
    await addGuardian(app, child, asked.id, { accepted_at: null });
    expect(await listed(app, token, child)).toEqual({ adults: [first.id, second.id], notTaking: [] });
    expect((await runServerProgram('backup', [backup], app.env)).code).toBe(0);
    recovery = (await runServerProgram('backup', ['--recovery-key'], app.env)).text.split('\n')[0] ?? '';
    // A court's order, a day after the backup.
    await app.expect(200, 'PUT', `/api/children/${child}/guardians/${second.id}`, {
      ...{ token, json: { mayLive: true, mayEdit: true, mayCollect: true, mayTake: false } },
    });
  });
  place = await makePlace('target');
  const restored = await runServerProgram('restore', [backup], { ...place.env, RECOVERY_KEY: recovery });
  expect(restored.code, restored.text).toBe(0);
  text = restored.text;
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

test('who was limited since the backup takes no child after its restore, until the desk says so', async () => {
  expect(text).toContain('2 guardians beside the first one of a child take it home no more');
  await withApp(place, async (app, token) => {
    expect(await listed(app, token, child)).toEqual({ adults: [first.id], notTaking: [second.id] });
    expect(await listed(app, token, plain)).toEqual({ adults: [first.id], notTaking: [] });
    const url = `/api/children/${child}/guardians`;
    const { guardians } = await app.expect(200, 'GET', url, { token });
    expect(Object.fromEntries(guardians.map((one) => [one.parentId, one.mayTake]))).toEqual({
      [first.id]: true,
      [second.id]: false,
      [asked.id]: false,
    });
    // The other rights are as they were, and each loss is in the ledger.
    expect(guardians.find(({ parentId }) => parentId === second.id)).toMatchObject({
      ...{ mayLive: true, mayEdit: true, mayCollect: true },
    });
    const { entries } = await app.expect(200, 'GET', `/api/audit?subject=${child}`, { token });
    const limited = entries.filter(({ action }) => action === 'guardian.limited');
    expect(limited.map(({ actor, details }) => [actor, details])).toEqual(
      expect.arrayContaining(
        [second, asked].map(({ id }) => [null, { parentId: id, mayTake: false, replayed: true }]),
      ),
    );
    expect(limited).toHaveLength(2);
    const { db, vault } = app.context;
    expect(await verifyAuditTrail(db, vault)).toMatchObject({ whole: true });
    const json = { mayLive: true, mayEdit: true, mayCollect: true, mayTake: true };
    await app.expect(200, 'PUT', `${url}/${second.id}`, { token, json });
    expect((await listed(app, token, child)).adults).toEqual([first.id, second.id]);
  });
  // The start after that takes nothing away again.
  await withApp(place, async (app, token) =>
    expect((await listed(app, token, child)).adults).toEqual([first.id, second.id]),
  );
});

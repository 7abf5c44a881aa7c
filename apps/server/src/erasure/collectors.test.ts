/** Adults who may pick up a child no longer are erased after a month, unless a record names them (decision 049). */
import { ENDED_COLLECTORS_KEPT_DAYS } from '@haris/contract/constants';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanOnce } from '../housekeeping.ts';
import { fakePhoto } from '../testing/fake-vision.ts';
import { type Family, startTestApp, type TestApp } from '../testing/harness.ts';
import { readErasures } from './record.ts';
import { replayErasures } from './replay.ts';

const HALF_A_DAY = 12 * 3_600_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function makeChild(): Promise<{ family: Family; child: string }> {
  const family = await app.makeFamily();
  return { family, child: (await app.makeChild(family))._id };
}

async function nameCollector(child: string, name: string): Promise<string> {
  const json = { name, relation: 'Aunt' };
  const token = await app.staff();
  return (await app.expect(201, 'POST', `/api/children/${child}/collectors`, { token, json })).collector._id;
}

const end = async (collector: string) =>
  app.expect(200, 'DELETE', `/api/collectors/${collector}`, { token: await app.staff() });

/** Lets days pass as on a running server, which looks at its clock more than once a day. */
async function pass(days: number): Promise<void> {
  for (let left = 2 * days; left > 0; left--) {
    app.clock.advance(HALF_A_DAY);
    await cleanOnce(app.context);
  }
}

const idsOf = async (child: string) =>
  (await app.context.db.selectFrom('collectors').select('id').where('child_id', '=', child).execute())
    .map(({ id }) => id)
    .sort();

const erasedOf = async (child: string) => {
  const url = `/api/audit?subject=${child}&limit=200`;
  const { entries } = await app.expect(200, 'GET', url, { token: await app.staff() });
  return entries.filter(({ action }) => action === 'collector.erased');
};

test('a month after the end; not who took the child or is barred, nor who may still pick up', async () => {
  const { family, child } = await makeChild();
  const token = await app.staff();
  const listed = await nameCollector(child, 'Salma Nabil');
  const unnamed = await nameCollector(child, 'Dalia Zaki');
  const taker = await nameCollector(child, 'Rania Fouad');
  const barred = await nameCollector(child, 'Hoda Salem');
  const late = await nameCollector(child, 'Noha Lotfy');
  await app.expect(201, 'POST', `/api/collectors/${unnamed}/pass`, family);
  await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token });
  await app.expect(200, 'POST', `/api/children/checkout-child/${child}`, {
    token,
    json: { collectorId: taker, document: { kind: 'national_id', last: '0035' } },
  });
  for (const one of [unnamed, taker, barred]) await end(one);
  const json = { name: 'Somebody', adultId: barred };
  await app.expect(201, 'POST', `/api/children/${child}/barred`, { token, json });
  const all = [listed, unnamed, taker, barred, late];

  await pass(ENDED_COLLECTORS_KEPT_DAYS - 1);
  expect(await idsOf(child)).toEqual([...all].sort());
  expect(await erasedOf(child)).toEqual([]);
  await end(late);
  await pass(2);
  expect(await idsOf(child)).toEqual([listed, taker, barred, late].sort());
  const passes = app.context.db.selectFrom('collector_passes').select('id');
  expect(await passes.where('collector_id', '=', unnamed).execute()).toEqual([]);
  expect(await erasedOf(child)).toMatchObject([{ actor: null, details: { collectorId: unnamed } }]);
  const recorded = readErasures(app.dataDir).filter(({ kind }) => kind === 'collector');
  expect(recorded.map(({ id }) => id)).toEqual([unnamed]);
});

test('one whom the restore of an older backup brings back is erased again, with the photo', async () => {
  const { child } = await makeChild();
  const token = await app.staff();
  const back = await nameCollector(child, 'Dalia Zaki');
  const form = { photo: fakePhoto() };
  const { collector } = await app.expect(200, 'PUT', `/api/collectors/${back}/photo`, { token, form });
  const erasures = [{ kind: 'collector', id: back, at: app.clock.now() }] as const;
  const { db, audit } = app.context;
  expect(await replayErasures({ db, audit, isBarred: async () => true }, erasures)).toEqual({
    people: 1,
    keys: 0,
  });
  expect(await replayErasures({ db, audit, isBarred: async () => true }, erasures)).toEqual({
    people: 0,
    keys: 0,
  });
  expect(await idsOf(child)).toEqual([]);
  expect((await app.ask('GET', String(collector.photo), { token })).status).toBe(404);
  const details = { replayed: true, collectorId: back };
  expect(await erasedOf(child)).toMatchObject([{ actor: null, details }]);
});

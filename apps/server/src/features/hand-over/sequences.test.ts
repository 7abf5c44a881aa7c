/**
 * Random sequences of calls at two desks, with barred adults, expired lists, same names, siblings, replays, undone checkouts and
 * clocks that jump: no child leaves without a listed adult and a live secret, or the recorded word of staff (decision 049).
 */
import { seeded } from '@haris/painter/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeClock } from '../../testing/clock.ts';
import { checkOutTwice } from '../../testing/hand-over-checkouts.ts';
import { type Desks, makeDesks, resetDesks, START } from '../../testing/hand-over-desks.ts';
import { checkIn, steps } from '../../testing/hand-over-steps.ts';
import { startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';

/** `HARIS_SEQUENCES=5000 npx vitest run …` plays more; `HARIS_SEQUENCE=17` only the one with this seed. */
const only = process.env.HARIS_SEQUENCE;
/** Fewer on PostgreSQL, where each call takes longer. */
const count = Number(process.env.HARIS_SEQUENCES ?? (testDialect === 'postgres' ? 50 : 100));
const seeds = only === undefined ? Array.from({ length: count }, (_, seed) => seed) : [Number(only)];
const STEPS = 14;
/** Sequences of one test, so that none takes longer than the limit of a test. */
const PORTION = 25;
const portions = Array.from({ length: Math.ceil(seeds.length / PORTION) }, (_, index) =>
  seeds.slice(index * PORTION, (index + 1) * PORTION),
);

let app: TestApp;
let desks: Desks;

beforeAll(async () => {
  app = await startTestApp({ clock: makeClock(START) });
  desks = await makeDesks(app);
});
afterAll(() => app.close());

/** Releases that lack what the facility requires, and children whose place is not that of the model. */
async function findFaults(): Promise<string[]> {
  const faults = desks.faults.splice(0);
  const bare = await app.context.db
    .selectFrom('stays')
    .leftJoin('releases', 'releases.stay_id', 'stays.id')
    .select('stays.id')
    .where('stays.exit_time', 'is not', null)
    .where('stays.voided_at', 'is', null)
    .where((eb) => eb.or([eb('releases.adult_id', 'is', null), eb('releases.proof', 'is', null)]))
    .execute();
  faults.push(...bare.map(({ id }) => `stay ${id} ended without an adult or a proof`));
  for (const { id, stay } of desks.children) {
    const { child } = await app.expect(200, 'GET', `/api/children/get-child/${id}`, { token: desks.owner });
    if (child.isInside !== (stay !== null)) faults.push(`child ${id}: inside is ${child.isInside}`);
  }
  return faults;
}

test.each(portions.map((portion) => [portion[0], portion] as const))(
  'sequences from seed %i on: nobody takes a child without being listed, and proving it',
  async (_first, portion) => {
    for (const seed of portion) {
      const random = seeded(seed * 7919 + 1);
      await resetDesks(desks, random);
      for (let child = 0; child < 3; child++) await checkIn(desks, random);
      for (let step = 0; step < STEPS; step++)
        if (random.chance(0.45)) await checkOutTwice(desks, random);
        else await random.pick(steps)(desks, random);
      expect({ seed, faults: await findFaults(), story: desks.story }).toEqual({
        ...{ seed, faults: [], story: desks.story },
      });
    }
  },
);

test('the sequences released and refused enough to say something', () => {
  expect(desks.released).toBeGreaterThan(seeds.length / 2);
  expect(desks.refused).toBeGreaterThan(seeds.length / 2);
});

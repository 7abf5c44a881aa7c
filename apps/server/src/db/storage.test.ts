/** The probe of a database that does not respond: its own limit ends it, and the clock is the test's. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from './schema.ts';
import { watchStorage } from './storage.ts';

class SilentDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return new Promise(() => {});
  }
}

afterEach(() => void vi.useRealTimers());

test('a database that never answers is down after two seconds, for each who asks, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SilentDriver(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const storage = watchStorage(db, null);
  const answered: string[] = [];
  const ask = () => void storage.probe().then((state) => answered.push(state));
  ask();
  ask();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(answered).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toEqual(['down', 'down']);
  // A second later it is asked again, and waits as long for the same silence.
  await vi.advanceTimersByTimeAsync(1_000);
  ask();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(answered).toEqual(['down', 'down', 'down']);
  storage.stop();
});

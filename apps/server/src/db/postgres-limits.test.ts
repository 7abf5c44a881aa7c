/** A PostgreSQL that hangs, and a server that was paused in a transaction: all other requests get a response in time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@haris/runtime/log';
import { expect, test } from 'vitest';
import { freshDb, testDialect } from '../testing/database.ts';
import { startTestApp } from '../testing/harness.ts';
import { openSlowNetwork } from '../testing/slow-network.ts';
import { lockEventOrder } from './events.ts';
import { openDatabase } from './open.ts';
import { inTransaction } from './transaction.ts';

/** Only ends a test that hangs: while PostgreSQL is silent, two time-outs of the driver of 12 s end a call. */
const ANSWER_WITHIN_MS = 240_000;

test.runIf(testDialect === 'postgres')(
  'a frozen PostgreSQL: readyz and a check-in are 503, and all is well once it is back',
  async () => {
    const database = await freshDb();
    const url = new URL(String(database.url));
    const network = await openSlowNetwork(Number(url.port));
    url.port = String(network.port);
    const app = await startTestApp({ config: { DATABASE_URL: url.href } });
    try {
      const staff = await app.staff();
      const child = (await app.makeChild(await app.makeFamily()))._id;
      const checkIn = () => app.ask('POST', `/api/children/checkin-child/${child}`, { token: staff });
      network.freeze();
      const answers = Promise.all([
        checkIn(),
        checkIn(),
        app.ask('GET', '/api/admin/info', { token: staff }),
      ]);
      const ready = await app.app.inject('/readyz');
      expect(ready.statusCode).toBe(503);
      expect(ready.json()).toMatchObject({ parts: { database: 'down' } });
      const late = sleep(ANSWER_WITHIN_MS, 'hanging', { ref: false });
      expect(await Promise.race([answers, late])).toMatchObject(
        [1, 2, 3].map(() => ({ status: 503, body: { code: 'unavailable' } })),
      );
      network.thaw();
      // The request in progress was written once or not at all, never twice.
      await expect
        .poll(async () => [200, 409].includes((await checkIn()).status), { timeout: 240_000 })
        .toBe(true);
      expect((await checkIn()).status).toBe(409);
      await expect
        .poll(async () => (await app.app.inject('/readyz')).json().parts.database, { timeout: 240_000 })
        .toBe('ok');
    } finally {
      network.close();
      await app.close();
      await database.drop();
    }
  },
);

test.runIf(testDialect === 'postgres')(
  'a server that is paused in a transaction holds the others up for some seconds, not for ever',
  async () => {
    const app = await startTestApp();
    const other = await openDatabase({
      databaseUrl: String(app.env.DATABASE_URL),
      dataDir: app.dataDir,
      log: createLogger('other', 'fatal'),
    });
    try {
      const staff = await app.staff();
      const child = (await app.makeChild(await app.makeFamily()))._id;
      // As after SIGSTOP: the lock is held, and no further statement follows.
      let isTaken = (): void => {};
      const taken = new Promise<void>((resolve) => {
        isTaken = resolve;
      });
      let goOn = (): void => {};
      const paused = inTransaction(other.db, async (tx) => {
        await lockEventOrder(tx);
        isTaken();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await lockEventOrder(tx);
      });
      const end = expect(paused).rejects.toThrow();
      await taken;
      await app.expect(200, 'POST', `/api/children/checkin-child/${child}`, { token: staff });
      goOn();
      await end;
    } finally {
      await other.close();
      await app.close();
    }
  },
);

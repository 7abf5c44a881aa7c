/** A whole server without a port: the real parts on a new database and data folder, tested through the API. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { ensureFirstAdministrator } from '../features/accounts/staff.ts';
import type { IncidentStepReceiver } from '../incident-step.ts';
import { openContext } from '../start.ts';
import type { VisionAddress } from '../vision/address.ts';
import type { VisionClient } from '../vision/client.ts';
import type { OpenApiDocument } from './answers.ts';
import { type Asker, makeAsker } from './ask.ts';
import { makeClock, type TestClock } from './clock.ts';
import { freshMigratedDb, testDialect } from './database.ts';
import { fakePainter } from './fake-painter.ts';
import { type FakeVision, makeFakeVision } from './fake-vision.ts';
import { captureLog } from './log.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, makePeople, type People } from './people.ts';

export type { AnyBody } from './any-body.ts';
export type { Answer, Ask } from './ask.ts';
export {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Employee,
  type Family,
  loginPath,
  makeNationalId,
} from './people.ts';

export const PUBLIC_URL = 'https://haris.test';

export interface TestAppOptions {
  readonly clock?: TestClock;
  readonly vision?: VisionClient;
  /** Engine at the other end of the live link. */
  readonly live?: { address(): VisionAddress | null };
  /** Receives the steps of incidents. */
  readonly receiveStep?: IncidentStepReceiver;
  /** Shares database, data folder and clock with this app; PostgreSQL only. Close the new app first. */
  readonly beside?: TestApp;
  /** On PostgreSQL, the server's role is not a superuser, so that row-level security limits it. */
  readonly isLimited?: boolean;
  /** Environment variables on top of the harness's own. */
  readonly config?: Readonly<Record<string, string>>;
}

export interface TestApp extends Asker, People {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly clock: TestClock;
  /** The fake engine, unless the test has its own. */
  readonly vision: FakeVision;
  readonly logLines: string[];
  /** The first administrator, if its password was generated (without `ADMIN_EMAIL` and `ADMIN_PASSWORD`). */
  readonly printed: { readonly email: string; readonly password: string } | null;
  readonly dataDir: string;
  /** Environment variables with which another process can open the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly document: OpenApiDocument;
  /** Clears the rate limits, for tests that make many children. */
  forgetLimits(): Promise<void>;
  close(): Promise<void>;
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside } = options;
  const clock = options.clock ?? beside?.clock ?? makeClock();
  const vision = options.vision ?? makeFakeVision();
  const { log, lines } = captureLog();
  const database = beside
    ? { url: beside.env.DATABASE_URL, drop: async () => {}, putInto: () => {} }
    : await freshMigratedDb(options.isLimited);
  const dataDir = beside?.dataDir ?? mkdtempSync(join(tmpdir(), 'haris-test-'));
  database.putInto(dataDir);
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    PUBLIC_URL,
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    LOG_LEVEL: 'info',
    MQTT_PORT: '0',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
    ...options.config,
  };
  const config = loadConfig(env, { demo: false, base: dataDir });
  const { context, close } = await openContext({
    config,
    log,
    vision,
    visionAddress: () => options.live?.address() ?? null,
    clock,
    publicUrl: () => config.publicUrl ?? PUBLIC_URL,
  });
  const printed = await ensureFirstAdministrator(context);
  const app = await buildApp(context, {
    web: false,
    sweepsIncidents: false,
    loadPainter: async () => fakePainter,
    ...(options.receiveStep ? { receiveStep: options.receiveStep } : {}),
  });
  const document = (await app.inject({ url: '/api/openapi.json' })).json() as OpenApiDocument;
  const asker = makeAsker(app, document);

  return {
    app,
    context,
    clock,
    vision: vision as FakeVision,
    logLines: lines,
    printed,
    dataDir,
    env,
    document,
    ...asker,
    ...makePeople(context, asker),
    async forgetLimits() {
      await context.db.deleteFrom('throttle_hits').execute();
    },
    async close() {
      await app.close();
      await close();
      await database.drop();
      if (!beside) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export { testDialect };

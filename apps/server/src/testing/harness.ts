/** A whole server without a port: the real parts over a fresh database and data folder, asked through the front door. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdultCandidate, ErrorCode, FaceCandidate } from '@haris/contract/errors';
import type { Camera, Sighting } from '@haris/contract/http/cameras';
import type { Evacuation, Incident } from '@haris/contract/http/incidents';
import type { FailedNotice, NoticePreferences, NoticeTest, Webhook } from '@haris/contract/http/notices';
import type { Recognition } from '@haris/contract/http/recognition';
import type { HistoryPoint, HomeAssistantAccount, Sensor } from '@haris/contract/http/sensors';
import type { Registration } from '@haris/contract/http/vouching';
import type { Admin, AuditEntry, Child, Parent, Settings } from '@haris/contract/objects';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { buildApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { ensureFirstAdmin } from '../features/accounts/staff.ts';
import type { IncidentStepReceiver } from '../incident-step.ts';
import { openContext } from '../start.ts';
import { hashToken } from '../vault/vault.ts';
import type { VisionAddress } from '../vision/address.ts';
import type { VisionClient } from '../vision/client.ts';
import { makeAnswerChecker, type OpenApiDocument } from './answers.ts';
import { makeClock, type TestClock } from './clock.ts';
import { freshDb, testDialect } from './database.ts';
import { type FakeVision, fakePhoto, makeFakeVision } from './fake-vision.ts';
import { encodeForm, type FormParts } from './form.ts';
import { captureLog } from './log.ts';
import { type ReadMail, readOutbox } from './outbox.ts';

export const ADMIN_EMAIL = 'first@haris.test';
export const ADMIN_PASSWORD = 'first-password';
export const PUBLIC_URL = 'https://haris.test';

/** Every field that any answer has; which of them are there, the OpenAPI document decides and the harness checks. */
export interface AnyBody {
  readonly message: string;
  /** Of a failure; a code for the desk is six digits. */
  readonly code: ErrorCode | `${number}`;
  readonly fields: Record<string, string>;
  readonly candidates: FaceCandidate[];
  readonly adults: AdultCandidate[];
  readonly lookalikes: FaceCandidate[];
  readonly photos: number;
  readonly token: string;
  readonly parent: Parent;
  readonly parents: Parent[];
  readonly child: Child;
  readonly children: Child[];
  readonly admin: Admin;
  readonly admins: Admin[];
  readonly total: number;
  readonly nextCursor: string | null;
  readonly settings: Settings;
  readonly entries: AuditEntry[];
  readonly camera: Camera;
  readonly cameras: Camera[];
  readonly sightings: Sighting[];
  readonly language: string;
  readonly created: number;
  readonly sensor: Sensor;
  readonly sensors: Sensor[];
  readonly account: HomeAssistantAccount;
  readonly accounts: HomeAssistantAccount[];
  readonly points: HistoryPoint[];
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  readonly deviceKey: string;
  readonly esphomeYaml: string;
  readonly publicKey: string;
  readonly device: { _id: string; device: string; isThisSession: boolean };
  readonly devices: { _id: string; device: string; isThisSession: boolean }[];
  readonly preferences: NoticePreferences;
  readonly test: NoticeTest;
  readonly failures: FailedNotice[];
  readonly webhook: Webhook;
  readonly recognition: Recognition;
  readonly secret: string | null;
  readonly registration: Registration;
  readonly ticket: string;
  readonly expiresAt: string;
  readonly incident: Incident;
  readonly incidents: Incident[];
  readonly evacuation: Evacuation;
  readonly data: { encoding: number[]; model: string; quality: number };
  readonly faces: {
    box: [number, number, number, number];
    match: { childId: string; name: string; parentName: string; similarity: number } | null;
    question?: FaceCandidate[];
  }[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Parsed JSON; an empty object where there is none. */
  readonly body: AnyBody;
}

export interface Ask {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart. */
  readonly form?: FormParts;
  /** Sent as it is, with `headers`. */
  readonly payload?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Network address it comes from; failures to sign in are counted by it. */
  readonly from?: string;
}

export interface Family {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface Employee extends Family {
  readonly nationalId: string;
}

export interface TestAppOptions {
  readonly clock?: TestClock;
  readonly vision?: VisionClient;
  /** Where the live wire leads. */
  readonly live?: { address(): VisionAddress | null };
  /** Takes the steps of incidents. */
  readonly receiveStep?: IncidentStepReceiver;
  /** Another server on the database, the data folder and the clock of this one; PostgreSQL only. Close it first. */
  readonly beside?: TestApp;
  /** Environment variables on top of the harness's own. */
  readonly config?: Readonly<Record<string, string>>;
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly clock: TestClock;
  /** The fake engine; only where the test did not bring its own. */
  readonly vision: FakeVision;
  readonly logLines: string[];
  readonly dataDir: string;
  /** Environment with which another process can open the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly document: OpenApiDocument;
  /** Sends a request, and checks the answer against the OpenAPI document. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, ask?: Ask): Promise<Answer>;
  /** As {@link ask}, and fails the test unless the status is this. */
  expect(status: number, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, ask?: Ask): Promise<AnyBody>;
  /** The first administrator's token, with a fresh proof. */
  staff(): Promise<string>;
  /** Gives a session a fresh proof without a row in the audit log, for tests that move the clock. */
  proveNow(token: string): Promise<void>;
  makeFamily(over?: { name?: string; email?: string; phone?: string; password?: string }): Promise<Family>;
  makeEmployee(over?: { name?: string; email?: string }): Promise<Employee>;
  makeChild(family: { id: string }, name?: string, photo?: Buffer): Promise<Child>;
  /** The desk confirms all that waits for a child, whoever looks alike. */
  confirmChild(childId: string): Promise<Child>;
  /** What was counted against the day's limits of a parent is forgotten, for tests that make many children. */
  forgetLimits(): Promise<void>;
  signIn(kind: 'parent' | 'admin', email: string, password: string): Promise<string>;
  outbox(to?: string): Promise<ReadMail[]>;
  /** The newest mail to an address; fails the test when there is none. */
  lastMail(to: string): Promise<ReadMail>;
  close(): Promise<void>;
}

export const loginPath = {
  parent: '/api/parent/get-parent-by-email-and-password',
  admin: '/api/admin/login',
} as const;

let people = 0;

/** A national ID that nobody else has. */
export function makeNationalId(): string {
  people++;
  return `2990101${String(people).padStart(7, '0')}`;
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside } = options;
  const clock = options.clock ?? beside?.clock ?? makeClock();
  const vision = options.vision ?? makeFakeVision();
  const { log, lines } = captureLog();
  const database = beside ? { url: beside.env.DATABASE_URL, drop: async () => {} } : await freshDb();
  const dataDir = beside?.dataDir ?? mkdtempSync(join(tmpdir(), 'haris-test-'));
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
  await ensureFirstAdmin(context);
  const app = await buildApp(context, {
    web: false,
    sweepsIncidents: false,
    ...(options.receiveStep ? { receiveStep: options.receiveStep } : {}),
  });
  const document = (await app.inject({ url: '/api/openapi.json' })).json() as OpenApiDocument;
  const checker = makeAnswerChecker(document);
  let staffToken: { token: string; usedAt: number } | null = null;

  const ask: TestApp['ask'] = async (method, url, asked = {}) => {
    const headers: Record<string, string> = {};
    if (asked.token !== undefined) headers.authorization = `Bearer ${asked.token}`;
    let payload: string | Buffer | undefined = asked.payload;
    if (asked.json !== undefined) {
      payload = JSON.stringify(asked.json);
      headers['content-type'] = 'application/json';
    } else if (asked.form) {
      const form = await encodeForm(asked.form);
      payload = form.payload;
      headers['content-type'] = form.contentType;
    }
    Object.assign(headers, asked.headers);
    const answer = await app.inject({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
      ...(asked.from ? { remoteAddress: asked.from } : {}),
    });
    const bytes = answer.rawPayload;
    checker.check(method, url, { status: answer.statusCode, headers: answer.headers, bytes });
    const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
    const body = (isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : {}) as AnyBody;
    return { status: answer.statusCode, headers: answer.headers, bytes, body };
  };

  const expectStatus: TestApp['expect'] = async (status, method, url, asked) => {
    const answer = await ask(method, url, asked);
    expect(answer.status, `${method} ${url}: ${answer.bytes.toString('utf8').slice(0, 300)}`).toBe(status);
    return answer.body;
  };

  const test: TestApp = {
    app,
    context,
    clock,
    vision: vision as FakeVision,
    logLines: lines,
    dataDir,
    env,
    document,
    ask,
    expect: expectStatus,
    async signIn(kind, email, password) {
      return (await expectStatus(200, 'POST', loginPath[kind], { json: { email, password } })).token;
    },
    async staff() {
      // A test may have moved the clock beyond the session's idle time.
      const ended = !staffToken || clock.now() - staffToken.usedAt > 11 * 3_600_000;
      const token = ended ? await test.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD) : staffToken?.token;
      staffToken = { token: String(token), usedAt: clock.now() };
      await test.proveNow(staffToken.token);
      return staffToken.token;
    },
    async proveNow(token) {
      await context.db
        .updateTable('sessions')
        .set({ proved_at: clock.now() })
        .where('token_hash', '=', hashToken(token))
        .execute();
    },
    async makeFamily(over = {}) {
      people++;
      const name = over.name ?? `Parent ${people}`;
      const email = over.email ?? `parent${people}@family.test`;
      const password = over.password ?? `secret-${people}`;
      const phone = over.phone ?? `010${String(people).padStart(8, '0')}`;
      const token = await test.staff();
      const json = { name, email, phone, password };
      const { parent } = await expectStatus(201, 'POST', '/api/parent/create-parent', { token, json });
      await expectStatus(200, 'POST', `/api/parent/mark-verified/${parent._id}`, { token });
      return { id: parent._id, name, email, password, token: await test.signIn('parent', email, password) };
    },
    async makeEmployee(over = {}) {
      const nationalId = makeNationalId();
      const name = over.name ?? `Employee ${people}`;
      const email = over.email ?? `employee${people}@haris.test`;
      const password = `password-${people}`;
      const json = { name, email, password, nationalId };
      const { admin } = await expectStatus(201, 'POST', '/api/admin/create-admin', {
        token: await test.staff(),
        json,
      });
      const mail = await test.lastMail(email);
      await expectStatus(200, 'GET', `/api/admin/verify/email/${mail.token}`);
      // As if the employee had chosen it.
      await context.db
        .updateTable('admins')
        .set({ password_set_by: null })
        .where('id', '=', admin._id)
        .execute();
      const token = await test.signIn('admin', email, password);
      return { id: admin._id, name, email, password, nationalId, token };
    },
    async makeChild(family, name = 'A Child', photo = fakePhoto()) {
      const { child } = await expectStatus(201, 'POST', `/api/children/create-child/${family.id}`, {
        token: await test.staff(),
        form: { name, photo },
      });
      return child;
    },
    async confirmChild(childId) {
      const json = { accept: true, confirm: true };
      const token = await test.staff();
      return (await expectStatus(200, 'POST', `/api/children/${childId}/confirm`, { token, json })).child;
    },
    async forgetLimits() {
      await context.db.deleteFrom('throttle_hits').execute();
    },
    outbox: (to) => readOutbox(config.dataDir, to),
    async lastMail(to) {
      const mail = (await readOutbox(config.dataDir, to)).at(-1);
      if (!mail) throw new Error(`no mail to ${to}`);
      return mail;
    },
    async close() {
      await app.close();
      await close();
      await database.drop();
      if (!beside) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return test;
}

export { testDialect };

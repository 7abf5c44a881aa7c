/** The health of the installation over HTTP: who reads it, what the running server finds, and what it never says. */
import { readFileSync } from 'node:fs';
import { HEALTH_CHECKS, HEALTH_KEPT_MS, type HealthFinding, healthRoutes } from '@haris/contract/http/health';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inTransaction } from '../../db/transaction.ts';
import { MAIN_FACILITY } from '../../facility.ts';
import { writeMailServer } from '../../mail/server.ts';
import { atFacility, makeFacility } from '../../testing/at-facility.ts';
import { startTestApp, type TestApp, testDialect } from '../../testing/harness.ts';
import { masterKeyFile, recoveryKeyOf } from '../../vault/master-key.ts';
import { VERSION } from '../../version.ts';
import { openHealth } from './health.ts';

/** No test connects to an address outside. */
const HERE = 'https://127.0.0.1:9';
const camera = {
  ...{ name: 'Camera of the hall', area: 'Hall', kind: 'rtsp' },
  url: 'rtsp://viewer:camera-secret@192.168.7.7/stream',
};

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp({ config: { PUBLIC_URL: HERE } });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

async function read(by: TestApp = app) {
  const answer = await by.expect(200, 'GET', '/api/health', { token: await by.staff() });
  return healthRoutes.getHealth.answer.parse(answer);
}
const of = (findings: readonly HealthFinding[], id: string) => findings.find((one) => one.id === id);

/** The status for somebody with these roles, asked at the first facility. */
async function statusWith(roles: readonly { roleId: string; facilityId: string }[]): Promise<number> {
  const { id, token } = await app.makeEmployee();
  await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: await app.staff(), json: { roles } });
  return (await atFacility(app, MAIN_FACILITY).ask('GET', '/api/health', { token })).status;
}

test('only who operates the whole installation reads it', async () => {
  const at = (roleId: string, ...facilities: string[]) =>
    statusWith(facilities.map((facilityId) => ({ roleId, facilityId })));
  expect((await app.ask('GET', '/api/health')).status).toBe(401);
  const { token } = await app.makeFamily();
  expect(await app.ask('GET', '/api/health', { token })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  for (const roleId of ['teacher', 'desk', 'inspector', 'manager'])
    expect(await at(roleId, MAIN_FACILITY), roleId).toBe(403);
  expect(await at('owner', MAIN_FACILITY)).toBe(200);
  const second = await makeFacility(app, 'Second');
  expect(await at('manager', MAIN_FACILITY, second)).toBe(403);
  expect(await at('owner', MAIN_FACILITY)).toBe(403);
  expect(await at('owner', MAIN_FACILITY, second)).toBe(200);
  // An old proof is enough.
  const owner = await app.staff();
  app.clock.advance(60 * 60_000);
  expect((await app.ask('GET', '/api/health', { token: owner })).status).toBe(200);
});

test('the running server tells what it knows itself, the worst first', async () => {
  app.vision.up = false;
  const check = vi.spyOn(app.context.integrity, 'check');
  const { findings, examinedAt } = await read();
  expect(findings.map(({ id }) => id).toSorted()).toEqual([...HEALTH_CHECKS].toSorted());
  const states = findings.map(({ state }) => ['bad', 'warn', 'unknown', 'ok'].indexOf(state));
  expect(states).toEqual(states.toSorted((one, other) => one - other));
  expect(examinedAt).toBe(new Date(app.clock.now()).toISOString());
  expect(of(findings, 'version')).toEqual({ id: 'version', state: 'ok', detail: VERSION });
  expect(of(findings, 'server')).toMatchObject({ state: 'ok' });
  expect(of(findings, 'database')).toMatchObject({
    // On PostgreSQL, the tests may run as a superuser.
    state: testDialect === 'sqlite' ? 'ok' : expect.stringMatching(/^(ok|warn)$/),
    detail: expect.stringMatching(testDialect === 'sqlite' ? /^SQLite, .*no damage known$/ : /^PostgreSQL/),
  });
  expect(of(findings, 'engine')).toMatchObject({ state: 'bad', todo: expect.any(String) });
  expect(of(findings, 'broker')).toEqual({ id: 'broker', state: 'ok', detail: 'Off (MQTT_PORT=0).' });
  for (const id of ['folder', 'clock', 'keys', 'cameras'])
    expect(of(findings, id), id).toMatchObject({ state: 'ok' });
  // The file was checked at the start, and not again.
  expect(check).not.toHaveBeenCalled();
});

test('it speaks the language that is asked for, else the account’s', async () => {
  const token = await app.staff();
  async function detailOf(query: string): Promise<string | undefined> {
    const answer = await app.expect(200, 'GET', `/api/health${query}`, { token });
    return of(healthRoutes.getHealth.answer.parse(answer).findings, 'cameras')?.detail;
  }
  const english = 'None is set up.';
  const arabic = 'لم تُضف أي كاميرا.';
  expect(await detailOf('')).toBe(english);
  // The same examination, in both.
  expect(await detailOf('?language=ar')).toBe(arabic);
  await app.expect(200, 'PUT', '/api/language', { token, json: { language: 'ar' } });
  expect(await detailOf('')).toBe(arabic);
  expect(await detailOf('?language=en')).toBe(english);
  expect((await app.ask('GET', '/api/health?language=fr', { token })).status).toBe(400);
});

test('damage that the start found is told', async () => {
  vi.spyOn(app.context.integrity, 'state').mockReturnValue('damaged');
  expect(of((await read()).findings, 'database')).toMatchObject({ state: 'bad', detail: 'It is damaged.' });
});

test('it tells of all facilities, whichever its reader works at', async () => {
  const second = await makeFacility(app, 'Second');
  const there = atFacility(app, second);
  await there.expect(201, 'POST', '/api/cameras', { token: await app.staff(), json: camera });
  const { findings } = await read(atFacility(app, MAIN_FACILITY));
  expect(of(findings, 'cameras')).toMatchObject({ detail: '1 of 1 give pictures.' });
});

test('it says no secret and no name', async () => {
  const secretive = await startTestApp({
    config: {
      SMTP_URL: 'smtps://desk:smtp-secret@127.0.0.1:9',
      MQTT_URL: 'mqtt://haris:mqtt-secret@127.0.0.1:9',
      VISION_URL: 'http://127.0.0.1:9',
      VISION_TOKEN: 'vision-token-secret',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'haris',
      OIDC_CLIENT_SECRET: 'oidc-secret',
      OIDC_NAME: 'Ours',
      RECOVERY_KEY: 'recovery-secret',
      PUBLIC_URL: 'https://someone:url-secret@127.0.0.1:9',
    },
  });
  try {
    for (const one of [app, secretive]) {
      const token = await one.staff();
      await inTransaction(one.context.db, ({ trx }) =>
        writeMailServer(trx, one.context.vault, {
          host: 'mail.example.org',
          port: 465,
          security: 'tls',
          user: 'desk',
          password: 'mail-secret',
          from: 'desk@example.org',
        }),
      );
      await one.expect(201, 'POST', '/api/cameras', { token, json: camera });
      const names = one === app ? await fill(one) : [];
      one.vision.up = one === app;
      const key = readFileSync(masterKeyFile(one.dataDir));
      const url = one.env.DATABASE_URL;
      const { bytes } = await one.ask('GET', '/api/health', { token });
      const text = bytes.toString('utf8');
      expect(text).toContain(one === app ? 'Sent by mail.example.org' : 'Sent by 127.0.0.1');
      for (const hidden of [
        ...['secret', 'desk', 'viewer', '192.168.7.7', token, ...names],
        ...[key.toString('hex'), key.toString('base64'), recoveryKeyOf(one.dataDir)],
        ...(url === undefined ? [] : [url, new URL(url).password].filter((word) => word !== '')),
      ])
        expect(text).not.toContain(hidden);
    }
  } finally {
    await secretive.close();
  }
});

/** A family with a child; returns what nobody may read of it. */
async function fill(one: TestApp): Promise<string[]> {
  const family = await one.makeFamily({ name: 'Nadia Fouad', email: 'nadia@family.test' });
  await one.makeChild(family, 'Youssef Fouad');
  return ['Nadia', 'Youssef', 'family.test', family.password];
}

test('it examines at most once in ten seconds, whoever asks', async () => {
  const healthy = vi.spyOn(app.context.vision, 'healthy');
  const { token } = await app.makeEmployee();
  const first = await read();
  app.clock.advance(HEALTH_KEPT_MS - 1);
  expect(await read()).toEqual(first);
  // A refused call examines nothing.
  app.clock.advance(1);
  expect((await app.ask('GET', '/api/health', { token })).status).toBe(403);
  expect(healthy).toHaveBeenCalledTimes(1);
  expect((await read()).examinedAt).toBe(new Date(app.clock.now()).toISOString());
  expect(healthy).toHaveBeenCalledTimes(2);
});

test('one examination at a time: whoever asks meanwhile gets its findings, however long it takes', async () => {
  const waiting: (() => void)[] = [];
  vi.spyOn(app.context.vision, 'healthy').mockImplementation(
    () => new Promise((resolve) => waiting.push(() => resolve(true))),
  );
  const health = openHealth(app.context, () => 3000);
  const first = health();
  app.clock.advance(2 * HEALTH_KEPT_MS);
  const second = health();
  expect(second).toBe(first);
  await expect.poll(() => waiting.length, { timeout: 60_000, interval: 5 }).toBe(1);
  waiting[0]?.();
  const { findings } = await first;
  expect(findings.find(({ id }) => id === 'server')).toMatchObject({
    detail: { en: 'Haris answers at port 3000.' },
  });
  expect(waiting).toHaveLength(1);
});

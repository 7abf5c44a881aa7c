import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { errorBodySchema } from '@haris/contract/errors';
import { routes } from '@haris/contract/http/routes';
import { sockets } from '@haris/contract/live/sockets';
import { Validator } from '@seriousme/openapi-schema-validator';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { connectPostgres } from './db/postgres.ts';
import { asSuperuser, testDialect } from './testing/database.ts';
import { startTestApp, type TestApp } from './testing/harness.ts';
import { captureLog } from './testing/log.ts';
import { VERSION } from './version.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('the OpenAPI document', () => {
  test('is valid 3.1', async () => {
    expect(app.document).toMatchObject({ openapi: '3.1.0' });
    const verdict = await new Validator().validate(
      structuredClone(app.document) as unknown as Record<string, unknown>,
    );
    expect(verdict).toMatchObject({ valid: true });
  });

  test('has the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(app.document).toMatchObject({ info: { version } });
  });

  test('names every call and socket of the contract once', () => {
    const named = Object.entries(app.document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    const wanted = [
      ...Object.values(routes).map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`),
      ...Object.values(sockets).map(({ id, path }) => `${id} get ${path}`),
    ];
    expect(named.sort()).toEqual(wanted.sort());
  });

  test('is what the server answers: every call is registered, and nothing else is', () => {
    for (const { method, path } of Object.values(routes))
      expect(app.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }), `${method} ${path}`).toBe(
        true,
      );
    const known = new Set(Object.values(routes).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1')));
    for (const own of ['/healthz', '/readyz', '/.well-known/security.txt', '/api/openapi.json', '/api/docs'])
      known.add(own);
    for (const { path } of Object.values(sockets)) known.add(path);
    const registered = registeredPaths(app.app.printRoutes({ commonPrefix: false }));
    expect(registered.filter((path) => !known.has(path) && !path.startsWith('/api/docs'))).toEqual([]);
    expect(registered.length).toBeGreaterThanOrEqual(known.size);
  });
});

/** Paths from Fastify's printed route tree, without the methods. */
function registeredPaths(picture: string): string[] {
  const parts: string[] = [];
  return picture.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S*)( \(.+\))?$/.exec(line) ?? [];
    parts.length = indent.length / 4;
    parts.push(part);
    return methods === undefined || /\*$/.test(part) ? [] : [parts.join('')];
  });
}

describe('failures', () => {
  test('an unknown path below /api is 404 in our shape, for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const answer = await app.ask(method, '/api/nothing-here?search=Layla');
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'not_found', message: 'This was not found.' },
      });
    }
  });

  test('a path that cannot be decoded is refused in our shape', async () => {
    for (const url of ['/api/%zz', '/api/parent/info/%', '/api/photos/%c3%28']) {
      const answer = await app.ask('GET', url);
      expect([400, 401, 404]).toContain(answer.status);
      expect(answer.body.message).not.toMatch(/%|zz/);
    }
  });

  test('a method that a path does not have is 404', async () => {
    expect((await app.ask('DELETE', '/api/admin/login')).status).toBe(404);
  });

  test('a crash tells nothing of the inside', async () => {
    const broken = await startTestApp();
    const token = await broken.staff();
    await broken.context.db.schema.dropTable('settings').execute();
    const answer = await broken.ask('GET', '/api/settings', { token });
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'internal_error', message: 'An unexpected error occurred.' },
    });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
    const line = broken.logLines.find((text) => text.includes('a request failed'));
    expect(line).toContain(String(answer.headers['x-request-id']));
    await broken.close();
  });
});

describe('every answer', () => {
  test('carries the request id of its log line and the clock of the server', async () => {
    const answer = await app.ask('GET', '/api/config');
    expect(answer.headers['x-server-time']).toBe(new Date(app.clock.now()).toISOString());
    const line = app.logLines.find((text) => text.includes(String(answer.headers['x-request-id'])));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/api/config', status: 200, method: 'GET' });
  });

  test('has the headers that keep a page in its frame', async () => {
    const { headers } = await app.ask('GET', '/api/config');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

if (testDialect === 'postgres')
  test('while the database is away: 503, and again when it is back, without a restart', async () => {
    const small = await startTestApp();
    const token = await small.staff();
    const name = new URL(String(small.env.DATABASE_URL)).pathname.slice(1);
    await asSuperuser(`alter database ${name} allow_connections false`);
    await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await expect.poll(async () => (await small.ask('GET', '/api/admin/info', { token })).status).toBe(503);
    expect(await small.ask('GET', '/api/admin/info', { token })).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: 'Haris is not ready yet. Please try again in a moment.' },
    });
    expect((await small.app.inject('/readyz')).json()).toMatchObject({ parts: { database: 'down' } });
    await asSuperuser(`alter database ${name} allow_connections true`);
    await expect.poll(async () => (await small.ask('GET', '/api/admin/info', { token })).status).toBe(200);
    await small.close();
  });

if (testDialect === 'postgres')
  test('a database connection that is lost in the middle of a transaction ends no more than that', async () => {
    const log = captureLog();
    const { db, close } = connectPostgres(String(app.env.DATABASE_URL), 1, log.log);
    const transaction = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await asSuperuser(`select pg_terminate_backend(${rows[0]?.pid})`);
      await expect.poll(() => log.lines.length).toBeGreaterThan(0);
      await sql`select 1`.execute(trx);
    });
    await expect(transaction).rejects.toThrow();
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await close();
  });

describe('a connection that brings no request', () => {
  async function answerTo(words: string): Promise<string> {
    const address = app.app.server.address() as AddressInfo | null;
    if (!address) await app.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(words);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  test.each([
    ['is not HTTP', 400, 'Hello\r\n\r\n'],
    ['has headers without end', 431, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
  ])('one that %s: %i in our shape, then closed', async (_what, status, words) => {
    const [head = '', body = ''] = (await answerTo(words)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('cache-control: no-store');
    expect(z.strictObject(errorBodySchema.shape).parse(JSON.parse(body))).toMatchObject({
      code: 'invalid_body',
    });
  });

  test('a request has 75 seconds to come: Node ends what has not come by then', async () => {
    const { server } = app.app;
    expect(server.requestTimeout).toBe(75_000);
    expect(server.headersTimeout).toBeGreaterThan(0);
    expect(server.headersTimeout).toBeLessThanOrEqual(server.requestTimeout);
    // Node's message for this error.
    const socket = new PassThrough();
    const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, Object.assign(socket, { destroySoon: () => socket.end() }));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(
      z.strictObject(errorBodySchema.shape).parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).message,
    ).toBe('The request did not come in time.');
  });
});

describe('health', () => {
  test('healthz answers with the version while parts are down, readyz says which', async () => {
    expect((await app.app.inject('/healthz')).json()).toEqual({ status: 'ok', version: VERSION });
    expect((await app.app.inject('/readyz')).json()).toEqual({
      status: 'ok',
      parts: { database: 'ok', faces: 'ok', broker: 'off' },
    });
    app.vision.up = false;
    const down = await app.app.inject('/readyz');
    app.vision.up = true;
    expect(down.statusCode).toBe(503);
    expect(down.json()).toMatchObject({
      code: 'unavailable',
      parts: { database: 'ok', faces: 'down', broker: 'off' },
    });
    expect((await app.app.inject('/healthz')).statusCode).toBe(200);
  });

  test('security.txt says where to tell of a weakness', async () => {
    const answer = await app.app.inject('/.well-known/security.txt');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body.split('\n')).toEqual([
      'Contact: mailto:haris@localhost',
      expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
      'Preferred-Languages: en, ar',
      'Canonical: https://haris.test/.well-known/security.txt',
      '',
    ]);
  });

  test('the API documentation can be read', async () => {
    const page = await app.app.inject('/api/docs/');
    // The page loads nothing from other origins.
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['content-security-policy']).not.toMatch(/https?:|unsafe|validator/);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
  });
});

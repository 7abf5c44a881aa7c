import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleUnknown } from './failures.ts';
import { serveWebApp } from './web-app.ts';

const SCRIPT = 'export const greeting = "good morning";\n'.repeat(40);
const PAGE = '<!doctype html><html><head><title>Haris</title></head></html>\n';

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'haris-web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'service-worker.js'), '// worker\n');
  app = Fastify();
  handleUnknown(app, await serveWebApp(app, { folder }));
  await app.ready();
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function get(url: string, encodings?: string) {
  const headers = encodings === undefined ? {} : { 'accept-encoding': encodings };
  const answer = await app.inject({ url, headers });
  const {
    'cache-control': cached,
    'content-encoding': encoding,
    'content-type': type,
    vary,
  } = answer.headers;
  return { status: answer.statusCode, body: answer.rawPayload, cached, encoding, type, vary };
}

test('a file is sent as the browser can take it, under its own type, and never changes', async () => {
  const brotli = await get('/assets/index-abc.js', 'gzip, deflate, br, zstd');
  expect(brotli).toMatchObject({ status: 200, encoding: 'br', vary: 'accept-encoding' });
  expect(brotli.type).toContain('application/javascript');
  expect(brotli.cached).toBe('public, max-age=31536000, immutable');
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);

  const zipped = await get('/assets/index-abc.js', 'gzip');
  expect(zipped).toMatchObject({ status: 200, encoding: 'gzip' });
  expect(gunzipSync(zipped.body).toString()).toBe(SCRIPT);

  const plain = await get('/assets/index-abc.js');
  expect(plain).toMatchObject({ status: 200, encoding: undefined });
  expect(plain.body.toString()).toBe(SCRIPT);
});

test('the page and the worker are asked for anew each time', async () => {
  for (const url of ['/', '/index.html', '/profile', '/service-worker.js']) {
    expect(await get(url), url).toMatchObject({ status: 200, cached: 'no-cache' });
  }
});

test('code goes without the headers of documents, the page with them', async () => {
  const server = Fastify();
  await server.register(helmet);
  handleUnknown(server, await serveWebApp(server, { folder }));
  const script = await server.inject({ url: '/assets/index-abc.js' });
  expect(script.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  expect(script.headers).toHaveProperty('content-security-policy');
  for (const name of ['x-frame-options', 'referrer-policy']) expect(script.headers).not.toHaveProperty(name);
  const page = await server.inject({ url: '/profile' });
  expect(page.headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'referrer-policy': 'no-referrer' });
  await server.close();
});

test('a file of another build is missing, so that the browser loads the page anew', async () => {
  expect((await get('/assets/index-old.js')).status).toBe(404);
  expect((await get('/assets/index-abc.js.br')).status).toBe(404);
});

test('a build under the running server is served: its files and its page, also in a demo', async () => {
  const own = mkdtempSync(join(tmpdir(), 'haris-rebuilt-'));
  const build = (name: string) => {
    rmSync(join(own, 'assets'), { recursive: true, force: true });
    mkdirSync(join(own, 'assets'));
    writeFileSync(join(own, `assets/${name}.js`), SCRIPT);
    writeFileSync(join(own, 'index.html'), PAGE.replace('Haris', name));
  };
  build('first');
  for (const demo of [false, true]) {
    build('first');
    const server = Fastify();
    handleUnknown(server, await serveWebApp(server, { folder: own, demo }));
    await server.ready();
    const ask = async (url: string) => {
      const { statusCode, body } = await server.inject({ url });
      return [statusCode, /first|second/.exec(body)?.[0]];
    };
    expect(await ask('/profile')).toEqual([200, 'first']);
    build('second');
    expect(await ask('/profile')).toEqual([200, 'second']);
    expect((await ask('/assets/second.js'))[0]).toBe(200);
    expect((await ask('/assets/first.js'))[0]).toBe(404);
    await server.close();
  }
  rmSync(own, { recursive: true, force: true });
});

test('only files of the build are sent, and an unknown call is still unknown', async () => {
  writeFileSync(join(folder, '.hidden'), 'hidden');
  expect((await get('/.hidden')).body.toString()).toBe(PAGE);
  for (const url of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '//etc/passwd',
  ])
    expect((await get(url)).body.toString(), url).not.toContain('"name"');
  for (const url of ['/api/nothing', '/video_feed', '/ws'])
    expect(await app.inject({ url })).toMatchObject({ statusCode: 404 });
  expect((await app.inject({ url: '/api/nothing' })).json()).toMatchObject({ code: 'not_found' });
});

test('without a build there is no page', async () => {
  expect(await serveWebApp(Fastify(), { folder: join(folder, 'nothing-here') })).toBeNull();
});

test('the page of a demo says so itself, also to the service worker; no other page does', async () => {
  const demo = Fastify();
  handleUnknown(demo, await serveWebApp(demo, { folder, demo: true }));
  for (const url of ['/', '/profile', '/index.html?__WB_REVISION__=1']) {
    const answer = await demo.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer, url).toMatchObject({ statusCode: 200 });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache' });
    expect(answer.headers['content-type'], url).toMatch(/^text\/html/);
    expect(answer.body, url).toContain('<meta name="haris-demo" content="true" /></head>');
    expect((await get(url)).body.toString(), url).toBe(PAGE);
  }
  await demo.close();
});

/** HTTPS of the server itself: settings that are refused, what is secure over it, and a certificate that is renewed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request as plainRequest } from 'node:http';
import { Agent, request, type Server } from 'node:https';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { HEALTH_KEPT_MS, healthRoutes } from '@haris/contract/http/health';
import { ConfigError } from '@haris/runtime/config';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { linkBase, loadConfig } from './config.ts';
import { makeCertificate } from './testing/certificate.ts';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startTestApp, type TestApp } from './testing/harness.ts';
import { NO_VISION, runProgram, startProgram } from './testing/program.ts';
import { runServerProgram } from './testing/server-programs.ts';
import { type TlsFiles, watchTlsFiles } from './tls-files.ts';

let folder: string;
let first: { cert: string; key: string };
let second: { cert: string; key: string };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'haris-https-'));
  first = makeCertificate(folder, 'first');
  second = makeCertificate(folder, 'second');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (file: string) => readFileSync(file, 'utf8');
function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('settings that stop the start name the file and what is wrong with it', () => {
  const refusal = (env: Record<string, string>): string => {
    try {
      loadConfig(env, { demo: false, base: folder });
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    throw new Error('the settings were accepted');
  };
  test('one of the two alone', () => {
    const must = 'must be set with the other of the two (it is not set)';
    expect(refusal({ TLS_CERT: first.cert })).toBe(`TLS_KEY ${must}`);
    expect(refusal({ TLS_KEY: first.key })).toBe(`TLS_CERT ${must}`);
  });
  test('a file that is missing, or no file', () => {
    expect(refusal({ TLS_CERT: '/nowhere.pem', TLS_KEY: first.key })).toBe(
      'TLS_CERT must be a file that exists (it is "/nowhere.pem")',
    );
    expect(refusal({ TLS_CERT: first.cert, TLS_KEY: folder })).toBe(
      `TLS_KEY must be a file that can be read (it is "${folder}")`,
    );
  });
  test('a file with something else, or with half of it', () => {
    const half = write('half.pem', text(first.cert).slice(0, 300));
    expect(refusal({ TLS_CERT: half, TLS_KEY: first.key })).toBe(
      `TLS_CERT must be a file with a certificate in PEM (it is "${half}")`,
    );
    expect(refusal({ TLS_CERT: first.cert, TLS_KEY: first.cert })).toBe(
      `TLS_KEY must be a file with a private key in PEM, without a passphrase (it is "${first.cert}")`,
    );
    const chain = write('chain.pem', text(first.cert) + text(second.cert).slice(0, 300));
    expect(refusal({ TLS_CERT: chain, TLS_KEY: first.key })).toBe(
      `TLS_CERT must be a certificate, with its chain, that OpenSSL accepts (it is "${chain}")`,
    );
  });
  test('the key of another certificate, also for the broker', () => {
    const must = 'must be the key of the certificate in';
    expect(refusal({ TLS_CERT: first.cert, TLS_KEY: second.key })).toBe(
      `TLS_KEY ${must} TLS_CERT (it is "${second.key}")`,
    );
    expect(refusal({ MQTT_TLS_CERT: first.cert, MQTT_TLS_KEY: second.key })).toBe(
      `MQTT_TLS_KEY ${must} MQTT_TLS_CERT (it is "${second.key}")`,
    );
  });
  test('a pair that fits is taken, and mailed links begin with https', () => {
    const config = loadConfig({ TLS_CERT: 'first.pem', TLS_KEY: 'first.key' }, { demo: false, base: folder });
    expect(config.tls).toMatchObject({ certFile: first.cert, keyFile: first.key });
    expect(linkBase(config, 3443)).toBe('https://localhost:3443');
    expect(linkBase({ ...config, tls: null }, 3000)).toBe('http://localhost:3000');
    expect(linkBase({ ...config, publicUrl: 'https://haris.test' }, 3443)).toBe('https://haris.test');
  });
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** This side's port: the same for calls over one connection. */
  readonly from: number | undefined;
}

/** Trusts both certificates that the tests make. */
function ask(port: number, path: string, options: { json?: unknown; agent?: Agent; token?: string } = {}) {
  return new Promise<Reply>((resolve, reject) => {
    const { json, agent = new Agent({ maxCachedSessions: 0 }), token } = options;
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, path, agent, ca: [text(first.cert), text(second.cert)] },
        method: json === undefined ? 'GET' : 'POST',
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (answer) => {
        let body = '';
        const from = answer.socket.localPort;
        answer.setEncoding('utf8').on('data', (part: string) => {
          body += part;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, from }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** The certificate that a new connection gets, in PEM. */
async function certificateAt(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ca: [text(first.cert), text(second.cert)] });
  await once(socket, 'secureConnect');
  const pem = socket.getPeerX509Certificate()?.toString() ?? '';
  socket.destroy();
  return pem;
}

describe('a server with a certificate', () => {
  let app: TestApp;
  let port: number;
  let pair: { cert: string; key: string };
  let files: TlsFiles;
  const open: (Socket | TLSSocket)[] = [];

  beforeAll(async () => {
    pair = { cert: write('live.pem', text(first.cert)), key: write('live.key', text(first.key)) };
    app = await startTestApp({
      config: { TLS_CERT: pair.cert, TLS_KEY: pair.key, PUBLIC_URL: '', HOST: '127.0.0.1' },
    });
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.app.server.address() as AddressInfo).port;
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });
  afterAll(() => app.close());

  test('signs in with a secure cookie, and tells browsers to stay on HTTPS', async () => {
    const login = await ask(port, '/api/admin/login', {
      json: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
    });
    expect(login.status).toBe(200);
    expect(String(login.headers['set-cookie'])).toMatch(/^haris_device=.*; Secure/);
    expect(login.headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  });

  test('answers neither plain HTTP nor TLS 1.1', async () => {
    const plain = plainRequest({ host: '127.0.0.1', port, path: '/healthz' });
    plain.end();
    const [error] = await once(plain, 'error').catch((failure: unknown) => [failure]);
    expect(error).toBeInstanceOf(Error);
    const old = connect({
      ...{ host: '127.0.0.1', port, rejectUnauthorized: false },
      ...{ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    });
    open.push(old);
    const [refused] = await once(old, 'error').catch((failure: unknown) => [failure]);
    expect(refused).toBeInstanceOf(Error);
  });

  test('WebSockets and server-sent events work', async () => {
    const token = await app.staff();
    const socket = new WebSocket(`wss://127.0.0.1:${port}/ws`, ['bearer', token], { ca: text(first.cert) });
    await once(socket, 'open');
    socket.terminate();
    const events = request({
      ...{ host: '127.0.0.1', port, path: '/api/events', ca: text(first.cert) },
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    });
    events.end();
    const [answer] = await once(events, 'response');
    expect(answer.statusCode).toBe(200);
    await once(answer, 'data');
    events.destroy();
  });

  test('lets go of whoever connects and says nothing', async () => {
    const silent = connectPlain({ host: '127.0.0.1', port });
    await once(silent, 'connect');
    silent.resume();
    await once(silent, 'close');
    await vi.waitFor(async () => {
      const count = await new Promise((resolve) =>
        app.app.server.getConnections((_error, open) => resolve(open)),
      );
      expect(count).toBe(0);
    });
  });

  describe('whose files change', () => {
    const keepOpen = () => new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 });
    const warnings = () => app.logLines.filter((line) => line.includes('cannot be used'));
    beforeAll(() => {
      const { tls } = app.context.config;
      if (tls === null) throw new Error('there is no certificate');
      files = watchTlsFiles(app.app.server as Server, tls, app.context);
    });

    test('keeps the one before while a key is half written, says so once, then takes the new one', async () => {
      const agent = keepOpen();
      const before = await ask(port, '/healthz', { agent });
      writeFileSync(pair.cert, text(second.cert));
      await files.look();
      writeFileSync(pair.key, text(second.key).slice(0, 100));
      await files.look();
      await files.look();
      expect(warnings().map((line) => JSON.parse(line).problem)).toEqual([
        `TLS_KEY must be the key of the certificate in TLS_CERT (it is "${pair.key}")`,
        `TLS_KEY must be a file with a private key in PEM, without a passphrase (it is "${pair.key}")`,
      ]);
      expect(await certificateAt(port)).toBe(text(first.cert));
      writeFileSync(pair.key, text(second.key));
      await files.look();
      expect(await certificateAt(port)).toBe(text(second.cert));
      // The connection from before is the same, and goes on.
      expect(await ask(port, '/healthz', { agent })).toMatchObject({ status: 200, from: before.from });
      agent.destroy();
    });

    test('the health page tells the one in use, and why the files are not', async () => {
      const https = async () => {
        app.clock.advance(HEALTH_KEPT_MS);
        const { status, body } = await ask(port, '/api/health', { token: await app.staff() });
        expect(status).toBe(200);
        const { findings } = healthRoutes.getHealth.answer.parse(JSON.parse(body));
        const found = findings.find(({ id }) => id === 'https');
        return `${found?.state}: ${found?.detail}`;
      };
      const openKey = 'Other users of this machine can open the private key in TLS_KEY.';
      const goesOn = /Haris goes on with its certificate until \d{4}-\d\d-\d\d: (.*)$/;
      chmodSync(pair.key, 0o600);
      await files.look();
      // By the clock of the tests, the certificate begins later.
      expect(await https()).toMatch(/^bad: The certificate in use is not valid before [\d-]+\.$/);
      chmodSync(pair.key, 0o640);
      expect(await https()).toMatch(new RegExp(`before [\\d-]+\\. ${openKey}$`));
      chmodSync(pair.key, 0o600);
      // A whole pair that was not looked at yet, half a one, and none.
      writeFileSync(pair.cert, text(first.cert));
      expect(goesOn.exec(await https())?.[1]).toMatch(
        /^TLS_KEY must be the key of the certificate in TLS_CERT/,
      );
      writeFileSync(pair.key, text(first.key));
      expect(goesOn.exec(await https())?.[1]).toBe('TLS_CERT has another one.');
      rmSync(pair.cert);
      expect(goesOn.exec(await https())?.[1]).toMatch(/^TLS_CERT must be a file that exists/);
      writeFileSync(pair.cert, text(first.cert));
      await files.look();
      expect(await https()).not.toMatch(goesOn);
      // As it was.
      writeFileSync(pair.cert, text(second.cert));
      writeFileSync(pair.key, text(second.key));
      await files.look();
    });

    test('keeps it while the files are gone, and follows a link that leads elsewhere', async () => {
      const now = await certificateAt(port);
      for (const file of [pair.cert, pair.key]) renameSync(file, `${file}.old`);
      await files.look();
      expect(await certificateAt(port)).toBe(now);
      symlinkSync(first.cert, pair.cert);
      symlinkSync(first.key, pair.key);
      await files.look();
      expect(await certificateAt(port)).toBe(text(first.cert));
    });
  });
});

test('the files are looked at every minute, and a certificate that is over is told at the start', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const pair = { cert: write('minute.pem', text(first.cert)), key: write('minute.key', text(first.key)) };
    const { tls } = loadConfig({ TLS_CERT: pair.cert, TLS_KEY: pair.key }, { demo: false, base: folder });
    if (tls === null) throw new Error('there is no certificate');
    const given: unknown[] = [];
    const told: string[] = [];
    const log = { warn: (_: object, line: string) => told.push(line), info: () => {} } as never;
    const clock = { now: () => Date.parse('2126-01-01T00:00:00Z') };
    const files = watchTlsFiles({ setSecureContext: (options) => void given.push(options) }, tls, {
      log,
      clock,
    });
    files.start();
    expect(told).toEqual(['the certificate in TLS_CERT has expired']);
    writeFileSync(pair.cert, text(second.cert));
    writeFileSync(pair.key, text(second.key));
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(() =>
      expect(given).toEqual([
        expect.objectContaining({ cert: text(second.cert), key: text(second.key), minVersion: 'TLSv1.2' }),
      ]),
    );
    files.stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

describe('the program', () => {
  const env = () => ({ DATA_DIR: mkdtempSync(join(folder, 'data-')), ...NO_VISION });

  test('is ready at https, and health check and doctor reach it', async () => {
    const settings = { ...env(), TLS_CERT: first.cert, TLS_KEY: first.key, HOST: 'localhost' };
    const program = await startProgram(settings);
    try {
      expect(program.url).toMatch(/^https:\/\/localhost:\d+$/);
      const { port } = new URL(program.url);
      expect((await ask(Number(port), '/healthz')).status).toBe(200);
      expect(await healthCheck({ PORT: port, TLS_CERT: first.cert })).toBe(0);
      expect(await healthCheck({ PORT: port })).toBe(1);
      const doctor = async (more: Record<string, string>) => {
        const { text: said } = await runServerProgram('doctor', ['--json'], {
          ...settings,
          PORT: port,
          ...more,
        });
        const findings = JSON.parse(said) as { id: string; state: string; detail: string }[];
        return (id: string) => findings.find((finding) => finding.id === id);
      };
      const own = await doctor({});
      expect(own('server')).toMatchObject({ state: 'ok', detail: `Haris answers at port ${port}.` });
      expect(own('https')).toMatchObject({
        state: 'warn',
        detail: expect.stringMatching(/ends in [12] days?\.$/),
      });
      const other = await doctor({ TLS_CERT: second.cert, TLS_KEY: second.key });
      expect(other('server')).toMatchObject({
        state: 'warn',
        detail: `The program at port ${port} has another certificate than the one in TLS_CERT.`,
      });
    } finally {
      program.kill('SIGTERM');
      await program.ended;
    }
  });

  test('stops while somebody is connected who says nothing', async () => {
    const program = await startProgram({
      ...env(),
      TLS_CERT: first.cert,
      TLS_KEY: first.key,
      HOST: '127.0.0.1',
    });
    const silent = connectPlain({ host: '127.0.0.1', port: Number(new URL(program.url).port) });
    await once(silent, 'connect');
    silent.on('error', () => {});
    program.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  test('does not start with a key that does not belong to the certificate', async () => {
    const { code, stderr } = await runProgram({ ...env(), TLS_CERT: first.cert, TLS_KEY: second.key });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Haris cannot start: TLS_KEY must be the key of the certificate in TLS_CERT (it is "${second.key}")\n`,
    );
  });

  /** Exit status of the health check of the container image. */
  async function healthCheck(more: Record<string, string>): Promise<number> {
    const image = text(fileURLToPath(new URL('../../../Dockerfile', import.meta.url)));
    const [, words = '[]'] = /HEALTHCHECK[^\n]*\\\n\s*CMD (\[.*\])\n/.exec(image) ?? [];
    const [, ...args] = JSON.parse(words) as string[];
    const [code] = await once(spawn(process.execPath, args, { env: more, stdio: 'ignore' }), 'close');
    return code;
  }
});

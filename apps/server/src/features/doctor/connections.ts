/** The connections that the checks make: to a server on this machine, to `PUBLIC_URL`, to the face engine. */
import { X509Certificate } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { TLSSocket } from 'node:tls';
import { visionHealthSchema, visionPaths } from '@haris/contract/vision';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { partsSchema } from '../../readiness.ts';
import type { PublicFacts, ServerFacts } from './surroundings.ts';

/** Time for one connection. Milliseconds. */
export const ANSWER_WITHIN_MS = 10_000;
/** Longer answers are not those of Haris. Bytes. */
const ANSWER_MAX_BYTES = 100_000;

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() });
const readySchema = z.object({ parts: partsSchema });

/** Codes of a connection that nobody accepts. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EHOSTUNREACH', 'ENETUNREACH'];
/** Codes of a time-out: ours, and the system's. */
const SILENCE = ['ABORT_ERR', 'TIMEOUT', 'ETIMEDOUT'];

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  return 'code' in error ? String(error.code) : error.name;
}

interface Answer {
  /** Parsed JSON; undefined if it is none. */
  readonly body: unknown;
  /** Null without TLS. */
  readonly certificate: X509Certificate | null;
}

/** Which certificates an answer may come with; without either, those of the public authorities. */
interface Trust {
  /** PEM of another authority. */
  readonly ca?: string | null;
  /** PEM: this certificate and no other, whatever its host and dates. `any`: to look at what there is. */
  readonly only?: string | typeof ANY;
}
const ANY = Symbol('any');

/** The answer came with another certificate than the one that was asked for. */
class OtherCertificateError extends Error {
  override name = 'OtherCertificateError';
}

/** Options of a connection that the trusted certificate alone may answer. */
function tlsTrust({ ca, only }: Trust) {
  // Which key the peer has is proven all the same, and `get` compares the certificate: it is for the public name, not for this
  // machine's address, and may have expired.
  if (only !== undefined) return { rejectUnauthorized: false };
  return typeof ca === 'string' ? { ca } : {};
}

/** Rejects if there is no answer in time, or no trusted certificate. */
function get(address: string, trust: Trust = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    const options = { agent: false, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) } as const;
    const asked =
      url.protocol === 'https:'
        ? requestTls(url, { ...options, ...tlsTrust(trust) })
        : requestPlain(url, options);
    asked.on('error', reject);
    asked.on('response', (response) => {
      const { socket } = response;
      const peer = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
      if (typeof trust.only === 'string' && !peer?.raw.equals(new X509Certificate(trust.only).raw)) {
        reject(new OtherCertificateError('another certificate'));
        asked.destroy();
        return;
      }
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > ANSWER_MAX_BYTES) asked.destroy(new Error('the answer is too long'));
        else parts.push(part);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          body: parseJson(Buffer.concat(parts)),
          certificate: peer ?? null,
        }),
      );
    });
    asked.end();
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The host of this machine's own connection to a listening address. */
function ownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

type Own = Pick<Config, 'host' | 'port' | 'tls'>;

/** The address of this machine's own connection to the server. */
function ownBase({ host, port, tls }: Own): string {
  const own = ownHost(host);
  return `${tls === null ? 'http' : 'https'}://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

/** The certificate with which Haris answers at the port of these settings, whichever it is; null if it does not answer. */
export async function askCertificate(config: Own): Promise<X509Certificate | null> {
  if (config.port === 0 || config.tls === null) return null;
  try {
    const { body, certificate } = await get(`${ownBase(config)}/healthz`, { only: ANY });
    return healthSchema.safeParse(body).success ? certificate : null;
  } catch {
    return null;
  }
}

/** Asks the server of these settings at its port. */
export async function askServer(config: Own): Promise<ServerFacts> {
  const { port, tls } = config;
  // A port of its own choice is written nowhere.
  if (port === 0) return { state: 'none' };
  const base = ownBase(config);
  const trust = tls === null ? {} : { only: tls.cert };
  let health: ReturnType<typeof healthSchema.safeParse>;
  try {
    health = healthSchema.safeParse((await get(`${base}/healthz`, trust)).body);
  } catch (error) {
    if (error instanceof OtherCertificateError) return { state: 'certificate' };
    const code = codeOf(error);
    return { state: NOBODY.includes(code) ? 'none' : SILENCE.includes(code) ? 'silent' : 'other' };
  }
  if (!health.success) return { state: 'other' };
  const ready = await get(`${base}/readyz`, trust).then(
    ({ body }) => readySchema.safeParse(body),
    () => null,
  );
  return { state: 'haris', version: health.data.version, parts: ready?.data?.parts ?? null };
}

export async function askPublic(publicUrl: string): Promise<PublicFacts> {
  try {
    const { body, certificate } = await get(`${publicUrl}/healthz`);
    return {
      state: healthSchema.safeParse(body).success ? 'haris' : 'other',
      certificateEndsAt: certificate?.validToDate.getTime() ?? null,
    };
  } catch (error) {
    return { state: 'failed', code: codeOf(error) };
  }
}

/** Whether any program accepts connections there. */
export function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: ownHost(host), port, timeout: ANSWER_WITHIN_MS });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** Whether a face engine answers there. */
export async function isEngineAt({ url, ca }: NonNullable<Config['vision']>): Promise<boolean> {
  return get(url + visionPaths.health, { ca }).then(
    ({ body }) => visionHealthSchema.safeParse(body).success,
    () => false,
  );
}

/**
 * A push service and its browsers on the loopback interface: verifies the sender (VAPID, RFC 8292) and decrypts content
 * for a browser (RFC 8291 over RFC 8188). Uses only node:crypto, so that it tests the sender's library independently.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PushPayload, pushPayloadSchema } from '@haris/contract/notifications';
import { z } from 'zod';

export interface ReceivedPush {
  readonly headers: IncomingHttpHeaders;
  readonly payload: PushPayload;
  /** Claims of the signed token. */
  readonly token: { readonly aud: string; readonly exp: number; readonly sub: string };
  /** Public key of the signature, as in the browser's subscription. */
  readonly publicKey: string;
  readonly bytes: Buffer;
}

export interface PushBrowser {
  /** In the format of `PushSubscription.toJSON()`. */
  readonly subscription: { readonly endpoint: string; readonly keys: { p256dh: string; auth: string } };
  readonly received: ReceivedPush[];
  /** All posts, also refused ones. */
  posts: number;
  /** The response to posts for this browser. */
  status: number;
}

export interface PushService {
  readonly origin: string;
  /** Errors in posts. */
  readonly problems: string[];
  newBrowser(): PushBrowser;
  close(): Promise<void>;
}

const claimsSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string() });

/** Returns the claims of a VAPID header. Throws if the signature does not match the key in the header. */
function checkVapid(authorization: string | undefined): Pick<ReceivedPush, 'token' | 'publicKey'> {
  const parts = /^vapid t=([^,\s]+), ?k=([^,\s]+)$/.exec(authorization ?? '');
  const [head = '', body = '', signature = ''] = parts?.[1]?.split('.') ?? [];
  const publicKey = parts?.[2] ?? '';
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) throw new Error('k is not a point of P-256');
  const { alg } = z.object({ alg: z.string() }).parse(JSON.parse(Buffer.from(head, 'base64url').toString()));
  if (alg !== 'ES256') throw new Error(`signed with ${alg}`);
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature is not right');
  return { token: claimsSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString())), publicKey };
}

/** Decrypts one aes128gcm record with the browser's keys. Throws if it is not encrypted for them. */
function decrypt(bytes: Buffer, browser: ECDH, auth: Buffer): Buffer {
  const salt = bytes.subarray(0, 16);
  const idLength = bytes.readUInt8(20);
  const sender = bytes.subarray(21, 21 + idLength);
  const sealed = bytes.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const shared = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), auth, info, 32));
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, Buffer.from(`Content-Encoding: ${what}\0`), length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  if (end < 0 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('not a last record');
  return plain.subarray(0, end);
}

export async function openPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: PushBrowser; keys: ECDH; auth: Buffer }>();
  const problems: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const known = browsers.get(request.url ?? '');
    if (!known) return response.writeHead(404).end();
    const { browser, keys, auth } = known;
    browser.posts += 1;
    if (browser.status >= 300) return response.writeHead(browser.status).end();
    try {
      const bytes = Buffer.concat(chunks);
      if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
      const vapid = checkVapid(request.headers.authorization);
      const payload = pushPayloadSchema.parse(JSON.parse(decrypt(bytes, keys, auth).toString('utf8')));
      browser.received.push({ headers: request.headers, payload, bytes, ...vapid });
      return response.writeHead(201).end();
    } catch (error) {
      problems.push(String(error));
      return response.writeHead(403).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    problems,
    newBrowser() {
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomUUID()}`;
      const browser: PushBrowser = {
        subscription: {
          endpoint: `${origin}${path}`,
          keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        received: [],
        posts: 0,
        status: 201,
      };
      browsers.set(path, { browser, keys, auth });
      return browser;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * Checks the host of a network camera at every connection, by the addresses that its name resolves to at that moment.
 * Without TLS, the connection goes to exactly the checked address. Redirects are not followed.
 */
import { lookup } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isRefusedCameraAddress, readIpAddress } from '@haris/runtime/camera-hosts';
import { SourceError } from './source-error.ts';

export interface CameraHost {
  /** URL with the checked IP address in place of the name; with TLS the name stays. */
  readonly url: string;
  /** Host and port for the HTTP `Host` header. */
  readonly host: string;
}

const LOOKUP_WITHIN_MS = 4_000;
const ANSWER_WITHIN_MS = 4_000;
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'rtsp:': 554, 'rtsps:': 322 };

/** Throws {@link SourceError}: `not_allowed` for a refused address, `unreachable` for an unknown name. */
export async function judgeHost(address: string): Promise<CameraHost> {
  if (!URL.canParse(address)) throw new SourceError('unreachable');
  const url = new URL(address);
  const { host, hostname, protocol } = url;
  const known = readIpAddress(hostname);
  const found = known === null ? await findAddresses(hostname) : [known];
  const [first] = found;
  if (first === undefined) throw new SourceError('unreachable');
  if (found.some(isRefusedCameraAddress)) throw new SourceError('not_allowed');
  // TLS needs the name (SNI).
  if (known === null && (protocol === 'https:' || protocol === 'rtsps:')) return { url: address, host };
  url.hostname = first.includes(':') ? `[${first}]` : first;
  return { url: url.href, host };
}

async function findAddresses(name: string): Promise<string[]> {
  let late: NodeJS.Timeout | undefined;
  const found = await Promise.race([
    lookup(name, { all: true, order: 'ipv4first' }).catch(() => []),
    new Promise<[]>((resolve) => {
      late = setTimeout(() => resolve([]), LOOKUP_WITHIN_MS);
    }),
  ]);
  clearTimeout(late);
  return found.map(({ address }) => address);
}

/** Whether an HTTP camera responds with a redirect. Called only after reading failed, to find the reason. */
export function isHttpRedirect({ url, host }: CameraHost): Promise<boolean> {
  const target = new URL(url);
  const { username, password } = target;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  target.username = '';
  target.password = '';
  return new Promise((resolve) => {
    const options = {
      headers: {
        host,
        ...(username !== '' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
      },
      agent: false,
      // As when reading pictures: cameras use self-signed certificates.
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    } as const;
    const asked = (target.protocol === 'https:' ? requestTls : requestPlain)(target, options);
    asked.on('error', () => resolve(false));
    asked.on('response', ({ statusCode = 0 }) => {
      resolve(isRedirect(statusCode));
      asked.destroy();
    });
    asked.end();
  });
}

/**
 * Whether an RTSP camera responds with a redirect. Called before reading, because ffmpeg would follow the redirect. Sends
 * no login and opens no session.
 */
export function isRtspRedirect({ url }: CameraHost): Promise<boolean> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const port = target.port === '' ? (PORTS[target.protocol] ?? 0) : Number(target.port);
  target.username = '';
  target.password = '';
  return new Promise((resolve) => {
    const socket =
      target.protocol === 'rtsps:'
        ? connectTls({ host, port, rejectUnauthorized: false })
        : connect({ host, port });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    let text = '';
    socket.setTimeout(ANSWER_WITHIN_MS, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const status = /^RTSP\/1\.\d (\d{3})/.exec(text)?.[1];
      if (status !== undefined || text.length > 64) end(isRedirect(Number(status)));
    });
    socket.write(`DESCRIBE ${target.href} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n`);
  });
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

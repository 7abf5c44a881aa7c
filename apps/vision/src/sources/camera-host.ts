/**
 * The host of a network camera, judged at every connection by the addresses that its name has at that moment. What was judged is
 * what is connected to, and nothing that the camera says leads elsewhere.
 */
import { lookup } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isRefusedCameraAddress, readIpAddress } from '@haris/runtime/camera-hosts';
import { SourceError } from './source-error.ts';

export interface CameraHost {
  /** With the judged IP address in place of the name. */
  readonly url: string;
  /** Host and port as the camera knows itself, for HTTP. */
  readonly host: string;
}

const LOOKUP_WITHIN_MS = 4_000;
const ANSWER_WITHIN_MS = 4_000;
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'rtsp:': 554, 'rtsps:': 322 };

/** Throws {@link SourceError} `not_allowed`, and `unreachable` for a name that is not found. */
export async function judgeHost(address: string): Promise<CameraHost> {
  if (!URL.canParse(address)) throw new SourceError('unreachable');
  const url = new URL(address);
  const { host, hostname, protocol } = url;
  const known = readIpAddress(hostname);
  const found = known === null ? await findAddresses(hostname) : [known];
  const [first] = found;
  if (first === undefined) throw new SourceError('unreachable');
  if (found.some(isRefusedCameraAddress)) throw new SourceError('not_allowed');
  // Over TLS the name is part of the greeting: some hosts answer by it.
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

/** Whether an HTTP camera answers with a redirect. Asked only when it could not be read, to say why. */
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
      // As the reader of pictures does: cameras sign their certificates themselves.
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
 * Whether an RTSP camera answers with a redirect. Asked before it is read, since the reader would follow it: without login,
 * and without opening a session.
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

/** WebSockets: the client's token at the upgrade, and detection of dead connections. Knows no subject. */
import { DEVICE_PICTURE_MAX_BYTES } from '@haris/contract/live/video';
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';

/** A socket that sends no pong within this time is dead. Milliseconds. */
const PING_MS = 15_000;

/** The token in `Sec-WebSocket-Protocol: <scheme>, <token>`, or null. */
export function protocolToken(request: FastifyRequest, scheme: 'bearer' | 'device'): string | null {
  const [first, token, ...rest] = String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((part) => part.trim());
  return first === scheme && rest.length === 0 && /^[A-Za-z0-9_-]{20,200}$/.test(token ?? '')
    ? (token ?? null)
    : null;
}

/** Options of all sockets. No compression: pictures are compressed already. The largest message is a device's picture. */
export const socketOptions = {
  perMessageDeflate: false,
  maxPayload: DEVICE_PICTURE_MAX_BYTES + 1024,
  // Never selects the token, which is offered next to the scheme.
  handleProtocols: (offered: ReadonlySet<string>): string | false =>
    ['bearer', 'device'].find((scheme) => offered.has(scheme)) ?? false,
};

/** Closes a socket whose client stops responding. */
export function watchOverSocket(socket: WebSocket): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, PING_MS);
  timer.unref();
  socket.on('pong', () => {
    answered = true;
  });
  socket.on('close', () => clearInterval(timer));
  // Without a listener, a broken connection would end the process.
  socket.on('error', () => socket.terminate());
}

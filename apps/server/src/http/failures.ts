/** Turns every failure into a response `{message, code}` that reveals nothing internal (contract §2). */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorBody, errorCatalogue } from '@haris/contract/errors';
import { describeFailure } from '@haris/runtime/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { isStorageFull } from '../db/storage-full.ts';

/** Maps any failure to an AppError: Fastify's refusals by their code, unknown ones to `internal_error`. */
export function translateFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_content_type');
  if (isStorageFull(error)) return new AppError('storage_full');
  if (isDatabaseAway(error, code)) return new AppError('unavailable');
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 404) return new AppError('not_found');
  if (status >= 400 && status < 500) return new AppError('invalid_body');
  return new AppError('internal_error');
}

/**
 * Whether PostgreSQL is temporarily unavailable: unreachable, stopping, out of connections or too slow. Time-outs: 55P03
 * for a lock, 57014 for a statement, 25P03 for a transaction in which this server was paused.
 */
function isDatabaseAway(error: unknown, code: string): boolean {
  if (
    /^(08...|57P0[1-5]|53300|55000|55P03|57014|25P0[23]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/.test(
      code,
    )
  )
    return true;
  // Driver messages that have no code.
  return (
    error instanceof Error &&
    /^Connection terminated|^Query read timeout|^timeout exceeded when trying to connect|not queryable/.test(
      error.message,
    )
  );
}

/** Sends the response for an error. */
export function sendFailure(reply: FastifyReply, failure: AppError): FastifyReply {
  const body: ErrorBody = {
    message: failure.message,
    code: failure.code,
    ...(failure.extra.fields ? { fields: failure.extra.fields } : {}),
    ...(failure.extra.candidates ? { candidates: failure.extra.candidates } : {}),
    ...(failure.extra.methods ? { methods: failure.extra.methods } : {}),
    ...(failure.extra.adults ? { adults: failure.extra.adults } : {}),
    ...(failure.extra.approval ? { approval: failure.extra.approval } : {}),
    ...(failure.extra.room ? { room: failure.extra.room } : {}),
  };
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer');
  if (failure.extra.retryAfter !== undefined) reply.header('retry-after', String(failure.extra.retryAfter));
  return reply
    .code(failure.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(body);
}

/** Connection errors before there is a request, by Node's code; all others mean an unreadable request. */
const BROKEN_CONNECTIONS: Readonly<Record<string, { status: number; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not come in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
};

/** Responds to input that is not HTTP, has too large headers or is too slow, in our error format; then closes. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Nothing can be sent before the handshake, and an end would wait for that.
  if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') {
    socket.destroy();
    return;
  }
  const { status, message } = BROKEN_CONNECTIONS[error.code ?? ''] ?? errorCatalogue.invalid_body;
  const body = JSON.stringify({ message, code: 'invalid_body' } satisfies ErrorBody);
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `cache-control: no-store\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  socket.destroySoon();
}

/** Sets the error handler. Call it before adding routes, because each route keeps the handler current at that moment. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = translateFailure(error);
    if (failure.code === 'internal_error')
      request.log.error({ requestId: request.id, ...describeFailure(error) }, 'a request failed');
    return sendFailure(reply, failure);
  });
}

/** Responds to paths without a route: `page` sends the web app if the client wants a page; otherwise 404. */
export function handleUnknown(
  app: FastifyInstance,
  page: ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) | null,
): void {
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    // A missing file of another build must be 404 instead of the page, so that the browser reloads the page.
    const isCall =
      /^\/(api|vendor|assets|register-child|check-face|video_feed|ws)(\/|$)/.test(path) ||
      !['GET', 'HEAD'].includes(request.method);
    if (isCall || !page) return sendFailure(reply, new AppError('not_found'));
    return page(request, reply);
  });
}

/** Ends requests whose body does not come in time: while a body is awaited, its sender's session may end. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseConnection } from './failures.ts';
import { announcesMultipart } from './multipart.ts';

/** Time for a body of a few fields. */
const FIELDS_MS = 15_000;
/** Time for photos and files: five megabytes in a minute are a slow phone connection. */
export const UPLOAD_MS = 60_000;
/** A larger body is a file, such as a list of parents. Bytes. */
const FILE_BYTES = 256 * 1024;
/** An upload that is slower than this over {@link FIELDS_MS} has stalled. Bytes. */
const LEAST_BYTES = 32 * 1024;

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

function isUpload(request: FastifyRequest): boolean {
  return announcesMultipart(request) || Number(request.headers['content-length'] ?? 0) > FILE_BYTES;
}

/** Answers 408 and closes the connection of a request whose body is not there in time. */
export function limitBodyTime(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    let turns = isUpload(request) ? UPLOAD_MS / FIELDS_MS : 1;
    let received = raw.socket.bytesRead;
    const timer = setInterval(() => {
      // A request that a test injects says only that it was read to its end.
      if (raw.complete || raw.readableEnded) return clearInterval(timer);
      const isSlow = raw.socket.bytesRead - received < LEAST_BYTES;
      received = raw.socket.bytesRead;
      turns--;
      if (!isSlow && turns > 0) return;
      clearInterval(timer);
      refuseConnection(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket);
    }, FIELDS_MS);
    timer.unref();
    reply.raw.once('close', () => clearInterval(timer));
  });
}

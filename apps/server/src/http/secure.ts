/** Whether people reach the server by HTTPS: its own, or that of a proxy in front. */
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

/** Whether the browser's connection is secure. Behind a proxy, the request itself may have come over HTTP. */
export function isSecure({ publicUrl }: Pick<Context, 'publicUrl'>, request: FastifyRequest): boolean {
  return request.protocol === 'https' || publicUrl().startsWith('https:');
}

/** Whether browsers are told to stay on HTTPS. */
export function demandsHttps({ config }: Pick<Context, 'config'>): boolean {
  return config.tls !== null || config.publicUrl?.startsWith('https:') === true;
}

/** Serves the built web app: its files, and its one page for every address that is no call. Knows no call. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const BUILT = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Registers the files below `folder` and answers what sends the page; null where nothing has been built.
 * The build has compressed them already (brotli, gzip). Files with a hash in their name never change; the page, the
 * service worker and the manifests are asked for anew each time.
 */
export async function serveWebApp(app: FastifyInstance, folder: string = BUILT): Promise<PageHandler | null> {
  if (!existsSync(folder)) return null;
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    // They are sent in place of the file that they are beside, under its name.
    globIgnore: ['**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders(reply, path) {
      const immutable = path.includes('/assets/');
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return async (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html');
}

/** Serves the built web app: its files, and its one page for every address that is no call. Knows no call. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { DEMO_META_NAME } from '@haris/contract/constants';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const BUILT = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

const PAGE = 'index.html';

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Registers the files below `folder` and answers what sends the page; null where nothing has been built.
 * The build has compressed them already (brotli, gzip). Files with a hash in their name never change; the page, the
 * service worker and the manifests are asked for anew each time. `demo`: the page says from the first paint that
 * everything is invented.
 */
export async function serveWebApp(
  app: FastifyInstance,
  { folder = BUILT, demo = false }: { folder?: string; demo?: boolean } = {},
): Promise<PageHandler | null> {
  if (!existsSync(folder)) return null;
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    preCompressed: true,
    // Compressed files are sent in place of the file that they are beside, under its name. Looked up with each call,
    // so that a build under the running server takes effect whole.
    allowedPath: (path) => !/(\.br|\.gz|\/)$/.test(path) && !(demo && path === `/${PAGE}`),
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, path) {
      const immutable = path.includes('/assets/');
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  if (demo)
    return async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(markAsDemo(await readFile(join(folder, PAGE), 'utf8')));
  return async (_request, reply) => reply.header('cache-control', 'no-cache').sendFile(PAGE);
}

function markAsDemo(page: string): string {
  const marked = page.replace('</head>', `<meta name="${DEMO_META_NAME}" content="true" /></head>`);
  if (marked === page) throw new Error(`${PAGE} has no </head>`);
  return marked;
}

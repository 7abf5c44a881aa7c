/** Serves the built web app: its files, and its single page for every path that is not a call. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { DEMO_META_NAME } from '@haris/contract/constants';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const BUILT = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

const PAGE = 'index.html';

/**
 * Headers that act on documents alone. Code, styles and fonts go without: together they are four kilobytes of the first
 * page. They keep the content policy, the types and the resource policy.
 */
const OF_DOCUMENTS = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
] as const;

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Registers the files below `folder`, and returns the function that sends the page; null if nothing has been built. The
 * build has already compressed the files (brotli, gzip). Files with a hash in their name never change; browsers
 * revalidate the page, the service worker and the manifests each time. `demo`: the page says from the first paint that
 * all data is invented.
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
    // Compressed files are sent under the original's name. Files are looked up on each request, so that a new build takes
    // effect as a whole while the server runs.
    allowedPath: (path) => !/(\.br|\.gz|\/)$/.test(path) && !(demo && path === `/${PAGE}`),
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, path) {
      const immutable = path.includes('/assets/');
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (/\/assets\/[^/]+\.(js|css|woff2)(\.br|\.gz)?$/.test(path))
        for (const name of OF_DOCUMENTS) {
          reply.removeHeader(name);
          // Some are already in the raw answer.
          reply.raw.removeHeader(name);
        }
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

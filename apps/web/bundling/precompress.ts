/** Writes a brotli and a gzip copy of each file that shrinks; the server sends these copies. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSED = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest']);
/** For files below this size, compression saves less than its headers cost. Bytes. */
const MIN_BYTES = 512;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

async function compress(file: string): Promise<void> {
  const content = readFileSync(file);
  if (content.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  writeFileSync(`${file}.br`, await toBrotli(content, { params }));
  writeFileSync(`${file}.gz`, await toGzip(content, { level: 9 }));
}

/** Must be the last plugin, so that all files of the build have been written. */
export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'haris-precompress',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
        await Promise.all(
          files.filter((file) => COMPRESSED.has(extname(file))).map((file) => compress(join(folder, file))),
        );
      },
    },
  };
}

/** How the web app is built and served in development. `HARIS_SERVER` is where the dev server sends the product's calls. */
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { firstFiles } from './bundling/first-files.ts';
import { installable } from './bundling/install.ts';
import { precompress } from './bundling/precompress.ts';
import { shellFiles } from './bundling/shell-files.ts';

const SERVED_BY_THE_SERVER = [
  '/api',
  '/register-child',
  '/check-face',
  '/vendor',
  '/video_feed',
  '/ws',
  '/healthz',
  '/readyz',
];

const DATA = /\/(node_modules\/zod|packages\/contract|apps\/web\/src\/client)\//;
const PIECES = /\/(node_modules|apps\/web\/src\/(ui|countdown))\//;
/** So many screens and parts that load by themselves, of some thirty, must want a module for it to be a common piece. */
const MOST_SCREENS = 6;

export default defineConfig(({ mode }) => {
  const target = loadEnv(mode, import.meta.dirname, 'HARIS_').HARIS_SERVER ?? 'http://127.0.0.1:3000';
  const shell = shellFiles();
  return {
    root: import.meta.dirname,
    plugins: [
      react(),
      installable(),
      firstFiles(),
      shell.plugin,
      VitePWA({
        strategies: 'injectManifest',
        srcDir: 'src/worker',
        filename: 'service-worker.ts',
        // src/app/update.ts registers it, and bundling/install.ts writes the manifests.
        injectRegister: false,
        manifest: false,
        injectManifest: {
          globPatterns: ['**/*.{html,js,css,svg,woff2}'],
          // A hash in the name is revision enough.
          dontCacheBustURLsMatching: /^assets\//,
          manifestTransforms: [
            async (entries) => ({ manifest: entries.filter(({ url }) => shell.has(url)), warnings: [] }),
          ],
        },
      }),
      precompress(),
    ],
    build: {
      // Fonts as data: URLs would break the content policy; small files are cheap over one origin.
      assetsInlineLimit: 0,
      emptyOutDir: true,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              // A file costs a kilobyte of headers and a place in the queue: the first load is one.
              { name: 'shell', tags: ['$initial'], priority: 3 },
              // The contract with its schemas, and the calls: for whoever is signed in.
              { name: 'data', test: DATA, minShareCount: 2, priority: 2 },
              // The landing page has these of our own pieces, and must not load the others for them.
              { name: 'drawing', test: /\/src\/ui\/(shelter-scene|document-title)\./, priority: 2 },
              // What most screens share of the component library, and of our own pieces.
              { name: 'pieces', test: PIECES, minShareCount: MOST_SCREENS, priority: 1 },
            ],
          },
        },
      },
    },
    server: {
      proxy: Object.fromEntries(
        SERVED_BY_THE_SERVER.map((path) => [path, { target, ws: path === '/ws' || path === '/api' }]),
      ),
    },
  };
});

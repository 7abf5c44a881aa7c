/** How the web app is built and served in development. `HARIS_SERVER` is where the dev server sends the product's calls. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { scopedClass } from './bundling/class-names.ts';
import { firstFiles } from './bundling/first-files.ts';
import { installable } from './bundling/install.ts';
import { precompress } from './bundling/precompress.ts';
import { shellFiles } from './bundling/shell-files.ts';
import { staticFrame } from './bundling/static-frame.ts';
import { themeSheet } from './bundling/theme-css.ts';

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

const ENGINE = /\/(node_modules\/zod|apps\/web\/src\/client\/schema-engine)/;
/** The calls. */
const CALLS = /\/apps\/web\/src\/client\/(http|proof|identity|config|live|sse)\./;
/**
 * Of the contract what every session and the dashboard ask for, a file for each piece that src/client/data-pieces.ts starts
 * in a task of its own; the rest comes with the screens that ask for it.
 */
const SCHEMAS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries({
    fields: 'fields|roles',
    errors: 'errors|http/route',
    objects: 'alarms|objects',
    accounts: 'http/accounts',
    children: 'vision|http/(children|stays|photos)',
    operations: 'http/operations|live/events',
    incidents: 'http/(incidents|sensors)|live/readings',
  }).map(([piece, modules]) => [piece, new RegExp(`/packages/contract/src/(${modules})\\.`)]),
);
const PIECES = /\/(node_modules|apps\/web\/src\/(ui|countdown))\//;
const FRAME =
  /\/src\/(features\/dashboard\/(dashboard-frame|dashboard-top|glance-figure|rail-folded|top\.module|glance\.module|screen\.module|sidebar\.module)|countdown\/(clock-format|remaining))\./;
/** So many screens and parts that load by themselves, of some thirty, must want a module for it to be a common piece. */
const MOST_SCREENS = 6;

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: string[]; code: string | null } | null;
}

/** Our own modules that a module imports, itself or through others, and the icons that they draw. */
function reachOf(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (module: string): void => {
    if (found.has(module) || module.includes('/node_modules/')) return;
    found.add(module);
    const { importedIds = [], code = null } = graph.getModuleInfo(module) ?? {};
    for (const imported of importedIds) add(imported);
    for (const [icon] of code?.matchAll(/\bIcon[A-Z]\w+/g) ?? []) found.add(icon);
  };
  add(join(import.meta.dirname, 'src', root));
  return found;
}

/** Names the common file for what the dashboard imports and a visitor's first page does not. */
function ofTheDesk() {
  let isWanted: ((id: string) => boolean) | undefined;
  return (id: string, graph: ModuleGraph) => {
    if (isWanted === undefined) {
      const desk = reachOf('app/dashboard.tsx', graph);
      const visitor = reachOf('features/home/home-screen.tsx', graph);
      isWanted = (module) => desk.has(module) && !visitor.has(module);
    }
    const icon = /\/tabler[^/]*\/|\/icons\/(Icon\w+)\.m?js$/.exec(id)?.[1];
    return isWanted(icon ?? id) ? 'desk' : null;
  };
}

export default defineConfig(({ mode }) => {
  const target = loadEnv(mode, import.meta.dirname, 'HARIS_').HARIS_SERVER ?? 'http://127.0.0.1:3000';
  const shell = shellFiles();
  return {
    root: import.meta.dirname,
    plugins: [
      react(),
      themeSheet(),
      installable(),
      staticFrame(),
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
    css: { modules: { generateScopedName: scopedClass } },
    build: {
      // Fonts as data: URLs would break the content policy; small files are cheap over one origin.
      assetsInlineLimit: 0,
      emptyOutDir: true,
      rolldownOptions: {
        output: {
          entryFileNames: 'assets/shell-[hash].js',
          codeSplitting: {
            groups: [
              // A file costs a kilobyte of headers and a place in the queue: the first load is one.
              { name: 'shell', tags: ['$initial'], priority: 3 },
              // The validation library, then the contract's schemas and the calls: for whoever is signed in.
              { name: 'engine', test: ENGINE, priority: 2 },
              ...Object.entries(SCHEMAS).map(([name, test]) => ({
                name,
                test,
                minShareCount: 2,
                priority: 2,
              })),
              { name: 'calls', test: CALLS, minShareCount: 2, priority: 2 },
              // What is painted of the dashboard before the rest of it has come.
              { name: 'frame', test: FRAME, priority: 2 },
              // The landing page has these of our own pieces, and must not load the others for them.
              { name: 'drawing', test: /\/src\/ui\/(shelter-scene|document-title)\./, priority: 2 },
              // What most screens share of the component library, and of our own pieces.
              { name: 'pieces', test: PIECES, minShareCount: MOST_SCREENS, priority: 1 },
              // What the dashboard shares with a few of them: one file in place of thirty.
              { name: ofTheDesk(), minShareCount: 2 },
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

/**
 * Builds the web app and serves it in development. `HARIS_SERVER` is the server to which the development server
 * forwards API calls.
 */
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

/**
 * Modules that every session needs: the validation library, the contract and the calls. The rest of the contract loads
 * with its screens.
 */
const CALLS =
  /\/(node_modules\/zod|packages\/contract\/src|apps\/web\/src\/(calls\/(http|proof|config)|session\/identity|live\/live))[/.]/;
const DRAWING = /\/src\/ui\/(shelter-scene|document-title)\.|\/icons\/Icon(ArrowRight|Mail)\.m?js$/;
const PIECES = /\/(node_modules|apps\/web\/src\/(ui|countdown))\//;
/** Parts of libraries that the dashboard uses, or the frame of staff, and few other screens. */
const MENUS =
  /@mantine\/core\/.*\/(Menu|NativeSelect|RadioIcon|AccordionChevron)\b|@mantine\/hooks\/.*\/use-local-storage\b/;
const SHEETS =
  /@mantine\/core\/.*\/(Drawer|Progress|use-virtualized-combobox)\b|@tanstack\/.*\/(useQueries|queriesObserver)\b/;
const FRAME = /\/src\/(features\/dashboard\/frame\/[\w-]+(\.module)?|countdown\/(clock-format|remaining))\./;
/**
 * Number of separately loaded screens and parts, of about thirty, that must share a module before it moves to the
 * common chunk.
 */
const MOST_SCREENS = 7;

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: string[]; code: string | null } | null;
}

/** Our own modules that some modules import, directly or indirectly, and the icons that they use. */
function reachOf(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (module: string): void => {
    if (found.has(module) || module.includes('/node_modules/')) return;
    found.add(module);
    const { importedIds = [], code = null } = graph.getModuleInfo(module) ?? {};
    for (const imported of importedIds) add(imported);
    for (const [icon] of code?.matchAll(/\bIcon[A-Z]\w+/g) ?? []) found.add(icon);
  };
  for (const root of roots) add(join(import.meta.dirname, 'src', root));
  return found;
}

/** Screens that need no sign-in; they must not load the code of signed-in people. */
const STRANGERS = [
  'features/home/home-screen.tsx',
  'features/auth/login-screen.tsx',
  'features/kiosk/kiosk-screen.tsx',
];
const SIGNED_IN = ['app/incidents.tsx', 'app/shell/account-menu.tsx'];
const STAFF = [
  'app/shell/staff-frame.tsx',
  'app/staff-tools.tsx',
  'features/settings/dashboard-checklist.tsx',
];
const PARENTS = ['app/shell/parent-frame.tsx', 'app/profile.tsx', 'features/live-feed/live-feed-screen.tsx'];

/** Modules of more than one part. Their imports are not added, because those may belong to the others. */
const SHARED = { minShareCount: 2, includeDependenciesRecursively: false } as const;

/** Assigns a common chunk to modules that the first roots import, and the others do not. */
function ofThose(name: string, roots: readonly string[], others: readonly string[]) {
  let isWanted: ((id: string) => boolean) | undefined;
  return (id: string, graph: ModuleGraph) => {
    if (isWanted === undefined) {
      const own = reachOf(roots, graph);
      const foreign = reachOf(others, graph);
      isWanted = (module) => own.has(module) && !foreign.has(module);
    }
    const icon = /\/tabler[^/]*\/|\/icons\/(Icon\w+)\.m?js$/.exec(id)?.[1];
    return isWanted(icon ?? id) ? name : null;
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
        // src/app/update.ts registers the worker, and bundling/install.ts writes the manifests.
        injectRegister: false,
        manifest: false,
        injectManifest: {
          globPatterns: ['**/*.{html,js,css,svg,woff2}'],
          // The hash in the file name identifies the revision.
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
      // The content policy forbids fonts as data: URLs; small files are cheap over one origin.
      assetsInlineLimit: 0,
      emptyOutDir: true,
      rolldownOptions: {
        output: {
          entryFileNames: 'assets/shell-[hash].js',
          codeSplitting: {
            groups: [
              // Each file costs a kilobyte of headers and a place in the queue, so the first load is one file.
              { name: 'shell', tags: ['$initial'], priority: 3 },
              { name: 'calls', test: CALLS, minShareCount: 2, priority: 2 },
              // Parts of the dashboard that are painted before the rest has loaded.
              { name: 'frame', test: FRAME, priority: 2 },
              // Our own components on the landing page, which must not load the others with them.
              { name: 'drawing', test: DRAWING, priority: 2 },
              // Modules of the component library and our own components that most screens share.
              { name: 'pieces', test: PIECES, minShareCount: MOST_SCREENS, priority: 1 },
              // Modules that the dashboard shares with a few screens: one file instead of thirty.
              {
                name: ofThose('desk', ['app/dashboard.tsx'], ['features/home/home-screen.tsx']),
                minShareCount: 2,
              },
              // The same for the overlays of all signed-in people, and for the frame of staff.
              { name: ofThose('signed-in', SIGNED_IN, STRANGERS), ...SHARED },
              { name: ofThose('staff', STAFF, [...STRANGERS, ...PARENTS, 'app/dashboard.tsx']), ...SHARED },
              { name: 'menus', test: MENUS },
              { name: 'sheets', test: SHEETS },
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

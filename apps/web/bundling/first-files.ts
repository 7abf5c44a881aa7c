/**
 * Lists the files of the first page for public/boot.js, so that they load in parallel with the page's code. Also lets
 * boot.js decide when that code runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, type Plugin } from 'vite';

/** Texts by language, code for sessions, and code of the first screens; boot.js looks them up by these names. */
const FIRST: Readonly<Record<string, RegExp>> = {
  en: /\/src\/i18n\/core-en\.ts$/,
  ar: /\/src\/i18n\/core-ar\.ts$/,
  '/': /\/src\/features\/home\/home-screen\.tsx$/,
  '/en': /\/src\/i18n\/en\/home\.json$/,
  '/ar': /\/src\/i18n\/ar\/home\.json$/,
  token: /\/src\/session\/identity\.ts$/,
  '/profile': /\/src\/app\/profile\.tsx$/,
  '/adminDashboard frame': /\/src\/features\/dashboard\/frame\/dashboard-frame\.tsx$/,
  '/adminDashboard en': /\/src\/i18n\/dashboard-en\.ts$/,
  '/adminDashboard ar': /\/src\/i18n\/dashboard-ar\.ts$/,
  '/adminDashboard': /\/src\/app\/dashboard\.tsx$/,
};

/** Styles of the component library, which have no code: each screen behind a login waits for them. */
const LIBRARY_STYLES = /\/library-styles-[\w-]+\.css$/;
/** Names of {@link FIRST} that want them. */
const WITH_LIBRARY: readonly string[] = ['/profile', '/adminDashboard'];

/**
 * Adds `<meta name="haris-first" content="{main: path, name: [path]}">`, because the content policy forbids inline
 * scripts, even with data only.
 */
export function firstFiles(): Plugin {
  return {
    name: 'haris-first-files',
    apply: 'build',
    // Minify boot.js here: it is not part of the bundle, and every page waits for it.
    writeBundle({ dir = '' }) {
      const boot = join(dir, 'boot.js');
      writeFileSync(boot, minifySync('boot.js', readFileSync(boot, 'utf8')).code);
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const library = Object.keys(bundle).filter((file) => LIBRARY_STYLES.test(file));
        if (library.length !== 1) throw new Error('The build should have one file of library styles');
        const entries = chunks.filter(({ isEntry }) => isEntry);
        const initial = new Set(entries.flatMap(({ fileName, imports }) => [fileName, ...imports]));
        const first = Object.fromEntries(
          Object.entries(FIRST).map(([name, module]) => {
            const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => module.test(id)));
            if (found === undefined) throw new Error(`No file of the build has ${module}`);
            const wanted = [found.fileName, ...found.imports].filter((file) => !initial.has(file));
            const styles = chunks
              .filter(({ fileName }) => wanted.includes(fileName))
              .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
            const shared = WITH_LIBRARY.includes(name) ? library : [];
            return [name, [...wanted, ...styles, ...shared].map((file) => `/${file}`)];
          }),
        );
        // The scripts before the last are its imports. Preload them with low priority, so that the small style sheet
        // loads first.
        const script = /<script type="module" crossorigin src="([^"]+)"><\/script>/g;
        const main = [...html.matchAll(script)].at(-1)?.[1];
        if (main === undefined) throw new Error('The built page has no script of its own');
        return {
          html: html.replace(script, '<link rel="modulepreload" crossorigin fetchpriority="low" href="$1">'),
          tags: [
            {
              tag: 'meta',
              attrs: { name: 'haris-first', content: JSON.stringify({ main, ...first }) },
              injectTo: 'head-prepend',
            },
          ],
        };
      },
    },
  };
}

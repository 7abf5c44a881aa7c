/**
 * Tells public/boot.js which files the first page will want, so that they come beside the page's code and not after it; and
 * leaves it to boot.js when that code runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, type Plugin } from 'vite';

/** Texts by language, what a session wants, and the code of the first screens; the names are what boot.js looks up. */
const FIRST: Readonly<Record<string, RegExp>> = {
  en: /\/src\/i18n\/core-en\.ts$/,
  ar: /\/src\/i18n\/core-ar\.ts$/,
  '/': /\/src\/features\/home\/home-screen\.tsx$/,
  '/en': /\/src\/i18n\/en\/home\.json$/,
  '/ar': /\/src\/i18n\/ar\/home\.json$/,
  token: /\/src\/client\/identity\.ts$/,
  '/profile': /\/src\/app\/profile\.tsx$/,
  '/adminDashboard frame': /\/src\/features\/dashboard\/dashboard-frame\.tsx$/,
  '/adminDashboard en': /\/src\/i18n\/en\/dashboard\.json$/,
  '/adminDashboard ar': /\/src\/i18n\/ar\/dashboard\.json$/,
  '/adminDashboard': /\/src\/app\/dashboard\.tsx$/,
};

/** Adds `<meta name="haris-first" content="{main: path, name: [path]}">`; the content policy forbids a script with data. */
export function firstFiles(): Plugin {
  return {
    name: 'haris-first-files',
    apply: 'build',
    // It is no part of the bundle, and every page waits for it.
    writeBundle({ dir = '' }) {
      const boot = join(dir, 'boot.js');
      writeFileSync(boot, minifySync('boot.js', readFileSync(boot, 'utf8')).code);
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
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
            return [name, [...wanted, ...styles].map((file) => `/${file}`)];
          }),
        );
        // Those before the last are what it imports. The style sheet, which is small and paints, goes before them.
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

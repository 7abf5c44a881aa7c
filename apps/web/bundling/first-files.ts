/** Tells public/boot.js which files the first page will want, so that they come beside the page's code and not after it. */
import type { Plugin } from 'vite';

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

/** Adds `<meta name="haris-first" content="{name: [path]}">`; the content policy forbids a script with data. */
export function firstFiles(): Plugin {
  return {
    name: 'haris-first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const initial = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ imports }) => imports));
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
        return [
          {
            tag: 'meta',
            attrs: { name: 'haris-first', content: JSON.stringify(first) },
            injectTo: 'head-prepend',
          },
        ];
      },
    },
  };
}

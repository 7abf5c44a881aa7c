/** Selects the files of the shell, which the service worker stores. They contain nothing of a screen behind a login. */
import type { Plugin } from 'vite';

/**
 * Modules besides the page's own code: the landing page, texts of every page and of the landing page, the calls of a
 * session.
 */
const SHELL_MODULES =
  /\/src\/(features\/home\/home-screen\.tsx|session\/identity\.ts|i18n\/\w+\/(common|home)\.json)$/;
/** Fonts for the two scripts of our languages (the font has three more) and the Arabic zero, and two static files. */
const SHELL_ASSETS =
  /^(assets\/(readex-pro-(latin|arabic)-wght-normal|arabic-zero)-.*\.woff2|boot\.js|favicon\.svg)$/;

export interface ShellFiles {
  plugin: Plugin;
  /**
   * Whether a file of the build, given by its path, belongs to the shell. Call it after the bundle has been generated.
   */
  has: (file: string) => boolean;
}

export function shellFiles(): ShellFiles {
  const files = new Set(['index.html']);
  return {
    has: (file) => files.has(file) || SHELL_ASSETS.test(file),
    plugin: {
      name: 'haris-shell-files',
      apply: 'build',
      generateBundle(_options, bundle) {
        const add = (name: string): void => {
          const chunk = bundle[name];
          if (files.has(name) || chunk?.type !== 'chunk') return;
          files.add(name);
          for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
          for (const imported of chunk.imports) add(imported);
        };
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          if (chunk.isEntry || chunk.moduleIds.some((id) => SHELL_MODULES.test(id))) add(chunk.fileName);
        }
      },
    },
  };
}

/** Which texts a screen needs: the namespaces used by its module and by all that it imports statically. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A screen of the router, and the namespaces that load with it. */
export interface LazyScreen {
  readonly module: string;
  readonly texts: readonly string[];
}

/** The screens that a router's source loads with `lazyScreen` or `lightScreen`; modules are as written there. */
export function screensOf(source: string): LazyScreen[] {
  const calls = source.matchAll(/(lazyScreen|lightScreen)\(\s*\(\) => import\('([^']+)'\),?([^)]*)\)/g);
  return [...calls].map(([, , module = '', rest = '']) => ({
    module,
    texts: [...rest.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  }));
}

const STATIC = /^(?:import|export)(?! type)[^;]*? from '(\.[^']+)';/gms;
const HOOK = /useTranslation\(\s*(?:'([^']+)'|\[([^\]]+)\])/g;

/** Namespaces used by a module and by all modules that it imports statically. */
export function namespacesOf(path: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(path) || !existsSync(path) || !/\.tsx?$/.test(path)) return found;
  seen.add(path);
  const source = readFileSync(path, 'utf8');
  for (const [, one, several = ''] of source.matchAll(HOOK)) {
    if (one !== undefined) found.add(one);
    for (const [, name = ''] of several.matchAll(/'([^']+)'/g)) found.add(name);
  }
  for (const [, specifier = ''] of source.matchAll(STATIC))
    for (const name of namespacesOf(join(dirname(path), specifier), seen)) found.add(name);
  return found;
}

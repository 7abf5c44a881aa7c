/** Texts of the web app, to find elements of a page in either language. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Language = 'en' | 'ar';

/** `words('auth:login.submit')`; `values` replace `{{name}}`. Throws for an unknown key. */
export type Words = (key: string, values?: Readonly<Record<string, string>>) => string;

const folder = fileURLToPath(new URL('../../apps/web/src/i18n/', import.meta.url));

export function wordsOf(language: Language): Words {
  const files = new Map<string, unknown>();
  return (key, values = {}) => {
    const [namespace = '', path = ''] = key.split(':');
    if (!files.has(namespace)) {
      files.set(namespace, JSON.parse(readFileSync(`${folder}${language}/${namespace}.json`, 'utf8')));
    }
    let found: unknown = files.get(namespace);
    for (const step of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[step];
    if (typeof found !== 'string') throw new Error(`no text ${key} in ${language}`);
    return found.replace(/\{\{(\w+)[^}]*\}\}/g, (_, name: string) => values[name] ?? '');
  };
}

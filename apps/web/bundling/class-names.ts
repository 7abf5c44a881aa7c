/** Names CSS-module classes in the built page without a hash, so that the static page can use them. */
import { basename } from 'node:path';

/** Paths of the style files by their names. */
const files = new Map<string, string>();

/**
 * `brand` of `src/app/header.module.css` becomes `header_brand`. Throws if another file has the same name: each would style
 * the other's elements.
 */
export function scopedClass(local: string, file: string): string {
  const path = file.replace(/\?.*$/, '');
  const name = basename(path, '.module.css');
  const known = files.get(name) ?? path;
  files.set(name, known);
  if (known !== path) throw new Error(`${known} and ${path} need different names.`);
  return `${name}_${local}`;
}

/** Names CSS-module classes in the built page without a hash, so that the static page can use them. */
import { basename } from 'node:path';

/** `brand` of `src/app/header.module.css` becomes `header_brand`. File names are unique. */
export function scopedClass(local: string, file: string): string {
  return `${basename(file).replace(/\.module\.css.*$/, '')}_${local}`;
}

/** The names of our classes in the built page: without a hash, so that the page itself can have them before any code. */
import { basename } from 'node:path';

/** `brand` of `src/app/header.module.css` is `header_brand`. The files have names of their own. */
export function scopedClass(local: string, file: string): string {
  return `${basename(file).replace(/\.module\.css.*$/, '')}_${local}`;
}

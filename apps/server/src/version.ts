/** The product's version, defined once: in the package.json of the repository's root. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifestSchema = z.object({ version: z.string() });

/** Semantic version, such as `0.2.0`. */
export const VERSION = manifestSchema.parse(
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')),
).version;

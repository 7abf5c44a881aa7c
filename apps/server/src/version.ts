/** The versions of the product and of its Node, defined once: in the package.json of the repository's root. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifestSchema = z.object({
  version: z.string(),
  dependencies: z.object({ node: z.string() }).optional(),
});
const manifest = manifestSchema.parse(
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')),
);

/** Semantic version, such as `0.2.0`. */
export const VERSION = manifest.version;

/** The version of Node that a checkout is made for; null in a package, which comes with its Node. */
export const PINNED_NODE = manifest.dependencies?.node ?? null;

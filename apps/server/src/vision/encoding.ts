/** How the numbers of a face are sealed. */
import { encodingSchema } from '@haris/contract/vision';
import type { DataKey } from '../vault/vault.ts';

/** An encoding as it is sealed: JSON, so that the numbers come back to the last bit. */
function encodingBytes(encoding: readonly number[]): Buffer {
  return Buffer.from(JSON.stringify(encoding));
}

/** Seals the encoding of the row `id` with its person's key. */
export function sealEncoding(key: DataKey, id: string, encoding: readonly number[]): Uint8Array {
  return key.seal(`encoding ${id}`, encodingBytes(encoding));
}

/** Opens what {@link sealEncoding} sealed. Throws where it was changed. */
export function openEncoding(key: DataKey, id: string, sealed: Uint8Array): number[] {
  return encodingSchema.parse(JSON.parse(key.open(`encoding ${id}`, sealed).toString('utf8')));
}

/** Seals and opens face encodings. */
import { encodingSchema } from '@haris/contract/vision';
import type { DataKey } from '../vault/vault.ts';

/** The plaintext of a sealed encoding: JSON, which preserves every bit of the numbers. */
function encodingBytes(encoding: readonly number[]): Buffer {
  return Buffer.from(JSON.stringify(encoding));
}

/** Seals the encoding of the row `id` with the person's data key. */
export function sealEncoding(key: DataKey, id: string, encoding: readonly number[]): Uint8Array {
  return key.seal(`encoding ${id}`, encodingBytes(encoding));
}

/** Opens an encoding that {@link sealEncoding} sealed. Throws if it was changed. */
export function openEncoding(key: DataKey, id: string, sealed: Uint8Array): number[] {
  return encodingSchema.parse(JSON.parse(key.open(`encoding ${id}`, sealed).toString('utf8')));
}

/**
 * Encrypts personal data: AES-256-GCM, with a data key per person that the master key wraps.
 * A sealed value is `1 | iv (12) | tag (16) | ciphertext`, bound to a context, so that it opens only in its own place.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES + TAG_BYTES;

/** Seals bytes with a 32-byte key; the same `context`, which names kind and owner, opens it. */
export function seal(key: Uint8Array, context: string, plain: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body]);
}

/** Opens a sealed value. Throws if the key, the context or a single bit differs. */
function open(key: Uint8Array, context: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) throw new Error('not a sealed value');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + IV_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(1 + IV_BYTES, HEAD_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
}

/** A person's data key, open in memory. Without its wrapped form, all that it sealed is unreadable. */
export interface DataKey {
  seal(context: string, plain: Uint8Array): Buffer;
  open(context: string, sealed: Uint8Array): Buffer;
}

export interface Vault {
  /** Creates a data key for an owner, and its wrapped form to store. */
  createDataKey(owner: string): { key: DataKey; wrapped: Buffer };
  /** Unwraps a data key. Throws if it belongs to another owner or another master key. */
  openDataKey(owner: string, wrapped: Uint8Array): DataKey;
  /** Seals with a key of the installation (mails in the queue, national IDs). */
  seal(context: string, plain: Uint8Array): Buffer;
  open(context: string, sealed: Uint8Array): Buffer;
  /** Keyed hash (HMAC-SHA-256, hex): equal for equal text, and useless without the master key. */
  mac(purpose: string, text: string): string;
  /** Derives 32 bytes that leave this server (HKDF-SHA-256): the same for the same `use`, and different from every key above. */
  deriveKey(use: string): Buffer;
}

export function openVault(master: MasterKey): Vault {
  const wrapping = master.derive('wrap data keys');
  const general = master.derive('seal values');
  const macKeys = new Map<string, Buffer>();
  const dataKey = (key: Uint8Array): DataKey => ({
    seal: (context, plain) => seal(key, context, plain),
    open: (context, sealed) => open(key, context, sealed),
  });
  return {
    createDataKey(owner) {
      const key = randomBytes(32);
      return { key: dataKey(key), wrapped: seal(wrapping, `key ${owner}`, key) };
    },
    openDataKey: (owner, wrapped) => dataKey(open(wrapping, `key ${owner}`, wrapped)),
    seal: (context, plain) => seal(general, context, plain),
    open: (context, sealed) => open(general, context, sealed),
    mac(purpose, text) {
      let key = macKeys.get(purpose);
      if (!key) {
        key = master.derive(`mac ${purpose}`);
        macKeys.set(purpose, key);
      }
      return createHmac('sha256', key).update(text).digest('hex');
    },
    deriveKey: (use) => master.derive(`given ${use}`),
  };
}

/** 32 random bytes as 43 URL-safe characters: session, ticket, verification, reset and entry tokens. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Hash under which a random token is stored (SHA-256, hex): sufficient for 256 random bits, and useless as a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Opens the sealed list of a desk tablet. Makes no calls, and stores nothing. */
import { DESK_LIST_CONTEXT, type DeskList, deskListSchema } from '@haris/contract/desk-list';

/** The form of what the server seals: `1 | iv (12) | tag (16) | ciphertext`. Bytes. */
const VERSION = 1;
const IV_END = 13;
const TAG_END = 29;

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** The key of a sign-in, as a key that no script can read out again. Throws if it is none. */
export async function importListKey(offlineKey: string): Promise<CryptoKey> {
  const bytes = fromBase64Url(offlineKey);
  if (bytes.length !== 32) throw new Error('not a key');
  return crypto.subtle.importKey('raw', bytes, { name: 'AES-GCM' }, false, ['decrypt']);
}

/** Throws if the key does not fit, a bit was changed, or it is another kind of list. */
export async function openSealed(key: CryptoKey, sealed: Uint8Array<ArrayBuffer>): Promise<DeskList> {
  if (sealed.length < TAG_END || sealed[0] !== VERSION) throw new Error('not a sealed list');
  const cipher = {
    name: 'AES-GCM',
    iv: sealed.slice(1, IV_END),
    additionalData: new TextEncoder().encode(DESK_LIST_CONTEXT),
  };
  // The browser wants the tag at the end.
  const body = new Uint8Array(sealed.length - IV_END);
  body.set(sealed.slice(TAG_END));
  body.set(sealed.slice(IV_END, TAG_END), sealed.length - TAG_END);
  const text = await crypto.subtle.decrypt(cipher, key, body);
  return deskListSchema.parse(JSON.parse(new TextDecoder().decode(text)));
}

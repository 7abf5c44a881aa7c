/** Seals what a desk tablet writes without a connection, with a key that no script reads out. Makes no calls, and stores nothing. */
import { entryPeriodSchema } from '@haris/contract/fields';
import * as z from 'zod/mini';

const IV_BYTES = 12;

/** What a seal is bound to, so that no sealed text can stand in for another. */
const contextOf = {
  ticket: (page: string) => `desk ticket ${page}`,
  entry: (id: string) => `desk entry ${id}`,
} as const;

const ticketSchema = z.string();

/** An entry as it lies on the tablet. */
const storedEntrySchema = z.object({
  kind: z.literal('check_in'),
  ticket: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  isUnsure: z.boolean(),
  childId: z.string(),
  uniqueEntryId: z.string(),
  slipToken: z.string(),
  minutes: entryPeriodSchema,
  roomId: z.nullable(z.string()),
});
export type StoredEntry = z.infer<typeof storedEntrySchema>;

/** A new key for this tablet's entries. */
export function makeEntryKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

function cipherOf(context: string, iv: Uint8Array<ArrayBuffer>) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(context) };
}

async function seal(key: CryptoKey, context: string, value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder().encode(JSON.stringify(value));
  const body = await crypto.subtle.encrypt(cipherOf(context, iv), key, text);
  const sealed = new Uint8Array(IV_BYTES + body.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(body), IV_BYTES);
  return sealed;
}

async function open(key: CryptoKey, context: string, sealed: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const cipher = cipherOf(context, sealed.slice(0, IV_BYTES));
  const text = await crypto.subtle.decrypt(cipher, key, sealed.slice(IV_BYTES));
  return JSON.parse(new TextDecoder().decode(text));
}

export const sealTicket = (key: CryptoKey, page: string, ticket: string) =>
  seal(key, contextOf.ticket(page), ticket);

/** Throws if the key does not fit or a bit was changed. */
export async function openTicket(key: CryptoKey, page: string, sealed: Uint8Array<ArrayBuffer>) {
  return ticketSchema.parse(await open(key, contextOf.ticket(page), sealed));
}

export const sealEntry = (key: CryptoKey, id: string, entry: StoredEntry) =>
  seal(key, contextOf.entry(id), entry);

/** Throws if the key does not fit, a bit was changed, or it is another entry. */
export async function openEntry(key: CryptoKey, id: string, sealed: Uint8Array<ArrayBuffer>) {
  return storedEntrySchema.parse(await open(key, contextOf.entry(id), sealed));
}

/** Random bits for a code that nobody can guess, without padding. */
export function randomBase64Url(bytes: number): string {
  const all = crypto.getRandomValues(new Uint8Array(bytes));
  const text = Array.from(all, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Two digits for each byte. */
export function randomHex(bytes: number): string {
  const all = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(all, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

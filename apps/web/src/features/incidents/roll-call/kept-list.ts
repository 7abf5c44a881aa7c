/**
 * The list of an evacuation on this device, so that a reload without a connection does not lose it: sealed with the
 * session's token, so that it cannot be read once the session has ended. Makes no calls. Decision 033.
 */
import { type KeptCareCard, keptCareCardsSchema } from '@haris/contract/http/care';
import { type Evacuation, evacuationSchema } from '@haris/contract/http/incidents';
import * as z from 'zod/mini';
import { getTokenState, KEPT_LIST_KEY } from '../../../calls/token-store.ts';

/** After this time the list is no longer shown. Milliseconds. */
const KEPT_MS = 12 * 3_600_000;

const keptSchema = z.object({
  /** Time of the last answer of the server, in epoch milliseconds of this device. */
  keptAt: z.number(),
  /** The signed-in staff member, whose own ticks need no name. */
  staffId: z.string(),
  evacuation: evacuationSchema,
  /** Whether this person ticks people. */
  mayTick: z._default(z.boolean(), true),
  /** Care cards of the children on the list; none for people who may not see them. */
  cards: z._default(keptCareCardsSchema, []),
});
export type KeptList = z.infer<typeof keptSchema>;

/** All in base64. */
const sealedSchema = z.object({ salt: z.string(), iv: z.string(), data: z.string() });

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

async function keyFrom(token: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const secret = await crypto.subtle.importKey('raw', encoder.encode(token), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: encoder.encode('haris roll call') };
  const cipher = { name: 'AES-GCM', length: 256 };
  return crypto.subtle.deriveKey(derivation, secret, cipher, false, ['encrypt', 'decrypt']);
}

/** Number of the newest change: an older one that is sealed later must not replace it. */
let latest = 0;

export interface ListToKeep extends Pick<KeptList, 'staffId' | 'mayTick'> {
  evacuation: Evacuation;
  /** Undefined: not known yet, so those that are kept for the same evacuation stay. */
  cards: readonly KeptCareCard[] | undefined;
}

/** Stores the list, replacing the previous one. Does nothing where the browser cannot encrypt (no HTTPS) or store. */
export async function keepList({ cards, ...known }: ListToKeep): Promise<void> {
  const turn = ++latest;
  const { token, generation } = getTokenState();
  // Without HTTPS there is no service worker either, so a reload without a connection shows nothing in any case.
  if (token === null || crypto.subtle === undefined) return;
  const list: KeptList = {
    ...known,
    keptAt: Date.now(),
    cards: [...(cards ?? (await keptCards(known.evacuation._id)))],
  };
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(list));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyFrom(token, salt), text);
  // If the session has ended in the meantime, store nothing.
  if (turn !== latest || getTokenState().generation !== generation) return;
  const sealed = { salt: toBase64(salt), iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
  try {
    localStorage.setItem(KEPT_LIST_KEY, JSON.stringify(sealed));
  } catch {
    // The storage is full or blocked; the list lasts as long as the page.
  }
}

/** The cards that this device keeps for an evacuation. */
async function keptCards(evacuationId: string): Promise<readonly KeptCareCard[]> {
  const kept = await readKept().catch(() => null);
  return kept?.evacuation._id === evacuationId ? kept.cards : [];
}

/** Removes the list: the evacuation has ended. The end of the session removes it in calls/token-store.ts. */
export function dropList(): void {
  latest++;
  try {
    localStorage.removeItem(KEPT_LIST_KEY);
  } catch {
    // Nothing can be stored there.
  }
}

/** The stored list; null, and removed, if there is none that this session can read, or only an old one. */
export async function openList(): Promise<KeptList | null> {
  try {
    return await readKept();
  } catch {
    dropList();
    return null;
  }
}

/** Throws if there is no list that this session can read, or only an old one. */
async function readKept(): Promise<KeptList> {
  const { token } = getTokenState();
  const sealed = sealedSchema.parse(JSON.parse(localStorage.getItem(KEPT_LIST_KEY) ?? 'null'));
  if (token === null) throw new Error('Nobody is signed in');
  const key = await keyFrom(token, fromBase64(sealed.salt));
  const cipher = { name: 'AES-GCM', iv: fromBase64(sealed.iv) };
  const text = await crypto.subtle.decrypt(cipher, key, fromBase64(sealed.data));
  const kept = keptSchema.parse(JSON.parse(new TextDecoder().decode(text)));
  if (Math.abs(Date.now() - kept.keptAt) > KEPT_MS) throw new Error('Too old');
  return kept;
}

/** What a desk tablet keeps for a time without a connection, for page tests: its list, sealed as the server seals it. */
import {
  DESK_LIST_CONTEXT,
  type DeskList,
  type KeptChild,
  type OutsideChild,
} from '@haris/contract/desk-list';

/** What a paired tablet has stored. */
export const PAIRED = { token: 'token-of-the-desk-tablet', name: 'Front desk', language: 'en' };

/** The staff member who signs in. */
export const NADIA = {
  _id: 'staff-nadia',
  name: 'Nadia Farouk',
  photoId: null,
  hasPin: true,
  hasPasskey: false,
};

/** The tablet's first screen. */
export const DESK = {
  name: 'Front desk',
  facility: 'Sunshine Nursery',
  staff: [NADIA],
  evacuatingSince: null,
  dangers: [],
};

/** A child inside since now, for two hours. */
export const childOf = (name: string, over: Partial<KeptChild> = {}): KeptChild => ({
  id: `id-of-${name}`,
  name,
  isUnconfirmed: false,
  guardian: { name: `Mother of ${name}`, phone: '01001234567' },
  room: 'Bees',
  entryTime: new Date().toISOString(),
  duration: 120,
  card: null,
  isCardUnreadable: false,
  ...over,
});

/** A child outside, with no home room of its own. */
export const outsideOf = (name: string, over: Partial<OutsideChild> = {}): OutsideChild => ({
  id: `id-of-${name}`,
  name,
  isUnconfirmed: false,
  guardian: `Mother of ${name}`,
  homeRoomId: null,
  hasCard: false,
  ...over,
});

export const toBase64Url = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The sealed list. `bytes`: the key of a sign-in. */
export async function sealedWith(bytes: Uint8Array<ArrayBuffer>, list: DeskList): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'AES-GCM' }, false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode(DESK_LIST_CONTEXT);
  const text = new TextEncoder().encode(JSON.stringify(list));
  const body = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, text),
  );
  return toBase64Url(
    new Uint8Array([1, ...iv, ...body.slice(body.length - 16), ...body.slice(0, body.length - 16)]),
  );
}

/** What a decoder makes of a message, and how all of them read numbers. Pure. */
import type { Refusal } from '@haris/contract/http/sensors';
import { QUANTITIES, type Quantity, READING_RANGES } from '@haris/contract/live/readings';

/** °C, % and the gas sensor's raw number; only what was received and may be. */
export type Reading = { readonly [Q in Quantity]?: number };

export type Decoded =
  /** `refused` has a reason for each value that was left out; `reading` may be empty then. */
  | {
      readonly kind: 'reading';
      readonly reading: Reading;
      readonly refused: readonly Refusal[];
      /** The device's own id of the message. */
      readonly key?: string;
    }
  | { readonly kind: 'availability'; readonly online: boolean }
  | { readonly kind: 'refused'; readonly reason: Refusal }
  /** Something that devices say and that is not about the air. */
  | { readonly kind: 'ignored' };

/** Larger payloads are not looked at. Bytes. */
const MAX_PAYLOAD_BYTES = 4096;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The payload as text, or null when it is too large or not UTF-8. */
export function readText(payload: Uint8Array): string | null {
  if (payload.length > MAX_PAYLOAD_BYTES) return null;
  try {
    return utf8.decode(payload);
  } catch {
    return null;
  }
}

/** The payload as a JSON object, or null for anything else. */
export function readObject(payload: Uint8Array): Record<string, unknown> | null {
  const text = readText(payload);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A number, also one that the firmware sends as text; null for `nan`, `unknown`, `unavailable`, null and the rest. */
export function toNumber(raw: unknown): number | null {
  const value =
    typeof raw === 'number'
      ? raw
      : typeof raw === 'string' && DECIMAL.test(raw.trim())
        ? Number(raw)
        : Number.NaN;
  if (!Number.isFinite(value)) return null;
  // −0 would be written as 0 and read as another value.
  return value === 0 ? 0 : value;
}

/** Sorts raw values into those that may be and reasons for the others; no value at all is `nothing_known`. */
export function judge(raw: { readonly [Q in Quantity]?: unknown }): Decoded {
  const reading: { [Q in Quantity]?: number } = {};
  const refused: Refusal[] = [];
  for (const quantity of QUANTITIES) {
    if (!Object.hasOwn(raw, quantity) || raw[quantity] === undefined) continue;
    const value = toNumber(raw[quantity]);
    const [least, most] = READING_RANGES[quantity];
    if (value === null) refused.push('not_a_number');
    else if (value < least || value > most) refused.push('out_of_range');
    else reading[quantity] = value;
  }
  if (Object.keys(reading).length === 0 && refused.length === 0)
    return { kind: 'refused', reason: 'nothing_known' };
  return { kind: 'reading', reading, refused };
}

/** The result of a decoder, and how decoders read numbers. Pure. */
import type { Refusal } from '@haris/contract/http/sensors';
import { QUANTITIES, type Quantity, READING_RANGES } from '@haris/contract/live/readings';

/** Quantities of a message that are within their ranges: °C, % and the raw number of the gas sensor. */
export type Reading = { readonly [Q in Quantity]?: number };

export type Decoded =
  /** `refused` lists the reason for each refused value; `reading` may be empty. */
  | {
      readonly kind: 'reading';
      readonly reading: Reading;
      readonly refused: readonly Refusal[];
      /** Id that the device gave the reading, if any. */
      readonly key?: string;
    }
  | { readonly kind: 'availability'; readonly online: boolean }
  | { readonly kind: 'refused'; readonly reason: Refusal }
  /** A message without air values or availability. */
  | { readonly kind: 'ignored' };

/** Larger payloads are refused. Bytes. */
const MAX_PAYLOAD_BYTES = 4096;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The payload as text, or null if it is too large or not UTF-8. */
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

/** Reads a number, also from text, as some firmware sends it. Null for anything else, such as `nan` or `unavailable`. */
export function toNumber(raw: unknown): number | null {
  const value =
    typeof raw === 'number'
      ? raw
      : typeof raw === 'string' && DECIMAL.test(raw.trim())
        ? Number(raw)
        : Number.NaN;
  if (!Number.isFinite(value)) return null;
  // −0 would count as a change, because it is stored as 0.
  return value === 0 ? 0 : value;
}

/** Separates values within their ranges from refused values. Refuses a message without known quantities: `nothing_known`. */
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

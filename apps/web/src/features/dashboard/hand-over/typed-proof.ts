/** Tells what was typed or scanned into the field for a proof. Pure. */

import { toAsciiDigits } from '@haris/contract/fields';
import type { PickupProof } from '@haris/contract/http/hand-over';

/** A slip's code, a pass, or six digits of a phone; null while the text is none of them. */
export function readTypedProof(text: string): PickupProof | null {
  const typed = text.trim();
  if (/^[A-Za-z0-9_-]{43}\.[0-9a-f]{32}$/.test(typed)) return { kind: 'slip', value: typed };
  // A pass is a link whose last part is the token.
  const pass = /^(?:https?:\/\/\S+#)?([A-Za-z0-9_-]{43})$/.exec(typed)?.[1];
  if (pass !== undefined) return { kind: 'pass', value: pass };
  const digits = toAsciiDigits(typed).replace(/\s/g, '');
  return /^[0-9]{6}$/.test(digits) ? { kind: 'code', value: digits } : null;
}

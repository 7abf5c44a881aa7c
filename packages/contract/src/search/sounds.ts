/**
 * Writes a folded name as sounds, which are the same for Arabic and Latin letters, and measures the distance of two
 * such names. Arabic leaves short vowels out, so vowels count little. Pure.
 */

/** Sounds of Arabic letters. Besides them there is `A`, a vowel of any kind at the beginning or the end of a word. */
const ARABIC: Readonly<Record<string, string>> = {
  ا: 'a',
  ب: 'b',
  پ: 'b',
  ت: 't',
  ث: 't',
  ج: 'g',
  چ: 'S',
  ح: 'h',
  خ: 'X',
  د: 'd',
  ذ: 'z',
  ر: 'r',
  ز: 'z',
  ژ: 'z',
  س: 's',
  ش: 'S',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'z',
  ع: 'a',
  غ: 'g',
  ف: 'f',
  ڤ: 'f',
  ق: 'k',
  ك: 'k',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  و: 'u',
  ي: 'i',
};

/** Latin spellings, the longer ones first. `c` before e, i and y is an s. */
const LATIN: readonly (readonly [RegExp, string])[] = [
  [/sch|tch/g, 'S'],
  [/chr/g, 'kr'],
  [/sh|ch/g, 'S'],
  [/kh/g, 'X'],
  [/gh/g, 'g'],
  [/th/g, 't'],
  [/ph/g, 'f'],
  [/ck/g, 'k'],
  [/x/g, 'ks'],
  [/c(?=[eiy])/g, 's'],
  [/[cq]/g, 'k'],
  [/j/g, 'g'],
  [/p/g, 'b'],
  [/v/g, 'f'],
  [/[ow]/g, 'u'],
  [/[ey]/g, 'i'],
];

const HAS_ARABIC = /\p{Script=Arabic}/u;
const HAS_LATIN = /[a-z]/;

/** The script of a folded word; other scripts have no sounds here. */
export type Script = 'arabic' | 'latin' | 'other';

export function scriptOf(folded: string): Script {
  return HAS_ARABIC.test(folded) ? 'arabic' : HAS_LATIN.test(folded) ? 'latin' : 'other';
}

/** Sounds of one folded word; equal neighbours are one sound. Empty for a word of another script. */
export function soundsOf(folded: string): string {
  const script = scriptOf(folded);
  if (script === 'other') return '';
  const sounds = script === 'arabic' ? soundsOfArabic(folded) : soundsOfLatin(folded);
  return sounds.replace(/(.)\1+/g, '$1');
}

/** Two names that differ by a letter that is not spoken and a vowel that is not written. */
const SPOKEN: Readonly<Record<string, string>> = { عمرو: 'amr', عمر: 'umar' };

function soundsOfArabic(word: string): string {
  const spoken = SPOKEN[word];
  if (spoken !== undefined) return spoken;
  const sounds = [...word].map((letter) => ARABIC[letter] ?? '').join('');
  return (
    sounds
      .replace(/^a/, 'A')
      // Taa marbuta, which is folded into haa.
      .replace(/(?<=..)h$/, 'a')
      // Alef maqsura, which is folded into yaa.
      .replace(/(?<=.)i$/, 'A')
  );
}

function soundsOfLatin(word: string): string {
  let sounds = word.replace(/[^a-z]/g, '');
  for (const [spelling, sound] of LATIN) sounds = sounds.replace(spelling, sound);
  return sounds;
}

const VOWELS = 'aiuA';
/** Costs of a missing or additional sound, and of a sound that replaces another. */
const SHORT_VOWEL = 0.25;
/** Arabic writes the vowels at both ends of a word. */
const FIRST_VOWEL = 0.8;
const LAST_VOWEL = 0.7;
const BREATH = 0.35;
const OTHER_VOWEL = 0.4;
const ANY_VOWEL = 0.1;
const VOWELS_SWAPPED = 0.2;
const SIMILAR = 0.5;
/** Pairs that are written for one another. */
const ALIKE = new Set(['sz', 'dz', 'Xk', 'gk', 'Xg', 'Ss', 'Xh', 'st', 'tz', 'bf']);

function missing(word: string, at: number): number {
  const sound = word[at] ?? '';
  if (sound === 'h') return BREATH;
  if (!VOWELS.includes(sound)) return 1;
  return at === 0 ? FIRST_VOWEL : at === word.length - 1 ? LAST_VOWEL : SHORT_VOWEL;
}

function swapped(one: string, other: string): number {
  if (one === other) return 0;
  if (VOWELS.includes(one) && VOWELS.includes(other))
    return one === 'A' || other === 'A' ? ANY_VOWEL : OTHER_VOWEL;
  if ((one === 'h' && VOWELS.includes(other)) || (other === 'h' && VOWELS.includes(one))) return BREATH;
  return ALIKE.has([one, other].sort().join('')) ? SIMILAR : 1;
}

/** Maximum distance at which two words of sounds count as one name, by the length of the shorter one. */
function allowed(length: number): number {
  if (length <= 2) return 0.3;
  if (length === 3) return 0.6;
  if (length <= 5) return 0.85;
  return length <= 7 ? 1 : 1.5;
}

/**
 * Distance of two words of sounds, 0 for the same; null if they are not one name. With `asPrefix`, `typed` may be the
 * beginning of `known`.
 */
export function soundDistance(typed: string, known: string, asPrefix: boolean): number | null {
  if (typed === '' || known === '') return null;
  const most = allowed(Math.min(typed.length, known.length));
  // A vowel may be missing beside each consonant.
  if (!asPrefix && Math.abs(typed.length - known.length) * SHORT_VOWEL > most) return null;
  if (asPrefix && (typed.length - known.length) * SHORT_VOWEL > most) return null;
  let last: number[] = [];
  let before = [0];
  for (let at = 1; at <= known.length; at++) before.push((before[at - 1] ?? 0) + missing(known, at - 1));
  for (let line = 1; line <= typed.length; line++) {
    const sound = typed[line - 1] ?? '';
    const row = [(before[0] ?? 0) + missing(typed, line - 1)];
    let least = row[0] ?? 0;
    for (let at = 1; at <= known.length; at++) {
      const other = known[at - 1] ?? '';
      let cost = Math.min(
        (before[at - 1] ?? 0) + swapped(sound, other),
        (before[at] ?? 0) + missing(typed, line - 1),
        (row[at - 1] ?? 0) + missing(known, at - 1),
      );
      if (
        VOWELS.includes(sound) &&
        VOWELS.includes(other) &&
        sound === known[at - 2] &&
        other === typed[line - 2]
      )
        cost = Math.min(cost, (last[at - 2] ?? 0) + VOWELS_SWAPPED);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return null;
    last = before;
    before = row;
  }
  const distance = asPrefix ? Math.min(...before) : (before.at(-1) ?? 0);
  return distance <= most ? distance : null;
}

/** Tells whether two names of persons sound alike, in one script or in both. Pure. */
import { isOnlyTitles, type Reading, readingsOf, type Spellings } from './name-words.ts';
import { scriptOf, soundDistance, soundsOf } from './sounds.ts';

/** Largest distance of two words in one script that sound the same: Arabic writes what tells names apart. */
const NEAR_ARABIC = 0.2;
const NEAR_LATIN = 0.45;
const NEAR_LATIN_SHORT = 0.3;
const SHORT = 4;
/** In two scripts each vowel that Arabic leaves out adds to the distance, so long words may differ more. For each sound. */
const NEAR_ACROSS = 0.16;

/**
 * Whether two Arabic words of three letters differ at both ends: آلاء, folded to الا, and علي. Either end alone is a letter that
 * people write for the other, as in علا and على; both at once leave one letter, and are another name.
 */
const differAtBothEnds = (one: string, other: string) =>
  /^(?:ا.ا ع.ي|ع.ي ا.ا|ا.ي ع.ا|ع.ا ا.ي)$/.test(`${one} ${other}`);

function wordsSoundAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const scripts = [scriptOf(one), scriptOf(other)] as const;
  if (scripts.includes('other')) return false;
  const [a, b] = [soundsOf(one), soundsOf(other)];
  const distance = soundDistance(a, b, false);
  if (distance === null) return false;
  if (scripts[0] !== scripts[1]) return distance <= NEAR_ACROSS * Math.max(a.length, b.length);
  if (scripts[0] === 'arabic') return distance <= NEAR_ARABIC && !differAtBothEnds(one, other);
  return distance <= (Math.min(a.length, b.length) <= SHORT ? NEAR_LATIN_SHORT : NEAR_LATIN);
}

const isAlike = (one: Spellings, other: Spellings) =>
  one.some((a) => other.some((b) => wordsSoundAlike(a, b)));

/** Whether each word sounds like a word of its own among the others. */
function allAmong(words: readonly Spellings[], others: readonly Spellings[]): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  return others.some(
    (other, at) =>
      isAlike(first, other) &&
      allAmong(
        rest,
        others.filter((_, index) => index !== at),
      ),
  );
}

/** Most words of a name that are compared; the first ones tell people apart. */
const WORDS_MAX = 6;

/** Whether two readings of names can be those of one person. */
function readingsAlike(one: Reading, other: Reading): boolean {
  // Of two names only one was split: joined, the second words would count as parts of the first ones.
  if (one.isJoined && other.isJoined) return false;
  if (one.parts.length !== other.parts.length && wordsSoundAlike(one.parts.join(''), other.parts.join('')))
    return true;
  const [a, b] = [one.words.slice(0, WORDS_MAX), other.words.slice(0, WORDS_MAX)];
  if (a.length === b.length && allAmong(a, b)) return true;
  const [first, ...rest] = a;
  const [firstOther, ...others] = b;
  if (first === undefined || firstOther === undefined || !isAlike(first, firstOther)) return false;
  if (rest.length === 0 || others.length === 0) return true;
  return rest.some((word) => others.some((candidate) => isAlike(word, candidate)));
}

/**
 * Whether two names sound like those of one person: the given name, and any second word of each, because one paper says the father
 * and the family, and another one the father and the grandfather; or all words in any order, if both have as many. A given name
 * alone sounds like each name that begins so. Titles count only where one name is nothing else: "Grandma" may be "Grandma Mona".
 * Words of other scripts than Arabic and Latin must be equal.
 */
export function namesSoundAlike(one: string, other: string): boolean {
  const keepTitles = isOnlyTitles(one) || isOnlyTitles(other);
  const readings = readingsOf(other, keepTitles);
  return readingsOf(one, keepTitles).some((reading) =>
    readings.some((another) => readingsAlike(reading, another)),
  );
}

/** Tells whether two names of persons sound alike, in one script or in both. Pure. */
import { foldForSearch } from './folding.ts';
import { scriptOf, soundDistance, soundsOf } from './sounds.ts';

/** Words that begin a compound name: عبد الرحمن is one name. */
const BEGINNINGS = new Set(['abd', 'abdel', 'abdul', 'abdal', 'عبد', 'abu', 'abo', 'ابو']);
const ARTICLES = new Set(['al', 'el', 'ال', 'ul']);
/** "Son of" between two names. */
const SON = new Set(['bin', 'ben', 'ibn', 'بن', 'ابن']);

/** Shortest word whose first two letters can be an article that is written with it. */
const WITH_ARTICLE = 5;

/** The same word in the ways in which it may be written, folded. */
type Spellings = readonly string[];

function spellingsOf(word: string): Spellings {
  const plain = word.length >= WITH_ARTICLE && /^(?:ال|[ae]l)/.test(word) ? [word, word.slice(2)] : [word];
  // The h at the end of Sarah is not spoken, and the one of Fathy is a letter of its own.
  return plain.flatMap((one) => {
    const spoken = one.replace(/(?<=[a-z][aeiou])h$/, '');
    return spoken.includes('th') ? [spoken, spoken.replaceAll('th', 'teh')] : [spoken];
  });
}

/** The words of a name; compound names are one, and articles are left out. */
function wordsOf(parts: readonly string[]): Spellings[] {
  const words: Spellings[] = [];
  let begun = '';
  for (const part of parts) {
    if (begun === '' && (ARTICLES.has(part) || (words.length > 0 && SON.has(part)))) continue;
    begun += part;
    if (BEGINNINGS.has(part) || ARTICLES.has(part)) continue;
    words.push(spellingsOf(begun));
    begun = '';
  }
  if (begun !== '') words.push(spellingsOf(begun));
  return words.length > 0 ? words : [spellingsOf(parts.join(''))];
}

/** Largest distance of two words in one script that sound the same: Arabic writes what tells names apart. */
const NEAR_ARABIC = 0.2;
const NEAR_LATIN = 0.45;
const NEAR_LATIN_SHORT = 0.3;
const SHORT = 4;
/** In two scripts each vowel that Arabic leaves out adds to the distance, so long words may differ more. For each sound. */
const NEAR_ACROSS = 0.16;

function wordsSoundAlike(one: string, other: string): boolean {
  if (one === other) return true;
  const scripts = [scriptOf(one), scriptOf(other)] as const;
  if (scripts.includes('other')) return false;
  const [a, b] = [soundsOf(one), soundsOf(other)];
  const distance = soundDistance(a, b, false);
  if (distance === null) return false;
  if (scripts[0] !== scripts[1]) return distance <= NEAR_ACROSS * Math.max(a.length, b.length);
  if (scripts[0] === 'arabic') return distance <= NEAR_ARABIC;
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

/**
 * Whether two names sound like those of one person: all words of the shorter name, each with a word of the longer one, and
 * the first name with the first name; in any order if both have as many words. A first name alone sounds like each name
 * that begins so. Words of other scripts than Arabic and Latin must be equal.
 */
export function namesSoundAlike(one: string, other: string): boolean {
  const partsOf = (name: string) =>
    foldForSearch(name)
      .replace(/['’`]/g, '')
      .split(/[^\p{Letter}\p{Number}]+/u)
      .filter((part) => part !== '');
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.length === 0 || b.length === 0) return false;
  if (a.length !== b.length && wordsSoundAlike(a.join(''), b.join(''))) return true;
  const [shorter, longer] = [wordsOf(a).slice(0, WORDS_MAX), wordsOf(b).slice(0, WORDS_MAX)].sort(
    (x, y) => x.length - y.length,
  ) as [Spellings[], Spellings[]];
  if (shorter.length === longer.length) return allAmong(shorter, longer);
  const [first, ...rest] = shorter;
  const [firstOther, ...others] = longer;
  if (first === undefined || firstOther === undefined) return false;
  return isAlike(first, firstOther) && allAmong(rest, others);
}

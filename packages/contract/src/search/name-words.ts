/**
 * Splits a person's name into words, each in the ways in which it may be written: without titles, with compound names as one word,
 * and with letters that only look like others. Pure.
 */
import { foldForSearch } from './folding.ts';

/** The same word in the ways in which it may be written, folded. */
export type Spellings = readonly string[];

/** One way to read a name. */
export interface Reading {
  /** All that is written, without titles. */
  readonly parts: readonly string[];
  /** The words; at least one. */
  readonly words: readonly Spellings[];
  /** Whether the first two parts are read as one that somebody has split. */
  readonly isJoined: boolean;
}

const setOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(foldForSearch),
  );

/** Said before a name, and no part of it. */
const TITLES = setOf(`dr doctor mr mrs ms miss mister missus madam madame mme sir prof professor eng engineer
  ustaz ostaz oustaz ustadh ustaza ostaza uncle aunt auntie aunty amm ammo amo amu amma khal khalo khala khalto
  tante tant teta teita gedo geddo giddo grandma grandpa grandmother grandfather granny mama mum mummy baba dad daddy
  hag hagg haj hajj haji hajji hagga hajja bashmohandes sheikh shaikh shaykh cheikh capt captain
  د م أ دكتور دكتورة مهندس مهندسة باشمهندس بشمهندس باشا بيه أستاذ أستاذة مستر مس ميس مدام آنسة حاج حاجة شيخ كابتن
  عم عمو عمي عمة عمتي عمتو خال خالو خالي خالة خالتي خالتو طنط تيتة تيتا جد جدو جدي جدة جدتي ماما بابا أبلة أبيه`);
/** Titles that are also the beginning of a name: left out only where two words remain. */
const PERHAPS_TITLES = setOf('abu abou abo ابو ابي um umm om omm oum ام السيدة شيخة');
/** Words that begin a compound name: عبد الرحمن is one name. */
const BEGINNINGS = setOf(
  'abd abdel abdul abdal abdil abdol عبد abu abo abou aboul abul ابو ابي um umm om omm oum ام',
);
/** Words that end one: نور الدين, فتح الله. */
const ENDINGS = setOf(`din deen dine eldin eldeen eldine aldin aldeen aldine uddin uddeen eddin eddine الدين
  allah ullah الله`);
const ARTICLES = setOf('al el ال ul');
/** "Son of" and "daughter of" between two names. */
const CHILD_OF = setOf('bin ben ibn bint بن ابن بنت');

/** Letters of Persian and Urdu keyboards that are written for Arabic ones, besides those that the search folds. */
const KEYBOARDS: Readonly<Record<string, string>> = {
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ۃ: 'ة',
  ے: 'ي',
  ې: 'ي',
  ں: 'ن',
  ٹ: 'ت',
  ڈ: 'د',
  ڑ: 'ر',
  ڪ: 'ك',
  ڭ: 'گ',
  ݣ: 'گ',
};
/** Cyrillic and Greek letters, and the Latin ones that look like them. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'АаΑα',
    b: 'ВвΒβ',
    c: 'Сс',
    d: 'Ԁԁ',
    e: 'ЕеΕε',
    h: 'НнҺһΗ',
    i: 'ІіΙι',
    j: 'Јј',
    k: 'КкΚκ',
    l: 'Ӏӏ',
    m: 'МмΜ',
    n: 'Νη',
    o: 'ОоΟο',
    p: 'РрΡρ',
    q: 'Ԛԛ',
    s: 'Ѕѕ',
    t: 'ТтΤτ',
    u: 'υ',
    v: 'Ѵѵν',
    w: 'Ԝԝ',
    x: 'ХхΧχ',
    y: 'УуҮүΥ',
    z: 'Ζ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Names that are spelt in ways which sound different, by one of the spellings. */
const CALLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    omar: 'omer umar oumar عمر',
    amr: 'amro amrou amru عمرو',
    othman: 'osman uthman usman ousman ousmane otman عثمان',
    george: 'georges jorj gorg جورج',
    michael: 'mikhail mikhael mikail maikel mikael ميخائيل ميكائيل مايكل',
    mohamed: 'mohd muhd mhd',
    saladin: 'salahuddin salaheddin salaheddine salaheldin salahaldin',
    aladdin: 'aladin alaeddin alaeddine alaaeldin alaaldin',
  }).flatMap(([name, others]) => [...setOf(others)].map((other) => [other, name] as const)),
);

/** Shortest word whose first two letters can be an article that is written with it. */
const WITH_ARTICLE = 5;

/** Further ways to write a folded word; each takes those that the earlier ones have found. */
const REWRITINGS: readonly ((word: string) => readonly (string | undefined)[])[] = [
  (word) => [CALLED.get(word)],
  // The last letter of Ousmane is not spoken.
  (word) => [word.replace(/(?<=[a-z]{3}[mn])e$/, '')],
  (word) => (word.length >= WITH_ARTICLE ? [word.replace(/^(?:ال|[ae]l)/, '')] : []),
  // Abdel Rahman, Abdul Rahman, Abdurrahman.
  (word) => [
    word
      .replace(/^abd(?:[aeiou]{1,2}(?:l|(sh|[a-z])(?=\1))?)?(?=[a-z]{3})/, 'abd')
      .replace(/^عبدال(?=..)/, 'عبد'),
  ],
  // Nour El Din, Noureddine, Nuruddin; mostly called Nour.
  (word) => {
    const [, stem] =
      /^([a-z]{3,}?)(?:[aeiou]{1,2}[ld]?|l|d)?d(?:i|ee|y|ie|ei)ne?$/.exec(word) ??
      /^(.{2,})الدين$/.exec(word) ??
      [];
    return stem === undefined ? [] : [`${stem}${/[a-z]/.test(stem) ? 'din' : 'دين'}`, stem];
  },
  // The h at the end of Sarah is not spoken, and the one of Fathy is a letter of its own.
  (word) => [word.replace(/(?<=[a-z][aeiou])h$/, '')],
  (word) => [word.replaceAll('th', 'teh'), word.replaceAll('th', 's'), word.replaceAll('ث', 'س')],
];

function spellingsOf(word: string): Spellings {
  const found = new Set([word]);
  for (const rewrite of REWRITINGS)
    for (const one of [...found])
      for (const other of rewrite(one)) if (other !== undefined && other !== '') found.add(other);
  return [...found];
}

/** An article that is written by itself, also one that takes the sound of the next word, as in "Abd ur Rahman". */
const isArticle = (part: string, next: string | undefined, isFirst: boolean) =>
  ARTICLES.has(part) ||
  (!isFirst && /^[aeiu](?:sh|[a-z])$/.test(part) && next?.startsWith(part.slice(1)) === true);

const isBeginning = (part: string, next: string | undefined) => {
  const sound = /^abd[aeiou]{1,2}(sh|[a-z])$/.exec(part)?.[1];
  return BEGINNINGS.has(part) || (sound !== undefined && next?.startsWith(sound) === true);
};

/** The words of a name; compound names are one, and articles are left out. */
function wordsOf(parts: readonly string[]): string[] {
  const words: string[] = [];
  let begun = '';
  for (const [at, part] of parts.entries()) {
    const article = isArticle(part, parts[at + 1], at === 0);
    if (begun === '' && (article || (words.length > 0 && CHILD_OF.has(part)))) continue;
    if (begun === '' && words.length > 0 && ENDINGS.has(part)) {
      words.push(`${words.pop()}${part}`);
      continue;
    }
    begun += part;
    if (article || isBeginning(part, parts[at + 1])) continue;
    words.push(begun);
    begun = '';
  }
  if (begun !== '') words.push(begun);
  return words.length > 0 ? words : [parts.join('')];
}

const isTitle = (part: string | undefined) =>
  part !== undefined && (TITLES.has(part) || TITLES.has(part.replace(/^(?:ال|[ae]l)(?=..)/, '')));

/** Without the titles before the name; at least one part remains. */
function withoutTitles(parts: readonly string[]): readonly string[] {
  const [first, second] = parts;
  const count = isTitle(first) ? 1 : first !== undefined && ARTICLES.has(first) && isTitle(second) ? 2 : 0;
  return count === 0 || parts.length <= count ? parts : withoutTitles(parts.slice(count));
}

/**
 * A text in which letters that look Latin are so, in the words that have no other letters, and in those that mix them with Latin ones:
 * no name is written in two alphabets, so one letter without a Latin twin must not save the rest.
 */
const asItLooks = (text: string) =>
  text.replace(/[\p{Letter}\p{M}]+/gu, (word) => {
    const letters = [...word].map((letter) => LOOK_ALIKES.get(letter) ?? letter);
    const looksLatin = letters.every((letter) => /[a-z]|\p{M}/iu.test(letter));
    return looksLatin || /\p{Script=Latin}/u.test(word) ? letters.join('') : word;
  });

/** The folded parts of a name as it is written, in each way in which its letters may be meant. */
function writtenParts(name: string): string[][] {
  const text = name.normalize('NFKD').replace(/[ہھەۃےېںٹڈڑڪڭݣ]/g, (letter) => KEYBOARDS[letter] ?? letter);
  // The search takes گ for ك and چ for "ch"; in Egypt both are written for the ج of Gamal and George.
  const texts = [text, text.replace(/[گچ]/g, 'ج')].flatMap((one) => [one, asItLooks(one)]);
  return [...new Set(texts)].map((one) =>
    foldForSearch(one)
      .replace(/['’‘`ʹʻʼʽʾʿ]/g, '')
      .split(/[^\p{Letter}\p{Number}]+/u)
      .filter((part) => part !== ''),
  );
}

/** Whether a name is nothing but titles, as in "Grandma". */
export function isOnlyTitles(name: string): boolean {
  return writtenParts(name).some((parts) => {
    const rest = withoutTitles(parts).filter((part) => !ARTICLES.has(part));
    return rest.length === 1 && isTitle(rest[0]);
  });
}

/** The ways to read a name, with the titles before it only if asked; none for one without letters and digits. */
export function readingsOf(name: string, keepTitles = false): Reading[] {
  return writtenParts(name).flatMap((all) => {
    if (all.length === 0) return [];
    const parts = keepTitles ? all : withoutTitles(all);
    const fewer = parts.filter((part) => !isTitle(part) && !PERHAPS_TITLES.has(part));
    const ways = fewer.length < parts.length && wordsOf(fewer).length > 1 ? [parts, fewer] : [parts];
    const readings = ways.map((way) => ({
      parts: way,
      words: wordsOf(way).map(spellingsOf),
      isJoined: false,
    }));
    // "Ka-rim Fathy Adel". Of two parts, the comparison of all that is written does that.
    const [first, second, ...rest] = parts;
    if (first === undefined || second === undefined || rest.length === 0) return readings;
    const joined = wordsOf([`${first}${second}`, ...rest]).map(spellingsOf);
    return [...readings, { parts, words: joined, isJoined: true }];
  });
}

/**
 * Finds people by name, e-mail and phone, with typing errors, in either script and in any order of words. Pure: the server
 * searches the database with it, and the web app what it has in memory while there is no connection.
 */
import { foldForSearch } from './folding.ts';
import { type Script, scriptOf, soundDistance, soundsOf } from './sounds.ts';

/** A word of a name, prepared for comparison. */
interface Word {
  readonly text: string;
  readonly script: Script;
  readonly sounds: string;
  /** Its place in the name; the first word counts most. */
  readonly place: number;
}

/** A text that is searched in; prepare it once and compare it often. */
export interface Searchable {
  readonly kind: 'name' | 'email' | 'phone';
  readonly folded: string;
  readonly words: readonly Word[];
}

/** A typed word, and the words it was already compared with: many names share the same few words. */
interface TypedWord extends Word {
  readonly byWord: Map<string, Found | null>;
  readonly byText: Map<Searchable, Found | null>;
}

/** The typed text, prepared for one search. */
export interface Query {
  readonly folded: string;
  readonly words: readonly TypedWord[];
  /** The digits, if it may be a phone number or the end of one; '' otherwise. */
  readonly digits: string;
}

type FoundKind = 'clear' | 'other' | 'typo';

/** A typed word found in a text: smaller costs are better. */
interface Found {
  readonly cost: number;
  readonly kind: FoundKind;
}

/** A text of a person, and how much less it counts than the person's own name (0). */
export interface Field {
  readonly text: Searchable;
  readonly penalty: number;
}

/** The result of one person: smaller is better. */
export interface Match {
  readonly cost: number;
  /** `clear`: every word as it is written or sounds; `other`: a word in the other script; `typo`: a word with errors. */
  readonly kind: FoundKind;
  /** The fields in which at least one word was found. */
  readonly fields: ReadonlySet<Field>;
}

/** Digits of a phone number that find its owner. */
const PHONE_DIGITS_MIN = 3;

/** Fewest letters that search emails: a shorter word occurs in the domain of half the families. */
const EMAIL_PART_MIN = 3;

const SEPARATORS = /[\s\-_'’`.,@+/()&]+/;
/** Words that belong to the next one, or are left out when somebody types a name. */
const ARTICLES = new Set(['al', 'el', 'ال', 'abu', 'ابو']);

function wordOf(text: string, place: number): Word {
  return { text, script: scriptOf(text), sounds: soundsOf(text), place };
}

function wordsOfName(folded: string): Word[] {
  const parts = folded.split(SEPARATORS).filter((part) => part !== '');
  const words = parts.map(wordOf);
  for (const [place, part] of parts.entries()) {
    if (part.startsWith('ال') && part.length > 4) words.push(wordOf(part.slice(2), place));
    // عبد الرحمن is written as one word in Latin letters.
    const next = parts[place + 1];
    if (next !== undefined) words.push(wordOf(part + next, place));
  }
  return words;
}

export function searchable(kind: Searchable['kind'], text: string): Searchable {
  const folded = foldForSearch(text);
  if (kind === 'phone') return { kind, folded: folded.replace(/[^0-9]/g, ''), words: [] };
  if (kind === 'email') return { kind, folded, words: folded.split(SEPARATORS).map(wordOf) };
  return { kind, folded, words: wordsOfName(folded) };
}

export function queryOf(typed: string): Query {
  const folded = foldForSearch(typed);
  const parts = folded.split(/\s+/).filter((part) => part !== '');
  const meant = parts.filter((part) => !ARTICLES.has(part));
  const words = (meant.length > 0 ? meant : parts).map((part, place) => ({
    ...wordOf(part, place),
    byWord: new Map(),
    byText: new Map(),
  }));
  const digits = /^[\d\s+().-]+$/.test(folded) ? folded.replace(/[^0-9]/g, '') : '';
  return { folded, words, digits: digits.length >= PHONE_DIGITS_MIN ? digits : '' };
}

/** Edits that a typed word may have, by its length: a short word has too few letters for any. */
function allowedEdits(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : 2;
}

/**
 * Number of insertions, deletions, changes and swaps of neighbours between `typed` and `known`, or its beginning if
 * `asPrefix`; null for more than `most`.
 */
export function editDistance(typed: string, known: string, most: number, asPrefix: boolean): number | null {
  if (typed.length - known.length > most || (!asPrefix && known.length - typed.length > most)) return null;
  const width = asPrefix ? Math.min(known.length, typed.length + most) : known.length;
  let last: number[] = [];
  let before = Array.from({ length: width + 1 }, (_, at) => at);
  for (let line = 1; line <= typed.length; line++) {
    const row = [line];
    let least = line;
    for (let at = 1; at <= width; at++) {
      const same = typed[line - 1] === known[at - 1];
      let cost = Math.min(
        (before[at - 1] ?? 0) + (same ? 0 : 1),
        (before[at] ?? 0) + 1,
        (row[at - 1] ?? 0) + 1,
      );
      if (line > 1 && at > 1 && typed[line - 1] === known[at - 2] && typed[line - 2] === known[at - 1])
        cost = Math.min(cost, (last[at - 2] ?? 0) + 1);
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

const PREFIX = 0.2;
const INSIDE = 0.8;
/** Several words in the order of a text. */
const WHOLE = 0.9;
const SOUND = 0.3;
const SOUND_PREFIX = 0.5;
const OTHER_SCRIPT = 0.6;
const TYPO = 0.9;
const PER_EDIT = 0.2;
const TYPO_PREFIX = 0.3;
const FAR_SOUND = 1.5;

/** Distance up to which two words of one script sound the same: `yosif` is `youssef`, but `lila` is not `lola`. */
function nearInScript(script: Script, length: number, asPrefix: boolean): number {
  if (script === 'arabic') return 0.2;
  return asPrefix || length <= 4 ? 0.3 : 0.45;
}

function findWord(typed: Word, known: Word): Found | null {
  if (known.text === typed.text) return { cost: 0, kind: 'clear' };
  if (known.text.startsWith(typed.text)) return { cost: PREFIX, kind: 'clear' };
  const inside: Found | null = known.text.includes(typed.text) ? { cost: INSIDE, kind: 'clear' } : null;
  return better(inside, better(findBySound(typed, known), findWithTypo(typed, known)));
}

function better(one: Found | null, other: Found | null): Found | null {
  return one === null || (other !== null && other.cost < one.cost) ? other : one;
}

function findBySound(typed: Word, known: Word): Found | null {
  if (typed.script === 'other' || known.script === 'other' || typed.text.length < 2) return null;
  const whole = bySound(typed, known, false, SOUND);
  return typed.sounds.length < 3 ? whole : better(whole, bySound(typed, known, true, SOUND_PREFIX));
}

function bySound(typed: Word, known: Word, asPrefix: boolean, base: number): Found | null {
  const distance = soundDistance(typed.sounds, known.sounds, asPrefix);
  if (distance === null) return null;
  if (typed.script === known.script) {
    const near = nearInScript(typed.script, Math.min(typed.sounds.length, known.sounds.length), asPrefix);
    return distance <= near ? { cost: base + distance, kind: 'clear' } : null;
  }
  // Each vowel that Arabic leaves out adds to the distance, so long names may differ more.
  return distance <= 0.12 * Math.max(typed.sounds.length, known.sounds.length)
    ? { cost: base + OTHER_SCRIPT + distance, kind: 'other' }
    : { cost: base + FAR_SOUND + distance, kind: 'typo' };
}

/** Signs and digits are seldom typing errors. */
const LETTERS = /^\p{L}+$/u;

function findWithTypo(typed: Word, known: Word): Found | null {
  const most = allowedEdits(typed.text.length);
  if (most === 0 || typed.script !== known.script || !LETTERS.test(typed.text)) return null;
  const whole = editDistance(typed.text, known.text, most, false);
  if (whole !== null) return { cost: TYPO + whole * PER_EDIT, kind: 'typo' };
  // The beginning of a name with an error; with three letters, too many names begin alike.
  const start = typed.text.length < 4 ? null : editDistance(typed.text, known.text, 1, true);
  return start === null ? null : { cost: TYPO + TYPO_PREFIX + start * PER_EDIT, kind: 'typo' };
}

/** Finds one typed word in one text, once in a search. */
function findInText(word: TypedWord, text: Searchable): Found | null {
  const known = word.byText.get(text);
  if (known !== undefined) return known;
  const found = lookInText(word, text);
  word.byText.set(text, found);
  return found;
}

function lookInText(word: TypedWord, { kind, folded, words }: Searchable): Found | null {
  if (kind === 'phone') return null;
  if (kind === 'email') {
    if (word.text.length < EMAIL_PART_MIN || !folded.includes(word.text)) return null;
    return { cost: folded.startsWith(word.text) ? PREFIX : INSIDE, kind: 'clear' };
  }
  let best: Found | null = null;
  for (const known of words) {
    let found = word.byWord.get(known.text);
    if (found === undefined) {
      found = findWord(word, known);
      word.byWord.set(known.text, found);
    }
    if (found !== null) best = better(best, { ...found, cost: found.cost + known.place * 0.05 });
    if (best?.cost === 0) break;
  }
  return best;
}

/** Cost of the digits in a phone number: its end is what people remember. */
function costOfDigits(digits: string, { folded }: Searchable): number | null {
  // A number may be typed with the code of the country or without it.
  const typed = digits.replace(/^(?:00)?20(?=1)/, '0');
  if (folded.endsWith(typed)) return 0;
  return folded.includes(typed) || folded.includes(digits) ? INSIDE : null;
}

/** Compares a person's fields with the query: every word must be found in one of them. Null if one is not. */
function matchPerson(query: Query, fields: readonly Field[]): Match | null {
  const whole = matchWhole(query, fields);
  const byWord = matchWords(query, fields);
  if (whole === null || (byWord !== null && byWord.cost <= whole.cost)) return byWord;
  return whole;
}

function matchWhole({ folded, digits }: Query, fields: readonly Field[]): Match | null {
  let best: Match | null = null;
  for (const field of fields) {
    const cost = costOfWhole(folded, digits, field.text);
    if (cost !== null && (best === null || cost + field.penalty < best.cost))
      best = { cost: cost + field.penalty, kind: 'clear', fields: new Set([field]) };
  }
  return best;
}

/** The whole input as a part of a text. */
function costOfWhole(folded: string, digits: string, text: Searchable): number | null {
  if (text.kind === 'phone') return digits === '' ? null : costOfDigits(digits, text);
  if (folded.length < (text.kind === 'email' ? EMAIL_PART_MIN : 1)) return null;
  return text.folded.includes(folded) ? WHOLE : null;
}

function matchWords({ words }: Query, fields: readonly Field[]): Match | null {
  const where = new Set<Field>();
  let cost = 0;
  let kind: FoundKind = 'clear';
  for (const word of words) {
    let best: Found | null = null;
    let bestField: Field | undefined;
    for (const field of fields) {
      const found = findInText(word, field.text);
      if (found === null || (best !== null && found.cost + field.penalty >= best.cost)) continue;
      best = { kind: found.kind, cost: found.cost + field.penalty };
      bestField = field;
    }
    if (best === null || bestField === undefined) return null;
    cost += best.cost;
    if (best.kind === 'typo' || kind === 'clear') kind = best.kind;
    where.add(bestField);
  }
  return words.length === 0 ? null : { cost, kind, fields: where };
}

/** Somebody who matches. */
export interface Ranked<Person> {
  readonly person: Person;
  readonly match: Match;
}

/**
 * Matching people, best first. Those who match only with a typing error are left out if anybody matches without one in
 * the same script.
 */
export function rankPeople<Person>(
  query: Query,
  people: Iterable<Person>,
  fieldsOf: (person: Person) => readonly Field[],
): Ranked<Person>[] {
  const found: Ranked<Person>[] = [];
  for (const person of people) {
    const match = matchPerson(query, fieldsOf(person));
    if (match !== null) found.push({ person, match });
  }
  const isClear = found.some(({ match }) => match.kind === 'clear');
  return found
    .filter(({ match }) => !isClear || match.kind !== 'typo')
    .sort((one, other) => one.match.cost - other.match.cost);
}

/** Folds text so that search finds names however they were typed: case, accents, Arabic letter forms and digits. */
import { toAsciiDigits } from '@haris/contract/fields';

/** Letters that people use for one another in Arabic (and Persian keyboards), each to the plain one. */
const ARABIC: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ة: 'ه',
  ۀ: 'ه',
  ک: 'ك',
  گ: 'ك',
};

/** Latin letters that NFKD leaves whole. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * Lower case, no accents or Arabic diacritics, no tatweel, alef / hamza / yaa / taa marbuta forms as one, ASCII digits,
 * runs of blanks as one. Control characters become blanks (a NUL would be refused by PostgreSQL).
 */
export function foldForSearch(text: string): string {
  return toAsciiDigits(text.toWellFormed())
    .replace(/[أإآٱىیئؤةۀکگ]/g, (letter) => ARABIC[letter] ?? letter)
    .normalize('NFKD')
    .replace(/[\p{M}\u0640\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replace(/[أإآٱىیئؤةۀکگ]/g, (letter) => ARABIC[letter] ?? letter)
    .replace(/ء/g, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LATIN[letter] ?? letter)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** A LIKE pattern (escape character `\`) that finds the folded text anywhere; `%` and `_` are plain characters. */
export function containsPattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

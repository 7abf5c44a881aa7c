/** Folds text so that search finds names regardless of case, accents, Arabic letter forms and digits. */
import { toAsciiDigits } from '../fields.ts';

/** Arabic and Persian letters that people use for one another, each mapped to the plain one. */
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

/** Latin letters that NFKD does not decompose. */
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
 * Lower case; no accents, Arabic diacritics or tatweel; alef, hamza, yaa and taa marbuta forms unified; ASCII digits;
 * runs of blanks collapsed. Control characters become blanks (PostgreSQL refuses a NUL).
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

/**
 * Reads CSV files of spreadsheets: several encodings and separators, with an English or Arabic header. Renders nothing.
 */
import { IMPORT_ROWS_MAX } from '@haris/contract/constants';
import type { ImportField, RawImportRow } from '@haris/contract/http/imports';
import Papa from 'papaparse';

/** Maximum file size in bytes; larger files are not lists of families. */
export const FILE_MAX_BYTES = 4 * 1024 * 1024;

/** Reason why a file is unreadable; the screen translates it. */
export type Unreadable = 'empty' | 'too_large' | 'too_many_rows' | 'workbook' | 'not_text' | 'no_rows';

export class UnreadableFile extends Error {
  readonly reason: Unreadable;
  constructor(reason: Unreadable) {
    super(reason);
    this.name = 'UnreadableFile';
    this.reason = reason;
  }
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1256';

/** First bytes of zip files (xlsx, ods) and of older workbooks (xls). */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Control characters other than tab and line breaks: the file is binary or has another encoding. */
const NOT_TEXT = /[^\P{Cc}\t\n\r]/u;

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/**
 * Decodes a file. Excel writes UTF-8 with a byte order mark, UTF-16 ("Unicode text"), or the system's code page, which
 * is Windows-1256 for Arabic. A file without a mark is UTF-8 if it is valid as such, and Windows-1256 otherwise. Throws
 * {@link UnreadableFile}.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  if (bytes.length === 0) throw new UnreadableFile('empty');
  if (bytes.length > FILE_MAX_BYTES) throw new UnreadableFile('too_large');
  if (WORKBOOKS.some((mark) => startsWith(bytes, mark))) throw new UnreadableFile('workbook');
  const encoding = encodingOf(bytes);
  // The decoder removes the byte order mark.
  const text = new TextDecoder(encoding).decode(bytes);
  if (NOT_TEXT.test(text)) throw new UnreadableFile('not_text');
  return { text, encoding };
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1256';
  }
}

export interface Sheet {
  readonly header: readonly string[];
  /** Each row is as long as the header; missing cells are blank. */
  readonly rows: readonly (readonly string[])[];
}

/** Splits text into cells by comma, semicolon, tab, or Arabic comma or semicolon. Throws {@link UnreadableFile}. */
export function parseSheet(text: string): Sheet {
  // Excel's optional first line, which declares the separator.
  const [declaration, named] = /^sep=(.)\r?\n/i.exec(text) ?? [''];
  const { data } = Papa.parse<string[]>(text.slice(declaration?.length), {
    delimiter: named ?? '',
    delimitersToGuess: [',', ';', '\t', '؛', '،'],
    skipEmptyLines: 'greedy',
  });
  const [header, ...rows] = data;
  if (header === undefined || rows.length === 0) throw new UnreadableFile('no_rows');
  if (rows.length > IMPORT_ROWS_MAX) throw new UnreadableFile('too_many_rows');
  const columns = header.map((name) => name.trim());
  return { header: columns, rows: rows.map((row) => columns.map((_, index) => (row[index] ?? '').trim())) };
}

/** Column index of each field; null for a field without a column. */
export type Mapping = Readonly<Record<ImportField, number | null>>;

const KNOWN: Readonly<Record<ImportField, readonly string[]>> = {
  name: [
    'name',
    'fullname',
    'parent',
    'parentname',
    'guardian',
    'guardianname',
    'الاسم',
    'الاسمالكامل',
    'اسم',
    'اسموليالامر',
    'وليالامر',
    'اسمالوالد',
  ],
  email: [
    'email',
    'mail',
    'emailaddress',
    'parentemail',
    'البريد',
    'البريدالالكتروني',
    'بريدالكتروني',
    'الايميل',
    'ايميل',
  ],
  phone: [
    'phone',
    'phonenumber',
    'mobile',
    'mobilenumber',
    'mobilephone',
    'tel',
    'telephone',
    'الهاتف',
    'رقمالهاتف',
    'الموبايل',
    'رقمالموبايل',
    'التليفون',
    'رقمالتليفون',
    'المحمول',
    'رقمالمحمول',
    'الجوال',
    'رقمالجوال',
  ],
};

/** Normalizes a column title: lower case, letters only, Arabic letter variants unified. */
function foldTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/[^\p{Ll}\p{Lo}]/gu, '')
    .replace(/optional$|اختياري$/, '');
}

/** Maps columns to fields by their titles; the person at the screen maps the rest. */
export function mapColumns(header: readonly string[]): Mapping {
  const titles = header.map(foldTitle);
  const find = (field: ImportField) => {
    const at = titles.findIndex((title) => KNOWN[field].includes(title));
    return at < 0 ? null : at;
  };
  return { name: find('name'), email: find('email'), phone: find('phone') };
}

/** A phone number without its leading zero, which spreadsheets drop when they store it as a number. */
const WITHOUT_ZERO = /^[1١۱][0-9٠-٩۰-۹]{9}$/;

/** Converts the rows to the server's format, in the order of the sheet. */
export function toImportRows({ rows }: Sheet, mapping: Mapping): RawImportRow[] {
  const cell = (row: readonly string[], field: ImportField) => {
    const column = mapping[field];
    return column === null ? '' : (row[column] ?? '').slice(0, 1000);
  };
  return rows.map((row) => {
    const phone = cell(row, 'phone').replace(/[\s()-]/g, '');
    return {
      name: cell(row, 'name'),
      email: cell(row, 'email'),
      phone: WITHOUT_ZERO.test(phone) ? `0${phone}` : phone,
    };
  });
}

/** An empty template that spreadsheets open in the right encoding. */
export function templateFile(titles: readonly string[]): Blob {
  const text = `\ufeff${Papa.unparse([titles as string[]], { newline: '\r\n' })}\r\n`;
  return new Blob([text], { type: 'text/csv;charset=utf-8' });
}

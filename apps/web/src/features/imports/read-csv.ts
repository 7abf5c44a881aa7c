/** Reads what spreadsheets call CSV: several encodings, several separators, a header in English or Arabic. Knows no screen. */
import { IMPORT_ROWS_MAX } from '@haris/contract/constants';
import type { ImportField, RawImportRow } from '@haris/contract/http/imports';
import Papa from 'papaparse';

/** Larger files are no lists of families. Bytes. */
export const FILE_MAX_BYTES = 4 * 1024 * 1024;

/** Why a file cannot be read; the texts are the screen's. */
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

/** The first bytes of zip files (xlsx, ods) and of older workbooks (xls). */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Characters that no text has: such bytes were something else. */
const NOT_TEXT = /[^\P{Cc}\t\n\r]/u;

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/**
 * The text of a file. Excel writes UTF-8 with a mark, UTF-16 ("Unicode text"), or the code page of the machine, which for
 * Arabic is Windows-1256; UTF-8 without a mark is told from that by being well-formed. Throws {@link UnreadableFile}.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  if (bytes.length === 0) throw new UnreadableFile('empty');
  if (bytes.length > FILE_MAX_BYTES) throw new UnreadableFile('too_large');
  if (WORKBOOKS.some((mark) => startsWith(bytes, mark))) throw new UnreadableFile('workbook');
  const encoding = encodingOf(bytes);
  // The decoder takes the mark away.
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
  /** As many cells as the header, blanks for those that are missing. */
  readonly rows: readonly (readonly string[])[];
}

/** The cells of a text: comma, semicolon, tab or an Arabic comma between them. Throws {@link UnreadableFile}. */
export function parseSheet(text: string): Sheet {
  // Excel's own first line about the separator.
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

/** Where each field stands, as an index of the columns; null where none has it. */
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

/** Letters only, the Arabic ones that people use for one another as one. */
function foldTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/[^\p{Ll}\p{Lo}]/gu, '')
    .replace(/optional$|اختياري$/, '');
}

/** Finds the fields by the names of the columns; what is not found is for the person to say. */
export function mapColumns(header: readonly string[]): Mapping {
  const titles = header.map(foldTitle);
  const find = (field: ImportField) => {
    const at = titles.findIndex((title) => KNOWN[field].includes(title));
    return at < 0 ? null : at;
  };
  return { name: find('name'), email: find('email'), phone: find('phone') };
}

/** Spreadsheets take a phone number for a number and drop its leading zero. */
const WITHOUT_ZERO = /^[1١۱][0-9٠-٩۰-۹]{9}$/;

/** The rows as the server takes them, in the order of the sheet. */
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

/** An empty list to fill in, which spreadsheets open in the right encoding. */
export function templateFile(titles: readonly string[]): Blob {
  const text = `\ufeff${Papa.unparse([titles as string[]], { newline: '\r\n' })}\r\n`;
  return new Blob([text], { type: 'text/csv;charset=utf-8' });
}

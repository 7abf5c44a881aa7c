import { describe, expect, it } from 'vitest';
import {
  decodeText,
  FILE_MAX_BYTES,
  mapColumns,
  parseSheet,
  templateFile,
  toImportRows,
  UnreadableFile,
} from './read-csv.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 + text.length * 2));
  view.setUint16(0, 0xfeff, littleEndian);
  for (const [at, unit] of [...text].entries()) view.setUint16(2 + at * 2, unit.charCodeAt(0), littleEndian);
  return new Uint8Array(view.buffer);
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UnreadableFile) return error.reason;
    throw error;
  }
  return 'it was read';
}

describe('decodeText', () => {
  it('reads UTF-8 with and without a mark', () => {
    expect(decodeText(bytes('\ufeffالاسم,x'))).toEqual({ text: 'الاسم,x', encoding: 'utf-8' });
    expect(decodeText(bytes('الاسم,x'))).toEqual({ text: 'الاسم,x', encoding: 'utf-8' });
  });

  it('reads the Unicode text of Excel, in both orders of bytes', () => {
    expect(decodeText(utf16('الاسم\tx', true))).toEqual({ text: 'الاسم\tx', encoding: 'utf-16le' });
    expect(decodeText(utf16('الاسم\tx', false))).toEqual({ text: 'الاسم\tx', encoding: 'utf-16be' });
  });

  it('reads the code page of an Arabic Windows', () => {
    // الاسم;منى
    const windows = Uint8Array.of(0xc7, 0xe1, 0xc7, 0xd3, 0xe3, 0x3b, 0xe3, 0xe4, 0xec);
    expect(decodeText(windows)).toEqual({ text: 'الاسم;منى', encoding: 'windows-1256' });
  });

  it('refuses what is no text, with the reason', () => {
    expect(reasonOf(() => decodeText(new Uint8Array()))).toBe('empty');
    expect(reasonOf(() => decodeText(new Uint8Array(FILE_MAX_BYTES + 1).fill(65)))).toBe('too_large');
    expect(reasonOf(() => decodeText(bytes('PK\x03\x04…')))).toBe('workbook');
    expect(reasonOf(() => decodeText(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)))).toBe('workbook');
    expect(reasonOf(() => decodeText(bytes('name\0email')))).toBe('not_text');
    // UTF-16 without a byte order mark contains many zero bytes.
    expect(reasonOf(() => decodeText(utf16('name,email', true).slice(2)))).toBe('not_text');
  });
});

describe('parseSheet', () => {
  it('finds the separator', () => {
    for (const separator of [',', ';', '\t', '؛', '،']) {
      const text = ['Name|Email', 'Mona|mona@x.eg', 'Ali|ali@x.eg'].join('\r\n').replaceAll('|', separator);
      expect(parseSheet(text), separator).toEqual({
        header: ['Name', 'Email'],
        rows: [
          ['Mona', 'mona@x.eg'],
          ['Ali', 'ali@x.eg'],
        ],
      });
    }
  });

  it('takes the separator that Excel names in the first line', () => {
    expect(parseSheet('sep=;\r\nName;Email\r\nA, B;a@b.eg').rows).toEqual([['A, B', 'a@b.eg']]);
  });

  it('reads quotes, skips blank lines, and gives every row its columns', () => {
    expect(parseSheet('Name,Email,Phone\n"Hassan, ""Mona""",m@x.eg\n\n , ,\nAli,a@x.eg,1,2,3').rows).toEqual([
      ['Hassan, "Mona"', 'm@x.eg', ''],
      ['Ali', 'a@x.eg', '1'],
    ]);
  });

  it('refuses a header alone, and more rows than the server takes', () => {
    expect(reasonOf(() => parseSheet('Name,Email\r\n'))).toBe('no_rows');
    expect(reasonOf(() => parseSheet(`Name,Email\n${'a,b\n'.repeat(2001)}`))).toBe('too_many_rows');
    expect(parseSheet(`Name,Email\n${'a,b\n'.repeat(2000)}`).rows).toHaveLength(2000);
  });
});

describe('mapColumns', () => {
  it('knows English and Arabic names, however they are written', () => {
    expect(mapColumns(['Phone number', 'E-mail', 'Full Name'])).toEqual({ name: 2, email: 1, phone: 0 });
    expect(mapColumns(['الإسم الكامل', 'البريد الإلكتروني', 'رقم الموبايل'])).toEqual({
      name: 0,
      email: 1,
      phone: 2,
    });
    expect(mapColumns(['اسم ولي الأمر', 'الايميل', 'الهاتف (اختياري)'])).toEqual({
      name: 0,
      email: 1,
      phone: 2,
    });
  });

  it('leaves out what it does not know', () => {
    expect(mapColumns(['Class', 'Email'])).toEqual({ name: null, email: 1, phone: null });
  });
});

describe('toImportRows', () => {
  const sheet = (...rows: string[][]) => ({ header: ['Name', 'Email', 'Phone'], rows });
  const all = { name: 0, email: 1, phone: 2 };

  it('gives phone numbers the zero back that spreadsheets drop', () => {
    const phones = ['1012345678', '01012345678', '١٠١٢٣٤٥٦٧٨', '010 1234-5678', '12', ''];
    expect(toImportRows(sheet(...phones.map((phone) => ['A', 'a@b.eg', phone])), all)).toEqual(
      ['01012345678', '01012345678', '0١٠١٢٣٤٥٦٧٨', '01012345678', '12', ''].map((phone) => ({
        name: 'A',
        email: 'a@b.eg',
        phone,
      })),
    );
  });

  it('leaves a field without a column blank', () => {
    expect(toImportRows(sheet(['A', 'a@b.eg', '1']), { ...all, phone: null })[0]?.phone).toBe('');
  });
});

describe('templateFile', () => {
  it('is read back with all its columns known', async () => {
    const titles = ['الاسم الكامل', 'البريد الإلكتروني', 'رقم الهاتف'];
    const { text } = decodeText(new Uint8Array(await templateFile(titles).arrayBuffer()));
    expect(text).toBe('الاسم الكامل,البريد الإلكتروني,رقم الهاتف\r\n');
    expect(mapColumns(titles)).toEqual({ name: 0, email: 1, phone: 2 });
  });
});

/**
 * CSV as spreadsheets read it: UTF-8 with a byte order mark, CRLF, quoted as RFC 4180 says, and no cell that a spreadsheet
 * would take for a formula. Knows no subject.
 */
import { Readable } from 'node:stream';
import { TOTAL_ROWS_HEADER } from '@haris/contract/constants';
import type { FastifyReply } from 'fastify';
import Papa from 'papaparse';

export type Cell = string | number | null;

/** Rows in one step of an export: what is in memory of it at a time. */
export const ROWS_AT_ONCE = 500;

const BYTE_ORDER_MARK = '\ufeff';
const NEWLINE = '\r\n';

/**
 * What a spreadsheet may take for the start of a formula, also full-width and after a line break; such a cell gets an
 * apostrophe before it. The library's own expression misses cells of several lines.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Lines with their line ends. Numbers stand as they are, null is an empty cell. */
function csvLines(rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  return (
    Papa.unparse(rows as Cell[][], {
      newline: NEWLINE,
      escapeFormulae: FORMULA_START as unknown as boolean,
    }) + NEWLINE
  );
}

export interface CsvFile {
  /** Letters, digits, dots and hyphens. */
  readonly name: string;
  readonly header: readonly string[];
  /** Rows that will come, as far as is known now. */
  readonly total: number;
  /** Asked for the next rows only when the client has taken those before. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
  /** Once, when the last row was handed over or the client went away. */
  readonly onEnd: (outcome: { rows: number; whole: boolean }) => void;
}

async function* linesOf(file: CsvFile): AsyncGenerator<string> {
  let rows = 0;
  let whole = false;
  try {
    yield BYTE_ORDER_MARK + csvLines([file.header]);
    for await (const page of file.pages) {
      rows += page.length;
      yield csvLines(page);
    }
    whole = true;
  } finally {
    file.onEnd({ rows, whole });
  }
}

/** Sets the headers of the answer; the stream answered is its body. A failure on the way breaks the connection. */
export function streamCsv(reply: FastifyReply, file: CsvFile): Readable {
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .header(TOTAL_ROWS_HEADER, String(file.total));
  return Readable.from(linesOf(file), { objectMode: false });
}

/**
 * CSV for spreadsheets: UTF-8 with a byte order mark, CRLF, quoted according to RFC 4180, without cells that a
 * spreadsheet would treat as a formula. Knows no subject.
 */
import { Readable } from 'node:stream';
import { TOTAL_ROWS_HEADER } from '@haris/contract/constants';
import type { FastifyReply } from 'fastify';
import Papa from 'papaparse';

export type Cell = string | number | null;

/** Rows of an export held in memory at once. */
export const ROWS_AT_ONCE = 500;

const BYTE_ORDER_MARK = '\ufeff';
const NEWLINE = '\r\n';

/**
 * Matches the start of a formula, also full-width and after a line break; such a cell gets an apostrophe in front. The
 * library's own expression misses cells with several lines.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Formats lines with their line ends. Null becomes an empty cell. */
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
  /** Expected number of rows. */
  readonly total: number;
  /** Read lazily, as the client consumes the previous rows. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
  /** Called once, after the last row or when the client has disconnected. */
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

/** Sets the headers, and returns the body as a stream. An error during the export aborts the connection. */
export function streamCsv(reply: FastifyReply, file: CsvFile): Readable {
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .header(TOTAL_ROWS_HEADER, String(file.total));
  return Readable.from(linesOf(file), { objectMode: false });
}

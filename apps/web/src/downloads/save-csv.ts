/** Saves a CSV export to a file on this device. Throws {@link ApiError}; shows no message. */
import { TOTAL_ROWS_HEADER } from '@haris/contract/constants';
import type { Route } from '@haris/contract/http/route';
import { openStream } from '../calls/http.ts';
import { type RequestInput, readBody } from '../calls/request.ts';
import { saveBlob } from './save-blob.ts';

const NEWLINE = 0x0a;
const FALLBACK_NAME = 'haris.csv';

export interface CsvProgress {
  readonly rows: number;
  readonly total: number;
}

/** Counts line ends in a chunk; our cells never contain line breaks. */
function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/** Resolves to the number of rows once the file is saved; rejects with the abort's reason when `signal` ends it. */
export async function saveCsv(
  route: Route & { answer: 'text/csv' },
  query: RequestInput['query'],
  signal: AbortSignal,
  onProgress: (progress: CsvProgress) => void,
): Promise<number> {
  const response = await openStream(route, { query, signal });
  const total = Number(response.headers.get(TOTAL_ROWS_HEADER) ?? 0);
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // The first line is the header.
  let lines = -1;
  onProgress({ rows: 0, total });
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await readBody(() => reader.read(), { signal });
    if (done) break;
    parts.push(value);
    lines += countLines(value);
    onProgress({ rows: Math.max(0, lines), total });
  }
  signal.throwIfAborted();
  saveBlob(new Blob(parts, { type: 'text/csv' }), name ?? FALLBACK_NAME);
  return Math.max(0, lines);
}

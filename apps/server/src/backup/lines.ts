/** The lines of a backup: rows of tables, then photos, then the counts. Knows no file and no key. */
import { describeFailure } from '@haris/runtime/log';
import { z } from 'zod';
import { ArchiveError } from './archive.ts';

const cellSchema = z.union([z.null(), z.string(), z.number(), z.object({ bytes: z.base64() })]);
const lineSchema = z.union([
  z.object({
    haris: z.literal(1),
    at: z.string(),
    /** Newest migration of the rows; missing in the first backups. */
    schema: z.string().default('050-adult-faces'),
  }),
  z.object({
    table: z.string().regex(/^[a-z][a-z0-9_]*$/),
    /** Columns of the primary key; missing in older backups. */
    key: z.array(z.string()).min(1).optional(),
    rows: z.array(z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), cellSchema)),
  }),
  z.object({ photo: z.uuid(), sealed: z.base64() }),
  z.object({
    end: z.object({
      rows: z.number().int(),
      photos: z.number().int(),
      lost: z.array(z.string()).default([]),
      /** Rows of each table, counted by the database; missing in older backups. */
      tables: z.record(z.string(), z.number().int()).optional(),
    }),
  }),
]);

export type Cell = z.infer<typeof cellSchema>;
export type Row = Readonly<Record<string, Cell>>;
type Line = z.infer<typeof lineSchema>;
export type TableLine = Extract<Line, { table: string }>;

export function formatLine(line: z.input<typeof lineSchema>): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** Converts a row of either database. Throws for a value that a backup cannot hold. */
export function toRow(row: Readonly<Record<string, unknown>>): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Uint8Array) return [name, { bytes: Buffer.from(value).toString('base64') }];
      return [name, cellSchema.parse(value)];
    }),
  );
}

/** The database value of a cell. */
export function fromCell(cell: Cell): null | string | number | Buffer {
  return cell !== null && typeof cell === 'object' ? Buffer.from(cell.bytes, 'base64') : cell;
}

/** Parses each line. Throws {@link ArchiveError} for an invalid one. */
export async function* parseLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let waiting = '';
  const decoder = new TextDecoder();
  const parse = (text: string): Line => {
    try {
      return lineSchema.parse(JSON.parse(text));
    } catch (error) {
      throw new ArchiveError(`The backup holds something unknown (${describeFailure(error).failure}).`);
    }
  };
  for await (const chunk of bytes) {
    waiting += decoder.decode(chunk, { stream: true });
    const lines = waiting.split('\n');
    waiting = lines.pop() ?? '';
    for (const text of lines) yield parse(text);
  }
  if (waiting) throw new ArchiveError('The backup is cut off.');
}

/** The lines that a backup holds: rows of tables, then photos, then how many of each. Knows no file and no key. */
import { describeFailure } from '@haris/runtime/log';
import { z } from 'zod';
import { ArchiveError } from './archive.ts';

const cellSchema = z.union([z.null(), z.string(), z.number(), z.object({ bytes: z.base64() })]);
const lineSchema = z.union([
  z.object({
    haris: z.literal(1),
    at: z.string(),
    /** The newest migration that the rows have gone through; the first backups did not say it. */
    schema: z.string().default('050-adult-faces'),
  }),
  z.object({
    table: z.string().regex(/^[a-z][a-z_]*$/),
    rows: z.array(z.record(z.string().regex(/^[a-z][a-z_]*$/), cellSchema)),
  }),
  z.object({ photo: z.uuid(), sealed: z.base64() }),
  z.object({
    end: z.object({
      rows: z.number().int(),
      photos: z.number().int(),
      lost: z.array(z.string()).default([]),
    }),
  }),
]);

export type Cell = z.infer<typeof cellSchema>;
export type Row = Readonly<Record<string, Cell>>;
type Line = z.infer<typeof lineSchema>;

export function formatLine(line: z.input<typeof lineSchema>): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** A row as it comes from either database. Throws for what a backup cannot hold. */
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

/** Each line, parsed. Throws {@link ArchiveError} for what is not one. */
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

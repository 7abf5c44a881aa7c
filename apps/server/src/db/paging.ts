/** Keyset paging by (name, id): a page never jumps when rows come or go before it. */
import { z } from 'zod';
import { AppError } from '../app-error.ts';

const positionSchema = z.tuple([z.string().max(2_000), z.string().max(100)]);
export type Position = z.infer<typeof positionSchema>;

/** A position as the opaque text that `nextCursor` carries. */
export function toCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position that a cursor stands for. Throws 400 for one that was never given. */
export function fromCursor(cursor: string): Position {
  try {
    const position = positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (!position.some((part) => part.includes('\0'))) return position;
  } catch {
    // Falls through to the same answer.
  }
  const message = 'cursor is not one that was given';
  throw new AppError('invalid_request', { message, fields: { cursor: message } });
}

export interface PageRequest {
  readonly search?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

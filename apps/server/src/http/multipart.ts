/** Reads a multipart body into text fields and files held in memory, within the contract's limits. */

import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

export interface UploadedFile {
  readonly bytes: Buffer;
  /** More bytes came than are allowed; `bytes` holds the first of them. */
  readonly tooLarge: boolean;
}

export interface MultipartBody {
  readonly fields: Record<string, string>;
  readonly files: Record<string, UploadedFile>;
}

/** Limits given to the parser: a field is at most an encoding, a request at most two photos and twenty fields. */
export const multipartLimits = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 20,
  fileSize: PHOTO_MAX_BYTES,
  files: 2,
  parts: 22,
} as const;

/** Whether a multipart body is to come, by its header: before the body is read, `isMultipart` does not know yet. */
export function announcesMultipart(request: FastifyRequest): boolean {
  return /multipart/i.test(request.headers['content-type'] ?? '');
}

const UNEXPECTED_FILE = 'A file was sent that this call does not take';

/** A body that cannot be meant: more than two photos of the largest size and some fields. */
const BODY_HARD_LIMIT = 2 * PHOTO_MAX_BYTES + 1024 * 1024;

/**
 * `names` are those of the files that the call takes. Throws 400 `invalid_body` for a body that is not well-formed,
 * 400 `invalid_request` as soon as another file begins, 413 for a body with too many parts.
 */
export async function readMultipart(
  request: FastifyRequest,
  names: readonly string[],
): Promise<MultipartBody> {
  // Reading it to the end would only keep the connection busy.
  if (Number(request.headers['content-length'] ?? 0) > BODY_HARD_LIMIT)
    throw new AppError('payload_too_large');
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, UploadedFile> = Object.create(null);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        // Nobody would look at it: it is not held in memory first.
        if (!names.includes(part.fieldname))
          throw new AppError('invalid_request', { message: UNEXPECTED_FILE });
        const chunks: Buffer[] = [];
        for await (const chunk of part.file) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        // What a browser sends for a file input that was left empty.
        if (bytes.length === 0 && !part.filename) continue;
        if (part.fieldname in files) throw new AppError('invalid_body');
        files[part.fieldname] = { bytes, tooLarge: part.file.truncated };
      } else {
        if (part.fieldname in fields || part.valueTruncated || typeof part.value !== 'string')
          throw new AppError('invalid_body');
        fields[part.fieldname] = part.value;
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code) || code === 'FST_REQ_FILE_TOO_LARGE')
      throw new AppError('payload_too_large');
    throw new AppError('invalid_body');
  }
  return { fields, files };
}

/** Whether the first bytes are those of a PNG, JPEG or WebP file. */
export function isPhotoType(bytes: Uint8Array): boolean {
  const at = (offset: number, text: string) =>
    bytes.length >= offset + text.length &&
    Buffer.from(bytes.buffer, bytes.byteOffset + offset, text.length).toString('latin1') === text;
  return at(0, '\x89PNG\r\n\x1a\n') || at(0, '\xff\xd8\xff') || (at(0, 'RIFF') && at(8, 'WEBP'));
}

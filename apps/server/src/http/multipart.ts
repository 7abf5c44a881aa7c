/** Reads a multipart body into text fields and files held in memory, within the contract's limits. */

import { PHOTO_MAX_BYTES } from '@haris/contract/constants';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

export interface UploadedFile {
  readonly bytes: Buffer;
  /** More bytes were sent than allowed; `bytes` holds only the first of them. */
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

/** Whether the header announces a multipart body. `isMultipart` is set only after the body is read. */
export function announcesMultipart(request: FastifyRequest): boolean {
  return /multipart/i.test(request.headers['content-type'] ?? '');
}

const UNEXPECTED_FILE = 'A file was sent that this call does not take';

/** Limit of the whole body: two photos of the largest size and some fields. */
const BODY_HARD_LIMIT = 2 * PHOTO_MAX_BYTES + 1024 * 1024;

/**
 * `names`: the file fields that the call accepts. Throws 400 `invalid_body` for a malformed body, 400 `invalid_request`
 * as soon as another file begins, 413 for a body with too many parts.
 */
export async function readMultipart(
  request: FastifyRequest,
  names: readonly string[],
): Promise<MultipartBody> {
  // Reading the rest would only keep the connection busy.
  if (Number(request.headers['content-length'] ?? 0) > BODY_HARD_LIMIT)
    throw new AppError('payload_too_large');
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, UploadedFile> = Object.create(null);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        // Discards an unwanted file without buffering it.
        if (!names.includes(part.fieldname))
          throw new AppError('invalid_request', { message: UNEXPECTED_FILE });
        const chunks: Buffer[] = [];
        for await (const chunk of part.file) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        // Browsers send this for an empty file input.
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

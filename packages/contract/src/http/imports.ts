/** Import of many parents at once, from a file that the web app has read. */
import { z } from 'zod';
import { IDEMPOTENCY_KEY_HEADER, IMPORT_ROWS_MAX } from '../constants.ts';
import { languageSchema, nameSchema, parentEmailSchema, phoneSchema } from '../fields.ts';
import { defineRoute } from './route.ts';

/** A body of {@link IMPORT_ROWS_MAX} rows of the longest fields, in bytes. */
const IMPORT_BODY_LIMIT = 2 * 1024 * 1024;

const cell = z.string({ error: 'must be text' }).max(1000, 'may have up to 1000 characters');

/** A row as it stands in the file; what it must be is {@link importRowSchema}. */
const rawRowSchema = z.object({ name: cell, email: cell, phone: cell });
export type RawImportRow = z.infer<typeof rawRowSchema>;

/** A row that can be imported: the rules of Add Parent, blank phone for none. */
export const importRowSchema = z.object({
  name: nameSchema,
  email: parentEmailSchema,
  phone: z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    phoneSchema.optional(),
  ),
});

export const importFieldSchema = z.enum(['name', 'email', 'phone']);
export type ImportField = z.infer<typeof importFieldSchema>;

/** `row` counts from 0 in the order sent; `message` is a sentence for a person. */
export const importProblemSchema = z
  .object({ row: z.number().int().nonnegative(), field: importFieldSchema, message: z.string() })
  .meta({ id: 'ImportProblem' });
export type ImportProblem = z.infer<typeof importProblemSchema>;

/** Sentences for what only many rows together, or the database, can have wrong. */
export const EMAIL_TWICE_IN_FILE = 'This e-mail stands in the file more than once';
export const EMAIL_HAS_ACCOUNT = 'An account with this e-mail already exists';

const importBodySchema = z.object({
  rows: z
    .array(rawRowSchema, { error: 'rows must be a list of name, email and phone' })
    .min(1, 'There is no row to import')
    .max(IMPORT_ROWS_MAX, `A file may have up to ${IMPORT_ROWS_MAX} rows`),
  /** Of the invitation mails. */
  language: languageSchema.optional(),
});

export const importRoutes = {
  previewParentImport: defineRoute({
    id: 'previewParentImport',
    method: 'POST',
    path: '/api/imports/parents/preview',
    access: 'staff',
    summary: 'What is wrong with the rows of an import; nothing is changed',
    body: importBodySchema,
    bodyLimit: IMPORT_BODY_LIMIT,
    status: 200,
    answer: z.object({ rows: z.number().int(), problems: z.array(importProblemSchema) }),
    errors: [],
  }),
  importParents: defineRoute({
    id: 'importParents',
    method: 'POST',
    path: '/api/imports/parents',
    access: 'staff',
    summary:
      'Add all these parents, each invited by mail, or none of them when one row is wrong now. Written in portions; the same call again goes on where the first one stopped',
    headers: z.object({
      [IDEMPOTENCY_KEY_HEADER]: z
        .string({ error: 'Idempotency-Key is required' })
        .regex(/^[\x21-\x7e]{1,200}$/, 'Idempotency-Key must be 1 to 200 visible ASCII characters'),
    }),
    body: importBodySchema,
    bodyLimit: IMPORT_BODY_LIMIT,
    status: 201,
    answer: z.object({
      message: z.string(),
      created: z.number().int(),
      /** Rows that were left out, because somebody made an account with the e-mail while the import was at work. */
      leftOut: z.array(importProblemSchema),
    }),
    errors: ['import_refused', 'import_unfinished', 'idempotency_key_reused'],
  }),
};

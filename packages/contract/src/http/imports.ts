/** Import of many parents at once, from a file that the web app has parsed. */
import * as z from 'zod/mini';
import { IDEMPOTENCY_KEY_HEADER, IMPORT_ROWS_MAX } from '../constants.ts';
import { languageSchema, nameSchema, parentEmailSchema, phoneSchema } from '../fields.ts';
import { defineRoute } from './route.ts';

/** Rows that one account may import within 24 hours, in all its files. */
export const IMPORTED_ROWS_PER_DAY = 2 * IMPORT_ROWS_MAX;

/** Size in bytes of a body with {@link IMPORT_ROWS_MAX} rows of the longest fields. */
const IMPORT_BODY_LIMIT = 2 * 1024 * 1024;

const cell = z.string({ error: 'must be text' }).check(z.maxLength(1000, 'may have up to 1000 characters'));

/** A row as found in the file; {@link importRowSchema} is the rule. */
const rawRowSchema = z.object({ name: cell, email: cell, phone: cell });
export type RawImportRow = z.infer<typeof rawRowSchema>;

/** A valid row: the rules of Add Parent, with a blank phone for none. */
export const importRowSchema = z.object({
  name: nameSchema,
  email: parentEmailSchema,
  phone: z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value)),
    z.optional(phoneSchema),
  ),
});

export const importFieldSchema = z.enum(['name', 'email', 'phone']);
export type ImportField = z.infer<typeof importFieldSchema>;

/** `row` counts from 0 in the order sent; `message` is for people. */
export const importProblemSchema = z
  .object({ row: z.int().check(z.nonnegative()), field: importFieldSchema, message: z.string() })
  .register(z.globalRegistry, { id: 'ImportProblem' });
export type ImportProblem = z.infer<typeof importProblemSchema>;

/** Messages for problems that only appear across rows or in the database. */
export const EMAIL_TWICE_IN_FILE = 'This e-mail stands in the file more than once';
export const EMAIL_HAS_ACCOUNT = 'An account with this e-mail already exists';

const importBodySchema = z.object({
  rows: z
    .array(rawRowSchema, { error: 'rows must be a list of name, email and phone' })
    .check(
      z.minLength(1, 'There is no row to import'),
      z.maxLength(IMPORT_ROWS_MAX, `A file may have up to ${IMPORT_ROWS_MAX} rows`),
    ),
  /** Language of the invitation mails. */
  language: z.optional(languageSchema),
});

const importHeaders = z.object({
  [IDEMPOTENCY_KEY_HEADER]: z
    .string({ error: 'Idempotency-Key is required' })
    .check(z.regex(/^[\x21-\x7e]{1,200}$/, 'Idempotency-Key must be 1 to 200 visible ASCII characters')),
});

export const importRoutes = {
  previewParentImport: defineRoute({
    id: 'previewParentImport',
    method: 'POST',
    path: '/api/imports/parents/preview',
    access: 'staff',
    permission: 'families.import',
    summary: 'Check the rows of an import; changes nothing',
    body: importBodySchema,
    bodyLimit: IMPORT_BODY_LIMIT,
    status: 200,
    answer: z.object({ rows: z.int(), problems: z.array(importProblemSchema) }),
    errors: [],
  }),
  getImportProgress: defineRoute({
    id: 'getImportProgress',
    method: 'GET',
    path: '/api/imports/parents/progress',
    access: 'staff',
    permission: 'families.import',
    summary: 'How far the own import with this key is',
    headers: importHeaders,
    status: 200,
    answer: z.object({
      /** Processed rows, counted from the first; null if no import with this key is under way. */
      done: z.nullable(z.int()),
    }),
    errors: [],
  }),
  importParents: defineRoute({
    id: 'importParents',
    method: 'POST',
    path: '/api/imports/parents',
    access: 'staff',
    permission: 'families.import',
    proof: 'always',
    summary: `Add and invite all these parents, or none if any row is invalid. Rows are written in batches; a repeated call continues where the first one stopped. At most ${IMPORTED_ROWS_PER_DAY} rows per account and day`,
    headers: importHeaders,
    body: importBodySchema,
    bodyLimit: IMPORT_BODY_LIMIT,
    status: 201,
    answer: z.object({
      message: z.string(),
      created: z.int(),
      /** Skipped rows: their e-mail was registered while the import was running. */
      leftOut: z.array(importProblemSchema),
    }),
    errors: [
      'sample_data_present',
      'import_refused',
      'import_unfinished',
      'idempotency_key_reused',
      'too_many_attempts',
    ],
  }),
};

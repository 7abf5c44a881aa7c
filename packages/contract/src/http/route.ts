/** What a call is: method, path, who may make it, what it takes and what it answers. Knows no server and no client. */
import { z } from 'zod';
import { IDEMPOTENCY_KEY_HEADER, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../constants.ts';
import type { ErrorCode } from '../errors.ts';
import type { Access } from '../roles.ts';

/**
 * Which callers need a fresh proof of who they are (contract §6): `always` every one, `parent` parents but not staff,
 * `by-body` those whose body asks for what needs one; the summary says what that is.
 */
export type ProofRule = 'always' | 'parent' | 'by-body';

export interface Route {
  /** Stable name, the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `{name}` parameters, as in the contract. */
  readonly path: string;
  readonly access: Access;
  /** Refused with `proof_required` without a fresh proof. Absent: no proof needed. */
  readonly proof?: ProofRule;
  readonly summary: string;
  readonly query?: z.ZodObject;
  /** Text fields: the JSON body, and the text parts of a multipart body. */
  readonly body?: z.ZodType;
  /** Body types taken; default JSON only. */
  readonly accepts?: readonly ('json' | 'multipart')[];
  /** Names of the file parts of a multipart body, and whether each must be there. */
  readonly files?: Readonly<Record<string, 'required' | 'optional'>>;
  readonly headers?: z.ZodObject;
  /** Largest JSON body in bytes, where it is another than the server's 256 KiB. */
  readonly bodyLimit?: number;
  /** Status and body of success; null for no body; a media type for what is not JSON. */
  readonly status: 200 | 201 | 202 | 204;
  readonly answer:
    | z.ZodType
    | null
    | 'image/jpeg'
    | 'text/event-stream'
    | 'multipart/x-mixed-replace'
    | 'text/csv';
  /** The codes it may fail with, besides those any call may. */
  readonly errors: readonly ErrorCode[];
}

/** Keeps the literal types of a route. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

/** Names of the parameters in a path: `/a/{id}/{token}` → `'id' | 'token'`. */
export type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** Query of every list (contract §4). `%` and `_` in `search` are plain characters; `cursor` is what `nextCursor` said. */
export const listQueryShape = {
  search: z
    .string()
    .max(200, 'Search may have up to 200 characters')
    .transform((text) => text.trim())
    .optional(),
  limit: z
    .string()
    .regex(/^[0-9]{1,9}$/, `limit must be a whole number from 1 to ${PAGE_LIMIT_MAX}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_LIMIT_MAX, {
      error: `limit must be a whole number from 1 to ${PAGE_LIMIT_MAX}`,
    })
    .default(PAGE_LIMIT_DEFAULT),
  cursor: z.string().max(1000, 'cursor is not one that was given').optional(),
};

/** What every list answers beside its rows. */
export const pageShape = {
  total: z.number().int().nonnegative(),
  nextCursor: z.string().nullable(),
};

export const messageSchema = z.object({ message: z.string() });

/** A key that makes a call safe to send twice; optional. */
export const idempotencyHeaders = z.object({
  [IDEMPOTENCY_KEY_HEADER]: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'Idempotency-Key must be 1 to 200 visible ASCII characters')
    .optional(),
});

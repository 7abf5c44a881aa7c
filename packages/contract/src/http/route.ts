/** Definition of a call, shared by server and clients: method, path, access, input and output. */
import * as z from 'zod/mini';
import { IDEMPOTENCY_KEY_HEADER, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../constants.ts';
import type { ErrorCode } from '../errors.ts';
import type { Permission } from '../permissions.ts';
import type { Access } from '../roles.ts';

/**
 * Who needs a fresh proof (contract §6): `always` everyone, `parent` parents but not staff, `by-body` only some
 * bodies, as the summary explains.
 */
export type ProofRule = 'always' | 'parent' | 'by-body';

/**
 * What a staff member needs for a call: a permission; `own` if the call concerns only the caller's account;
 * `by-subject` if it depends on the subject, as the summary explains. Parents need none; their calls concern their own
 * family.
 */
export type RoutePermission = Permission | 'own' | 'by-subject';

type RouteAccess =
  | { readonly access: 'staff' | 'signed-in'; readonly permission: RoutePermission }
  | { readonly access: Exclude<Access, 'staff' | 'signed-in'>; readonly permission?: never };

interface RouteBase {
  /** Stable name: the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `{name}` parameters, as in the contract. */
  readonly path: string;
  /** Without a fresh proof the call is refused with `proof_required`. Absent: no proof needed. */
  readonly proof?: ProofRule;
  /**
   * Lists of personal data in the answer, and for each the fields that tell its rows apart. Staff who read more different
   * rows than a desk does need a proof (`ROWS_WITHOUT_PROOF`).
   */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  /** Staff need the approval of a second person where the setting `secondPerson` is on (decision 047). */
  readonly approval?: true;
  /** Also open to a session that may only set up its second factor (decision 041). */
  readonly limited?: true;
  readonly summary: string;
  readonly query?: z.ZodMiniObject;
  /** Text fields: the JSON body, or the text parts of a multipart body. */
  readonly body?: z.ZodMiniType;
  /** Accepted body types; JSON only by default. */
  readonly accepts?: readonly ('json' | 'multipart')[];
  /** Names of the file parts of a multipart body, and whether each is required. */
  readonly files?: Readonly<Record<string, 'required' | 'optional'>>;
  readonly headers?: z.ZodMiniObject;
  /** Largest JSON body in bytes, if not the server's default of 256 KiB. */
  readonly bodyLimit?: number;
  /** Status and body of success: null for no body, a media type for anything but JSON. */
  readonly status: 200 | 201 | 202 | 204;
  readonly answer:
    | z.ZodMiniType
    | null
    | 'image/jpeg'
    | 'text/event-stream'
    | 'multipart/x-mixed-replace'
    | 'text/csv';
  /** Error codes of this call, besides those that any call can return. */
  readonly errors: readonly ErrorCode[];
}

/** A call. One for staff does not compile without the permission that it needs (decision 042). */
export type Route = RouteBase & RouteAccess;

/** Keeps the literal types of a route. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

/** Names of the parameters in a path: `/a/{id}/{token}` → `'id' | 'token'`. */
export type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/**
 * Query of every list (contract §4). `%` and `_` in `search` are plain characters; `cursor` is a `nextCursor` from an
 * earlier page.
 */
export const listQueryShape = {
  search: z.optional(
    z.pipe(
      z.string().check(z.maxLength(200, 'Search may have up to 200 characters')),
      z.transform((text) => text.trim()),
    ),
  ),
  limit: z._default(
    z
      .pipe(
        z.string().check(z.regex(/^[0-9]{1,9}$/, `limit must be a whole number from 1 to ${PAGE_LIMIT_MAX}`)),
        z.transform(Number),
      )
      .check(
        z.refine((limit) => limit >= 1 && limit <= PAGE_LIMIT_MAX, {
          error: `limit must be a whole number from 1 to ${PAGE_LIMIT_MAX}`,
        }),
      ),
    PAGE_LIMIT_DEFAULT,
  ),
  cursor: z.optional(z.string().check(z.maxLength(1000, 'cursor is not one that was given'))),
};

/** Fields that every list returns beside its rows. */
export const pageShape = {
  total: z.int().check(z.nonnegative()),
  nextCursor: z.nullable(z.string()),
};

export const messageSchema = z.object({ message: z.string() });

/** An optional key that makes a call safe to repeat. */
export const idempotencyHeaders = z.object({
  [IDEMPOTENCY_KEY_HEADER]: z.optional(
    z
      .string()
      .check(z.regex(/^[\x21-\x7e]{1,200}$/, 'Idempotency-Key must be 1 to 200 visible ASCII characters')),
  ),
});

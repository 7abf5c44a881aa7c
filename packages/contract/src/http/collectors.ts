/** Collectors of a child, whom the family or staff have named, and their passes (decision 049). */
import * as z from 'zod/mini';
import { nameSchema, phoneSchema, secret } from '../fields.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Most collectors of a child that have not ended. */
export const COLLECTORS_MAX = 20;

const INVALID_DAY = 'must be a day like 2026-05-31';
/** A date as `YYYY-MM-DD`. */
export const daySchema = z.iso
  .date(INVALID_DAY)
  .check(z.refine((day) => day >= '2000' && day < '2200', INVALID_DAY));

const weekdaysSchema = z
  .array(z.int('must be a weekday').check(z.gte(0, 'must be a weekday'), z.lte(6, 'must be a weekday')))
  .check(z.maxLength(7, 'must be different weekdays'));

/** Kinds of identity documents. */
export const DOCUMENT_KINDS = ['national_id', 'passport', 'driving_licence', 'other'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** An identity document that staff have seen: no copy, only its kind and last four characters. */
export const documentSchema = z.object({
  kind: z.enum(DOCUMENT_KINDS, { error: 'kind must be one of the known documents' }),
  last: z.pipe(
    z
      .string('Please enter the last 4 characters')
      .check(z.maxLength(20, 'Please enter the last 4 characters')),
    z.pipe(
      z.transform((text: string) => text.trim().toUpperCase()),
      z.string().check(z.regex(/^[0-9A-Z]{4}$/, 'Please enter the last 4 characters')),
    ),
  ),
});

/** What a family tells about a collector. Both days are inclusive; without weekdays every day counts. */
const collectorFields = {
  name: nameSchema,
  relation: nameSchema,
  phone: z.optional(z.nullable(phoneSchema)),
  from: z.optional(z.nullable(daySchema)),
  until: z.optional(z.nullable(daySchema)),
  weekdays: z._default(weekdaysSchema, []),
};
const collectorBodySchema = z.object(collectorFields).check(
  z.refine(({ from, until }) => !from || !until || from <= until, {
    error: 'The last day must not be before the first',
    path: ['until'],
  }),
);

export const collectorSchema = z
  .object({
    _id: z.string(),
    childId: z.string(),
    name: z.string(),
    relation: z.string(),
    phone: z.nullable(z.string()),
    photo: z.nullable(z.string()),
    from: z.nullable(z.string()),
    until: z.nullable(z.string()),
    /** 0 (Sunday) to 6; empty: every day. */
    weekdays: z.array(z.int()),
    /** Whether staff have seen an identity document. */
    isConfirmed: z.boolean(),
    /** For staff only. */
    document: z.optional(z.nullable(documentSchema)),
    /** Day of a pass that can still be used; null without one. */
    passDay: z.nullable(z.string()),
    /** For staff with `barred.view` only: whether the name or phone is, or sounds like, that of an adult barred for the child. */
    resemblesBarred: z.optional(z.boolean()),
  })
  .register(z.globalRegistry, { id: 'Collector' });
export type Collector = z.infer<typeof collectorSchema>;

export const collectorRoutes = {
  listCollectors: defineRoute({
    id: 'listCollectors',
    method: 'GET',
    path: '/api/children/{id}/collectors',
    access: 'signed-in',
    permission: 'families.view',
    summary: 'Adults besides the parent who may take the child',
    status: 200,
    answer: z.object({ collectors: z.array(collectorSchema) }),
    errors: ['not_found'],
  }),
  addCollector: defineRoute({
    id: 'addCollector',
    method: 'POST',
    path: '/api/children/{id}/collectors',
    access: 'signed-in',
    permission: 'families.edit',
    proof: 'parent',
    summary: `Name a collector of a child, at most ${COLLECTORS_MAX}; staff see an identity document at the first pick-up`,
    body: collectorBodySchema,
    status: 201,
    answer: z.object({ message: z.string(), collector: collectorSchema }),
    errors: ['not_found', 'too_many_collectors', 'too_many_attempts'],
  }),
  updateCollector: defineRoute({
    id: 'updateCollector',
    method: 'PUT',
    path: '/api/collectors/{id}',
    access: 'signed-in',
    permission: 'families.edit',
    proof: 'parent',
    summary: 'Change a collector; another name or phone number removes the confirmation and ends passes',
    body: collectorBodySchema,
    status: 200,
    answer: z.object({ message: z.string(), collector: collectorSchema }),
    errors: ['not_found', 'too_many_attempts'],
  }),
  setCollectorPhoto: defineRoute({
    id: 'setCollectorPhoto',
    method: 'PUT',
    path: '/api/collectors/{id}/photo',
    access: 'signed-in',
    permission: 'families.edit',
    proof: 'parent',
    summary: 'Set the photo of a collector, as a multipart file; removes the confirmation and ends passes',
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 200,
    answer: z.object({ message: z.string(), collector: collectorSchema }),
    errors: [
      'not_found',
      'too_many_attempts',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  removeCollectorPhoto: defineRoute({
    id: 'removeCollectorPhoto',
    method: 'DELETE',
    path: '/api/collectors/{id}/photo',
    access: 'signed-in',
    permission: 'families.edit',
    proof: 'parent',
    summary:
      'Remove the photo of a collector, with the confirmation and the passes; without a photo it changes nothing',
    status: 200,
    answer: z.object({ message: z.string(), collector: collectorSchema }),
    errors: ['not_found', 'too_many_attempts'],
  }),
  removeCollector: defineRoute({
    id: 'removeCollector',
    method: 'DELETE',
    path: '/api/collectors/{id}',
    access: 'signed-in',
    permission: 'families.edit',
    summary: 'End a collector and the passes at once; needs no proof, because it only takes rights away',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  createCollectorPass: defineRoute({
    id: 'createCollectorPass',
    method: 'POST',
    path: '/api/collectors/{id}/pass',
    access: 'parent',
    proof: 'always',
    summary: 'Create a one-time pass of a collector for one day, today by default; it ends the older one',
    body: z.prefault(z.object({ day: z.optional(daySchema) }), {}),
    status: 201,
    answer: z.object({ token: z.string(), day: z.string() }),
    errors: ['not_found', 'collector_not_listed', 'too_many_attempts'],
  }),
  revokeCollectorPass: defineRoute({
    id: 'revokeCollectorPass',
    method: 'DELETE',
    path: '/api/collectors/{id}/pass',
    access: 'parent',
    summary: 'Revoke the pass of a collector at once',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  showPass: defineRoute({
    id: 'showPass',
    method: 'POST',
    path: '/api/pass',
    access: 'visitor',
    summary: 'What a pass is for, for whoever has its token',
    body: z.object({ token: secret('token') }),
    status: 200,
    answer: z.object({
      /** Both empty once the pass cannot be used any more: the link may be with a stranger. */
      childFirstName: z.string(),
      collector: z.string(),
      day: z.string(),
      facility: z.nullable(z.string()),
      state: z.enum(['valid', 'early', 'past', 'used', 'revoked']),
    }),
    errors: ['invalid_token'],
  }),
};

/** Calls about the adults to whom a child must not be handed (decision 049). Staff only. */
import * as z from 'zod/mini';
import { nameSchema, phoneSchema, secret } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { daySchema } from './collectors.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Most barred adults of a child. */
export const BARRED_MAX = 20;
const noteSchema = z
  .string('must be text')
  .check(z.trim(), z.maxLength(1000, 'The note may have up to 1000 characters'));

const barredSchema = z
  .object({
    _id: z.string(),
    childId: z.string(),
    name: z.string(),
    phone: z.nullable(z.string()),
    note: z.string(),
    documentDate: z.nullable(z.string()),
    /** Path of `GET /api/photos/{id}`, for those alone who may read the bar. No face is computed from it. */
    photo: z.nullable(z.string()),
    /** The account or collector that is this person. */
    adultId: z.nullable(z.string()),
    createdAt: momentSchema,
  })
  .register(z.globalRegistry, { id: 'BarredAdult' });
export type BarredAdult = z.infer<typeof barredSchema>;

/** An adult who is listed for the child, as staff who note a namesake see it. */
const listedSchema = z.object({
  _id: z.string(),
  name: z.string(),
  phone: z.nullable(z.string()),
  photo: z.nullable(z.string()),
  /** Changes with name, relation, phone and photo; the note about a namesake says by it whom staff have seen. */
  version: z.string(),
});
export type ListedForBar = z.infer<typeof listedSchema>;

export const barredRoutes = {
  listBarred: defineRoute({
    id: 'listBarred',
    method: 'GET',
    path: '/api/children/{id}/barred',
    access: 'staff',
    permission: 'barred.view',
    summary: 'Adults to whom the child must not be handed, and those who are listed',
    status: 200,
    answer: z.object({
      barred: z.array(barredSchema),
      /** The listed adults, for notes about namesakes; empty while nobody is barred. */
      adults: z.array(listedSchema),
    }),
    errors: ['not_found'],
  }),
  addBarred: defineRoute({
    id: 'addBarred',
    method: 'POST',
    path: '/api/children/{id}/barred',
    access: 'staff',
    permission: 'families.edit',
    proof: 'by-body',
    summary:
      'Bar an adult; takes effect at once, and ends slips that were printed. `blockAccount` needs the permission `families.block` and a proof',
    body: z.object({
      name: nameSchema,
      phone: z.optional(z.nullable(phoneSchema)),
      note: z._default(noteSchema, ''),
      documentDate: z.optional(z.nullable(daySchema)),
      /** A guardian or collector of this child who is this person. */
      adultId: z.optional(z.nullable(z.string('must be an id').check(z.maxLength(100, 'must be an id')))),
      /** Also for the other children of the family. */
      siblings: z._default(z.boolean('must be true or false'), false),
      /** Also block the account; `adultId` must be it. */
      blockAccount: z._default(z.boolean('must be true or false'), false),
    }),
    status: 201,
    answer: z.object({ message: z.string(), barred: barredSchema }),
    errors: ['not_found', 'forbidden', 'too_many_barred'],
  }),
  setBarredPhoto: defineRoute({
    id: 'setBarredPhoto',
    method: 'PUT',
    path: '/api/barred/{id}/photo',
    access: 'staff',
    permission: 'families.edit',
    proof: 'always',
    summary:
      'Set the photo of a barred adult, as a multipart file, also of the same bar of siblings; needs `barred.view` too. Replacing one needs `families.edit` at every facility of the child',
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 200,
    answer: z.object({ message: z.string(), barred: barredSchema }),
    errors: [
      'not_found',
      'forbidden',
      'beyond_own_rights',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  removeBarredPhoto: defineRoute({
    id: 'removeBarredPhoto',
    method: 'DELETE',
    path: '/api/barred/{id}/photo',
    access: 'staff',
    permission: 'families.edit',
    proof: 'always',
    summary:
      'Remove the photo of a barred adult, also of the same bar of siblings; needs `barred.view` too, and `families.edit` at every facility of the child',
    status: 200,
    answer: z.object({ message: z.string(), barred: barredSchema }),
    errors: ['not_found', 'forbidden', 'beyond_own_rights'],
  }),
  liftBarred: defineRoute({
    id: 'liftBarred',
    method: 'DELETE',
    path: '/api/barred/{id}',
    access: 'staff',
    permission: 'barred.lift',
    proof: 'always',
    summary: 'Lift a bar',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'beyond_own_rights'],
  }),
  markNamesake: defineRoute({
    id: 'markNamesake',
    method: 'POST',
    path: '/api/barred/{id}/namesakes',
    access: 'staff',
    permission: 'barred.lift',
    proof: 'always',
    summary:
      'Record that a listed adult with the same name or phone number is not the barred one, until that adult’s name, phone or photo is changed',
    body: z.object({
      adultId: secret('adultId'),
      /** `version` of this adult as staff have seen it. If the adult has changed since then, nothing is recorded. */
      version: secret('version'),
    }),
    status: 200,
    answer: z.object({ message: z.string(), barred: barredSchema }),
    errors: ['not_found', 'beyond_own_rights', 'collector_changed'],
  }),
};

/** Opt-in recognition of adults: a parent's and a staff member's own account. */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';
import { photoProblemSchema } from '../vision.ts';
import { defineRoute } from './route.ts';

/** Why a photo cannot be used to recognise an adult. */
export const recognitionProblemSchema = z.enum([...photoProblemSchema.options, 'face_already_registered']);
export type RecognitionProblem = z.infer<typeof recognitionProblemSchema>;

/**
 * `since`: time at which recognition was switched on, null while off. `problem`: why a new photo of the account
 * switched recognition off; null if the person switched it off or never had it on.
 */
const recognitionSchema = z
  .object({
    on: z.boolean(),
    since: z.nullable(momentSchema),
    problem: z.nullable(recognitionProblemSchema),
    /** The person has opted in, but staff have not confirmed the face yet; `on` is the current state. */
    pending: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Recognition' });
export type Recognition = z.infer<typeof recognitionSchema>;

const answer = z.object({ recognition: recognitionSchema });

const faceErrors = [
  ...photoProblemSchema.options,
  'too_many_attempts',
  'face_engine_unavailable',
  'photos_busy',
] as const;

export const recognitionRoutes = {
  getParentRecognition: defineRoute({
    id: 'getParentRecognition',
    method: 'GET',
    path: '/api/parent/{id}/recognition',
    access: 'signed-in',
    permission: 'families.view',
    summary: 'Whether the cameras recognise this parent; for staff and for the parent',
    status: 200,
    answer,
    errors: ['not_found'],
  }),
  startParentRecognition: defineRoute({
    id: 'startParentRecognition',
    method: 'PUT',
    path: '/api/parent/{id}/recognition',
    access: 'parent',
    proof: 'always',
    summary:
      "Opt in to recognition of this parent by the account's photo; it starts once staff have confirmed the photo",
    status: 200,
    answer,
    errors: ['not_found', 'no_photo', ...faceErrors],
  }),
  stopParentRecognition: defineRoute({
    id: 'stopParentRecognition',
    method: 'DELETE',
    path: '/api/parent/{id}/recognition',
    access: 'signed-in',
    permission: 'families.edit',
    proof: 'parent',
    summary: 'Erase the face encodings of this parent; for the parent, or for staff on request',
    status: 200,
    answer,
    errors: ['not_found'],
  }),
  getOwnRecognition: defineRoute({
    id: 'getOwnRecognition',
    method: 'GET',
    path: '/api/admin/me/recognition',
    access: 'staff',
    permission: 'own',
    summary: 'Whether the cameras recognise the signed-in staff member',
    status: 200,
    answer,
    errors: [],
  }),
  startOwnRecognition: defineRoute({
    id: 'startOwnRecognition',
    method: 'PUT',
    path: '/api/admin/me/recognition',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary:
      'Opt in to recognition of the signed-in staff member by this photo, which is not kept; a later photo replaces it',
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 200,
    answer,
    errors: ['payload_too_large', 'unsupported_media_type', 'face_already_registered', ...faceErrors],
  }),
  stopOwnRecognition: defineRoute({
    id: 'stopOwnRecognition',
    method: 'DELETE',
    path: '/api/admin/me/recognition',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary: 'Erase the face encodings of the signed-in staff member',
    status: 200,
    answer,
    errors: [],
  }),
};

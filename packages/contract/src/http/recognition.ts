/** Whether the cameras may recognise an adult who asks for it: the own parent account, the own staff account. */
import { z } from 'zod';
import { momentSchema } from '../objects.ts';
import { photoProblemSchema } from '../vision.ts';
import { defineRoute } from './route.ts';

/** Why a photo cannot be what an adult is recognised by. */
export const recognitionProblemSchema = z.enum([...photoProblemSchema.options, 'face_already_registered']);
export type RecognitionProblem = z.infer<typeof recognitionProblemSchema>;

/**
 * `since`: when it was switched on, null while off. `problem`: why a new photo of the account switched it off; null where
 * the person did, or it never was on.
 */
const recognitionSchema = z
  .object({
    on: z.boolean(),
    since: momentSchema.nullable(),
    problem: recognitionProblemSchema.nullable(),
    /** The person asked for it and staff have not confirmed the face yet: `on` says what holds until then. */
    pending: z.boolean(),
  })
  .meta({ id: 'Recognition' });
export type Recognition = z.infer<typeof recognitionSchema>;

const answer = z.object({ recognition: recognitionSchema });

const faceErrors = [...photoProblemSchema.options, 'too_many_attempts', 'face_engine_unavailable'] as const;

export const recognitionRoutes = {
  getParentRecognition: defineRoute({
    id: 'getParentRecognition',
    method: 'GET',
    path: '/api/parent/{id}/recognition',
    access: 'signed-in',
    summary: 'Whether the cameras recognise this parent: to staff, and to the parent',
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
      "Ask that the cameras recognise the own account's owner, by the photo of the account; they do once staff have confirmed it",
    status: 200,
    answer,
    errors: ['not_found', 'no_photo', ...faceErrors],
  }),
  stopParentRecognition: defineRoute({
    id: 'stopParentRecognition',
    method: 'DELETE',
    path: '/api/parent/{id}/recognition',
    access: 'signed-in',
    proof: 'parent',
    summary:
      'Erase the numbers that the cameras recognise this parent by: the parent, or staff who were asked to',
    status: 200,
    answer,
    errors: ['not_found'],
  }),
  getOwnRecognition: defineRoute({
    id: 'getOwnRecognition',
    method: 'GET',
    path: '/api/admin/me/recognition',
    access: 'staff',
    summary: 'Whether the cameras recognise the signed-in member of staff',
    status: 200,
    answer,
    errors: [],
  }),
  startOwnRecognition: defineRoute({
    id: 'startOwnRecognition',
    method: 'PUT',
    path: '/api/admin/me/recognition',
    access: 'staff',
    proof: 'always',
    summary:
      'Let the cameras recognise the signed-in member of staff by this photo, which is not kept; another photo replaces the first',
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
    proof: 'always',
    summary: 'Erase the numbers that the cameras recognise the signed-in member of staff by',
    status: 200,
    answer,
    errors: [],
  }),
};

/** Children, their faces, and their stays (contract §4, §5). */
import { z } from 'zod';
import { DEFAULT_ENTRY_PERIOD_MINUTES, FACE_QUESTION_CHILDREN, PHOTOS_PER_CHILD } from '../constants.ts';
import { faceCandidateSchema } from '../errors.ts';
import { entryPeriodSchema, nameSchema } from '../fields.ts';
import { childSchema } from '../objects.ts';
import { encodingSchema, faceBoxSchema, photoProblemSchema, visionGuideAnswerSchema } from '../vision.ts';
import { confirmSchema, decisionBodySchema, pendingQuerySchema, revisionSchema } from './decisions.ts';
import { defineRoute, idempotencyHeaders, listQueryShape, messageSchema, pageShape } from './route.ts';

/** The encoding as a form sends it: a JSON string of 128 numbers; blank counts as absent. */
const encodingTextSchema = z
  .string({ error: 'The face encoding must be a JSON string' })
  .max(20_000, 'The face encoding is not valid')
  .transform((text, context) => {
    if (text.trim() === '') return undefined;
    try {
      const parsed = encodingSchema.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // Not JSON: the same answer as JSON of another shape.
    }
    context.addIssue({ code: 'custom', message: 'The face encoding is not valid' });
    return z.NEVER;
  })
  .optional();

const createChildFieldsSchema = z.object({
  name: nameSchema,
  encoding: encodingTextSchema,
  confirm: confirmSchema,
});

const addPhotoFieldsSchema = z.object({ encoding: encodingTextSchema, confirm: confirmSchema });

const updateChildFieldsSchema = z.object({
  name: nameSchema.optional(),
  encoding: encodingTextSchema,
  confirm: confirmSchema,
});

/**
 * `durationInMinutes` of a check-in; a missing body or field means the default.
 * The text form is not accepted: a client that sends "60" has a defect.
 */
const checkInBodySchema = z
  .object({
    durationInMinutes: entryPeriodSchema.default(DEFAULT_ENTRY_PERIOD_MINUTES),
    /** Confirms in the same step what waits for staff, if anything does. */
    confirm: z.boolean({ error: 'confirm must be true or false' }).optional(),
    revision: revisionSchema.optional(),
  })
  .prefault({});

const photoErrors = [
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  ...photoProblemSchema.options,
  'face_engine_unavailable',
] as const;

/** `lookalikes`: to staff only, children whose face lies near this one (siblings), so that recognition may answer unknown. */
const childSavedSchema = z.object({
  message: z.string(),
  child: childSchema,
  lookalikes: z.array(faceCandidateSchema).optional(),
});

export const childRoutes = {
  listChildren: defineRoute({
    id: 'listChildren',
    method: 'GET',
    path: '/api/children/get-all-children',
    access: 'signed-in',
    summary:
      'Children by name: to staff all, to a parent the own; `inside=true` those inside, `pending=true` those with something that waits for staff',
    query: z.object({
      ...listQueryShape,
      inside: z.enum(['true', 'false'], { error: 'inside must be true or false' }).optional(),
      pending: pendingQuerySchema,
    }),
    status: 200,
    answer: z.object({ children: z.array(childSchema), ...pageShape }),
    errors: [],
  }),
  createChild: defineRoute({
    id: 'createChild',
    method: 'POST',
    path: '/api/children/create-child/{parentId}',
    access: 'signed-in',
    summary: 'Register a child with a photo of the face; staff for any parent, a parent for the own account',
    body: createChildFieldsSchema,
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 201,
    answer: childSavedSchema,
    errors: [...photoErrors, 'encoding_mismatch', 'face_already_registered', 'too_many_attempts'],
  }),
  updateChild: defineRoute({
    id: 'updateChild',
    method: 'PUT',
    path: '/api/children/update-child/{id}',
    access: 'signed-in',
    summary: "Change a child's name or photo",
    body: updateChildFieldsSchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 200,
    answer: childSavedSchema,
    errors: [...photoErrors, 'encoding_mismatch', 'face_already_registered', 'too_many_attempts'],
  }),
  confirmChild: defineRoute({
    id: 'confirmChild',
    method: 'POST',
    path: '/api/children/{id}/confirm',
    access: 'staff',
    summary:
      'Accept or reject what a parent gave for a child: the cameras use a new face, and the desk a new photo and name, from then on',
    body: decisionBodySchema,
    status: 200,
    answer: childSavedSchema,
    errors: ['not_found', 'proposal_changed', 'face_already_registered', 'face_engine_unavailable'],
  }),
  addChildPhoto: defineRoute({
    id: 'addChildPhoto',
    method: 'POST',
    path: '/api/children/{id}/photos',
    access: 'signed-in',
    summary: `One more photo of a child's face, so that recognition gets better: at most ${PHOTOS_PER_CHILD} with the one that is shown. Only its encoding is kept. One that looks different is a question to staff (\`face_differs\`), who may send it again with \`confirm=true\`. A new photo by update-child starts anew`,
    body: addPhotoFieldsSchema,
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 201,
    answer: z.object({
      message: z.string(),
      child: childSchema,
      /** How many photos the child's face is known by now. */
      photos: z.number().int().min(1).max(PHOTOS_PER_CHILD),
      lookalikes: z.array(faceCandidateSchema).optional(),
    }),
    errors: [
      ...photoErrors,
      'encoding_mismatch',
      'another_face',
      'face_differs',
      'face_already_registered',
      'photo_already_added',
      'too_many_photos',
      'too_many_attempts',
    ],
  }),
  deleteChild: defineRoute({
    id: 'deleteChild',
    method: 'DELETE',
    path: '/api/children/delete-child/{id}',
    access: 'signed-in',
    proof: 'parent',
    summary: 'Delete a child with photo and encoding; the key they were encrypted with is destroyed',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'child_inside'],
  }),
  checkInChild: defineRoute({
    id: 'checkInChild',
    method: 'POST',
    path: '/api/children/checkin-child/{id}',
    access: 'staff',
    summary:
      'Check a child in for 30 (default), 60, 120 or 240 minutes; `confirm: true` confirms in the same step what waits',
    headers: idempotencyHeaders,
    body: checkInBodySchema,
    status: 200,
    answer: z.object({ message: z.string(), child: childSchema }),
    errors: [
      'not_found',
      'already_inside',
      'idempotency_key_reused',
      'proposal_changed',
      'face_already_registered',
      'face_engine_unavailable',
    ],
  }),
  checkOutChild: defineRoute({
    id: 'checkOutChild',
    method: 'POST',
    path: '/api/children/checkout-child/{id}',
    access: 'staff',
    summary: 'Check a child out',
    headers: idempotencyHeaders,
    status: 200,
    answer: z.object({ message: z.string(), child: childSchema }),
    errors: ['not_found', 'not_inside', 'idempotency_key_reused'],
  }),
  registerFace: defineRoute({
    id: 'registerFace',
    method: 'POST',
    path: '/register-child',
    access: 'signed-in',
    summary: 'Make the face encoding of a photo (nothing is kept)',
    body: z.object({
      childName: nameSchema,
      parentId: z.string({ error: 'parentId is required' }).min(1, 'parentId is required'),
    }),
    accepts: ['multipart'],
    files: { image: 'required' },
    status: 200,
    answer: z.object({
      data: z.object({ encoding: encodingSchema, model: z.string(), quality: z.number().min(0).max(1) }),
    }),
    errors: [...photoErrors, 'too_many_attempts'],
  }),
  checkFace: defineRoute({
    id: 'checkFace',
    method: 'POST',
    path: '/check-face',
    access: 'staff',
    summary:
      'Who is in this photo: every face with the child it belongs to, or null for unknown; `question` has the children that staff may compare an unknown face with',
    accepts: ['multipart'],
    files: { image: 'required' },
    status: 200,
    answer: z.object({
      faces: z.array(
        z.object({
          box: faceBoxSchema,
          match: z
            .object({
              childId: z.string(),
              name: z.string(),
              parentName: z.string(),
              similarity: z.number().min(0).max(1),
            })
            .nullable(),
          /** Only where `match` is null and somebody is near: children to compare it with, nearest first. */
          question: z.array(faceCandidateSchema).min(1).max(FACE_QUESTION_CHILDREN).optional(),
        }),
      ),
    }),
    errors: ['payload_too_large', 'unsupported_media_type', 'unreadable_photo', 'face_engine_unavailable'],
  }),
  guideFace: defineRoute({
    id: 'guideFace',
    method: 'POST',
    path: '/api/face-guide',
    access: 'signed-in',
    summary: 'What to change before the photo is taken (for the capture guide; nothing is kept)',
    accepts: ['multipart'],
    files: { image: 'required' },
    status: 200,
    answer: visionGuideAnswerSchema,
    errors: ['payload_too_large', 'unsupported_media_type', 'unreadable_photo', 'face_engine_unavailable'],
  }),
};

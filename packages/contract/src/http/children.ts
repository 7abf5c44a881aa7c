/** Children, their faces, and their stays (contract §4, §5). */
import * as z from 'zod/mini';
import { DEFAULT_ENTRY_PERIOD_MINUTES, FACE_QUESTION_CHILDREN, PHOTOS_PER_CHILD } from '../constants.ts';
import { faceCandidateSchema } from '../errors.ts';
import { birthDateSchema, entryPeriodSchema, nameSchema, stayEndSchema } from '../fields.ts';
import { childSchema } from '../objects.ts';
import { encodingSchema, faceBoxSchema, photoProblemSchema, visionGuideAnswerSchema } from '../vision.ts';
import { confirmSchema, decisionBodySchema, pendingQuerySchema, revisionSchema } from './decisions.ts';
import { releaseBodySchema, releaseErrors } from './hand-over.ts';
import { overCapacitySchema, roomIdSchema } from './rooms.ts';
import { defineRoute, idempotencyHeaders, listQueryShape, messageSchema, pageShape } from './route.ts';

/** The encoding as a form sends it: a JSON string of 128 numbers; blank counts as missing. */
const encodingTextSchema = z.optional(
  z.pipe(
    z
      .string({ error: 'The face encoding must be a JSON string' })
      .check(z.maxLength(20_000, 'The face encoding is not valid')),
    z.transform((text, context) => {
      if (text.trim() === '') return undefined;
      try {
        const parsed = encodingSchema.safeParse(JSON.parse(text));
        if (parsed.success) return parsed.data;
      } catch {
        // Invalid JSON gets the same error as JSON of the wrong shape.
      }
      context.issues.push({ code: 'custom', message: 'The face encoding is not valid', input: text });
      return z.NEVER;
    }),
  ),
);

/** For staff only; blank: the default room. */
const homeRoomSchema = z.pipe(
  z.string('must be the id of a room').check(z.maxLength(100, 'must be the id of a room')),
  z.transform((id) => (id === '' ? null : id)),
);

const createChildFieldsSchema = z.object({
  name: nameSchema,
  birthDate: z.optional(birthDateSchema),
  homeRoomId: z.optional(homeRoomSchema),
  /** Facility that knows the child. Needed from a parent who is at no single one; staff may name only theirs. */
  facilityId: z.optional(z.string().check(z.maxLength(100))),
  encoding: encodingTextSchema,
  confirm: confirmSchema,
});

const addPhotoFieldsSchema = z.object({ encoding: encodingTextSchema, confirm: confirmSchema });

const updateChildFieldsSchema = z.object({
  name: z.optional(nameSchema),
  birthDate: z.optional(birthDateSchema),
  homeRoomId: z.optional(homeRoomSchema),
  encoding: encodingTextSchema,
  confirm: confirmSchema,
});

/**
 * `durationInMinutes` of a check-in; a missing body or field means the default. Text is rejected: a client that sends
 * "60" has a bug.
 */
const checkInBodySchema = z.prefault(
  z.object({
    durationInMinutes: z._default(entryPeriodSchema, DEFAULT_ENTRY_PERIOD_MINUTES),
    /** Counts instead of `durationInMinutes`. The facility's setting `stayEnds` says which kinds it offers. */
    end: z.optional(stayEndSchema),
    /** Also confirms the pending proposal, if there is one. */
    confirm: z.optional(z.boolean({ error: 'confirm must be true or false' })),
    revision: z.optional(revisionSchema),
    /** Without it the child's home room, or the default room. */
    roomId: z.optional(roomIdSchema),
    overCapacityReason: overCapacitySchema,
  }),
  {},
);

const photoErrors = [
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  ...photoProblemSchema.options,
  'face_engine_unavailable',
  'photos_busy',
] as const;

/**
 * `lookalikes`: for staff only, children with a similar face (siblings), which may make recognition return unknown.
 */
const childSavedSchema = z.object({
  message: z.string(),
  child: childSchema,
  lookalikes: z.optional(z.array(faceCandidateSchema)),
});

export const childRoutes = {
  listChildren: defineRoute({
    id: 'listChildren',
    method: 'GET',
    path: '/api/children/get-all-children',
    access: 'signed-in',
    permission: 'families.view',
    rows: { children: ['_id'] },
    summary:
      'Children by name: all for staff, their own for a parent; `inside=true`: only those inside, `pending=true`: only those with a pending proposal',
    query: z.object({
      ...listQueryShape,
      inside: z.optional(z.enum(['true', 'false'], { error: 'inside must be true or false' })),
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
    permission: 'families.edit',
    summary:
      'Register a child with a photo of the face: staff for any parent, a parent only for their own account',
    body: createChildFieldsSchema,
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 201,
    answer: childSavedSchema,
    errors: [
      ...photoErrors,
      'encoding_mismatch',
      'face_already_registered',
      'facility_required',
      'too_many_attempts',
    ],
  }),
  updateChild: defineRoute({
    id: 'updateChild',
    method: 'PUT',
    path: '/api/children/update-child/{id}',
    access: 'signed-in',
    permission: 'families.edit',
    summary:
      "Change a child's name, birth date or photo; for staff also its home room. A blank birth date or home room removes it",
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
    permission: 'families.edit',
    summary:
      "Accept or reject a parent's proposal for a child. Once accepted, the cameras use the new face, and the desk the new photo and name",
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
    permission: 'families.edit',
    summary: `Add a photo of a child's face to improve recognition: at most ${PHOTOS_PER_CHILD}, including the displayed one. Only its encoding is kept. A face that looks different is refused with \`face_differs\`; staff may send it again with \`confirm=true\`. A new photo by update-child replaces the whole set`,
    body: addPhotoFieldsSchema,
    accepts: ['multipart'],
    files: { photo: 'required' },
    status: 201,
    answer: z.object({
      message: z.string(),
      child: childSchema,
      /** Number of photos of the child's face so far. */
      photos: z.int().check(z.gte(1), z.lte(PHOTOS_PER_CHILD)),
      lookalikes: z.optional(z.array(faceCandidateSchema)),
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
    permission: 'families.delete',
    approval: true,
    proof: 'always',
    summary: 'Delete a child with photo and encoding; the key they were encrypted with is destroyed',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'child_inside', 'child_kept', 'beyond_own_rights'],
  }),
  checkInChild: defineRoute({
    id: 'checkInChild',
    method: 'POST',
    path: '/api/children/checkin-child/{id}',
    access: 'staff',
    permission: 'children.check_in',
    summary:
      'Check a child in for 30 (default), 60, 120 or 240 minutes, or until an `end` that the facility offers, to `roomId`, else to the home or default room; `confirm: true` also accepts the pending proposal',
    headers: idempotencyHeaders,
    body: checkInBodySchema,
    status: 200,
    answer: z.object({ message: z.string(), child: childSchema }),
    errors: [
      'not_found',
      'already_inside',
      'registration_disowned',
      'room_full',
      'unsuitable_end',
      'stay_end_unavailable',
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
    permission: 'children.check_in',
    summary:
      'Check a child out, without a body or with who takes it and by which proof; the setting `handover` says whether both are needed',
    headers: idempotencyHeaders,
    body: releaseBodySchema,
    status: 200,
    answer: z.object({ message: z.string(), child: childSchema }),
    errors: ['not_found', 'not_inside', 'idempotency_key_reused', 'too_many_attempts', ...releaseErrors],
  }),
  registerFace: defineRoute({
    id: 'registerFace',
    method: 'POST',
    path: '/register-child',
    access: 'signed-in',
    permission: 'families.edit',
    summary: 'Compute the face encoding of a photo (nothing is kept)',
    body: z.object({
      childName: nameSchema,
      parentId: z.string({ error: 'parentId is required' }).check(z.minLength(1, 'parentId is required')),
    }),
    accepts: ['multipart'],
    files: { image: 'required' },
    status: 200,
    answer: z.object({
      data: z.object({
        encoding: encodingSchema,
        model: z.string(),
        quality: z.number().check(z.gte(0), z.lte(1)),
      }),
    }),
    errors: [...photoErrors, 'too_many_attempts'],
  }),
  checkFace: defineRoute({
    id: 'checkFace',
    method: 'POST',
    path: '/check-face',
    access: 'staff',
    permission: 'families.edit',
    summary:
      'Who is in this photo: each face with its child, or null for unknown; `question` lists the children with whom staff may compare an unknown face',
    accepts: ['multipart'],
    files: { image: 'required' },
    status: 200,
    answer: z.object({
      faces: z.array(
        z.object({
          box: faceBoxSchema,
          match: z.nullable(
            z.object({
              childId: z.string(),
              name: z.string(),
              parentName: z.string(),
              /** The registered photo, so that a wrong match can be seen. */
              photo: z.nullable(z.string()),
              similarity: z.number().check(z.gte(0), z.lte(1)),
            }),
          ),
          /** Only when `match` is null and some children are near: candidates for comparison, nearest photo first. */
          question: z.optional(
            z.array(faceCandidateSchema).check(z.minLength(1), z.maxLength(FACE_QUESTION_CHILDREN)),
          ),
        }),
      ),
    }),
    errors: [
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  guideFace: defineRoute({
    id: 'guideFace',
    method: 'POST',
    path: '/api/face-guide',
    access: 'signed-in',
    permission: 'families.edit',
    summary: 'Advice before a photo is taken (for the capture guide; nothing is kept)',
    accepts: ['multipart'],
    files: { image: 'required' },
    status: 200,
    answer: visionGuideAnswerSchema,
    errors: [
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
};

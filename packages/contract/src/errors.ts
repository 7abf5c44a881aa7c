/** Every error code that leaves the server, with its HTTP status and the sentence a person reads. */
import { z } from 'zod';

export const errorCatalogue = {
  invalid_request: { status: 400, message: 'Some of the fields are not right.' },
  invalid_body: { status: 400, message: 'The request could not be read.' },
  invalid_token: { status: 400, message: 'This link is no longer valid. Please ask for a new one.' },
  wrong_code: { status: 400, message: 'This code is wrong or has expired.' },
  unauthenticated: { status: 401, message: 'Please sign in to continue.' },
  invalid_device_key: { status: 401, message: 'This device key is not right.' },
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  invalid_ticket: { status: 401, message: 'This link has been used or has run out.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  proof_required: { status: 403, message: 'Please confirm with your password first.' },
  wrong_password: { status: 403, message: 'This password is wrong.' },
  email_not_verified: {
    status: 403,
    message: 'Please verify your email first. We have sent you a link.',
  },
  not_found: { status: 404, message: 'This was not found.' },
  email_taken: { status: 409, message: 'An account with this email already exists.' },
  national_id_taken: { status: 409, message: 'An employee with this national ID already exists.' },
  import_refused: { status: 409, message: 'Some of the rows are not right. Nothing was imported.' },
  child_inside: { status: 409, message: 'A child is still inside. Please check the child out first.' },
  already_inside: { status: 409, message: 'This child is already inside.' },
  not_inside: { status: 409, message: 'This child is not inside.' },
  nothing_to_undo: {
    status: 409,
    message: 'There is nothing to undo any more: it was undone already, or something else was done since.',
  },
  undo_too_late: { status: 409, message: 'It is too late to undo this.' },
  own_account: { status: 409, message: 'You cannot delete your own account.' },
  last_admin: { status: 409, message: 'The last administrator cannot be deleted.' },
  child_outside: { status: 409, message: 'This child is not inside, so there is no picture.' },
  not_a_device: { status: 409, message: 'Only a camera of the kind “this device” can be paired.' },
  face_already_registered: {
    status: 409,
    message: 'This face is already registered. Please ask the staff at the desk.',
  },
  face_differs: {
    status: 409,
    message: 'This photo looks different from the photos of this child. Is it the same child?',
  },
  proposal_changed: {
    status: 409,
    message: 'This has changed or was already decided. Please look at it again.',
  },
  photo_already_added: {
    status: 409,
    message: 'This photo has been added already. Please take another one.',
  },
  no_photo: { status: 409, message: 'There is no photo in this account yet. Please choose one.' },
  too_many_photos: { status: 409, message: 'A child may have up to 5 photos.' },
  idempotency_key_reused: {
    status: 409,
    message: 'This idempotency key was already used for another request.',
  },
  too_many_sensors: { status: 409, message: 'No more can be added. Please remove one first.' },
  payload_too_large: { status: 413, message: 'This is too large. A photo may have up to 8 MB.' },
  unsupported_media_type: { status: 415, message: 'Please send a PNG, JPEG or WebP photo.' },
  unsupported_content_type: { status: 415, message: 'This kind of content is not accepted here.' },
  unreadable_photo: { status: 422, message: 'The photo could not be read. Please take another one.' },
  no_face: {
    status: 422,
    message: 'No face was found. Please take the photo from the front, with the whole face in view.',
  },
  many_faces: {
    status: 422,
    message: 'More than one face was found. Please take the photo with the child alone.',
  },
  face_too_small: { status: 422, message: 'The face is too small. Please move closer to the camera.' },
  face_cut_off: {
    status: 422,
    message: 'The face is cut off by the edge. Please keep the whole face inside the picture.',
  },
  photo_too_dark: { status: 422, message: 'The photo is too dark. Please turn towards the light.' },
  photo_blurred: {
    status: 422,
    message: 'The photo is blurred. Please hold the camera still and take it again.',
  },
  face_upside_down: {
    status: 422,
    message: 'The face is upside down. Please take the photo the right way up.',
  },
  face_unevenly_lit: {
    status: 422,
    message: 'Half of the face is in the dark. Please turn it towards the light.',
  },
  eyes_covered: {
    status: 422,
    message: 'The eyes are covered. Please take the photo without sunglasses, with both eyes in view.',
  },
  mouth_covered: {
    status: 422,
    message:
      'The lower half of the face is covered. Please take the photo without a mask or a hand in front of it.',
  },
  not_a_photo: { status: 422, message: 'This looks like a drawing. Please take a photo of the child.' },
  encoding_mismatch: {
    status: 422,
    message: 'The face data does not belong to this photo. Please take the photo again.',
  },
  another_face: {
    status: 422,
    message: 'This photo does not show the same child as the photo we have. Please take another one.',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Please try again later.' },
  internal_error: { status: 500, message: 'An unexpected error occurred.' },
  face_engine_unavailable: {
    status: 503,
    message: 'Face recognition is starting. Please try again in a moment.',
  },
  no_camera: { status: 503, message: 'No camera shows this child at the moment.' },
  import_unfinished: {
    status: 503,
    message: 'The import stopped before it was complete. Send it again: nobody is added twice.',
  },
  storage_full: {
    status: 507,
    message:
      'The storage of Haris is full, so this was not saved. You can still view what is there. Please tell the person who runs Haris.',
  },
  unavailable: { status: 503, message: 'Haris is not ready yet. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** A registered child that looks like the one in the photo; only ever shown to staff. `similarity` 0–1, higher is nearer. */
export const faceCandidateSchema = z.object({
  childId: z.string(),
  name: z.string(),
  parentName: z.string(),
  photo: z.string().nullable(),
  similarity: z.number().min(0).max(1),
});
export type FaceCandidate = z.infer<typeof faceCandidateSchema>;

/** Ways to prove who uses a session (contract §6). */
export const PROOF_METHODS = ['password'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** An adult whom the cameras recognise and who looks like the face in question; only ever shown to staff. */
export const adultCandidateSchema = z.object({
  kind: z.enum(['guardian', 'staff']),
  name: z.string(),
  photo: z.string().nullable(),
  similarity: z.number().min(0).max(1),
});
export type AdultCandidate = z.infer<typeof adultCandidateSchema>;

/**
 * Body of every failure (contract §2). `fields` stands in validation failures, `candidates` and `adults` (where there are
 * some) in `face_already_registered`, which only staff are answered, `methods` in `proof_required`.
 */
export const errorBodySchema = z
  .object({
    message: z.string().min(1),
    code: z.enum(errorCodes),
    fields: z.record(z.string(), z.string()).optional(),
    candidates: z.array(faceCandidateSchema).optional(),
    methods: z.array(z.enum(PROOF_METHODS)).optional(),
    adults: z.array(adultCandidateSchema).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBodySchema>;

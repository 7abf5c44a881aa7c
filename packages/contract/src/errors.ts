/** Every error code of the server, with its HTTP status and a sentence for people. */
import * as z from 'zod/mini';

export const errorCatalogue = {
  invalid_request: { status: 400, message: 'Please check the highlighted fields.' },
  invalid_body: { status: 400, message: 'The request could not be read.' },
  invalid_token: { status: 400, message: 'This link is no longer valid. Please ask for a new one.' },
  wrong_code: { status: 400, message: 'This code is wrong or has expired.' },
  unauthenticated: { status: 401, message: 'Please sign in to continue.' },
  invalid_device_key: { status: 401, message: 'Wrong device key.' },
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  oidc_failed: {
    status: 401,
    message: 'This sign-in has expired or was started in another browser. Please try again.',
  },
  invalid_ticket: { status: 401, message: 'This link was used already or has expired.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  proof_required: { status: 403, message: 'Please confirm that it is you first.' },
  second_factor_required: { status: 403, message: 'Please set up your second factor first.' },
  account_blocked: { status: 403, message: 'This account is blocked. Please ask at the desk.' },
  approval_required: {
    status: 403,
    message: 'This needs a second person. A colleague has been asked to agree.',
  },
  beyond_own_rights: {
    status: 403,
    message: 'You can only give, change or take away rights that you have yourself.',
  },
  wrong_password: { status: 403, message: 'This password is wrong.' },
  oidc_denied: {
    status: 403,
    message: 'Your organisation did not sign you in. Please try again, or use your password.',
  },
  oidc_no_access: {
    status: 403,
    message: 'Your organisation has not given you access to Haris. Please ask whoever runs it.',
  },
  sign_in_elsewhere: {
    status: 403,
    message: 'Your organisation signs you in. Start there; the passkey confirms it.',
  },
  oidc_sign_in_due: {
    status: 403,
    message: 'Sign in with your organisation once, on any device. Then this works here again.',
  },
  oidc_email_unverified: {
    status: 403,
    message: 'Your organisation has not confirmed your email address, so no account can be found by it.',
  },
  email_not_verified: {
    status: 403,
    message: 'Please verify your email first. We have sent you a link.',
  },
  kiosk_no_match: {
    status: 403,
    message: 'That does not match. Please check the digits and the PIN, or ask at the desk.',
  },
  wrong_pin: { status: 403, message: 'Wrong PIN.' },
  not_found: { status: 404, message: 'This was not found.' },
  facility_name_taken: { status: 409, message: 'A facility with this name already exists.' },
  too_many_facilities: { status: 409, message: 'There are already 500 facilities.' },
  facility_required: { status: 422, message: 'Please choose the facility for this child.' },
  last_facility: {
    status: 409,
    message: 'The child is known at no other facility. Add it to another one first.',
  },
  unknown_facility: { status: 404, message: 'You have no role at this facility.' },
  email_taken: { status: 409, message: 'An account with this email already exists.' },
  national_id_taken: { status: 409, message: 'An employee with this national ID already exists.' },
  import_refused: { status: 409, message: 'Some rows have errors. Nothing was imported.' },
  child_inside: { status: 409, message: 'A child is still inside. Please check the child out first.' },
  child_kept: {
    status: 409,
    message: 'Only the nursery can delete this child. Please ask at the desk.',
  },
  already_inside: { status: 409, message: 'This child is already inside.' },
  registration_disowned: {
    status: 409,
    message:
      'The owner of this family’s email says they did not register. Please check the account in the family’s sheet first.',
  },
  not_expected: { status: 409, message: 'This child is not expected now.' },
  too_many_absences: {
    status: 409,
    message: 'No more absences can be reported for this child. Please withdraw one first.',
  },
  not_inside: { status: 409, message: 'This child is not inside.' },
  pickup_locked: {
    status: 409,
    message: 'Too many wrong codes. Use the entry slip, or wait 15 minutes.',
  },
  barred_person: { status: 409, message: 'This child cannot be handed over now. Please see the alert.' },
  barred_person_doubt: {
    status: 409,
    message: 'This name sounds like that of a barred person. Please say whether it is the same person.',
  },
  collector_not_listed: {
    status: 409,
    message: 'This person is not listed for this child today.',
  },
  collector_changed: {
    status: 409,
    message: 'What is known of this person has just changed. Please look at the name and photo again.',
  },
  wrong_pickup_proof: { status: 409, message: 'This code is wrong. Please check it.' },
  collector_required: { status: 409, message: 'Please say who takes the child.' },
  proof_of_pickup_required: {
    status: 409,
    message: 'Please scan the entry slip or the pass, or enter the code.',
  },
  document_required: {
    status: 409,
    message: 'This person is here for the first time. Please look at an identity document.',
  },
  too_many_collectors: {
    status: 409,
    message: 'No more people can be added for this child. Please remove one first.',
  },
  guardian_exists: {
    status: 409,
    message: 'This person is already a guardian of this child or has been asked.',
  },
  too_many_guardians: {
    status: 409,
    message: 'No more guardians can be added for this child. Please remove one first.',
  },
  last_guardian: {
    status: 409,
    message: 'Nobody else could answer for this child. Ask another guardian first.',
  },
  too_many_barred: { status: 409, message: 'No more barred people can be added for this child.' },
  kiosk_request_ended: { status: 409, message: 'This request was already handled, or it has expired.' },
  too_many_kiosks: { status: 409, message: 'No more kiosks can be added. Please remove one first.' },
  no_passkey: { status: 409, message: 'There is no passkey in this account.' },
  no_phone: {
    status: 409,
    message: 'There is no phone number in this account yet. Please add one first.',
  },
  nothing_to_undo: {
    status: 409,
    message: 'Nothing left to undo: it was already undone, or something else happened since.',
  },
  undo_too_late: { status: 409, message: 'It is too late to undo this.' },
  stay_changed: {
    status: 409,
    message: 'The due time has changed meanwhile. Please check it again.',
  },
  unsuitable_end: {
    status: 409,
    message: 'The end must be later than now and than the present end, and within 24 hours of the check-in.',
  },
  stay_end_unavailable: {
    status: 409,
    message:
      'The stay cannot end like that now: the nursery is closed, or nothing is booked. Choose a period.',
  },
  last_photo: {
    status: 409,
    message: 'This is the photo shown. Take a new one to replace it.',
  },
  email_change_waits: {
    status: 409,
    message: 'The new email waits for an answer from the old one. A colleague can send the link now.',
  },
  already_verified: { status: 409, message: 'This email is already verified.' },
  own_account: { status: 409, message: 'You cannot delete your own account.' },
  oidc_not_linked: {
    status: 409,
    message: 'An account with this email exists. Please sign in with your password.',
  },
  only_way_in: {
    status: 409,
    message: 'This account has no password. Without this link nobody could sign in to it.',
  },
  last_factor: {
    status: 409,
    message: 'You need a second factor here. Add another one before you remove this one.',
  },
  no_factor: { status: 409, message: 'Add a second factor first.' },
  no_mail_server: {
    status: 409,
    message:
      'Without a mail server, staff without a second factor would get no code and could not sign in. Set up the mail server first, or let each of them add a second factor.',
  },
  too_many_factors: {
    status: 409,
    message: 'You have as many second factors as an account may have. Remove one first.',
  },
  last_owner: {
    status: 409,
    message: 'There must be an owner. Make somebody else an owner first.',
  },
  no_second_person: {
    status: 409,
    message: 'There must be a colleague who may agree. Give somebody else the right first.',
  },
  password_not_own: {
    status: 403,
    message: 'A colleague set the password of one of you. Choose your own password first.',
  },
  approval_decided: { status: 409, message: 'This was already decided, or it has expired.' },
  own_roles: { status: 409, message: 'Nobody can change their own roles. Ask a colleague.' },
  built_in_role: { status: 409, message: 'This role comes with Haris and cannot be changed.' },
  role_in_use: { status: 409, message: 'Somebody still has this role. Give them another one first.' },
  role_name_taken: { status: 409, message: 'A role with this name already exists.' },
  too_many_roles: { status: 409, message: 'No more roles can be added. Please delete one first.' },
  last_admin: { status: 409, message: 'The last administrator cannot be deleted.' },
  child_outside: { status: 409, message: 'This child is not inside, so there is no live picture.' },
  not_a_device: {
    status: 409,
    message: 'Only a camera of the type “phone, tablet or laptop” can be paired.',
  },
  face_already_registered: {
    status: 409,
    message: 'This face is already registered. Please ask the staff at the desk.',
  },
  face_differs: {
    status: 409,
    message: 'This photo looks different from the photos of this child. Is it the same child?',
  },
  settings_changed: {
    status: 409,
    message: 'Someone else has changed the settings. Please check them and save again.',
  },
  care_card_changed: {
    status: 409,
    message: 'Someone else has changed this care card. Please check it and save again.',
  },
  care_entry_corrected: {
    status: 409,
    message: 'Someone else has corrected this entry. Please look at the new one.',
  },
  care_entry_acknowledged: { status: 409, message: 'This entry is already signed.' },
  medicine_not_permitted: {
    status: 409,
    message: 'The family has not permitted this medicine on the care card.',
  },
  already_asleep: { status: 409, message: 'This child is already asleep.' },
  not_asleep: { status: 409, message: 'This child is not asleep.' },
  proposal_changed: {
    status: 409,
    message: 'This has changed or was already decided. Please check it again.',
  },
  photo_already_added: {
    status: 409,
    message: 'This photo was already added. Please use another one.',
  },
  no_photo: { status: 409, message: 'There is no photo in this account yet. Please choose one.' },
  too_many_photos: { status: 409, message: 'A child can have up to 5 photos.' },
  room_full: { status: 409, message: 'This room is full. Please choose another one.' },
  room_name_taken: { status: 409, message: 'There is a room with this name already.' },
  room_in_use: {
    status: 409,
    message: 'This room still has cameras, sensors or children. Please move them first.',
  },
  default_room: {
    status: 409,
    message: 'Children are checked in to this room by default. Please choose another default room first.',
  },
  too_many_rooms: { status: 409, message: 'No more rooms can be added. Please remove one first.' },
  room_changed: {
    status: 409,
    message: 'The children in that room have changed. Please choose again.',
  },
  head_count_running: {
    status: 409,
    message: 'A head count with one of these children is already running.',
  },
  head_count_over: { status: 409, message: 'This head count has ended.' },
  conflict_changed: {
    status: 409,
    message: 'This has changed, or somebody else has settled it. Please look at it again.',
  },
  entry_cannot_be_taken: {
    status: 409,
    message: 'Haris cannot take this over as the desk wrote it. Keep what Haris has, and correct it by hand.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This idempotency key was already used for another request.',
  },
  address_already_set: { status: 409, message: 'This account already has its own email address.' },
  no_own_address: {
    status: 409,
    message: 'Enter your own email address first: this one cannot receive mail.',
  },
  mail_server_fixed: {
    status: 409,
    message: 'The mail server is set when Haris is started (SMTP_URL), so it cannot be changed here.',
  },
  not_empty: {
    status: 409,
    message: 'There are already families. Sample data can be added only while there are none.',
  },
  sample_data_present: {
    status: 409,
    message: 'Remove the sample data first: real families and sample families never mix.',
  },
  too_many_sensors: { status: 409, message: 'No more can be added. Please remove one first.' },
  payload_too_large: { status: 413, message: 'This is too large. The limit for a photo is 8 MB.' },
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
  photos_busy: {
    status: 503,
    message: 'Many photos are being checked at the moment. Please try again in a few seconds.',
  },
  oidc_unavailable: {
    status: 503,
    message: 'The sign-in of your organisation cannot be reached. Please use your password.',
  },
  no_camera: { status: 503, message: 'No camera shows this child at the moment.' },
  import_unfinished: {
    status: 503,
    message: 'The import stopped before it was complete. Send it again: nobody is added twice.',
  },
  storage_full: {
    status: 507,
    message:
      'Storage is full, so this was not saved. You can still view everything. Please tell the person who runs Haris.',
  },
  unavailable: { status: 503, message: 'Haris is not ready yet. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** A registered child who looks like the one in the photo; shown only to staff. `similarity` 0–1, higher is nearer. */
export const faceCandidateSchema = z.object({
  childId: z.string(),
  name: z.string(),
  parentName: z.string(),
  photo: z.nullable(z.string()),
  similarity: z.number().check(z.gte(0), z.lte(1)),
});
export type FaceCandidate = z.infer<typeof faceCandidateSchema>;

/** Ways to prove who is using a session (contract §6). */
export const PROOF_METHODS = ['password', 'passkey', 'app', 'recovery', 'oidc'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** An adult known to the cameras who looks like the face in question; shown only to staff. */
export const adultCandidateSchema = z.object({
  kind: z.enum(['guardian', 'staff']),
  name: z.string(),
  photo: z.nullable(z.string()),
  similarity: z.number().check(z.gte(0), z.lte(1)),
});
export type AdultCandidate = z.infer<typeof adultCandidateSchema>;

/** A room without a place left, at the time of the refusal. */
export const fullRoomSchema = z.object({
  _id: z.string(),
  name: z.string(),
  capacity: z.int(),
  children: z.int(),
});
export type FullRoom = z.infer<typeof fullRoomSchema>;

/**
 * Body of every failure (contract §2). `fields` is present in validation failures, `methods` in `proof_required`,
 * `room` in `room_full`, and `candidates` and `adults` (if any) in `face_already_registered`, which only staff receive.
 */
export const errorBodySchema = z
  .object({
    message: z.string().check(z.minLength(1)),
    code: z.enum(errorCodes),
    fields: z.optional(z.record(z.string(), z.string())),
    candidates: z.optional(z.array(faceCandidateSchema)),
    methods: z.optional(z.array(z.enum(PROOF_METHODS))),
    adults: z.optional(z.array(adultCandidateSchema)),
    /** Id of the approval that waits, for `approval_required`. */
    approval: z.optional(z.string()),
    room: z.optional(fullRoomSchema),
  })
  .register(z.globalRegistry, { id: 'Error' });
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** The message of `email_not_verified` while no mail is sent: what to do instead. */
export const NOT_VERIFIED_NO_MAIL = {
  parent: 'Please verify your email first. Ask the staff at the desk to confirm your account.',
  admin: 'Please verify your email first. Ask an administrator to mark it as verified.',
} as const;

/** Sign-in and sign-out, verification, password reset, parents and staff (contract §3, §4). */
import * as z from 'zod/mini';
import {
  languageSchema,
  loginEmailSchema,
  loginPasswordSchema,
  nameSchema,
  nationalIdSchema,
  parentEmailSchema,
  parentPasswordSchema,
  phoneSchema,
  roleIdSchema,
  sixDigitsSchema,
  staffEmailSchema,
  staffPasswordSchema,
} from '../fields.ts';
import { adminSchema, momentSchema, parentSchema } from '../objects.ts';
import { accountKindSchema } from '../roles.ts';
import { decisionBodySchema, pendingQuerySchema } from './decisions.ts';
import { secondStepSchema } from './factors.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

export const loginBodySchema = z.object({ email: loginEmailSchema, password: loginPasswordSchema });

export const tokenTextSchema = z
  .string({ error: 'The token is required' })
  .check(z.minLength(1, 'The token is required'), z.maxLength(200, 'The token is not valid'));

/** Treats a missing or blank text field of a form as not given. */
const blankAsAbsent = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;

/** A JSON body cannot contain a photo: photos are sent as multipart. */
const noPhotoInJson = z.optional(
  z.union([z.null(), z.literal('')], { error: 'Send the photo as a multipart file' }),
);

/** Self-registration of a parent (spec §5). */
export const registerParentBodySchema = z.object({
  name: nameSchema,
  email: parentEmailSchema,
  phone: phoneSchema,
  password: parentPasswordSchema,
  photo: noPhotoInJson,
  language: z.optional(languageSchema),
});

/**
 * Add Parent by staff (spec §5). Phone and password are optional; without a password the parent gets an invitation by
 * e-mail.
 */
export const addParentBodySchema = z.object({
  name: nameSchema,
  email: parentEmailSchema,
  phone: z.pipe(
    z.transform((value) => blankAsAbsent(value ?? undefined)),
    z.optional(phoneSchema),
  ),
  password: z.pipe(
    z.transform((value) => blankAsAbsent(value ?? undefined)),
    z.optional(parentPasswordSchema),
  ),
  photo: noPhotoInJson,
  language: z.optional(languageSchema),
});

/** All fields are optional; `phone: null` (or blank) removes the phone. A new e-mail takes effect once verified. */
export const updateParentBodySchema = z.object({
  name: z.optional(nameSchema),
  email: z.optional(parentEmailSchema),
  phone: z.pipe(
    z.transform((value) => (value === '' ? null : value)),
    z.optional(z.nullable(phoneSchema)),
  ),
  photo: noPhotoInJson,
  language: z.optional(languageSchema),
  /** From staff, with `email`: the code of the parent at the desk, who thereby agrees to the new address. */
  code: z.optional(sixDigitsSchema),
});

export const createAdminBodySchema = z.object({
  name: nameSchema,
  email: staffEmailSchema,
  password: staffPasswordSchema,
  nationalId: nationalIdSchema,
  /** A role at this facility; by default the one that permits an employee's daily work (decision 042). */
  roleId: z.optional(roleIdSchema),
});

const parentAnswer = z.object({ parent: parentSchema });
const adminAnswer = z.object({ admin: adminSchema });

/** What the verification link of a parent did. */
export const verifiedParentSchema = z.extend(messageSchema, {
  account: z.optional(z.object({ name: z.string(), registeredAt: momentSchema })),
  alreadyVerified: z.optional(z.literal(true)),
});

export const accountRoutes = {
  adminLogin: defineRoute({
    id: 'adminLogin',
    method: 'POST',
    path: '/api/admin/login',
    access: 'visitor',
    summary: 'Sign in as a staff member',
    body: loginBodySchema,
    status: 200,
    answer: z.union([z.object({ token: z.string(), admin: adminSchema }), secondStepSchema]),
    errors: ['invalid_credentials', 'email_not_verified', 'oidc_no_access', 'too_many_attempts'],
  }),
  parentLogin: defineRoute({
    id: 'parentLogin',
    method: 'POST',
    path: '/api/parent/get-parent-by-email-and-password',
    access: 'visitor',
    summary: 'Sign in as a parent',
    body: loginBodySchema,
    status: 200,
    answer: z.union([z.object({ token: z.string(), parent: parentSchema }), secondStepSchema]),
    errors: ['invalid_credentials', 'email_not_verified', 'account_blocked', 'too_many_attempts'],
  }),
  logout: defineRoute({
    id: 'logout',
    method: 'POST',
    path: '/api/logout',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    summary: 'Sign out: the token becomes invalid',
    status: 204,
    answer: null,
    errors: [],
  }),
  setLanguage: defineRoute({
    id: 'setLanguage',
    method: 'PUT',
    path: '/api/language',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    summary: 'Set the language of the calling account, for screens on every device and for mails',
    body: z.object({ language: languageSchema }),
    status: 200,
    answer: z.object({ language: languageSchema }),
    errors: ['too_many_attempts'],
  }),
  forgotPassword: defineRoute({
    id: 'forgotPassword',
    method: 'POST',
    path: '/vendor/forgot',
    access: 'visitor',
    summary:
      'Request a mail with a link to set a new password; the response is the same whether or not the account exists',
    body: z.object({ email: loginEmailSchema, kind: z._default(accountKindSchema, 'parent') }),
    status: 200,
    answer: messageSchema,
    errors: ['too_many_attempts'],
  }),
  resetPassword: defineRoute({
    id: 'resetPassword',
    method: 'POST',
    path: '/vendor/reset',
    access: 'visitor',
    summary:
      'Set a password with the token of a reset or invitation mail; all sessions of the account end. For a parent the answer has the address that the mail went to, so that the next call can be the sign-in',
    body: z.object({ token: tokenTextSchema, password: parentPasswordSchema }),
    status: 200,
    answer: z.extend(messageSchema, { email: z.optional(z.string()) }),
    errors: ['invalid_token'],
  }),
  adminInfo: defineRoute({
    id: 'adminInfo',
    method: 'GET',
    path: '/api/admin/info',
    access: 'staff',
    permission: 'own',
    limited: true,
    summary: 'The signed-in staff member',
    status: 200,
    answer: adminAnswer,
    errors: [],
  }),
  parentInfo: defineRoute({
    id: 'parentInfo',
    method: 'GET',
    path: '/api/parent/info',
    access: 'parent',
    summary: 'The signed-in parent, with the children',
    status: 200,
    answer: parentAnswer,
    errors: [],
  }),
  parentByToken: defineRoute({
    id: 'parentByToken',
    method: 'GET',
    path: '/api/parent/get-parent-by-token',
    access: 'parent',
    summary: 'The signed-in parent, with the children',
    status: 200,
    answer: parentAnswer,
    errors: [],
  }),
  verifyAdminEmail: defineRoute({
    id: 'verifyAdminEmail',
    method: 'GET',
    path: '/api/admin/verify/email/{token}',
    access: 'visitor',
    summary: "Verify a staff member's e-mail with the token of the mail; works once",
    status: 200,
    answer: messageSchema,
    errors: ['invalid_token', 'email_taken'],
  }),
  verifyParentEmail: defineRoute({
    id: 'verifyParentEmail',
    method: 'GET',
    path: '/api/parent/verify/email/{token}',
    access: 'visitor',
    summary:
      "Verify a parent's e-mail with the token of the mail; works once. `account` describes the confirmed account if this completes a registration. With `showUsed=true` the used link of a registration is answered for 24 h with `alreadyVerified: true` and `account`, and does nothing",
    query: z.object({
      showUsed: z.optional(z.enum(['true', 'false'], { error: 'showUsed must be true or false' })),
    }),
    status: 200,
    answer: verifiedParentSchema,
    errors: ['invalid_token', 'email_taken'],
  }),
  addParent: defineRoute({
    id: 'addParent',
    method: 'POST',
    path: '/api/parent/add',
    access: 'visitor',
    summary:
      'Register as a parent; with a staff token, phone and password are optional and the mail is an invitation; an invalid token is refused. `browserKey`, for visitors, is for `startParent`, `resendOwnLink` and `createDeskCode`, 24 h',
    body: registerParentBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 201,
    answer: z.object({ message: z.string(), parent: parentSchema, browserKey: z.optional(z.string()) }),
    errors: [
      'sample_data_present',
      'unauthenticated',
      // Of staff who may not add families.
      'forbidden',
      'email_taken',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'too_many_attempts',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  createParent: defineRoute({
    id: 'createParent',
    method: 'POST',
    path: '/api/parent/create-parent',
    access: 'staff',
    permission: 'families.edit',
    summary: 'Add a parent at the desk',
    body: addParentBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 201,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: [
      'sample_data_present',
      'email_taken',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  listParents: defineRoute({
    id: 'listParents',
    method: 'GET',
    path: '/api/parent/get-all-parents',
    access: 'staff',
    permission: 'families.view',
    rows: { parents: ['_id'] },
    summary: 'Parents with their children, by name; `pending=true`: only families with a pending proposal',
    query: z.object({ ...listQueryShape, pending: pendingQuerySchema }),
    status: 200,
    answer: z.object({ parents: z.array(parentSchema), ...pageShape }),
    errors: [],
  }),
  updateParent: defineRoute({
    id: 'updateParent',
    method: 'PUT',
    path: '/api/parent/update-parent/{id}',
    access: 'signed-in',
    permission: 'families.edit',
    proof: 'by-body',
    summary:
      'Change a parent: staff any parent, a parent only their own account; a change of the e-mail needs a proof, and from staff for a verified account with children also an agreement',
    body: updateParentBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 200,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: [
      'beyond_own_rights',
      'not_found',
      'too_many_attempts',
      'wrong_code',
      'email_taken',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  confirmParent: defineRoute({
    id: 'confirmParent',
    method: 'POST',
    path: '/api/parent/{id}/confirm',
    access: 'staff',
    permission: 'families.edit',
    summary: "Accept or reject a parent's changes to their own account, made while a child was inside",
    body: decisionBodySchema,
    status: 200,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: ['not_found', 'proposal_changed', 'face_already_registered', 'face_engine_unavailable'],
  }),
  markParentVerified: defineRoute({
    id: 'markParentVerified',
    method: 'POST',
    path: '/api/parent/mark-verified/{id}',
    access: 'staff',
    permission: 'families.edit',
    summary:
      "Mark a parent's e-mail as verified after meeting the parent at the desk. A self-registered account keeps its password only with the code that its page shows; otherwise its password and sessions end, and a link to set a new password is mailed",
    body: z.object({ code: z.optional(sixDigitsSchema) }),
    status: 200,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: ['not_found', 'wrong_code'],
  }),
  deleteParent: defineRoute({
    id: 'deleteParent',
    method: 'DELETE',
    path: '/api/parent/delete-parent/{id}',
    access: 'staff',
    permission: 'families.delete',
    approval: true,
    proof: 'always',
    summary: 'Delete a parent with the children who have no other guardian, their photos and encodings',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'child_inside', 'beyond_own_rights', 'last_guardian'],
  }),
  createAdmin: defineRoute({
    id: 'createAdmin',
    method: 'POST',
    path: '/api/admin/create-admin',
    access: 'staff',
    permission: 'staff.manage',
    approval: true,
    proof: 'always',
    summary: 'Add an employee',
    body: createAdminBodySchema,
    status: 201,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: ['email_taken', 'national_id_taken', 'beyond_own_rights', 'not_found'],
  }),
  listAdmins: defineRoute({
    id: 'listAdmins',
    method: 'GET',
    path: '/api/admin/get-all-admins',
    access: 'staff',
    permission: 'staff.view',
    rows: { admins: ['_id'] },
    summary: 'Staff, by name; national IDs masked',
    query: z.object(listQueryShape),
    status: 200,
    answer: z.object({ admins: z.array(adminSchema), ...pageShape }),
    errors: [],
  }),
  deleteAdmin: defineRoute({
    id: 'deleteAdmin',
    method: 'DELETE',
    path: '/api/admin/delete-admin/{id}',
    access: 'staff',
    permission: 'staff.manage',
    approval: true,
    proof: 'always',
    summary:
      'Delete an employee and end all sessions at once. Home Assistant accounts that the employee created are deleted too, unless `handOver=true` transfers them to the caller',
    query: z.object({ handOver: z.optional(z.enum(['true', 'false'])) }),
    status: 200,
    answer: z.extend(messageSchema, {
      /** Result for the Home Assistant accounts created by the employee. */
      homeAssistantAccounts: z.object({
        ended: z.int().check(z.nonnegative()),
        handedOver: z.int().check(z.nonnegative()),
      }),
    }),
    errors: ['not_found', 'own_account', 'last_admin', 'beyond_own_rights', 'last_owner'],
  }),
};

/** Signing in and out, verification, reset, parents and staff (contract §3, §4). */
import { z } from 'zod';
import {
  languageSchema,
  loginEmailSchema,
  loginPasswordSchema,
  nameSchema,
  nationalIdSchema,
  parentEmailSchema,
  parentPasswordSchema,
  phoneSchema,
  staffEmailSchema,
  staffPasswordSchema,
} from '../fields.ts';
import { adminSchema, momentSchema, parentSchema } from '../objects.ts';
import { accountKindSchema } from '../roles.ts';
import { decisionBodySchema, pendingQuerySchema } from './decisions.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';
import { deskCodeSchema } from './vouching.ts';

export const loginBodySchema = z.object({ email: loginEmailSchema, password: loginPasswordSchema });

const tokenTextSchema = z
  .string({ error: 'The token is required' })
  .min(1, 'The token is required')
  .max(200, 'The token is not valid');

/** An absent or blank text part of a form counts as not given. */
const blankAsAbsent = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? undefined : value;

/** A photo in a JSON body can only be absent: a photo is sent as multipart. */
const noPhotoInJson = z
  .union([z.null(), z.literal('')], { error: 'Send the photo as a multipart file' })
  .optional();

/** Registration by the parent (spec §5). */
export const registerParentBodySchema = z.object({
  name: nameSchema,
  email: parentEmailSchema,
  phone: phoneSchema,
  password: parentPasswordSchema,
  photo: noPhotoInJson,
  language: languageSchema.optional(),
});

/** Add Parent by staff (spec §5): phone and password are optional; without a password the e-mail is an invitation. */
export const addParentBodySchema = z.object({
  name: nameSchema,
  email: parentEmailSchema,
  phone: z.preprocess((value) => blankAsAbsent(value ?? undefined), phoneSchema.optional()),
  password: z.preprocess((value) => blankAsAbsent(value ?? undefined), parentPasswordSchema.optional()),
  photo: noPhotoInJson,
  language: languageSchema.optional(),
});

/** Any of the fields; `phone: null` (or blank) removes it. A new e-mail counts once it is verified. */
const updateParentBodySchema = z.object({
  name: nameSchema.optional(),
  email: parentEmailSchema.optional(),
  phone: z.preprocess((value) => (value === '' ? null : value), phoneSchema.nullable().optional()),
  photo: noPhotoInJson,
  language: languageSchema.optional(),
});

export const createAdminBodySchema = z.object({
  name: nameSchema,
  email: staffEmailSchema,
  password: staffPasswordSchema,
  nationalId: nationalIdSchema,
});

const parentAnswer = z.object({ parent: parentSchema });
const adminAnswer = z.object({ admin: adminSchema });

export const accountRoutes = {
  adminLogin: defineRoute({
    id: 'adminLogin',
    method: 'POST',
    path: '/api/admin/login',
    access: 'visitor',
    summary: 'Sign in as a member of staff',
    body: loginBodySchema,
    status: 200,
    answer: z.object({ token: z.string(), admin: adminSchema }),
    errors: ['invalid_credentials', 'email_not_verified', 'too_many_attempts'],
  }),
  parentLogin: defineRoute({
    id: 'parentLogin',
    method: 'POST',
    path: '/api/parent/get-parent-by-email-and-password',
    access: 'visitor',
    summary: 'Sign in as a parent',
    body: loginBodySchema,
    status: 200,
    answer: z.object({ token: z.string(), parent: parentSchema }),
    errors: ['invalid_credentials', 'email_not_verified', 'too_many_attempts'],
  }),
  logout: defineRoute({
    id: 'logout',
    method: 'POST',
    path: '/api/logout',
    access: 'signed-in',
    summary: 'Sign out: the token is dead from then on',
    status: 204,
    answer: null,
    errors: [],
  }),
  setLanguage: defineRoute({
    id: 'setLanguage',
    method: 'PUT',
    path: '/api/language',
    access: 'signed-in',
    summary: 'Choose the language of the own account: of the screens on every device, and of the mails',
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
      'Ask for a mail with a link to set a new password; answers the same whether or not the account exists',
    body: z.object({ email: loginEmailSchema, kind: accountKindSchema.default('parent') }),
    status: 200,
    answer: messageSchema,
    errors: ['too_many_attempts'],
  }),
  resetPassword: defineRoute({
    id: 'resetPassword',
    method: 'POST',
    path: '/vendor/reset',
    access: 'visitor',
    summary: 'Set a password with the token of a reset or invitation mail; every session of the account dies',
    body: z.object({ token: tokenTextSchema, password: parentPasswordSchema }),
    status: 200,
    answer: messageSchema,
    errors: ['invalid_token'],
  }),
  adminInfo: defineRoute({
    id: 'adminInfo',
    method: 'GET',
    path: '/api/admin/info',
    access: 'staff',
    summary: 'The signed-in member of staff',
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
    summary: "Verify a member of staff's e-mail with the token of the mail; works once",
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
      "Verify a parent's e-mail with the token of the mail; works once. `account` says what was confirmed, where it is a registration",
    status: 200,
    answer: messageSchema.extend({
      account: z.object({ name: z.string(), registeredAt: momentSchema }).optional(),
    }),
    errors: ['invalid_token', 'email_taken'],
  }),
  addParent: defineRoute({
    id: 'addParent',
    method: 'POST',
    path: '/api/parent/add',
    access: 'visitor',
    summary:
      'Register as a parent; with a staff token phone and password are optional and the e-mail is an invitation; a token that is dead is refused',
    body: registerParentBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 201,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: [
      'unauthenticated',
      'email_taken',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'too_many_attempts',
      'face_engine_unavailable',
    ],
  }),
  createParent: defineRoute({
    id: 'createParent',
    method: 'POST',
    path: '/api/parent/create-parent',
    access: 'staff',
    summary: 'Add a parent at the desk',
    body: addParentBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 201,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: [
      'email_taken',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
    ],
  }),
  listParents: defineRoute({
    id: 'listParents',
    method: 'GET',
    path: '/api/parent/get-all-parents',
    access: 'staff',
    summary:
      'Parents, each with the children, by name; `pending=true` families with something that waits for staff',
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
    proof: 'by-body',
    summary:
      'Change a parent: staff any, a parent the own account; a new e-mail of the own account wants a proof',
    body: updateParentBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 200,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: [
      'not_found',
      'too_many_attempts',
      'email_taken',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
    ],
  }),
  confirmParent: defineRoute({
    id: 'confirmParent',
    method: 'POST',
    path: '/api/parent/{id}/confirm',
    access: 'staff',
    summary: 'Accept or reject what a parent changed of the own account while a child was inside',
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
    summary:
      "Mark a parent's e-mail as verified, having seen the parent at the desk. An account that registered itself keeps its password only with the code that its page shows; otherwise password and sessions end and a link to set a new one is mailed",
    body: z.object({ code: deskCodeSchema.optional() }),
    status: 200,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: ['not_found', 'wrong_code'],
  }),
  deleteParent: defineRoute({
    id: 'deleteParent',
    method: 'DELETE',
    path: '/api/parent/delete-parent/{id}',
    access: 'staff',
    summary: 'Delete a parent with the children, their photos and encodings',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'child_inside'],
  }),
  createAdmin: defineRoute({
    id: 'createAdmin',
    method: 'POST',
    path: '/api/admin/create-admin',
    access: 'staff',
    proof: 'always',
    summary: 'Add an employee',
    body: createAdminBodySchema,
    status: 201,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: ['email_taken', 'national_id_taken'],
  }),
  listAdmins: defineRoute({
    id: 'listAdmins',
    method: 'GET',
    path: '/api/admin/get-all-admins',
    access: 'staff',
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
    proof: 'always',
    summary:
      'Delete an employee; the sessions die at once, and so do the Home Assistant accounts that the employee made, unless `handOver=true` gives them to who deletes',
    query: z.object({ handOver: z.enum(['true', 'false']).optional() }),
    status: 200,
    answer: messageSchema.extend({
      /** What became of the Home Assistant accounts that the employee made. */
      homeAssistantAccounts: z.object({
        ended: z.number().int().nonnegative(),
        handedOver: z.number().int().nonnegative(),
      }),
    }),
    errors: ['not_found', 'own_account', 'last_admin'],
  }),
};

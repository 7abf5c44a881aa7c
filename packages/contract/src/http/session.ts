/** Calls about the person's own session and password (contract §6). */
import * as z from 'zod/mini';
import { PROOF_FAILURES_PER_SESSION, PROOF_MS } from '../constants.ts';
import { PROOF_METHODS } from '../errors.ts';
import { loginPasswordSchema, parentPasswordSchema, staffPasswordSchema } from '../fields.ts';
import { momentSchema, parentSchema } from '../objects.ts';
import { factorAnswerShape } from './factors.ts';
import { defineRoute, messageSchema } from './route.ts';

/** The error for a new password that equals the current one. */
export const SAME_PASSWORD = 'Please choose a password other than the current one';

/** Replaces the person's own password. Staff have the stricter length rule. */
export const changePasswordBodySchema = z.object({
  current: loginPasswordSchema,
  password: parentPasswordSchema,
});
export const changeStaffPasswordBodySchema = z.extend(changePasswordBodySchema, {
  password: staffPasswordSchema,
});

/** One of the answers. An account with a second factor cannot prove with the password. */
const proofBodySchema = z
  .object({
    password: z.optional(loginPasswordSchema),
    challenge: z.optional(z.string().check(z.maxLength(200, 'The challenge is not valid'))),
    ...factorAnswerShape,
  })
  .check(
    z.refine(
      (body) =>
        [body.password, body.passkey, body.code, body.recoveryCode].filter((one) => one !== undefined)
          .length === 1,
      { path: ['password'], error: 'Password is required' },
    ),
  );
export type ProofBody = z.output<typeof proofBodySchema>;

/** A session of the caller's account. `agent`: browser and system; `address`: where it was opened from. */
const sessionSchema = z
  .object({
    _id: z.string(),
    isThis: z.boolean(),
    agent: z.nullable(z.string()),
    address: z.nullable(z.string()),
    startedAt: momentSchema,
    lastUsedAt: momentSchema,
  })
  .register(z.globalRegistry, { id: 'Session' });
export type SessionView = z.output<typeof sessionSchema>;

export const sessionRoutes = {
  proveSession: defineRoute({
    id: 'proveSession',
    method: 'POST',
    path: '/api/session/proof',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    summary: `Prove who is using this session, with the password or, if the account has a second factor, with that factor; the proof lasts ${PROOF_MS / 60_000} minutes, for this session only; ${PROOF_FAILURES_PER_SESSION} wrong attempts within 15 minutes make the session wait`,
    body: proofBodySchema,
    status: 204,
    answer: null,
    errors: ['wrong_password', 'wrong_code', 'proof_required', 'too_many_attempts'],
  }),
  beginProof: defineRoute({
    id: 'beginProof',
    method: 'POST',
    path: '/api/session/proof/options',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    summary: 'How this account can prove who is using the session; with a passkey, its challenge and options',
    status: 200,
    answer: z.object({
      methods: z.array(z.enum(PROOF_METHODS)),
      challenge: z.optional(z.string()),
      passkey: z.optional(z.record(z.string(), z.unknown())),
    }),
    errors: [],
  }),
  listSessions: defineRoute({
    id: 'listSessions',
    method: 'GET',
    path: '/api/account/sessions',
    access: 'signed-in',
    permission: 'own',
    summary: 'Sessions of the calling account, most recently used first',
    status: 200,
    answer: z.object({ sessions: z.array(sessionSchema) }),
    errors: [],
  }),
  endSession: defineRoute({
    id: 'endSession',
    method: 'DELETE',
    path: '/api/account/sessions/{id}',
    access: 'signed-in',
    permission: 'own',
    summary: 'End one session of the calling account; its streams end within 2 seconds',
    status: 204,
    answer: null,
    errors: ['not_found'],
  }),
  endOtherSessions: defineRoute({
    id: 'endOtherSessions',
    method: 'DELETE',
    path: '/api/account/sessions',
    access: 'signed-in',
    permission: 'own',
    summary: 'End all sessions of the calling account except this one',
    status: 200,
    answer: z.object({ ended: z.int() }),
    errors: [],
  }),
  blockParent: defineRoute({
    id: 'blockParent',
    method: 'PUT',
    path: '/api/parent/{id}/block',
    access: 'staff',
    permission: 'families.block',
    proof: 'always',
    summary:
      'Block a family, or let it in again. Blocking ends its sessions, its PIN and its codes at once; nobody can sign in. The children stay as they are. Letting it in again needs the permission at every facility where the family is known',
    body: z.object({ access: z.enum(['blocked', 'allowed'], { error: 'must be blocked or allowed' }) }),
    status: 200,
    answer: z.object({ parent: parentSchema }),
    errors: ['beyond_own_rights', 'not_found'],
  }),
  changePassword: defineRoute({
    id: 'changePassword',
    method: 'PUT',
    path: '/api/account/password',
    access: 'signed-in',
    permission: 'own',
    proof: 'always',
    summary:
      'Change the password of the calling account; all other sessions end, and the account is notified by mail',
    body: changePasswordBodySchema,
    status: 200,
    answer: messageSchema,
    errors: ['wrong_password', 'too_many_attempts'],
  }),
};

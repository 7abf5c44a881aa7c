/** What a signed-in person does with the own session (contract §6). */
import { z } from 'zod';
import { PROOF_FAILURES_PER_SESSION, PROOF_MS } from '../constants.ts';
import { loginPasswordSchema, parentPasswordSchema, staffPasswordSchema } from '../fields.ts';
import { defineRoute, messageSchema } from './route.ts';

/** The error for a new password that equals the current one. */
export const SAME_PASSWORD = 'Please choose another password than the current one';

/** The own password by a new one. Staff have the longer rule. */
export const changePasswordBodySchema = z.object({
  current: loginPasswordSchema,
  password: parentPasswordSchema,
});
export const changeStaffPasswordBodySchema = changePasswordBodySchema.extend({
  password: staffPasswordSchema,
});

export const sessionRoutes = {
  proveSession: defineRoute({
    id: 'proveSession',
    method: 'POST',
    path: '/api/session/proof',
    access: 'signed-in',
    summary: `Prove with the own password who uses this session; holds for ${PROOF_MS / 60_000} minutes, for this session alone; ${PROOF_FAILURES_PER_SESSION} wrong ones within 15 minutes and the session must wait`,
    body: z.object({ password: loginPasswordSchema }),
    status: 204,
    answer: null,
    errors: ['wrong_password', 'too_many_attempts'],
  }),
  changePassword: defineRoute({
    id: 'changePassword',
    method: 'PUT',
    path: '/api/account/password',
    access: 'signed-in',
    proof: 'always',
    summary:
      'Set another password for the own account; this session stays, every other one ends, and the account is told by mail',
    body: changePasswordBodySchema,
    status: 200,
    answer: messageSchema,
    errors: ['wrong_password', 'too_many_attempts'],
  }),
};

/** What a signed-in person does with the own session (contract §6). */
import { z } from 'zod';
import { PROOF_FAILURES_PER_SESSION, PROOF_MS } from '../constants.ts';
import { loginPasswordSchema } from '../fields.ts';
import { defineRoute } from './route.ts';

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
};

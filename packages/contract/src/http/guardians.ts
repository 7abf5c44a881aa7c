/** Calls about the guardians of a child: who answers for it, and with which rights (decision 049). */
import * as z from 'zod/mini';
import { nameSchema, parentEmailSchema } from '../fields.ts';
import { childSchema, momentSchema } from '../objects.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Most guardians of a child that have not ended, the first one and those who were asked included. */
export const GUARDIANS_MAX = 6;

const rightSchema = z.boolean('must be true or false');

const guardianSchema = z
  .object({
    parentId: z.string(),
    /** Null until the person has accepted: the answer must not tell who owns an address. */
    name: z.nullable(z.string()),
    email: z.string(),
    /** Null until the person has accepted, and without one. */
    phone: z.nullable(z.string()),
    /** Whether the account is the child's family. */
    isFirst: z.boolean(),
    /** Whether the guardian may watch the child. */
    mayLive: z.boolean(),
    /** Whether the guardian may change the child's data. */
    mayEdit: z.boolean(),
    /** Whether the guardian may name who collects the child. */
    mayCollect: z.boolean(),
    /** Whether the guardian may take the child home. */
    mayTake: z.boolean(),
    askedAt: momentSchema,
    /** Null: asked, and has not answered. */
    acceptedAt: z.nullable(momentSchema),
    /** Whether the account is blocked; false until the person has accepted. */
    isBlocked: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Guardian' });
export type Guardian = z.infer<typeof guardianSchema>;

/** That staff have asked the calling account to become a guardian. */
const guardianRequestSchema = z
  .object({
    childId: z.string(),
    /** The first name alone. */
    childName: z.string(),
    /** The names of the child's facilities, separated by commas. */
    facility: z.string(),
    askedAt: momentSchema,
    mayLive: z.boolean(),
    mayEdit: z.boolean(),
    mayCollect: z.boolean(),
    mayTake: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'GuardianRequest' });
export type GuardianRequest = z.infer<typeof guardianRequestSchema>;

export const guardianRoutes = {
  listGuardians: defineRoute({
    id: 'listGuardians',
    method: 'GET',
    path: '/api/children/{id}/guardians',
    access: 'staff',
    permission: 'families.view',
    summary: 'The guardians of a child: the first one, then by when they accepted, then those who were asked',
    status: 200,
    answer: z.object({ guardians: z.array(guardianSchema) }),
    errors: ['not_found'],
  }),
  askGuardian: defineRoute({
    id: 'askGuardian',
    method: 'POST',
    path: '/api/children/{id}/guardians',
    access: 'staff',
    permission: 'families.edit',
    proof: 'always',
    summary: `Ask a person by mail to become a guardian of a child, at most ${GUARDIANS_MAX}; it has no effect until the person has accepted, and the answer does not tell whether the address had an account`,
    body: z.object({
      /** Of an account that is made by this call; otherwise it counts for nothing. */
      name: nameSchema,
      email: parentEmailSchema,
      mayLive: z._default(rightSchema, true),
      mayEdit: z._default(rightSchema, false),
      mayCollect: z._default(rightSchema, false),
      mayTake: z._default(rightSchema, false),
    }),
    status: 201,
    answer: z.object({ message: z.string(), guardian: guardianSchema }),
    errors: [
      'not_found',
      'beyond_own_rights',
      'sample_data_present',
      'guardian_exists',
      'too_many_guardians',
      'barred_person',
      'too_many_attempts',
    ],
  }),
  setGuardianRights: defineRoute({
    id: 'setGuardianRights',
    method: 'PUT',
    path: '/api/children/{id}/guardians/{parentId}',
    access: 'staff',
    permission: 'families.edit',
    proof: 'by-body',
    summary:
      'Limit or extend the rights of a guardian, also of one who was asked; a further right needs a proof and the permission at every facility of the child',
    body: z.object({
      mayLive: rightSchema,
      mayEdit: rightSchema,
      mayCollect: rightSchema,
      /** Left out by clients from before there was this right: it stays as it is. */
      mayTake: z.optional(rightSchema),
    }),
    status: 200,
    answer: z.object({ message: z.string(), guardian: guardianSchema }),
    errors: ['not_found', 'beyond_own_rights'],
  }),
  endGuardian: defineRoute({
    id: 'endGuardian',
    method: 'DELETE',
    path: '/api/children/{id}/guardians/{parentId}',
    access: 'staff',
    permission: 'families.edit',
    proof: 'by-body',
    summary:
      'End a guardian, or the question to one, at once; the first guardian passes the child on, which needs a proof and the permission at every facility of the child. Any other end needs none, because it only takes rights away',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'beyond_own_rights', 'last_guardian'],
  }),
  listGuardianRequests: defineRoute({
    id: 'listGuardianRequests',
    method: 'GET',
    path: '/api/parent/guardian-requests',
    access: 'parent',
    summary: 'Children whose guardian staff have asked the calling account to become',
    status: 200,
    answer: z.object({ requests: z.array(guardianRequestSchema) }),
    errors: [],
  }),
  answerGuardianRequest: defineRoute({
    id: 'answerGuardianRequest',
    method: 'POST',
    path: '/api/parent/guardian-requests/{id}',
    access: 'parent',
    summary: 'Accept or decline to become a guardian of the child with this id, once',
    body: z.object({ accept: z.boolean('must be true or false') }),
    status: 200,
    answer: z.object({
      message: z.string(),
      /** The child after an acceptance; null otherwise. */
      child: z.nullable(childSchema),
    }),
    errors: ['not_found'],
  }),
};

/** Calls about the approval of a second person (decision 047). */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

/** The calls that may need an approval. */
export const approvalActionSchema = z.enum([
  /** Otherwise one person could add the colleague who then agrees. */
  'createAdmin',
  /** Whoever has the new mailbox could agree as that colleague. */
  'changeStaffEmail',
  'deleteAdmin',
  'deleteParent',
  'deleteChild',
  'exportAudit',
  'exportAttendance',
  /** The setting `secondPerson` is switched off. */
  'secondPersonOff',
]);
export type ApprovalAction = z.infer<typeof approvalActionSchema>;

const personSchema = z.object({ _id: z.string(), name: z.nullable(z.string()) });

/**
 * A request for a second person's approval. `subject`: the person whom it is about, null for an export; `name` is null
 * once that person is deleted. `query`: the filters of an export, or name, email and roleId of a new employee, or the new
 * email of a colleague.
 */
const approvalSchema = z
  .object({
    _id: z.string(),
    action: approvalActionSchema,
    subject: z.nullable(z.object({ kind: z.enum(['admin', 'parent', 'child']), ...personSchema.shape })),
    query: z.record(z.string(), z.string()),
    askedBy: personSchema,
    askedAt: momentSchema,
    expiresAt: momentSchema,
    state: z.enum(['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'used']),
    decidedBy: z.nullable(personSchema),
    /** Whether the reader asked. Otherwise the reader may decide. */
    isOwn: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Approval' });
export type Approval = z.output<typeof approvalSchema>;

export const approvalRoutes = {
  listApprovals: defineRoute({
    id: 'listApprovals',
    method: 'GET',
    path: '/api/approvals',
    access: 'staff',
    permission: 'by-subject',
    summary:
      'Requests that wait for a second person: those of the caller, and those that the caller may decide; oldest first',
    status: 200,
    answer: z.object({ approvals: z.array(approvalSchema) }),
    errors: [],
  }),
  getApproval: defineRoute({
    id: 'getApproval',
    method: 'GET',
    path: '/api/approvals/{id}',
    access: 'staff',
    permission: 'by-subject',
    summary: 'One approval, requested by the caller or open to the decision of the caller',
    status: 200,
    answer: z.object({ approval: approvalSchema }),
    errors: ['not_found'],
  }),
  decideApproval: defineRoute({
    id: 'decideApproval',
    method: 'POST',
    path: '/api/approvals/{id}/decision',
    access: 'staff',
    permission: 'by-subject',
    proof: 'always',
    summary: 'Agree to what a colleague asks, or refuse it; needs the permission of that call',
    body: z.object({
      decision: z.enum(['approve', 'refuse'], { error: 'decision must be approve or refuse' }),
    }),
    status: 200,
    answer: z.object({ approval: approvalSchema }),
    errors: ['not_found', 'password_not_own', 'approval_decided'],
  }),
  withdrawApproval: defineRoute({
    id: 'withdrawApproval',
    method: 'DELETE',
    path: '/api/approvals/{id}',
    access: 'staff',
    permission: 'by-subject',
    summary: 'Withdraw a request of the caller',
    status: 200,
    answer: z.object({ approval: approvalSchema }),
    errors: ['not_found', 'approval_decided'],
  }),
};

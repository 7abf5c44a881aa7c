/** Decisions of staff about proposals of parents, shared by the calls of children and of parents (contract §6). */
import * as z from 'zod/mini';

/** Revision of the proposal at the time somebody looked at it. */
export const revisionSchema = z
  .string({ error: 'revision must be a text' })
  .check(z.maxLength(100, 'revision is not valid'));

/** As JSON or as a form field: staff have seen the look-alikes and confirm that this is somebody else. */
export const confirmSchema = z.optional(
  z.pipe(
    z.union([z.boolean(), z.enum(['true', 'false', ''])], { error: 'confirm must be true or false' }),
    z.transform((value) => value === true || value === 'true'),
  ),
);

/**
 * A decision about a proposal. With `revision` it applies to that revision only, and fails with 409
 * `proposal_changed` if a newer one is pending. Without `revision` it applies to the current proposal.
 */
export const decisionBodySchema = z.object({
  accept: z.boolean({ error: 'accept must be true or false' }),
  revision: z.optional(revisionSchema),
  confirm: confirmSchema,
});

/** True: only rows with a pending proposal; false: only rows without. */
export const pendingQuerySchema = z.optional(
  z.enum(['true', 'false'], { error: 'pending must be true or false' }),
);

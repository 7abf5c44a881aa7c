/** What staff say about what a parent gave: shared by the calls of children and of parents (contract §6). */
import { z } from 'zod';

/** As the object's `proposal` named it when somebody looked at it. */
export const revisionSchema = z
  .string({ error: 'revision must be a text' })
  .max(100, 'revision is not valid');

/** As JSON or as a form field; staff have seen who looks alike, and it is somebody else. */
export const confirmSchema = z
  .union([z.boolean(), z.enum(['true', 'false', ''])], { error: 'confirm must be true or false' })
  .transform((value) => value === true || value === 'true')
  .optional();

/**
 * A decision about what waits. With `revision` it is about what was seen, and 409 `proposal_changed` when something else
 * waits by now; without, about whatever waits.
 */
export const decisionBodySchema = z.object({
  accept: z.boolean({ error: 'accept must be true or false' }),
  revision: revisionSchema.optional(),
  confirm: confirmSchema,
});

/** Only those with, or only those without, something that waits for staff. */
export const pendingQuerySchema = z
  .enum(['true', 'false'], { error: 'pending must be true or false' })
  .optional();

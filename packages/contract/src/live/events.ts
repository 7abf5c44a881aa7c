/** Messages of `/api/events` (server-sent events): `event:` is the type, `id:` resumes, `data:` is this JSON. */
import { z } from 'zod';
import { childSchema, momentSchema } from '../objects.ts';

export const eventTypeSchema = z.enum([
  'child.checked_in',
  'child.checked_out',
  'child.check_in_undone',
  'child.checkout_undone',
  'child.time_up',
  'child.created',
  'child.updated',
  'child.deleted',
  'parent.created',
  'parent.updated',
  'parent.deleted',
  'admin.created',
  'admin.deleted',
  'proposal.accepted',
  'proposal.rejected',
  'settings.updated',
  'sensor.created',
  'sensor.updated',
  'sensor.deleted',
  'sensor.state',
  'camera.created',
  'camera.updated',
  'camera.deleted',
  'child.seen',
  'child.not_seen',
  'child.seen_outside',
  'alert.raised',
  'alert.updated',
  'alert.escalated',
  'alert.acknowledged',
  'alert.cleared',
  'evacuation.ticked',
]);
export type EventType = z.infer<typeof eventTypeSchema>;

/**
 * `child` is the child as it is when the event is sent, null where there is none (any more). `proposal.*` is what staff
 * decided about what a parent gave for the child, or where `childId` is null for the own account. `incidentId` stands in all of
 * `alert.*` and `evacuation.*`; what it is says `GET /api/incidents`.
 * The first message of a stream is the comment-only `hello`; it carries no id.
 */
export const eventSchema = z.object({
  type: eventTypeSchema,
  at: momentSchema,
  childId: z.string().nullable(),
  parentId: z.string().nullable(),
  child: childSchema.nullable(),
  incidentId: z.string().optional(),
});
export type HarisEvent = z.infer<typeof eventSchema>;

/**
 * A message without `id`, when a stream opens while something is not as it should be, and when that changes. `storage`
 * full: reads go on, nothing can be saved. `clock`: to staff alone; ahead, nothing is deleted because it is old.
 */
export const statusSchema = z.object({
  type: z.literal('status'),
  storage: z.enum(['ok', 'full']),
  clock: z.enum(['ok', 'ahead']),
});
export type Status = z.infer<typeof statusSchema>;

/** Messages of `/api/events` (server-sent events): `event:` is the type, `id:` resumes, `data:` is this JSON. */
import * as z from 'zod/mini';
import { childSchema, momentSchema } from '../objects.ts';

export const eventTypeSchema = z.enum([
  'child.checked_in',
  'child.checked_out',
  'child.check_in_undone',
  'child.checkout_undone',
  'child.stay_extended',
  'child.stay_extension_undone',
  'child.moved',
  'child.time_up',
  'child.on_my_way',
  'child.on_my_way_ended',
  'booking.changed',
  'care_log.changed',
  'child.created',
  'child.updated',
  'child.care_card_updated',
  'child.deleted',
  'guardian.changed',
  'parent.created',
  'parent.updated',
  'parent.deleted',
  'admin.created',
  'admin.updated',
  'admin.deleted',
  'approval.changed',
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
  'visitor.changed',
  'kiosk.updated',
  'room.updated',
  'head_count.changed',
  'desk.entries',
]);
export type EventType = z.infer<typeof eventTypeSchema>;

/**
 * `child` is the child at the time of sending, null if there is none, if it was deleted, and for staff without
 * `families.view`. `proposal.*` reports a
 * decision of staff about a parent's proposal: for the child, or for the parent's own account if `childId` is null.
 * `child.on_my_way`: a pick-up was announced or changed; `child.on_my_way_ended`: it was taken back or is long past.
 * `booking.changed` reports that the child's bookings, absences or expected arrival changed.
 * `guardian.changed` reports to staff, and to the account that was asked, changed or ended, that the child has other guardians or
 * that one has other rights; it names the child alone.
 * `care_log.changed`: an entry was added, corrected or signed; it says nothing of it.
 * `child.care_card_updated`: the care card changed, or staff have seen the family's change; it says nothing of it.
 * `kiosk.updated` reports that a kiosk, or what waits for the desk, changed; the family gets its own.
 * `room.updated` reports that a room, or the staff in it, changed; `child.moved` that a child is in another room.
 * `head_count.changed`: a head count was started, ticked or ended; it says nothing of it.
 * `desk.entries`: what a desk tablet told later does not fit, or staff have settled such a conflict; it says nothing of it.
 * A child's guardians are told of its stay, its room, its name and photo and its care log; what one of them entered reaches that
 * one and staff alone. To a parent, `parentId` is that parent.
 * All `alert.*` and `evacuation.*` events have an `incidentId`; `GET /api/incidents` returns the incident.
 * The first message of a stream is the comment-only `hello`; it has no id.
 */
export const eventSchema = z.object({
  type: eventTypeSchema,
  at: momentSchema,
  childId: z.nullable(z.string()),
  parentId: z.nullable(z.string()),
  child: z.nullable(childSchema),
  incidentId: z.optional(z.string()),
});
export type HarisEvent = z.infer<typeof eventSchema>;

/**
 * A message without `id`, sent when a stream opens during a problem and whenever a problem begins or ends. `storage`
 * full: reads work, writes fail. `clock`, for staff only: while the clock is ahead, nothing is deleted by age.
 */
export const statusSchema = z.object({
  type: z.literal('status'),
  storage: z.enum(['ok', 'full']),
  clock: z.enum(['ok', 'ahead', 'behind']),
});
export type Status = z.infer<typeof statusSchema>;

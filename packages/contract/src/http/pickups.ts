/** Calls with which a parent announces a pick-up ("I'm on my way") and takes it back (decision 036). */
import * as z from 'zod/mini';
import { PICKUP_AHEAD_MS, PICKUPS_PER_HOUR } from '../constants.ts';
import { childSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

/** The largest number of children in one announcement. */
const CHILDREN_MAX = 20;

const childrenMessage = 'children must be a list of ids';

const announcementSchema = z.object({
  /** Ids of the children who are fetched. */
  children: z
    .array(z.string(childrenMessage), childrenMessage)
    .check(z.minLength(1, childrenMessage), z.maxLength(CHILDREN_MAX, childrenMessage)),
  /** When somebody arrives. */
  arrivesAt: z.iso.datetime({
    precision: 3,
    error: 'arrivesAt must be a time like 2026-11-20T10:15:00.000Z',
  }),
});

const seenSchema = z.object({
  children: announcementSchema.shape.children,
  /** The time that staff saw: a newer announcement stays unseen. */
  arrivesAt: announcementSchema.shape.arrivesAt,
  /** False takes it back. */
  seen: z.boolean('seen must be true or false'),
});

export const pickupRoutes = {
  announcePickup: defineRoute({
    id: 'announcePickup',
    method: 'POST',
    path: '/api/children/on-my-way',
    access: 'parent',
    summary: `Announce or change a pick-up: all of these children or none, at most ${PICKUP_AHEAD_MS / 3_600_000} hours ahead and ${PICKUPS_PER_HOUR} times an hour; the same call again changes nothing`,
    body: announcementSchema,
    status: 200,
    answer: z.object({ message: z.string(), children: z.array(childSchema) }),
    errors: ['not_found', 'not_inside', 'too_many_attempts'],
  }),
  markPickupSeen: defineRoute({
    id: 'markPickupSeen',
    method: 'POST',
    path: '/api/children/on-my-way/seen',
    access: 'staff',
    permission: 'children.check_in',
    summary:
      'Say that the desk has seen the announced pick-up of these children, or take that back; the family sees it. Children without an announcement for this time are left as they are',
    body: seenSchema,
    status: 200,
    answer: z.object({ message: z.string(), children: z.array(childSchema) }),
    errors: ['not_found'],
  }),
  cancelPickup: defineRoute({
    id: 'cancelPickup',
    method: 'DELETE',
    path: '/api/children/{id}/on-my-way',
    access: 'parent',
    summary: 'Take back the announced pick-up of a child; without one, nothing changes',
    status: 200,
    answer: z.object({ message: z.string(), child: childSchema }),
    errors: ['not_found'],
  }),
};

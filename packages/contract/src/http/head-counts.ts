/** Head counts: a group has moved to another room, and staff tick its children there by name (decision 056). */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';
import { overCapacitySchema, roomIdSchema } from './rooms.ts';
import { defineRoute } from './route.ts';

/** Children of one count that are chosen by name. */
const CHOSEN_CHILDREN_MAX = 200;

/** A staff member, by the present name. */
const personSchema = z.object({ _id: z.string(), name: z.string() });
/** `name` is null after its deletion. */
const countedRoomSchema = z.object({ _id: z.string(), name: z.nullable(z.string()) });

/**
 * A child of a count. `open`: nobody has said anything. `here`: ticked. `stays`: does not come along, as staff say. `left`: its stay
 * has ended. `elsewhere`: a colleague has moved it since the start, or ticked it in another count. Only `open` is missing.
 */
const countedChildSchema = z.object({
  childId: z.string(),
  name: z.string(),
  /** Path below `/api/photos/`. */
  photo: z.nullable(z.string()),
  /** Left out if staff confirmed both the photo and the name. */
  unconfirmed: z.optional(z.literal(true)),
  state: z.enum(['open', 'here', 'stays', 'left', 'elsewhere']),
  /** Was not on the list, and stood there. */
  isAdded: z.boolean(),
  /** The room in which it is now by the word of staff; null: it has left, or is ticked in another count. */
  room: z.nullable(z.string()),
  /** Who said `here` or `stays`, and when; null while nobody has. */
  by: z.nullable(personSchema),
  at: z.nullable(momentSchema),
  /** The danger that it is missing, whoever raised it; null if none is open. */
  incidentId: z.nullable(z.string()),
  /** This count has raised the danger, and somebody has reported the child as found. */
  isFound: z.boolean(),
  /** Where a camera last saw it during this stay: a second witness, which ticks nobody. Null without `sightings.view`. */
  lastSeen: z.nullable(z.object({ area: z.string(), at: momentSchema })),
});
export type CountedChild = z.infer<typeof countedChildSchema>;

/**
 * `open`: children are ticked. `moved`: those who were here have been moved into the room. `cancelled`: ended without that. `over`:
 * nobody has ended it within an hour; nobody was moved.
 */
const headCountSchema = z
  .object({
    _id: z.string(),
    from: countedRoomSchema,
    to: countedRoomSchema,
    state: z.enum(['open', 'moved', 'cancelled', 'over']),
    startedAt: momentSchema,
    startedBy: z.nullable(personSchema),
    /** From then on a child about whom nobody has said anything is a danger. */
    alertsAt: momentSchema,
    endedAt: z.nullable(momentSchema),
    endedBy: z.nullable(personSchema),
    /** By name. */
    children: z.array(countedChildSchema),
  })
  .register(z.globalRegistry, { id: 'HeadCount' });
export type HeadCount = z.infer<typeof headCountSchema>;

export const headCountRoutes = {
  listHeadCounts: defineRoute({
    id: 'listHeadCounts',
    method: 'GET',
    path: '/api/head-counts',
    access: 'staff',
    permission: 'children.move',
    summary: 'The head counts that go on, newest first',
    status: 200,
    answer: z.object({ headCounts: z.array(headCountSchema) }),
    errors: [],
  }),
  startHeadCount: defineRoute({
    id: 'startHeadCount',
    method: 'POST',
    path: '/api/head-counts',
    access: 'staff',
    permission: 'children.move',
    summary:
      'Start a head count of a group that has arrived in another room: all children of the room that it comes from, or chosen ones. If the same one goes on, it is returned',
    body: z
      .object({
        fromRoomId: roomIdSchema,
        toRoomId: roomIdSchema,
        childIds: z.optional(
          z
            .array(z.string('must be ids of children').check(z.minLength(1), z.maxLength(100)))
            .check(
              z.minLength(1, 'Choose at least one child'),
              z.maxLength(CHOSEN_CHILDREN_MAX, `At most ${CHOSEN_CHILDREN_MAX} children at once`),
            ),
        ),
      })
      .check(
        z.refine(({ fromRoomId, toRoomId }) => fromRoomId !== toRoomId, {
          error: 'Choose two different rooms',
          path: ['toRoomId'],
        }),
      ),
    status: 201,
    answer: z.object({ headCount: headCountSchema }),
    errors: ['not_found', 'room_changed', 'head_count_running'],
  }),
  getHeadCount: defineRoute({
    id: 'getHeadCount',
    method: 'GET',
    path: '/api/head-counts/{id}',
    access: 'staff',
    permission: 'children.move',
    summary: 'A head count, also one that has ended',
    status: 200,
    answer: z.object({ headCount: headCountSchema }),
    errors: ['not_found'],
  }),
  tickHeadCount: defineRoute({
    id: 'tickHeadCount',
    method: 'PUT',
    path: '/api/head-counts/{id}/children/{childId}',
    access: 'staff',
    permission: 'children.move',
    summary:
      'Say of a child that it is `here`, `stays` where it was, or neither (`open`, which takes the word back). A child inside who is not on the list joins it with `here`. With `children.check_in`, `here` ends the danger that it is missing. After the end a child who was missing may be ticked, and is moved; that tick may be taken back',
    body: z.object({
      state: z.enum(['here', 'stays', 'open'], { error: 'state must be here, stays or open' }),
    }),
    status: 200,
    answer: z.object({ headCount: headCountSchema }),
    errors: ['not_found', 'not_inside', 'head_count_over', 'room_full'],
  }),
  endHeadCount: defineRoute({
    id: 'endHeadCount',
    method: 'POST',
    path: '/api/head-counts/{id}/end',
    access: 'staff',
    permission: 'children.move',
    summary:
      'End a head count. `moved` moves the children who are here into the room, all or none, and raises the danger `missing_child` for each who is not accounted for; `cancelled` moves nobody. Repeating the call changes nothing',
    body: z.object({
      outcome: z.enum(['moved', 'cancelled'], { error: 'outcome must be moved or cancelled' }),
      overCapacityReason: overCapacitySchema,
    }),
    status: 200,
    answer: z.object({ headCount: headCountSchema }),
    errors: ['not_found', 'head_count_over', 'room_full'],
  }),
};

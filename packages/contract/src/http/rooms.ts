/** Rooms: their capacity and ratios, the staff who are in them, and the moves of children between them (decision 043). */
import * as z from 'zod/mini';
import { areaSchema, reasonSchema } from '../fields.ts';
import { childSchema, momentSchema } from '../objects.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Largest numbers: rooms of a facility, children of a room, bands of its ratios, children of one move. */
export const ROOMS_MAX = 500;
const ROOM_CAPACITY_MAX = 1000;
const ROOM_RATIOS_MAX = 10;
const MOVED_CHILDREN_MAX = 200;

function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).check(z.gte(least, message), z.lte(most, message));
}

/** `childrenPerStaff` counts while the youngest child of the room is below this age in months. */
const ratioSchema = z.object({ underMonths: wholeNumber(1, 240), childrenPerStaff: wholeNumber(1, 100) });
export type RoomRatio = z.infer<typeof ratioSchema>;

/** Youngest band first. */
const ratiosSchema = z.pipe(
  z.array(ratioSchema).check(
    z.maxLength(ROOM_RATIOS_MAX, `A room has at most ${ROOM_RATIOS_MAX} ratios`),
    z.refine((ratios) => new Set(ratios.map(({ underMonths }) => underMonths)).size === ratios.length, {
      error: 'An age may stand here once',
    }),
  ),
  z.transform((ratios) => ratios.toSorted((a, b) => a.underMonths - b.underMonths)),
);

const capacitySchema = z.nullable(wholeNumber(1, ROOM_CAPACITY_MAX));
/** `hard`: a check-in or move beyond the capacity is refused. `soft`: it is accepted and raises an alert. */
const capacityKindSchema = z.enum(['hard', 'soft'], { error: 'must be hard or soft' });

/**
 * A room with its current state. `ratio` is the ratio for its youngest child, with the number of staff that its
 * children need; null without children or without ratios. `isUnderstaffed` is null while nobody has clocked in anywhere
 * today, because then nobody keeps the staff of rooms up to date.
 */
export const roomSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    /** Null: no limit. */
    capacity: z.nullable(z.int()),
    capacityKind: capacityKindSchema,
    ratios: z.array(ratioSchema),
    /** The room in which a check-in puts a child without a home room. */
    isDefault: z.boolean(),
    /** Children inside. */
    children: z.int(),
    /** By name. */
    staff: z.array(z.object({ _id: z.string(), name: z.string(), since: momentSchema })),
    ratio: z.nullable(z.object({ childrenPerStaff: z.int(), staffNeeded: z.int() })),
    isOverCapacity: z.boolean(),
    isUnderstaffed: z.nullable(z.boolean()),
    /** Uses of the room. A room with cameras, sensors or children inside cannot be deleted. */
    cameras: z.int(),
    sensors: z.int(),
    homeChildren: z.int(),
  })
  .register(z.globalRegistry, { id: 'Room' });
export type Room = z.infer<typeof roomSchema>;

const roomFields = {
  name: areaSchema,
  capacity: z.optional(capacitySchema),
  capacityKind: z.optional(capacityKindSchema),
  ratios: z.optional(ratiosSchema),
};

/** The id of a room in a body. */
export const roomIdSchema = z
  .string('must be the id of a room')
  .check(z.minLength(1, 'must be the id of a room'), z.maxLength(100, 'must be the id of a room'));

/** Why a hard limit is exceeded; for those who may. */
export const overCapacitySchema = z.optional(reasonSchema);

export const roomRoutes = {
  listRooms: defineRoute({
    id: 'listRooms',
    method: 'GET',
    path: '/api/rooms',
    access: 'staff',
    permission: 'rooms.view',
    summary: 'All rooms by name, with the children and staff in them now',
    status: 200,
    answer: z.object({ rooms: z.array(roomSchema) }),
    errors: [],
  }),
  createRoom: defineRoute({
    id: 'createRoom',
    method: 'POST',
    path: '/api/rooms',
    access: 'staff',
    permission: 'rooms.manage',
    summary: 'Add a room; its name is unique, whatever the case and accents',
    body: z.object({
      ...roomFields,
      isDefault: z.optional(z.boolean('must be true or false')),
    }),
    status: 201,
    answer: z.object({ room: roomSchema }),
    errors: ['room_name_taken', 'too_many_rooms'],
  }),
  updateRoom: defineRoute({
    id: 'updateRoom',
    method: 'PUT',
    path: '/api/rooms/{id}',
    access: 'staff',
    permission: 'rooms.manage',
    proof: 'by-body',
    summary:
      'Change a room. A new name is also the new `area` of its cameras, sensors, limits and open alerts; `isDefault: true` makes it the default instead of the other. Another capacity or other ratios need a proof',
    body: z.object({
      ...roomFields,
      name: z.optional(areaSchema),
      isDefault: z.optional(
        z.literal(true, { error: 'must be true: make another room the default instead' }),
      ),
    }),
    status: 200,
    answer: z.object({ room: roomSchema }),
    errors: ['not_found', 'room_name_taken'],
  }),
  deleteRoom: defineRoute({
    id: 'deleteRoom',
    method: 'DELETE',
    path: '/api/rooms/{id}',
    access: 'staff',
    permission: 'rooms.manage',
    proof: 'always',
    summary:
      'Delete a room without cameras, sensors and children inside; children whose home room it was have the default room',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'room_in_use', 'default_room'],
  }),
  setPresence: defineRoute({
    id: 'setPresence',
    method: 'PUT',
    path: '/api/rooms/{id}/staff',
    access: 'staff',
    permission: 'children.move',
    summary:
      'Say that oneself is in this room (`here`, which ends being in another) or no longer (`gone`); a repetition changes nothing',
    body: z.object({
      presence: z.enum(['here', 'gone'], { error: 'presence must be here or gone' }),
    }),
    status: 200,
    answer: z.object({ room: roomSchema }),
    errors: ['not_found'],
  }),
  moveChildren: defineRoute({
    id: 'moveChildren',
    method: 'POST',
    path: '/api/children/move',
    access: 'staff',
    permission: 'children.move',
    summary:
      'Move children inside to a room, all or none; those who are there already stay, so a repetition changes nothing',
    body: z.object({
      childIds: z
        .array(z.string('must be ids of children').check(z.minLength(1), z.maxLength(100)))
        .check(
          z.minLength(1, 'Choose at least one child'),
          z.maxLength(MOVED_CHILDREN_MAX, `At most ${MOVED_CHILDREN_MAX} children at once`),
        ),
      roomId: roomIdSchema,
      overCapacityReason: overCapacitySchema,
    }),
    status: 200,
    answer: z.object({ message: z.string(), children: z.array(childSchema), room: roomSchema }),
    errors: ['not_found', 'not_inside', 'room_full'],
  }),
};

/** What a desk tablet keeps, sealed, for a time without a connection (decision 055). */
import * as z from 'zod/mini';
import { careCardSchema } from './care-card.ts';
import { momentSchema } from './objects.ts';

const keptChildSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Staff never confirmed the name or the photo. */
  isUnconfirmed: z.boolean(),
  /** The first guardian; null if nobody may be named. */
  guardian: z.nullable(z.object({ name: z.string(), phone: z.nullable(z.string()) })),
  room: z.nullable(z.string()),
  entryTime: momentSchema,
  /** In whole minutes from `entryTime`. */
  duration: z.int(),
  /** Null without one, and if the list is for somebody who may not see it. */
  card: z.nullable(careCardSchema),
  /** There is a care card that could not be read: nobody must take the child for one without allergies. */
  isCardUnreadable: z.boolean(),
});
export type KeptChild = z.infer<typeof keptChildSchema>;

/** A child that can be checked in. What came after the name has a default, so that a list of an older server still opens. */
const outsideChildSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Staff never confirmed the name or the photo. */
  isUnconfirmed: z._default(z.boolean(), false),
  /** Name of the first guardian, to tell namesakes apart; null if nobody may be named. */
  guardian: z._default(z.nullable(z.string()), null),
  /** Null: the default room. It may be a room that takes nobody now. */
  homeRoomId: z._default(z.nullable(z.string()), null),
  /** Somebody has saved a care card, which is not on the list: nobody must take the child for one without allergies. */
  hasCard: z._default(z.boolean(), false),
});
export type OutsideChild = z.infer<typeof outsideChildSchema>;

/** What check-ins need. Without a connection a room with a hard limit takes nobody, because nobody knows how many places it has left. */
const deskCheckInSchema = z.object({
  /** The rooms that take children, in the order of their names; there may be none. At most one is the default. */
  rooms: z.array(z.object({ id: z.string(), name: z.string(), isDefault: z.boolean() })),
});

/**
 * The children of a facility, in the order of their names: those inside, and those outside whose registration nobody has disowned.
 */
export const deskListSchema = z.object({
  inside: z.array(keptChildSchema),
  outside: z.array(outsideChildSchema),
  /** Null: the person of the sign-in may check nobody in; of who is outside the list then has the name alone. */
  checkIn: z._default(z.nullable(deskCheckInSchema), null),
});
export type DeskList = z.infer<typeof deskListSchema>;

/** What the sealed list is bound to, so that nothing else that is sealed with its key opens as one. */
export const DESK_LIST_CONTEXT = 'desk list';
